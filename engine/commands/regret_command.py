"""regret: the decisions of a run that cost its makespan most."""

from __future__ import annotations

import argparse
import math
import signal
from typing import TYPE_CHECKING

from engine.commands.streams import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    CallError,
    json_lines,
    print_err,
    print_out,
    read_scenario,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg

if TYPE_CHECKING:
    from engine.commands.streams import SignalHandler
    from engine.commands.terminal import ProgressBar
    from engine.explanation.regret import Progress
    from engine.simulation.cancellation import CancelToken


def add_regret(parser: argparse.ArgumentParser) -> None:
    """The arguments of regret."""
    parser.set_defaults(command=regret)
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input"))
    add(
        "--scheduler",
        metavar="NAME",
        help=msg("commands.regret_command.as_for_run_default_its_configurations"),
    )
    add(
        "--most",
        metavar="N",
        type=int,
        default=10,
        help=msg("commands.regret_command.number_decisions_listed_most_costly_first"),
    )
    add(
        "--seconds",
        metavar="S",
        type=float,
        default=30.0,
        help=msg("commands.regret_command.time_limit_decisions_tried_by_then"),
    )
    add("--json", action="store_true", help=msg("shared.print_them_as_json"))


def regret(options: argparse.Namespace) -> int:
    """Prints the costliest decisions; EXIT_UNSUCCESSFUL where the run itself ends in a deadlock. An interrupt
    ends it with what is found by then.
    """
    from engine.explanation.regret import NoRegret, costly_decisions
    from engine.explanation.regret_text import regret_plain, regret_text
    from engine.output.hadoop_files import configuration_scheduler
    from engine.schedulers.scheduler import parse
    from engine.simulation.cancellation import CancelToken
    from engine.simulation.simulate import simulate

    if options.most < 1:
        raise CallError(msg("commands.regret_command.most_must_be_at_least", most=options.most))
    if not (options.seconds > 0 and math.isfinite(options.seconds)):
        raise CallError(msg("commands.regret_command.seconds_must_be_number_above", seconds=options.seconds))
    scenario = read_scenario(options.scenario)
    scheduler = parse(options.scheduler or configuration_scheduler(scenario) or "fair", files=True)
    cancel_token = CancelToken()
    with progress_bar():
        run = simulate(scenario, scheduler)
    previous_handler = signal.signal(
        signal.SIGINT, lambda *_: _stop_on_interrupt(cancel_token, previous_handler)
    )
    try:
        with progress_bar() as bar:
            result = costly_decisions(
                run,
                scheduler,
                options.most,
                options.seconds,
                cancel_token,
                lambda progress: _show_progress(bar, progress),
            )
    except NoRegret as error:
        print_err(str(error))
        return EXIT_UNSUCCESSFUL
    finally:
        signal.signal(signal.SIGINT, previous_handler)
    print_out([json_lines(regret_plain(result)) if options.json else regret_text(result)])
    return EXIT_INTERRUPTED if result.is_ended else EXIT_OK


def _stop_on_interrupt(cancel_token: CancelToken, previous_handler: SignalHandler) -> None:
    """The first interrupt ends it with what is found, a second one the process."""
    cancel_token.cancel()
    signal.signal(signal.SIGINT, previous_handler)


def _show_progress(bar: ProgressBar, progress: Progress) -> None:
    if progress.tried % 10 == 0 or progress.tried == progress.placed:
        text = msg(
            "commands.regret_command.decisions_with_better_choice",
            tried=progress.tried,
            placed=progress.placed,
            sooner=progress.sooner,
        )
        bar.show(text, progress.tried, progress.placed)
