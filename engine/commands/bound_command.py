"""bound: what no scheduler can beat, and how far above it schedulers are."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.streams import DONE, STUCK, CallError, opened, print_out, tell

if TYPE_CHECKING:
    from engine.bounds.lower_bounds import Bound
    from engine.simulation.run import Run

METRICS = {"makespan_s": "makespan", "mean_turnaround_s": "mean turnaround"}


def add_bound(parser: argparse.ArgumentParser) -> None:
    """The arguments of bound."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    parser.add_argument("--scheduler", metavar="NAME", action="append", help="as for run: how far is it above the tightest? may be repeated; default: fair")
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def bound(chosen: argparse.Namespace) -> int:
    """Prints the bounds and how far each scheduler is above the tightest; STUCK where a run ends in a deadlock."""
    from engine import jit
    from engine.bounds.lower_bounds import lower_bounds
    from engine.scenario.model import Scenario
    from engine.schedulers.names import parse
    from engine.simulation.simulate import simulate

    jit.report = tell
    with opened(chosen.scenario) as stream:
        scenario = Scenario.read(stream.read())
    schedulers = [parse(name, files=True) for name in chosen.scheduler or ["fair"]]
    if any(one.is_measured for one in schedulers):
        raise CallError("bound: measured is what a cluster did; bounds are of what is simulated, so name a scheduler")
    bounds = {memory_only: lower_bounds(scenario, memory_only) for memory_only in {one.memory_only for one in schedulers}}
    runs = [simulate(scenario, one) for one in schedulers]
    rows = [_row(run, bounds[run.memory_only]) for run in runs]
    every = max(bounds.values(), key=len)
    name = scenario.name or Path(chosen.scenario).stem
    print_out([json.dumps(_plain(every, rows), ensure_ascii=False, indent=1) + "\n" if chosen.json else _text(name, every, rows)])
    return STUCK if any(run.status == "deadlock" for run in runs) else DONE


def _row(run: Run, bounds: list[Bound]) -> dict[str, Any]:
    """A scheduler's metrics, each beside its tightest bound: value, at_least, bound (its key) and above, the share that it is more; None in a deadlock."""
    from engine.analysis.metrics import summary
    from engine.bounds.lower_bounds import above, tightest

    found, measured = {"scheduler": run.scheduler}, summary(run)
    for metric in METRICS:
        one, value = tightest(bounds, metric), measured[metric]
        found[metric] = {"value": value, "at_least": one.at_least if one else None, "bound": one.key if one else None, "above": above(value, one)}
    return found


def _plain(bounds: list[Bound], rows: list[dict[str, Any]]) -> dict[str, Any]:
    from engine.version import VERSION

    return {"version": 1, "engine": VERSION, "bounds": [one._asdict() for one in bounds], "schedulers": rows}


def _text(name: str, bounds: list[Bound], rows: list[dict[str, Any]]) -> str:
    lines = [f"{name}: what no scheduler can beat"]
    for metric, words in METRICS.items():
        of = [one for one in bounds if one.metric == metric]
        width = max((len(one.title) for one in of), default=0)
        lines += ["", f"{words.capitalize()} at least", *(f"  {one.title:<{width}}  {one.at_least:>12,.3f} s  {one.about}" for one in of)]
        lines += [f"  {_said(row['scheduler'], row[metric], words)}" for row in rows]
    return "\n".join(lines) + "\n"


def _said(scheduler: str, of: dict[str, Any], words: str) -> str:
    if of["value"] is None:
        return f"{scheduler}: no {words}, for it ends in a deadlock."
    if of["above"] is None:
        return f"{scheduler}: {words} {of['value']:,.3f} s; there is no bound above 0."
    if of["above"] < 5e-5:
        return f"{scheduler}: {words} {of['value']:,.3f} s, the best possible."
    return f"{scheduler}: {words} {of['value']:,.3f} s, at most {100 * of['above']:.1f} % above the best possible."
