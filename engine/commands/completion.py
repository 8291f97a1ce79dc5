"""completion: a script by which a shell completes the command gantry.

The script holds all words itself, so a shell asks nobody while somebody types.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

import shtab

NAME = "gantry"  # of the installed command
PATHS = {"FILE": shtab.FILE, "SCENARIO": shtab.FILE, "DIR": shtab.DIRECTORY}  # by what stands for a value


def completion(parser: argparse.ArgumentParser, shell: str) -> str:
    """The script for a shell that shtab knows; what the parser does not know are its words, so it is not one
    to parse with afterwards.
    """
    parser.prog = NAME
    words = _words()
    for action in _actions(parser):
        known = [key for key in (*action.option_strings, str(action.metavar)) if key in words]
        if known:
            action.choices = words[known[0]]
        elif isinstance(action.metavar, str) and action.metavar in PATHS:
            action.complete = PATHS[action.metavar]  # type: ignore[attr-defined]  # where shtab looks for it
    return shtab.complete(parser, shell) + "\n"


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Those of the parser and of all its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _words() -> dict[str, Iterable[str]]:
    """What is known of a value that may be another too, by its option or by what stands for it."""
    from engine.papers import PAPERS, paper_experiments
    from engine.prediction.questions import QUESTIONS
    from engine.schedulers.catalogue import CATALOGUE
    from engine.schedulers.policy import ORDER
    from engine.studies.measures import MEASURES

    return {
        "--scheduler": list(CATALOGUE[ORDER]),
        "--metric": list(MEASURES),
        "METRIC": list(MEASURES),
        "--question": list(QUESTIONS),
        "ID": [*(paper.key for paper in PAPERS), *paper_experiments()],
    }
