"""search: the best setting of a scenario and its schedulers."""

from __future__ import annotations

import argparse
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.streams import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    CallError,
    check_folder,
    json_lines,
    print_err,
    print_out,
    read_scenario,
    write,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg

if TYPE_CHECKING:
    from engine.commands.streams import SignalHandler
    from engine.commands.terminal import ProgressBar
    from engine.simulation.cancellation import CancelToken
    from engine.studies.run_search import Progress
    from engine.studies.search_space import Dimension
    from engine.studies.setting_search import Constraint, Search

# between names of schedulers, which may have commas in parentheses
SCHEDULER_SEPARATOR = re.compile(r",(?![^(]*\))")
RANGE = re.compile(r"[^:,]+(:[^:,]+){1,2}")


def add_search(parser: argparse.ArgumentParser) -> None:
    """The arguments of search."""
    parser.set_defaults(command=search)
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input"))
    vary_help = msg("commands.search_commands.what_moves_up_to_six_path")
    add("--vary", metavar="PATH[=VALUES]", action="append", help=vary_help)
    scheduler_help = msg("commands.search_commands.present_one_first_several_choice_search")
    add("--scheduler", metavar="NAME", action="append", help=scheduler_help)
    for prefix, dest in (("", "first"), ("and-", "second")):
        group = parser.add_mutually_exclusive_group(required=not prefix)
        for better, verb in (("smaller", "minimize"), ("larger", "maximize")):
            help_text = msg(
                "commands.search_commands.metric_such_as_makespan_s_which",
                value="least" if verb == "minimize" else "most",
            )
            help_text = (
                help_text
                if not prefix
                else msg("commands.search_commands.second_metric_for_trade_off_curve", verb=verb)
            )
            parse_metric = lambda metric, better=better: (metric, better)
            group.add_argument(
                f"--{prefix}{verb}", dest=dest, metavar="METRIC", type=parse_metric, help=help_text
            )
    add(
        "--at-most",
        metavar="METRIC=VALUE",
        action="append",
        help=msg("commands.search_commands.constraint_such_as_worst_queue_p"),
    )
    add(
        "--at-least",
        metavar="METRIC=VALUE",
        action="append",
        help=msg("commands.search_commands.same_other_way_round"),
    )
    add(
        "--seeds",
        metavar="N",
        type=int,
        default=5,
        help=msg("commands.search_commands.number_seeds_per_setting_if_anything"),
    )
    add(
        "--trials",
        metavar="N",
        type=int,
        default=100,
        help=msg("commands.search_commands.number_settings_to_try_including_current"),
    )
    add(
        "--jitter",
        metavar="CV",
        type=float,
        default=0.0,
        help=msg("commands.search_commands.coefficient_variation_for_durations_have_non"),
    )
    add("--json", action="store_true", help=msg("commands.search_commands.print_as_json_with_every_trial"))
    add("--out", metavar="SCENARIO", help=msg("commands.search_commands.write_scenario_with_best_setting_to"))


def search(options: argparse.Namespace) -> int:
    """Prints the best setting, or the trade-off curve; EXIT_UNSUCCESSFUL where nothing is feasible. An
    interrupt ends it with what is found by then.
    """
    from engine.scenario.model import Scenario
    from engine.simulation.cancellation import CancelToken
    from engine.studies.batches import batches
    from engine.studies.process_runner import ProcessRunner
    from engine.studies.run_search import run_search
    from engine.studies.run_study import SerialRunner
    from engine.studies.search_text import search_text
    from engine.studies.study import Study

    request = _search(options)
    out = Path(options.out) if options.out else None
    if out:
        check_folder(out.parent)
    cancel_token = CancelToken()
    previous_handler = signal.signal(
        signal.SIGINT, lambda *_: _stop_on_interrupt(cancel_token, previous_handler)
    )
    trial_study = Study(request.scenario, request.schedulers[:1], seeds=request.seeds, jitter=request.jitter)
    # handing over takes longer than a short trial
    runner = ProcessRunner() if trial_study.is_random and len(batches(trial_study)) > 1 else SerialRunner()
    try:
        with progress_bar() as bar:
            result = run_search(request, runner, lambda progress: _show_progress(bar, progress), cancel_token)
    finally:
        signal.signal(signal.SIGINT, previous_handler)
        if isinstance(runner, ProcessRunner):
            runner.close()
    print_out([json_lines(result.plain()) if options.json else search_text(result)])
    if out and result.best:
        write({out: [Scenario.of(result.scenario(result.best.trial)).json()]})
        print_err(
            msg(
                "commands.search_commands.run_with_scheduler",
                out=out,
                scheduler=result.best.trial.scheduler,
            )
        )
    elif out:
        print_err(msg("commands.search_commands.not_written_as_no_setting_feasible", out=out))
    return EXIT_INTERRUPTED if result.is_ended else EXIT_OK if result.best else EXIT_UNSUCCESSFUL


def _stop_on_interrupt(cancel_token: CancelToken, previous_handler: SignalHandler) -> None:
    """The first interrupt ends the search, a second one the process."""
    cancel_token.cancel()
    signal.signal(signal.SIGINT, previous_handler)


def _show_progress(bar: ProgressBar, progress: Progress) -> None:
    if progress.to_confirm:
        text = msg(
            "commands.search_commands.on_fresh_seeds",
            confirmed=progress.confirmed,
            to_confirm=progress.to_confirm,
        )
        bar.show(text, progress.confirmed, progress.to_confirm)
        return
    text = msg(
        "commands.search_commands.settings_feasible",
        trials=len(progress.trials),
        most=progress.most,
        sum=sum(trial.is_feasible for trial in progress.trials),
    )
    bar.show(text, len(progress.trials), progress.most)


def _search(options: argparse.Namespace) -> Search:
    """As the call says; ScenarioError or CallError with what is wrong with it."""
    from engine.output.hadoop_files import configuration_scheduler
    from engine.studies.setting_search import Objective, Search

    scenario = read_scenario(options.scenario)
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
        low, high, step = [*ends, None][:3]
        if None not in ends:
            return Dimension(path, low, high, step)
    elif "," in values:
        return Dimension(
            path,
            choices=tuple(
                part.strip() if (parsed := _parse_number(part)) is None else parsed
                for part in values.split(",")
            ),
        )
    raise CallError(msg("commands.search_commands.vary_must_be_path_with_low", text=text[:80]))


def _constraint(text: str, side: str) -> Constraint:
    from engine.studies.setting_search import Constraint

    metric, _, value = text.partition("=")
    limit = _parse_number(value)
    if limit is None:
        raise CallError(
            msg(
                "commands.search_commands.must_be_metric_value_such_as",
                replace=side.replace("_", "-"),
                text=text[:80],
            )
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
