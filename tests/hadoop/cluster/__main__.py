"""`make cluster`: starts a real Hadoop cluster on this machine, runs batches of real jobs and applications on
it, and keeps what each run left behind.
"""

from __future__ import annotations

import argparse
import signal
import sys
from functools import partial
from pathlib import Path

from tests.hadoop.cluster import prediction_accuracy, spark
from tests.hadoop.cluster.batches import BATCHES, applications_of
from tests.hadoop.cluster.configuration import SCHEDULERS
from tests.hadoop.cluster.daemons import StartupError
from tests.hadoop.cluster.run import run
from tests.hadoop.referee import NotFetched, can_run

MISSING = (
    "Java or Maven is not on this machine, so no Hadoop cluster can be started; "
    "tests/hadoop/cluster/recorded holds runs of one."
)
STOPPED = 130  # what a shell gives for Ctrl-C
TWICE = ("mixed", "equal", *prediction_accuracy.SPARK)


def main() -> int:
    call = argparse.ArgumentParser(
        prog="python -m tests.hadoop.cluster",
        description="Batches of real jobs on a real Hadoop cluster on this machine.",
    )
    call.add_argument(
        "--to", type=Path, default=Path("build/cluster-runs"), help="folder of the runs, one folder each"
    )
    call.add_argument("--schedulers", nargs="+", choices=SCHEDULERS, default=SCHEDULERS)
    call.add_argument("--batches", nargs="+", choices=BATCHES, default=prediction_accuracy.BATCHES)
    call.add_argument(
        "--times",
        type=int,
        help="how often each batch is run; without it twice, those that are only judged on once",
    )
    call.add_argument(
        "--record",
        action="store_true",
        help="put the runs in the place of the recorded ones, and make the table anew",
    )
    call.add_argument(
        "--judge",
        action="store_true",
        help="start nothing: make the table of how well the recorded runs are predicted anew",
    )
    asked = call.parse_args()
    if asked.judge:
        print(prediction_accuracy.write())
        return 0
    if not can_run():
        print(MISSING, file=sys.stderr)
        return 1
    if any(map(applications_of, asked.batches)) and not spark.home():
        print(spark.MISSING, file=sys.stderr)
        return 1
    times = {batch: asked.times or (2 if batch in TWICE else 1) for batch in asked.batches}
    planned = [
        (who, batch, f"{who}-{batch}-{number}")
        for batch in asked.batches
        for who in asked.schedulers
        for number in range(1, 1 + times[batch])
    ]
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        for place, (scheduler, batch, name) in enumerate(planned, 1):
            done = run(scheduler, batch, asked.to / name, partial(_tell, f"run {place} of {len(planned)}: "))
            print(
                f"{asked.to / name}: {done['jobs']} applications in {done['batch_s']} s, {done['took_s']} s "
                "with the cluster's start and end",
                flush=True,
            )
        if asked.record:
            prediction_accuracy.record(asked.to, [name for _, _, name in planned])
            print(prediction_accuracy.write())
    except NotFetched as error:
        print(
            f"Maven can't fetch {error.library} now, so that no Hadoop cluster can be started.",
            file=sys.stderr,
        )
        return 1
    except (StartupError, RuntimeError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped, and everything that was started is ended.", file=sys.stderr)
        return STOPPED
    return 0


def _tell(where: str, what: str) -> None:
    print(f"... {where}{what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
