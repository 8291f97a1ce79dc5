"""bound: what no scheduler can beat, how far above it schedulers are, and with --optimum the best schedule that is found."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.streams import DONE, STUCK, CallError, opened, print_out, tell, write

if TYPE_CHECKING:
    from engine.bounds.lower_bounds import Bound
    from engine.bounds.optimum.optimum import Optimum
    from engine.bounds.optimum.plan_solver import SearchProgress
    from engine.scenario.model import Scenario
    from engine.schedulers.names import Scheduler
    from engine.simulation.run import Run

LONGEST_S = 86_400.0  # of a search
METRICS = {"makespan_s": "makespan", "mean_turnaround_s": "mean turnaround"}


def add_bound(parser: argparse.ArgumentParser) -> None:
    """The arguments of bound."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    named = "as for run: how far is it above the tightest? may be repeated; default: fair, with --optimum every order"
    parser.add_argument("--scheduler", metavar="NAME", action="append", help=named)
    parser.add_argument("--optimum", metavar="SECONDS", type=_seconds, help="look so long for the schedule with the least makespan; Ctrl-C ends it sooner")
    parser.add_argument("--out", metavar="FILE", help="with --optimum: write its run and the schedulers' there, a result as run --json prints it")
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def bound(chosen: argparse.Namespace) -> int:
    """Prints the bounds and how far each scheduler is above the tightest; STUCK where a run ends in a deadlock and its scheduler was named."""
    from engine import jit
    from engine.bounds.lower_bounds import lower_bounds
    from engine.scenario.model import Scenario
    from engine.schedulers.names import parse
    from engine.simulation.simulate import simulate

    jit.report = tell
    if chosen.out is not None and chosen.optimum is None:
        raise CallError("bound: --out writes the run that --optimum SECONDS finds; give both")
    with opened(chosen.scenario) as stream:
        scenario = Scenario.read(stream.read())
    schedulers = [parse(name, files=True) for name in chosen.scheduler or (["fair"] if chosen.optimum is None else _orders())]
    if any(one.is_measured for one in schedulers):
        raise CallError("bound: measured is what a cluster did; bounds are of what is simulated, so name a scheduler")
    if chosen.optimum is not None:
        from engine.bounds.optimum.optimum import check_optimum

        check_optimum(scenario, schedulers)
    bounds = {memory_only: lower_bounds(scenario, memory_only) for memory_only in {one.memory_only for one in schedulers}}
    runs = [simulate(scenario, one) for one in schedulers]
    found = None if chosen.optimum is None else _optimum(scenario, list(zip(schedulers, runs)), chosen.optimum)
    if found and chosen.out:
        from engine.output.contract import json_text

        write({Path(chosen.out): json_text(scenario, [found.run, *runs])})
    rows = [_row(run, bounds[run.memory_only]) for run in runs]
    every = max(bounds.values(), key=len)
    name = scenario.name or Path(chosen.scenario).stem
    if chosen.json:
        print_out([json.dumps(_plain(every, rows, found), ensure_ascii=False, indent=1) + "\n"])
    else:
        print_out([_text(name, every, rows), *([_optimum_text(found, runs)] if found else [])])
    return STUCK if any(run.status == "deadlock" for run in runs) and (chosen.scheduler or not found) else DONE


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_S:
        raise argparse.ArgumentTypeError(f"{text!r} must be seconds, above 0 and at most {LONGEST_S:,.0f}")
    return seconds


def _orders() -> list[str]:
    from engine.schedulers.catalogue import CATALOGUE
    from engine.schedulers.policy import ORDER

    return list(CATALOGUE[ORDER])


def _optimum(scenario: Scenario, compared: list[tuple[Scheduler, Run]], seconds: float) -> Optimum:
    """Tells on standard error whenever the best or the bound has changed by so much that its line is another."""
    from engine.bounds.optimum.optimum import find_optimum
    from engine.bounds.optimum.optimum_words import progress_line

    told: list[str] = []

    def heard(progress: SearchProgress) -> None:
        line = progress_line(progress)
        if line.partition(": ")[2] not in told[-1:]:
            tell(line)
            told.append(line.partition(": ")[2])

    return find_optimum(scenario, compared, seconds, heard)


def _optimum_text(found: Optimum, runs: list[Run]) -> str:
    from engine.analysis.metrics import summary
    from engine.bounds.optimum.optimum_words import above_sentence, optimum_sentence, relaxed_sentence

    lines = [above_sentence(run, summary(run)["makespan_s"], found) for run in runs]
    return "\n".join(["", optimum_sentence(found), *(f"  {line}" for line in lines), relaxed_sentence(found)]) + "\n"


def _row(run: Run, bounds: list[Bound]) -> dict[str, Any]:
    """A scheduler's metrics, each beside its tightest bound: value, at_least, bound (its key) and above, the share that it is more; None in a deadlock."""
    from engine.analysis.metrics import summary
    from engine.bounds.lower_bounds import above, tightest

    found, measured = {"scheduler": run.scheduler}, summary(run)
    for metric in METRICS:
        one, value = tightest(bounds, metric), measured[metric]
        found[metric] = {"value": value, "at_least": one.at_least if one else None, "bound": one.key if one else None, "above": above(value, one)}
    return found


def _plain(bounds: list[Bound], rows: list[dict[str, Any]], found: Optimum | None) -> dict[str, Any]:
    from engine.version import VERSION

    plain = {"version": 1, "engine": VERSION, "bounds": [one._asdict() for one in bounds], "schedulers": rows}
    if found is None:
        return plain
    from engine.bounds.optimum.optimum_words import above_optimum, optimum_plain

    rows = [{**row, "above_optimum": above_optimum(row["makespan_s"]["value"], found)} for row in rows]
    return {**plain, "schedulers": rows, "optimum": optimum_plain(found)}


def _text(name: str, bounds: list[Bound], rows: list[dict[str, Any]]) -> str:
    lines = [f"{name}: what no scheduler can beat"]
    for metric, words in METRICS.items():
        of = [one for one in bounds if one.metric == metric]
        width = max((len(one.title) for one in of), default=0)
        lines += ["", f"{words.capitalize()} at least", *(f"  {one.title:<{width}}  {one.at_least:>12,.3f} s  {one.about}" for one in of)]
        lines += [f"  {_said(row['scheduler'], row[metric], words)}" for row in rows]
    return "\n".join(lines) + "\n"


def _said(scheduler: str, of: dict[str, Any], words: str) -> str:
    from engine.bounds.bound_words import above_words

    if of["value"] is None:
        return f"{scheduler}: no {words}, for it ends in a deadlock."
    if of["above"] is None:
        return f"{scheduler}: {words} {of['value']:,.3f} s; there is no bound above 0."
    return f"{scheduler}: {words} {of['value']:,.3f} s, {above_words(of['above'])}."
