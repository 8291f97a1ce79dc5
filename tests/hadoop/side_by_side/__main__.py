"""`make bench-hadoop`: one workload through the engine, Hadoop's own schedulers and YARN's Scheduler Load
Simulator, by turns in one go.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import Any

from tests.hadoop.referee import PROJECT, NotFetched, build, can_run
from tests.hadoop.side_by_side import comparison_text, measure
from tests.hadoop.side_by_side.workload import FULL, SCHEDULERS, SMALL, Size, script

MISSING = "Java or Maven is not on this machine, so that there is nothing to set the engine beside."
STOPPED = 130  # what a shell gives for Ctrl-C


def main() -> int:
    call = argparse.ArgumentParser(
        prog="python -m tests.hadoop.side_by_side",
        description="The engine beside Hadoop's own code, on one workload.",
    )
    call.add_argument("--only", default=",".join(SCHEDULERS), help=f"some of {','.join(SCHEDULERS)}")
    call.add_argument(
        "--seconds",
        type=int,
        default=60,
        help="of the clock for the Scheduler Load Simulator under each scheduler, 0: not at all",
    )
    call.add_argument("--small", action="store_true", help="a workload of seconds")
    asked = call.parse_args()
    names = asked.only.split(",")
    unknown = [name for name in names if name not in SCHEDULERS]
    if unknown:
        call.error(f"{unknown[0]} is none of {', '.join(SCHEDULERS)}")
    if not can_run():
        print(MISSING, file=sys.stderr)
        return 1
    try:
        return compare_all(names, SMALL if asked.small else FULL, asked.seconds)
    except NotFetched as error:
        print(
            f"Maven can't fetch {error.library} now, so that there is nothing to set the engine beside.",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return STOPPED


def compare_all(names: list[str], size: Size, seconds: int) -> int:
    """Prints a table for each scheduler as soon as it is measured; 1 where decisions differ."""
    _tell("building the referee")
    build(PROJECT)
    missing = "no seconds were given to it" if not seconds else ""
    if not missing:
        _tell("building the Scheduler Load Simulator")
        try:
            measure.build_simulator()
        except measure.Unavailable as error:
            missing = str(error)
    print(
        f"{comparison_text.heading(size)}\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before "
        "the first run.",
        flush=True,
    )
    differ = False
    for name in names:
        played = script(name, size)
        _tell(f"{name}: engine, {measure.RUNS} runs")
        own = measure.engine(played)
        _tell(f"{name}: Hadoop's scheduler, {measure.RUNS} runs")
        theirs = measure.real(played)
        simulated = missing or _simulated(name, played, seconds)
        print(f"\n{comparison_text.table(name, own, theirs, simulated, size.jobs)}", flush=True)
        differ |= own.placements != theirs.placements
    print(
        "\n"
        + comparison_text.INCLUDED.format(version=_version(PROJECT), simulator=_version(measure.SIMULATOR))
    )
    return int(differ)


def _simulated(name: str, played: dict[str, Any], seconds: int) -> measure.Simulator | str:
    _tell(f"{name}: Scheduler Load Simulator, at most {seconds} s and its start-up")
    try:
        return measure.simulator(played, seconds)
    except measure.Unavailable as error:
        return str(error)


def _version(project: Path) -> str:
    return re.search("<hadoop>(.*)</hadoop>", (project / "pom.xml").read_text("utf-8"))[1]


def _tell(what: str) -> None:
    print(f"... {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
