"""python -m webapp links: the links of a server listed, shown, deleted, expired, backed up, restored and
moved, while it runs or not.

Exit codes: 0 done; 1 done, and links that differ were left as they are, or some are missing; 2 the call, a
file or the database is wrong: a sentence on standard error, nothing changed.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from engine import GantryError
from webapp import settings
from webapp.commands import link_tables
from webapp.store import link_backup
from webapp.store.link_transfer import TransferResult, count_missing, transfer
from webapp.store.links import LinkStore, link_store, without_unstorable

DONE, DIFFER, FAILED, INTERRUPTED = 0, 1, 2, 130
MAX_LISTED_IDS = 10  # ids of links that differ
MAX_DAYS = 100_000
PASSWORD_IN_URL = re.compile(r"://[^\s/'\"]*@")


class CallError(GantryError):
    """A command or an option that does not exist, or can't be done."""


def main(arguments: list[str]) -> int:
    """Does what the arguments say; returns the exit code."""
    logging.getLogger("gantry").addHandler(
        logging.NullHandler()
    )  # what goes wrong is told in a sentence, once
    sys.stdout.reconfigure(encoding="utf-8")  # as titles are, whatever the terminal's language
    try:
        chosen = _parser().parse_args(arguments)
        code = chosen.command(chosen)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # what is still buffered can't be written either
        fault = f"standard output can't be written: {error.strerror or error}"
    except GantryError as error:
        fault = str(error)
    print(fault, file=sys.stderr)
    return FAILED


def _existing_store() -> LinkStore:
    """The server's links; CallError where there are none to be found, rather than a new database."""
    store = link_store()
    if store.database.is_missing():
        raise CallError(
            f"There is no {store.database.name}: GANTRY_DATA or DATABASE_URL must name what the server uses."
        )
    return store


def _list(chosen: argparse.Namespace) -> int:
    link_tables.print_links(
        _existing_store().heads(), "json" if chosen.json else "csv" if chosen.csv else "text"
    )
    return DONE


def _show(chosen: argparse.Namespace) -> int:
    stored = _existing_store().find_stored(chosen.id)
    if stored is None:
        raise CallError(f"There is no link {chosen.id[:40]!r}.")
    link_tables.print_link(stored, chosen.json)
    return DONE


def _delete(chosen: argparse.Namespace) -> int:
    missing = _existing_store().delete(chosen.ids)
    if missing:
        raise CallError(
            f"There is no link {', '.join(repr(id[:40]) for id in sorted(missing)[:MAX_LISTED_IDS])}; "
            "nothing was deleted."
        )
    print(f"{_count_text(len(set(chosen.ids)))} deleted.")
    return DONE


def _expire(chosen: argparse.Namespace) -> int:
    days = chosen.days or settings.link_days()
    if not days:
        raise CallError(
            "Links are kept for ever on this server: say after how many days they expire by --days, or "
            "set GANTRY_LINK_DAYS."
        )
    unopened = f"that nobody has opened for {days} days"
    if chosen.dry_run:
        print(
            f"{_count_text(link_tables.print_table(_existing_store().heads(days)))} {unopened} would be "
            "deleted."
        )
    else:
        print(f"{_count_text(_existing_store().expire(days))} {unopened} deleted.")
    return DONE


def _backup(chosen: argparse.Namespace) -> int:
    store, report = _existing_store(), _progress_printer("written")
    total = store.count()

    def each():
        for number, stored in enumerate(store.iterate(), 1):
            report(number, total)
            yield stored

    count = link_backup.write(Path(chosen.file), each())
    print(f"{_count_text(count)} of {store.database.name} written to {chosen.file}.")
    return DONE


def _restore(chosen: argparse.Namespace) -> int:
    path = Path(chosen.file)
    total = sum(1 for _ in link_backup.read(path))  # to its end, before anything is written
    report = _progress_printer("restored")
    moved = transfer(
        link_backup.read(path), link_store(), not chosen.dry_run, lambda done: report(done, total)
    )
    print(
        f"{_count_text(moved.new)} {'would be added' if chosen.dry_run else 'added'}, {moved.same} there "
        "already."
    )
    return _report_differing(moved, path.name)


def _move(chosen: argparse.Namespace) -> int:
    source = _existing_store()
    try:
        target = LinkStore(settings.with_driver(chosen.to))
    except GantryError:
        raise CallError(
            "--to names a database that can't be used here: it must be a URL SQLAlchemy knows, with its "
            "driver installed."
        ) from None
    if source.database.is_same_database(target.database):
        raise CallError(f"The links are in {source.database.name} already; --to must name another database.")
    total, report = source.count(), _progress_printer("moved")
    moved = transfer(source.iterate(), target, report=lambda done: report(done, total))
    missing = count_missing(source, target)
    print(
        f"{_count_text(moved.new)} added to {target.database.name}, {moved.same} there already; "
        f"{source.count()} here, {target.count()} there. None was deleted."
    )
    if missing:
        print(
            f"{_count_text(missing)} of {source.database.name} are not there: links were shared "
            "meanwhile; move again.",
            file=sys.stderr,
        )
    return _report_differing(moved, source.database.name) or (DIFFER if missing else DONE)


def _report_differing(moved: TransferResult, source: str) -> int:
    """Tell of links that were left as they are."""
    if not moved.differing:
        return DONE
    more = (
        f" and {len(moved.differing) - MAX_LISTED_IDS} more" if len(moved.differing) > MAX_LISTED_IDS else ""
    )
    listed_ids = ", ".join(moved.differing[:MAX_LISTED_IDS])
    print(
        f"{_count_text(len(moved.differing))} in the database with other content than in {source}, left "
        f"as they are: {listed_ids}{more}.",
        file=sys.stderr,
    )
    return DIFFER


def _count_text(count: int) -> str:
    return f"{count:,} link" if count == 1 else f"{count:,} links"


def _progress_printer(what: str) -> Callable[[int, int], None]:
    """Says how far it is, each percent, to somebody who looks."""
    if not sys.stderr.isatty():
        return lambda done, total: None
    last = -1

    def tell(done: int, total: int) -> None:
        nonlocal last
        percent = min(100 * done // max(total, 1), 100)
        if percent != last:
            last = percent
            print(
                f"\r{done:,} of {total:,} {what}",
                end="\n" if done >= total else "",
                file=sys.stderr,
                flush=True,
            )

    return tell


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        redacted = PASSWORD_IN_URL.sub("://…@", without_unstorable(message))
        raise CallError(f"{redacted}; {self.prog} --help says what can be given")


def _parse_days(text: str) -> int:
    days = int(text) if text.isdecimal() and len(text) < 10 else 0
    if not 1 <= days <= MAX_DAYS:
        raise argparse.ArgumentTypeError(f"must be a whole number of days from 1 to {MAX_DAYS:,}")
    return days


def _parser() -> _Parser:
    about = "The links of the server whose GANTRY_DATA and DATABASE_URL are set; it may run meanwhile."
    parser = _Parser(prog="python -m webapp links", description=about, allow_abbrev=False)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, command: object, help: str) -> argparse.ArgumentParser:
        command_parser = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        command_parser.set_defaults(command=command)
        return command_parser

    listing = add(
        "list", _list, "list all links: id, made, last opened (known to a day), version, title; times are UTC"
    ).add_mutually_exclusive_group()
    listing.add_argument("--json", action="store_true", help="as JSON")
    listing.add_argument("--csv", action="store_true", help="as CSV")
    show = add("show", _show, "what a link keeps")
    show.add_argument("id", metavar="ID")
    show.add_argument("--json", action="store_true", help="all of it, as a backup has it")
    delete = add("delete", _delete, "delete these links, all or none")
    delete.add_argument("ids", metavar="ID", nargs="+")
    expire = add(
        "expire",
        _expire,
        "delete the links that nobody has opened for some days; a server with GANTRY_LINK_DAYS does so "
        "once a day",
    )
    expire.add_argument("--days", type=_parse_days, metavar="N", help="so many; default: GANTRY_LINK_DAYS")
    expire.add_argument("--dry-run", action="store_true", help="say which, delete none")
    backup = add("backup", _backup, "write all links to a file that only its owner may read")
    backup.add_argument(
        "file", metavar="FILE", help="packed where its name ends in .gz; a file of this name is replaced"
    )
    restore = add("restore", _restore, "add the links of a backup; those that are there stay as they are")
    restore.add_argument("file", metavar="FILE", help="what backup wrote")
    restore.add_argument("--dry-run", action="store_true", help="say what would be added, add nothing")
    move = add(
        "move",
        _move,
        "copy all links to another database, from SQLite to PostgreSQL or back; what was broken off may "
        "be begun again",
    )
    move.add_argument(
        "--to",
        metavar="URL",
        required=True,
        help="such as postgresql://user:password@host/name or sqlite:////folder/links.sqlite",
    )
    return parser
