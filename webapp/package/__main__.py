"""The command gantry: all that python -m engine and python -m webapp do."""

from __future__ import annotations

import sys
from collections.abc import Callable

from engine.__main__ import Program
from engine.__main__ import main as run_engine
from webapp.messages import msg

PROG = "gantry"


def main() -> int:
    """Does what the process's arguments say; returns the exit code."""
    return run_engine(
        prog=PROG,
        programs={
            "serve": _program("serve", msg("package.main.serve"), _server),
            "links": _program("links", msg("package.main.links"), _links),
            "classes": _program("classes", msg("package.main.classes"), _classes),
            "collect": _program("collect", msg("package.main.collect"), _collect),
        },
    )


def _program(name: str, help: str, load: Callable[[], tuple[Callable, Callable]]) -> Program:
    """load: what does what arguments say, and what makes its parser, each for a name; loaded if called."""
    prog = f"{PROG} {name}"
    return Program(help, lambda arguments: load()[0](arguments, prog), lambda: load()[1](prog))


def _server() -> tuple[Callable, Callable]:
    from webapp.__main__ import parser, serve

    return lambda arguments, prog: serve(parser(prog).parse_args(arguments)), parser


def _links() -> tuple[Callable, Callable]:
    from webapp.commands import link_commands

    return link_commands.main, link_commands.parser


def _classes() -> tuple[Callable, Callable]:
    from webapp.commands import class_commands

    return class_commands.main, class_commands.parser


def _collect() -> tuple[Callable, Callable]:
    from engine.collect import gantry_collect

    return gantry_collect.main, gantry_collect.parser


if __name__ == "__main__":
    sys.exit(main())
