"""python -m webapp.jobs: does the work of the queue, until it is told to end. With --supervise N it keeps N
such processes alive.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

from engine import GantryError
from webapp.messages import msg
from webapp.monitoring import logs, metric_files

NICE = 5  # visitors come first


def main() -> int:
    """0 once ended; 2 when it can't start."""
    about = msg("jobs.main.runs_long_tasks_gantry_server_those")
    parser = argparse.ArgumentParser(prog="python -m webapp.jobs", description=about)
    supervise_help = msg("jobs.main.keep_n_such_processes_alive_and")
    parser.add_argument("--supervise", type=int, metavar="N", help=supervise_help)
    parent_help = msg("jobs.main.exit_when_process_has_exited")
    parser.add_argument("--parent", type=int, default=0, metavar="PID", help=parent_help)
    parser.add_argument("--name", default="", help=msg("jobs.main.workers_name_in_queue"))
    chosen = parser.parse_args()
    try:
        logs.start()
        metric_files.join("work" if chosen.supervise is None else "supervisor")
        if chosen.supervise is not None:
            from webapp.jobs.supervisor import Supervisor

            Supervisor(chosen.supervise, chosen.parent or os.getppid()).run()
        else:
            with contextlib.suppress(OSError):
                os.nice(NICE)
            from webapp.jobs.worker import Worker

            Worker(chosen.parent, chosen.name).run()
    except GantryError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
