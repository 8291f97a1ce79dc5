"""python -m webapp classes: the classes of a server listed, deleted and expired, while it runs or not. Exit
codes are those of `links`.
"""

from __future__ import annotations

import argparse
from functools import partial

from webapp.classroom.classes import all_classes, delete_classes, expire_classes
from webapp.commands.link_commands import EXIT_OK, MAX_LISTED_IDS, CallError, CommandParser, run
from webapp.commands.link_tables import printable
from webapp.messages import msg
from webapp.store.database import database

PROG = "python -m webapp classes"  # how it is called unless a caller says otherwise
COLUMNS = ("id", "made", "deleted on", "students", "title")
WIDTHS = (16, 10, 10, 8)  # of all but the last column


def main(arguments: list[str], prog: str = PROG) -> int:
    """Does what the arguments say; returns the exit code. prog: how it was called."""
    return run(partial(parser, prog), arguments)


def _list(_chosen: argparse.Namespace) -> int:
    _existing()
    print(_row(COLUMNS))
    for of, students in all_classes():
        days = f"{of.created:%Y-%m-%d}", f"{of.expires:%Y-%m-%d}"
        print(_row((of.id, *days, str(students), printable(of.title))))
    return EXIT_OK


def _delete(chosen: argparse.Namespace) -> int:
    _existing()
    missing = delete_classes(chosen.ids)
    if missing:
        ids = ", ".join(repr(id[:40]) for id in sorted(missing)[:MAX_LISTED_IDS])
        raise CallError(msg("commands.class_commands.no_class", ids=ids))
    print(msg("commands.class_commands.deleted", count=len(set(chosen.ids))))
    return EXIT_OK


def _expire(_chosen: argparse.Namespace) -> int:
    _existing()
    print(msg("commands.class_commands.expired", count=expire_classes()))
    return EXIT_OK


def _existing() -> None:
    if database().is_missing():
        name = database().name
        raise CallError(msg("commands.link_commands.there_no_gantry_data_or_database", name=name))


def _row(values: tuple[str, ...]) -> str:
    columns = (f"{value:<{width}}" for value, width in zip(values, WIDTHS))
    return "  ".join([*columns, values[-1]])


def parser(prog: str = PROG) -> CommandParser:
    """Of these commands; prog: how they were called."""
    about = msg("commands.class_commands.about")
    options = CommandParser(prog=prog, description=about, allow_abbrev=False)
    commands = options.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name, command, help in (
        ("list", _list, msg("commands.class_commands.list")),
        ("delete", _delete, msg("commands.class_commands.delete")),
        ("expire", _expire, msg("commands.class_commands.expire")),
    ):
        command_parser = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        command_parser.set_defaults(command=command)
        if name == "delete":
            command_parser.add_argument("ids", metavar="ID", nargs="+")
    return options
