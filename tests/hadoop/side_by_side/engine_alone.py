"""`python -m tests.hadoop.side_by_side.engine_alone SCRIPT RUNS FILE`: the engine in a process of its own, so
that its first run is one.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from numba.core.event import RecordingListener, register

from engine import simulate
from tests.hadoop.scripts import scenario, scheduler_of


def main() -> None:
    """Writes the CPU seconds of each run, from a scenario that was never run to the complete Run, and what
    the last decided.
    """
    script = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    compiling = RecordingListener()
    register("numba:run_pass", compiling)
    seconds = []
    for _ in range(int(sys.argv[2])):
        fresh = scenario(script)
        start = time.process_time()
        run = simulate(fresh, scheduler_of(script), plain=False)
        seconds.append(time.process_time() - start)
    containers = run.containers
    placements = list(
        zip(
            containers.start.tolist(),
            containers.node.tolist(),
            containers.job.tolist(),
            containers.kind.tolist(),
        )
    )
    measured = {
        "seconds": seconds,
        "compiled": bool(compiling.buffer),
        "simulated_s": (run.until_ms - run.first_ms) / 1000,
        "placements": placements,
    }
    Path(sys.argv[3]).write_text(json.dumps(measured, default=float), "utf-8")


if __name__ == "__main__":
    main()
