"""search: the best setting of a scenario and its schedulers."""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.streams import DONE, INTERRUPTED, STUCK, CallError, check_folder, opened, print_out, tell, write

if TYPE_CHECKING:
    from engine.simulation.halt import Halt
    from engine.studies.run_search import Progress
    from engine.studies.search_space import Dimension
    from engine.studies.setting_search import Constraint, Search

PARTS = re.compile(r",(?![^(]*\))")  # between names of schedulers, which may have commas in parentheses
RANGE = re.compile(r"[^:,]+(:[^:,]+){1,2}")


def add_search(parser: argparse.ArgumentParser) -> None:
    """The arguments of search."""
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    varied = "what moves, up to six: a path such as jobs[*].slowstart, alone or with =LOW:HIGH, =LOW:HIGH:STEP or values a,b,c; or scheduler=NAME,NAME"
    add("--vary", metavar="PATH[=VALUES]", action="append", help=varied)
    named = "the present one first; several are a choice of the search; default: the configuration's, else fair"
    add("--scheduler", metavar="NAME", action="append", help=named)
    for words, dest in (("", "first"), ("and-", "second")):
        group = parser.add_mutually_exclusive_group(required=not words)
        for better, verb in (("smaller", "minimize"), ("larger", "maximize")):
            said = f"the metric, such as makespan_s, of which the {'least' if verb == 'minimize' else 'most'} is sought"
            said = said if not words else f"a second metric, for the trade-off curve: {verb}d"
            kind = lambda metric, better=better: (metric, better)
            group.add_argument(f"--{words}{verb}", dest=dest, metavar="METRIC", type=kind, help=said)
    add("--at-most", metavar="METRIC=VALUE", action="append", help="a constraint, such as worst_queue_p95_turnaround_s=60; may be repeated")
    add("--at-least", metavar="METRIC=VALUE", action="append", help="the same the other way round")
    add("--seeds", metavar="N", type=int, default=5, help="over how many each setting is judged where anything is drawn; default: 5")
    add("--trials", metavar="N", type=int, default=100, help="how many settings are tried, the present one among them; default: 100")
    add("--jitter", metavar="CV", type=float, default=0.0, help="a coefficient of variation for durations that have none, such as 0.3; default: 0")
    add("--json", action="store_true", help="print it as JSON, with every trial")
    add("--out", metavar="SCENARIO", help="write the scenario with the best setting to this file")


def search(chosen: argparse.Namespace) -> int:
    """Prints the best setting, or the trade-off curve; STUCK where nothing is feasible. An interrupt ends it with what is found by then."""
    from engine import jit
    from engine.scenario.model import Scenario
    from engine.simulation.halt import Halt
    from engine.studies.batches import batches
    from engine.studies.processes import Processes
    from engine.studies.run_search import run_search
    from engine.studies.run_study import Serial
    from engine.studies.search_text import search_text
    from engine.studies.study import Study

    jit.report = tell
    asked = _search(chosen)
    out = Path(chosen.out) if chosen.out else None
    if out:
        check_folder(out.parent)
    halt = Halt()
    before = signal.signal(signal.SIGINT, lambda *_: _ask(halt, before))
    long = Study(asked.scenario, asked.schedulers[:1], seeds=asked.seeds, jitter=asked.jitter)
    runner = Processes() if long.is_random and len(batches(long)) > 1 else Serial()  # handing over takes longer than a short trial
    shown = sys.stderr.isatty()
    try:
        found = run_search(asked, runner, _show if shown else lambda progress: None, halt)
    finally:
        if shown:
            tell("")
        signal.signal(signal.SIGINT, before)
        if isinstance(runner, Processes):
            runner.close()
    print_out([json.dumps(found.plain(), ensure_ascii=False, indent=1) + "\n" if chosen.json else search_text(found)])
    if out and found.best:
        write({out: [Scenario.of(found.scenario(found.best.trial)).json()]})
        tell(f"{out}: to be run with --scheduler {found.best.trial.scheduler!r}")
    elif out:
        tell(f"{out}: not written, as no setting is feasible")
    return INTERRUPTED if found.is_ended else DONE if found.best else STUCK


def _ask(halt: Halt, before: object) -> None:
    """The first interrupt ends the search, a second one the process."""
    halt.ask()
    signal.signal(signal.SIGINT, before)


def _show(progress: Progress) -> None:
    """A line on standard error that is written over."""
    said = f"{len(progress.trials)} of {progress.most} settings, {sum(one.is_feasible for one in progress.trials)} feasible"
    if progress.to_confirm:
        said = f"on fresh seeds: {progress.confirmed} of {progress.to_confirm}"
    print(f"\r{said}\x1b[K", end="", file=sys.stderr, flush=True)


def _search(chosen: argparse.Namespace) -> Search:
    """As the call says; ScenarioError or CallError with what is wrong with it."""
    from engine.output.hadoop_files import kept_scheduler
    from engine.scenario.model import Scenario
    from engine.studies.setting_search import Objective, Search

    with opened(chosen.scenario) as stream:
        scenario = Scenario.read(stream.read())
    names, vary = list(chosen.scheduler or []), []
    for text in chosen.vary or []:
        path, sign, values = text.partition("=")
        if path.strip() == "scheduler":
            names += [name.strip() for name in PARTS.split(values)]
        else:
            vary.append(_dimension(text, path.strip(), values.strip(), bool(sign)))
    return Search(
        scenario.plain(),
        tuple(vary),
        tuple(Objective(*one) for one in (chosen.first, chosen.second) if one),
        tuple(dict.fromkeys(names)) or (kept_scheduler(scenario) or "fair",),
        (*(_bound(text, "at_most") for text in chosen.at_most or []), *(_bound(text, "at_least") for text in chosen.at_least or [])),
        trials=chosen.trials,
        seeds=chosen.seeds,
        jitter=chosen.jitter,
    )


def _dimension(text: str, path: str, values: str, is_given: bool) -> Dimension:
    from engine.studies.search_space import Dimension

    if not is_given:
        return Dimension(path)
    if RANGE.fullmatch(values):
        ends = [_number(end) for end in values.split(":")]
        if None not in ends:
            return Dimension(path, *ends)
    elif "," in values:
        return Dimension(path, choices=tuple(part.strip() if (one := _number(part)) is None else one for part in values.split(",")))
    raise CallError(f"--vary {text[:80]!r} must be a path with LOW:HIGH, LOW:HIGH:STEP or values a,b,c, such as jobs[*].slowstart=0.05:1:0.05")


def _bound(text: str, side: str) -> Constraint:
    from engine.studies.setting_search import Constraint

    metric, _, value = text.partition("=")
    bound = _number(value)
    if bound is None:
        raise CallError(f"--{side.replace('_', '-')} {text[:80]!r} must be METRIC=VALUE, such as worst_queue_p95_turnaround_s=60")
    return Constraint(metric.strip(), **{side: bound})


def _number(text: str) -> float | None:
    """Whole where it is; None where it is none."""
    from engine.scenario.plain_values import number

    try:
        value = float(text)
    except ValueError:
        return None
    return number(int(value) if value.is_integer() else value)
