"""search: the best setting of a scenario and its schedulers."""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.streams import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    CallError,
    check_folder,
    open_input,
    print_err,
    print_out,
    write,
)

if TYPE_CHECKING:
    from engine.simulation.cancellation import CancelToken
    from engine.studies.run_search import Progress
    from engine.studies.search_space import Dimension
    from engine.studies.setting_search import Constraint, Search

SCHEDULER_SEPARATOR = re.compile(
    r",(?![^(]*\))"
)  # between names of schedulers, which may have commas in parentheses
RANGE = re.compile(r"[^:,]+(:[^:,]+){1,2}")


def add_search(parser: argparse.ArgumentParser) -> None:
    """The arguments of search."""
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    vary_help = (
        "what moves, up to six: a path such as jobs[*].slowstart, alone or with =LOW:HIGH, =LOW:HIGH:STEP "
        "or values a,b,c; or scheduler=NAME,NAME"
    )
    add("--vary", metavar="PATH[=VALUES]", action="append", help=vary_help)
    scheduler_help = (
        "the present one first; several are a choice of the search; default: the configuration's, else fair"
    )
    add("--scheduler", metavar="NAME", action="append", help=scheduler_help)
    for prefix, dest in (("", "first"), ("and-", "second")):
        group = parser.add_mutually_exclusive_group(required=not prefix)
        for better, verb in (("smaller", "minimize"), ("larger", "maximize")):
            help_text = (
                "the metric, such as makespan_s, of which the "
                f"{'least' if verb == 'minimize' else 'most'} is sought"
            )
            help_text = help_text if not prefix else f"a second metric, for the trade-off curve: {verb}d"
            parse_metric = lambda metric, better=better: (metric, better)
            group.add_argument(
                f"--{prefix}{verb}", dest=dest, metavar="METRIC", type=parse_metric, help=help_text
            )
    add(
        "--at-most",
        metavar="METRIC=VALUE",
        action="append",
        help="a constraint, such as worst_queue_p95_turnaround_s=60; may be repeated",
    )
    add("--at-least", metavar="METRIC=VALUE", action="append", help="the same the other way round")
    add(
        "--seeds",
        metavar="N",
        type=int,
        default=5,
        help="over how many each setting is judged where anything is drawn; default: 5",
    )
    add(
        "--trials",
        metavar="N",
        type=int,
        default=100,
        help="how many settings are tried, the present one among them; default: 100",
    )
    add(
        "--jitter",
        metavar="CV",
        type=float,
        default=0.0,
        help="a coefficient of variation for durations that have none, such as 0.3; default: 0",
    )
    add("--json", action="store_true", help="print it as JSON, with every trial")
    add("--out", metavar="SCENARIO", help="write the scenario with the best setting to this file")


def search(options: argparse.Namespace) -> int:
    """Prints the best setting, or the trade-off curve; EXIT_UNSUCCESSFUL where nothing is feasible. An
    interrupt ends it with what is found by then.
    """
    from engine import jit
    from engine.scenario.model import Scenario
    from engine.simulation.cancellation import CancelToken
    from engine.studies.batches import batches
    from engine.studies.process_runner import ProcessRunner
    from engine.studies.run_search import run_search
    from engine.studies.run_study import SerialRunner
    from engine.studies.search_text import search_text
    from engine.studies.study import Study

    jit.report = print_err
    request = _search(options)
    out = Path(options.out) if options.out else None
    if out:
        check_folder(out.parent)
    cancel_token = CancelToken()
    previous_handler = signal.signal(
        signal.SIGINT, lambda *_: _stop_on_interrupt(cancel_token, previous_handler)
    )
    trial_study = Study(request.scenario, request.schedulers[:1], seeds=request.seeds, jitter=request.jitter)
    runner = (
        ProcessRunner() if trial_study.is_random and len(batches(trial_study)) > 1 else SerialRunner()
    )  # handing over takes longer than a short trial
    is_interactive = sys.stderr.isatty()
    try:
        result = run_search(
            request, runner, _show_progress if is_interactive else lambda progress: None, cancel_token
        )
    finally:
        if is_interactive:
            print_err("")
        signal.signal(signal.SIGINT, previous_handler)
        if isinstance(runner, ProcessRunner):
            runner.close()
    print_out(
        [
            json.dumps(result.plain(), ensure_ascii=False, indent=1) + "\n"
            if options.json
            else search_text(result)
        ]
    )
    if out and result.best:
        write({out: [Scenario.of(result.scenario(result.best.trial)).json()]})
        print_err(f"{out}: to be run with --scheduler {result.best.trial.scheduler!r}")
    elif out:
        print_err(f"{out}: not written, as no setting is feasible")
    return EXIT_INTERRUPTED if result.is_ended else EXIT_OK if result.best else EXIT_UNSUCCESSFUL


def _stop_on_interrupt(cancel_token: CancelToken, previous_handler: object) -> None:
    """The first interrupt ends the search, a second one the process."""
    cancel_token.cancel()
    signal.signal(signal.SIGINT, previous_handler)


def _show_progress(progress: Progress) -> None:
    """A line on standard error that is written over."""
    text = (
        f"{len(progress.trials)} of {progress.most} settings, "
        f"{sum(trial.is_feasible for trial in progress.trials)} feasible"
    )
    if progress.to_confirm:
        text = f"on fresh seeds: {progress.confirmed} of {progress.to_confirm}"
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def _search(options: argparse.Namespace) -> Search:
    """As the call says; ScenarioError or CallError with what is wrong with it."""
    from engine.output.hadoop_files import configuration_scheduler
    from engine.scenario.model import Scenario
    from engine.studies.setting_search import Objective, Search

    with open_input(options.scenario) as stream:
        scenario = Scenario.read(stream.read())
    names, vary = list(options.scheduler or []), []
    for text in options.vary or []:
        path, sign, values = text.partition("=")
        if path.strip() == "scheduler":
            names += [name.strip() for name in SCHEDULER_SEPARATOR.split(values)]
        else:
            vary.append(_dimension(text, path.strip(), values.strip(), bool(sign)))
    return Search(
        scenario.plain(),
        tuple(vary),
        tuple(Objective(*objective) for objective in (options.first, options.second) if objective),
        tuple(dict.fromkeys(names)) or (configuration_scheduler(scenario) or "fair",),
        (
            *(_constraint(text, "at_most") for text in options.at_most or []),
            *(_constraint(text, "at_least") for text in options.at_least or []),
        ),
        trials=options.trials,
        seeds=options.seeds,
        jitter=options.jitter,
    )


def _dimension(text: str, path: str, values: str, is_given: bool) -> Dimension:
    from engine.studies.search_space import Dimension

    if not is_given:
        return Dimension(path)
    if RANGE.fullmatch(values):
        ends = [_parse_number(end) for end in values.split(":")]
        if None not in ends:
            return Dimension(path, *ends)
    elif "," in values:
        return Dimension(
            path,
            choices=tuple(
                part.strip() if (parsed := _parse_number(part)) is None else parsed
                for part in values.split(",")
            ),
        )
    raise CallError(
        f"--vary {text[:80]!r} must be a path with LOW:HIGH, LOW:HIGH:STEP or values a,b,c, such as "
        "jobs[*].slowstart=0.05:1:0.05"
    )


def _constraint(text: str, side: str) -> Constraint:
    from engine.studies.setting_search import Constraint

    metric, _, value = text.partition("=")
    limit = _parse_number(value)
    if limit is None:
        raise CallError(
            f"--{side.replace('_', '-')} {text[:80]!r} must be METRIC=VALUE, such as "
            "worst_queue_p95_turnaround_s=60"
        )
    return Constraint(metric.strip(), **{side: limit})


def _parse_number(text: str) -> float | None:
    """Whole where it is; None where it is none."""
    from engine.scenario.json_values import number

    try:
        value = float(text)
    except ValueError:
        return None
    return number(int(value) if value.is_integer() else value)
