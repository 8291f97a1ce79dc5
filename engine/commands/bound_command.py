"""bound: the lower bounds of any schedule, how far above them schedulers are, and with --optimum the best
schedule that is found.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine import quantities
from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    CallError,
    json_lines,
    print_out,
    read_scenario,
    write,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg

if TYPE_CHECKING:
    from engine.bounds.lower_bounds import Bound
    from engine.bounds.optimum.optimum import Optimum
    from engine.bounds.optimum.plan_solver import SearchProgress
    from engine.scenario.model import Scenario
    from engine.schedulers.scheduler import Scheduler
    from engine.simulation.run import Run

MAX_SEARCH_S = 86_400.0  # of a search
METRICS = {"makespan_s": "makespan", "mean_turnaround_s": msg("shared.mean_turnaround_2")}


def add_bound(parser: argparse.ArgumentParser) -> None:
    """The arguments of bound."""
    parser.set_defaults(command=bound)
    parser.add_argument("scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input"))
    scheduler_help = msg("commands.bound_command.as_for_run_how_far_above")
    parser.add_argument("--scheduler", metavar="NAME", action="append", help=scheduler_help)
    parser.add_argument(
        "--optimum",
        metavar="SECONDS",
        type=_seconds,
        help=msg("commands.bound_command.look_so_long_for_schedule_with"),
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        help=msg("commands.bound_command.with_optimum_write_its_run_and"),
    )
    parser.add_argument("--json", action="store_true", help=msg("shared.print_them_as_json"))


def bound(options: argparse.Namespace) -> int:
    """Prints the bounds and how far each scheduler is above the tightest; EXIT_UNSUCCESSFUL where a run ends
    in a deadlock and its scheduler was named.
    """
    from engine.bounds.lower_bounds import lower_bounds
    from engine.simulation.simulate import simulate

    is_search = options.optimum is not None
    if options.out is not None and not is_search:
        raise CallError(msg("commands.bound_command.bound_out_writes_run_optimum_seconds"))
    scenario = read_scenario(options.scenario)
    schedulers = _parse_schedulers(options.scheduler or (_orders() if is_search else ["fair"]))
    if is_search:
        from engine.bounds.optimum.optimum import check_optimum

        check_optimum(scenario, schedulers)
    bounds = {
        memory_only: lower_bounds(scenario, memory_only)
        for memory_only in {scheduler.memory_only for scheduler in schedulers}
    }
    with progress_bar():
        runs = [simulate(scenario, scheduler) for scheduler in schedulers]
    optimum = _optimum(scenario, list(zip(schedulers, runs)), options.optimum) if is_search else None
    if optimum and options.out:
        from engine.output.result_format import json_text

        write({Path(options.out): json_text(scenario, [optimum.run, *runs])})
    rows = [_row(run, bounds[run.memory_only]) for run in runs]
    all_bounds = max(bounds.values(), key=len)
    name = scenario.name or Path(options.scenario).stem
    if options.json:
        print_out([json_lines(_plain(all_bounds, rows, optimum))])
    else:
        print_out([_text(name, all_bounds, rows), *([_optimum_text(optimum, runs)] if optimum else [])])
    is_deadlock = any(run.status == "deadlock" for run in runs)
    return EXIT_UNSUCCESSFUL if is_deadlock and (options.scheduler or not optimum) else EXIT_OK


def _parse_schedulers(names: list[str]) -> list[Scheduler]:
    """The schedulers of these names; CallError for "measured", which has no schedule of its own to bound."""
    from engine.schedulers.scheduler import parse

    schedulers = [parse(name, files=True) for name in names]
    if any(scheduler.is_measured for scheduler in schedulers):
        raise CallError(msg("commands.bound_command.bound_measured_what_cluster_did_bounds"))
    return schedulers


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= MAX_SEARCH_S:
        raise argparse.ArgumentTypeError(
            msg("commands.bound_command.must_be_seconds_above_and_at", text=text, max_search_s=MAX_SEARCH_S)
        )
    return seconds


def _orders() -> list[str]:
    from engine.schedulers.catalogue import CATALOGUE
    from engine.schedulers.policy import ORDER

    return list(CATALOGUE[ORDER])


def _optimum(scenario: Scenario, compared: list[tuple[Scheduler, Run]], seconds: float) -> Optimum:
    """Tells on standard error whenever the best or the bound has changed by so much that its line is
    another.
    """
    from engine.bounds.optimum.optimum import find_optimum
    from engine.bounds.optimum.optimum_text import progress_line

    printed: list[str] = []

    def on_progress(progress: SearchProgress) -> None:
        line = progress_line(progress)
        if line.partition(": ")[2] not in printed[-1:]:
            bar.announce(line, progress.seconds, seconds)
            printed.append(line.partition(": ")[2])

    with progress_bar() as bar:
        return find_optimum(scenario, compared, seconds, on_progress)


def _optimum_text(optimum: Optimum, runs: list[Run]) -> str:
    from engine.analysis.metrics import summary
    from engine.bounds.optimum.optimum_text import above_sentence, optimum_sentence, relaxed_sentence

    lines = [above_sentence(run, summary(run)["makespan_s"], optimum) for run in runs]
    return (
        "\n".join(
            ["", optimum_sentence(optimum), *(f"  {line}" for line in lines), relaxed_sentence(optimum)]
        )
        + "\n"
    )


def _row(run: Run, bounds: list[Bound]) -> dict[str, Any]:
    """A scheduler's metrics, each beside its tightest bound: value, at_least, bound (its key) and above, the
    share that it is more; None in a deadlock.
    """
    from engine.analysis.metrics import summary
    from engine.bounds.lower_bounds import above, tightest

    row: dict[str, Any] = {"scheduler": run.scheduler}
    metrics = summary(run)
    for metric in METRICS:
        best_bound, value = tightest(bounds, metric), metrics[metric]
        row[metric] = {
            "value": value,
            "at_least": best_bound.at_least if best_bound else None,
            "bound": best_bound.key if best_bound else None,
            "above": above(value, best_bound),
        }
    return row


def _plain(bounds: list[Bound], rows: list[dict[str, Any]], optimum: Optimum | None) -> dict[str, Any]:
    from engine.version import VERSION

    plain = {
        "version": 1,
        "engine": VERSION,
        "bounds": [each_bound._asdict() for each_bound in bounds],
        "schedulers": rows,
    }
    if optimum is None:
        return plain
    from engine.bounds.optimum.optimum_text import above_optimum, optimum_plain

    rows = [{**row, "above_optimum": above_optimum(row["makespan_s"]["value"], optimum)} for row in rows]
    return {**plain, "schedulers": rows, "optimum": optimum_plain(optimum)}


def _text(name: str, bounds: list[Bound], rows: list[dict[str, Any]]) -> str:
    lines = [msg("commands.bound_command.what_no_scheduler_can_beat", name=name)]
    for metric, metric_name in METRICS.items():
        metric_bounds = [each_bound for each_bound in bounds if each_bound.metric == metric]
        width = max((len(each_bound.title) for each_bound in metric_bounds), default=0)
        lines += [
            "",
            msg("commands.bound_command.at_least", capitalize=metric_name.capitalize()),
            *(
                f"  {each_bound.title:<{width}}  {each_bound.at_least:>12,.3f}  {each_bound.about}"
                for each_bound in metric_bounds
            ),
        ]
        lines += [f"  {_metric_sentence(row['scheduler'], row[metric], metric_name)}" for row in rows]
    return "\n".join(lines) + "\n"


def _metric_sentence(scheduler: str, row: dict[str, Any], metric_name: str) -> str:
    from engine.bounds.bound_text import above_text

    if row["value"] is None:
        return msg(
            "commands.bound_command.no_for_ends_in_deadlock", scheduler=scheduler, metric_name=metric_name
        )
    value = quantities.duration(1000 * row["value"], exact=True)
    if row["above"] is None:
        return msg(
            "commands.bound_command.there_no_bound_above",
            scheduler=scheduler,
            metric_name=metric_name,
            value=value,
        )
    return f"{scheduler}: {metric_name} {value}, {above_text(row['above'])}."
