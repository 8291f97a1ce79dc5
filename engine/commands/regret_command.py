"""regret: the decisions of a run that cost its makespan most."""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
from typing import TYPE_CHECKING

from engine.commands.streams import DONE, INTERRUPTED, STUCK, CallError, opened, print_out, tell

if TYPE_CHECKING:
    from engine.explanation.regret import Progress
    from engine.simulation.halt import Halt


def add_regret(parser: argparse.ArgumentParser) -> None:
    """The arguments of regret."""
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    add("--scheduler", metavar="NAME", help="as for run; default: its configuration's, else fair")
    add("--most", metavar="N", type=int, default=10, help="how many decisions are listed, the costliest first; default: 10")
    add("--seconds", metavar="S", type=float, default=30.0, help="how long it may take; decisions tried by then are spread over the run; default: 30")
    add("--json", action="store_true", help="print them as JSON")


def regret(chosen: argparse.Namespace) -> int:
    """Prints the costliest decisions; STUCK where the run itself ends in a deadlock. An interrupt ends it with what is found by then."""
    from engine import jit
    from engine.explanation.regret import NoRegret, costly_decisions
    from engine.explanation.regret_text import regret_plain, regret_text
    from engine.output.hadoop_files import kept_scheduler
    from engine.scenario.model import Scenario
    from engine.schedulers.names import parse
    from engine.simulation.halt import Halt
    from engine.simulation.simulate import simulate

    jit.report = tell
    if chosen.most < 1:
        raise CallError(f"--most {chosen.most} must be at least 1")
    if not (chosen.seconds > 0 and math.isfinite(chosen.seconds)):
        raise CallError(f"--seconds {chosen.seconds:g} must be a number above 0")
    with opened(chosen.scenario) as stream:
        scenario = Scenario.read(stream.read())
    scheduler = parse(chosen.scheduler or kept_scheduler(scenario) or "fair", files=True)
    run = simulate(scenario, scheduler)
    halt = Halt()
    before = signal.signal(signal.SIGINT, lambda *_: _ask(halt, before))
    shown = sys.stderr.isatty()
    try:
        found = costly_decisions(run, scheduler, chosen.most, chosen.seconds, halt, _show if shown else lambda progress: None)
    except NoRegret as error:
        tell(str(error))
        return STUCK
    finally:
        if shown:
            tell("")
        signal.signal(signal.SIGINT, before)
    print_out([json.dumps(regret_plain(found), ensure_ascii=False, indent=1) + "\n" if chosen.json else regret_text(found)])
    return INTERRUPTED if found.is_ended else DONE


def _ask(halt: Halt, before: object) -> None:
    """The first interrupt ends it with what is found, a second one the process."""
    halt.ask()
    signal.signal(signal.SIGINT, before)


def _show(progress: Progress) -> None:
    """A line on standard error that is written over."""
    if progress.tried % 10 == 0 or progress.tried == progress.placed:
        said = f"{progress.tried:,} of {progress.placed:,} decisions, {progress.sooner:,} with a better choice"
        print(f"\r{said}\x1b[K", end="", file=sys.stderr, flush=True)
