"""python -m webapp links: the links of a server listed, shown, deleted and expired; and links, classes and
shared exercises backed up, restored and moved, while it runs or not.

Exit codes: 0 done; 1 done, and what differs was left as it is, or some is missing; 2 the call, a
file or the database is wrong: a sentence on standard error, nothing changed.
"""

from __future__ import annotations

import argparse
import io
import logging
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NoReturn

from engine import GantryError, quantities
from webapp import settings
from webapp.commands import link_tables
from webapp.messages import msg
from webapp.store.database import without_unstorable
from webapp.store.kept_records import AddResult
from webapp.url import link_backup
from webapp.url.link_transfer import count_missing, iterate, kind, stores, transfer
from webapp.url.links import LinkStore, link_store

PROG = "python -m webapp links"  # how it is called unless a caller says otherwise
EXIT_OK, EXIT_DIFFERENT, EXIT_FAILED, EXIT_INTERRUPTED = 0, 1, 2, 130
MAX_LISTED_IDS = 10  # ids of links that differ
MAX_DAYS = 100_000
KINDS = ("links", "exercises", "classes")  # that an owner is told of
PASSWORD_IN_URL = re.compile(r"://[^\s/'\"]*@")


class CallError(GantryError):
    """A command or an option that does not exist, or can't be done."""


def main(arguments: list[str], prog: str = PROG) -> int:
    """Does what the arguments say; returns the exit code. prog: how it was called."""
    return run(partial(parser, prog), arguments)


def run(parser: Callable[[], CommandParser], arguments: list[str]) -> int:
    """Does what the arguments say to a parser's commands; returns the exit code."""
    # what goes wrong is told in a sentence, once
    logging.getLogger("gantry").addHandler(logging.NullHandler())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as titles are, whatever the terminal's language
    try:
        chosen = parser().parse_args(arguments)
        code = chosen.command(chosen)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        # what is still buffered can't be written either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        why = error.strerror or error
        fault = msg("commands.link_commands.standard_output_cant_be_written", why=why)
    except GantryError as error:
        fault = str(error)
    print(fault, file=sys.stderr)
    return EXIT_FAILED


def _existing_store() -> LinkStore:
    """The server's links; CallError where there are none to be found, rather than a new database."""
    store = link_store()
    if store.database.is_missing():
        name = store.database.name
        raise CallError(msg("commands.link_commands.there_no_gantry_data_or_database", name=name))
    return store


def _list(chosen: argparse.Namespace) -> int:
    form = "json" if chosen.json else "csv" if chosen.csv else "text"
    link_tables.print_links(_existing_store().heads(), form)
    return EXIT_OK


def _show(chosen: argparse.Namespace) -> int:
    stored = _existing_store().find_stored(chosen.id)
    if stored is None:
        raise CallError(msg("commands.link_commands.there_no_link", id=chosen.id[:40]))
    link_tables.print_link(stored, chosen.json)
    return EXIT_OK


def _delete(chosen: argparse.Namespace) -> int:
    missing = _existing_store().delete(chosen.ids)
    if missing:
        ids = ", ".join(repr(id[:40]) for id in sorted(missing)[:MAX_LISTED_IDS])
        raise CallError(msg("commands.link_commands.there_no_link_nothing_was_deleted", ids=ids))
    print(msg("commands.link_commands.deleted", links=_links(len(set(chosen.ids)))))
    return EXIT_OK


def _expire(chosen: argparse.Namespace) -> int:
    days = chosen.days or settings.link_days()
    if not days:
        raise CallError(msg("commands.link_commands.links_never_expire_on_server_say"))
    unopened = msg("commands.link_commands.nobody_has_opened_for_days", days=days)
    if chosen.dry_run:
        links = _links(link_tables.print_table(_existing_store().heads(days)))
        print(msg("commands.link_commands.would_be_deleted", links=links, unopened=unopened))
    else:
        links = _links(_existing_store().expire(days))
        print(msg("commands.link_commands.deleted_2", links=links, unopened=unopened))
    return EXIT_OK


def _backup(chosen: argparse.Namespace) -> int:
    links, report, counts = _existing_store(), _progress_printer("written"), Counter[str]()
    source = stores(links)
    total = sum(store.count() for store in source.values())

    def each():
        for number, one in enumerate(iterate(source), 1):
            report(number, total)
            counts[kind(one)] += 1
            yield one

    link_backup.write(Path(chosen.file), each())
    kept, name = _kept(counts), links.database.name
    print(msg("commands.link_commands.written_to", kept=kept, name=name, file=chosen.file))
    return EXIT_OK


def _restore(chosen: argparse.Namespace) -> int:
    path = Path(chosen.file)
    total = sum(1 for _ in link_backup.read(path))  # to its end, before anything is written
    report = _progress_printer("restored")
    kept, write = link_backup.read(path), not chosen.dry_run
    moved = transfer(kept, stores(link_store()), lambda done: report(done, total), write)
    what = "added" if write else "would be added"
    print(msg("commands.link_commands.there_already", kept=_kept_new(moved), what=what, same=_same(moved)))
    return _report_others(moved, path.name, "deleted" if write else "would be deleted")


def _move(chosen: argparse.Namespace) -> int:
    links = _existing_store()
    try:
        target_links = LinkStore(settings.with_driver(chosen.to))
    except GantryError:
        raise CallError(msg("commands.link_commands.to_names_database_cant_be_used")) from None
    if links.database.is_same_database(target_links.database):
        name = links.database.name
        raise CallError(msg("commands.link_commands.links_in_already_to_must_name", name=name))
    source, target = stores(links), stores(target_links)
    total, report = sum(store.count() for store in source.values()), _progress_printer("moved")
    moved = transfer(iterate(source), target, lambda done: report(done, total))
    gone = {name: result.gone for name, result in moved.items()}
    missing = {name: max(count - gone[name], 0) for name, count in count_missing(source, target).items()}
    here, there = (sum(of[name].count() for name in KINDS) for of in (source, target))
    print(
        msg(
            "commands.link_commands.added_to_there_already_here_there",
            kept=_kept_new(moved),
            name=target_links.database.name,
            same=_same(moved),
            here=here,
            there=there,
        )
    )
    if any(missing.values()):
        kept, name = _kept(missing), links.database.name
        fault = msg("commands.link_commands.not_there_links_were_shared_meanwhile", kept=kept, name=name)
        print(fault, file=sys.stderr)
    code = EXIT_DIFFERENT if any(missing.values()) else EXIT_OK
    return _report_others(moved, links.database.name) or code


def _report_others(moved: dict[str, AddResult], source: str, what: str = "deleted") -> int:
    """Tell of what was left out, deleted, or left as it is."""
    if gone := sum(result.gone for name, result in moved.items() if name in KINDS):
        classes = quantities.count(gone, "classes")
        print(msg("commands.link_commands.classes_gone", classes=classes, source=source))
    if deleted := sum(result.deleted for result in moved.values()):
        classes = quantities.count(deleted, "classes")
        print(msg("commands.link_commands.classes_deleted", classes=classes, what=what, source=source))
    differing = [id for result in moved.values() for id in result.differing]
    if not differing:
        return EXIT_OK
    ids, unlisted = ", ".join(differing[:MAX_LISTED_IDS]), len(differing) - MAX_LISTED_IDS
    if unlisted > 0:
        ids += msg("commands.link_commands.and_more", count=unlisted)
    kept = _kept({name: len(result.differing) for name, result in moved.items()})
    fault = msg("commands.link_commands.in_database_with_other_content", kept=kept, source=source, ids=ids)
    print(fault, file=sys.stderr)
    return EXIT_DIFFERENT


def _kept_new(moved: dict[str, AddResult]) -> str:
    return _kept({name: result.new for name, result in moved.items()})


def _same(moved: dict[str, AddResult]) -> int:
    return sum(moved[name].same for name in KINDS)


def _kept(counts: Mapping[str, int]) -> str:
    """How many of each kind there are, without those of which there are none: "2 links, 1 class"."""
    return ", ".join(quantities.count(counts[name], name) for name in KINDS if counts.get(name)) or _links(0)


def _links(count: int) -> str:
    return quantities.count(count, "links")


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
            end = "\n" if done >= total else ""
            print(f"\r{done:,} of {total:,} {what}", end=end, file=sys.stderr, flush=True)

    return tell


class CommandParser(argparse.ArgumentParser):
    """A wrong call is told in a sentence, without a password."""

    def error(self, message: str) -> NoReturn:
        redacted = PASSWORD_IN_URL.sub("://…@", without_unstorable(message))
        raise CallError(msg("commands.link_commands.help_lists_options", redacted=redacted, prog=self.prog))


def _parse_days(text: str) -> int:
    days = int(text) if text.isdecimal() and len(text) < 10 else 0
    if not 1 <= days <= MAX_DAYS:
        fault = msg("commands.link_commands.must_be_whole_number_days_from", max_days=MAX_DAYS)
        raise argparse.ArgumentTypeError(fault)
    return days


def parser(prog: str = PROG) -> CommandParser:
    """Of these commands; prog: how they were called."""
    about = msg("commands.link_commands.links_server_whose_gantry_data_and")
    options = CommandParser(prog=prog, description=about, allow_abbrev=False)
    commands = options.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, command: object, help: str) -> argparse.ArgumentParser:
        command_parser = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        command_parser.set_defaults(command=command)
        return command_parser

    listing = add("list", _list, msg("commands.link_commands.list_all_links_id_made_last"))
    forms = listing.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help=msg("commands.link_commands.as_json"))
    forms.add_argument("--csv", action="store_true", help=msg("commands.link_commands.as_csv"))
    show = add("show", _show, msg("commands.link_commands.content_link"))
    show.add_argument("id", metavar="ID")
    show.add_argument("--json", action="store_true", help=msg("commands.link_commands.all_as_backup_has"))
    delete = add("delete", _delete, msg("commands.link_commands.delete_these_links_all_or_none"))
    delete.add_argument("ids", metavar="ID", nargs="+")
    expire = add("expire", _expire, msg("commands.link_commands.delete_links_nobody_has_opened_for"))
    days = msg("commands.link_commands.so_many_default_gantry_link_days")
    expire.add_argument("--days", type=_parse_days, metavar="N", help=days)
    which = msg("commands.link_commands.say_which_delete_none")
    expire.add_argument("--dry-run", action="store_true", help=which)
    backup = add("backup", _backup, msg("commands.link_commands.write_all_links_to_file_only"))
    packed = msg("commands.link_commands.packed_where_its_name_ends_in")
    backup.add_argument("file", metavar="FILE", help=packed)
    restore = add("restore", _restore, msg("commands.link_commands.add_links_backup_existing_links_not"))
    restore.add_argument("file", metavar="FILE", help=msg("commands.link_commands.file_written_by_backup"))
    added = msg("commands.link_commands.say_what_would_be_added_add")
    restore.add_argument("--dry-run", action="store_true", help=added)
    move = add("move", _move, msg("commands.link_commands.copy_all_links_to_another_database"))
    target = msg("commands.link_commands.such_as_postgresql_user_password_host")
    move.add_argument("--to", metavar="URL", required=True, help=target)
    return options
