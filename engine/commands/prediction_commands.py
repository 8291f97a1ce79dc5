"""replay and what-if: a cluster's history beside its simulation, and questions on it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from engine.commands.streams import DONE, STUCK, CallError, print_out, tell, together

if TYPE_CHECKING:
    from engine.scenario.formats.readers import Imported

FILES = "a scenario, or a cluster's history with its configuration: files, folders or archives, - for standard input"


def add_replay(parser: argparse.ArgumentParser) -> None:
    """The arguments of replay."""
    parser.add_argument("file", metavar="FILE", nargs="+", help=FILES)
    parser.add_argument("--scheduler", metavar="NAME", help="the cluster's; default: its configuration's, else what the history says, else fair")
    parser.add_argument("--fit-from", metavar="FILE", nargs="+", help="another history of this cluster to fit to; default: the first half of the jobs")
    parser.add_argument("--json", action="store_true", help="print it as JSON, with every job")


def replay(chosen: argparse.Namespace) -> int:
    """Prints how well the history is explained and predicted; STUCK where a job never finishes in the simulation."""
    from engine import jit
    from engine.prediction.prediction import predict
    from engine.prediction.replay_report import replay_plain, replay_text

    jit.report = tell
    imported = together(chosen.file)
    training = together(chosen.fit_from).scenario if chosen.fit_from else None
    scheduler = _scheduler(chosen, imported)
    if not (chosen.scheduler or _named(imported)):
        tell("assumed: the cluster's scheduler is fair, as nothing says which it is; --scheduler says another")
    found = predict(imported.scenario, scheduler, training=training, report=tell if sys.stderr.isatty() else None)
    print_out([json.dumps(replay_plain(found), ensure_ascii=False, indent=1) + "\n" if chosen.json else replay_text(found)])
    return STUCK if found.stuck else DONE


def add_what_if(parser: argparse.ArgumentParser) -> None:
    """The arguments of what-if."""
    from engine.prediction.questions import QUESTIONS

    parser.add_argument("file", metavar="FILE", nargs="+", help=FILES)
    parser.add_argument("--question", metavar="KEY", required=True, help=f"one of {', '.join(f'{key} ({one.about})' for key, one in QUESTIONS.items())}")
    parser.add_argument("--set", metavar="KEY=VALUE", action="append", help="a value of the question, such as nodes=12; may be repeated")
    parser.add_argument("--scheduler", metavar="NAME", help="the cluster's; default: its configuration's, else fair")
    parser.add_argument("--price", metavar="AMOUNT", default="", help="money a node-hour, such as 0.40 or '0.40 EUR': the cost before and after")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON, with every job")


def what_if(chosen: argparse.Namespace) -> int:
    """Prints the answer to a question; STUCK where a run ends in a deadlock."""
    from engine import jit
    from engine.prediction.answer import answer, ground
    from engine.prediction.answer_text import answer_plain, answer_text
    from engine.prediction.price import Price
    from engine.prediction.questions import changed

    jit.report = tell
    price = Price.of(chosen.price)
    imported = together(chosen.file)
    scheduler = _scheduler(chosen, imported)
    values = dict(_pair(text) for text in chosen.set or [])
    changed(imported.scenario, scheduler, chosen.question, values)  # what is wrong with the call is said before anything is fitted
    asked = ground(imported.scenario, scheduler)
    found = answer(asked, changed(asked.scenario, asked.scheduler, chosen.question, values), price=price)
    print_out([json.dumps(answer_plain(found), ensure_ascii=False, indent=1) + "\n" if chosen.json else answer_text(found)])
    return STUCK if found.stuck else DONE


def _pair(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise CallError(f"--set {text[:80]!r} must be KEY=VALUE, such as nodes=12")
    return key.strip(), value


def _named(imported: Imported) -> str | None:
    """The scheduler that the configuration or the history names."""
    from engine.output.hadoop_files import kept_scheduler

    return imported.scheduler or kept_scheduler(imported.scenario)


def _scheduler(chosen: argparse.Namespace, imported: Imported) -> str:
    return chosen.scheduler or _named(imported) or "fair"
