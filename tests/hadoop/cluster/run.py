"""One run: a batch on a fresh cluster, and everything it left behind, in a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.hadoop.cluster.batches import BATCHES
from tests.hadoop.cluster.collect import collect
from tests.hadoop.cluster.daemons import Cluster, StartupError, cluster, log_tail, start

SUBMISSIONS = "name\tid\tuser\tqueue\tplanned_ms\tcalled_ms\treturned_ms\n"
SETTLE_S = 9  # masters linger 6 s, the JobHistoryServer looks for ended jobs every 2 s
SILENT_S = 300


def run(scheduler: str, batch: str, to: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """Plays a batch; the folder holds conf/, history/, rest/, logs/, submissions.tsv, and run.json, which is
    returned. DidNotStart, referee.NotFetched.
    """
    tell(f"{scheduler}, {batch}: starting a ResourceManager, a JobHistoryServer and four NodeManagers")
    began = time.time()
    with cluster(scheduler) as running:
        tell(f"{scheduler}, {batch}: up after {time.time() - began:.0f} s; making data")
        before = {name: running.rest_get(f"cluster/{name}") for name in ("nodes", "info")}
        load = os.getloadavg()[0]
        done = _submitted(running, batch, lambda text: tell(f"{scheduler}, {batch}: {text}"))
        about = {
            "scheduler": scheduler,
            "batch": batch,
            "load_before": load,
            "load_after": os.getloadavg()[0],
            **done,
        }
        tell(f"{scheduler}, {batch}: collecting")
        time.sleep(SETTLE_S)
        shutil.rmtree(to, ignore_errors=True)
        to.mkdir(parents=True)
        collect(running, to, before, done["zero_ms"] - 1000)
        (to / "submissions.tsv").write_text(
            SUBMISSIONS + "".join("\t".join(row) + "\n" for row in about.pop("submissions")), "utf-8"
        )
        about["took_s"] = round(time.time() - began, 1)
        (to / "run.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
        return about


def _submitted(running: Cluster, batch: str, tell: Callable[[str], None]) -> dict[str, Any]:
    """Submits a batch, waits for its end."""
    work = running.work
    jobs = BATCHES[batch]
    (work / "batch.tsv").write_text("".join("\t".join(map(str, job)) + "\n" for job in jobs), "utf-8")
    (work / "data").mkdir()
    called = (str(work / "batch.tsv"), str(work / "data"))
    expected = len(jobs) + sum(job.kind == "grep" for job in jobs)
    client = start(
        work, "client", "gantry.cluster.Main", 400, arguments=called, stdout=subprocess.PIPE, text=True
    )
    try:
        done = _follow_client(client.stdout, expected, tell)
    finally:
        client.stdin.close()
        client.wait()
    if len(done["submissions"]) != expected:
        raise StartupError(
            f"{len(done['submissions'])} of {expected} jobs were submitted:\n{log_tail(work, 'client')}"
        )
    return done


def _follow_client(lines: Iterable[str], expected: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """What the client says, to its end."""
    zero, submissions, unsuccessful, ended = 0, [], [], 0
    for line in lines:
        word, *parts = line.rstrip("\n").split("\t")
        since = f"{time.time() - zero / 1000:.0f} s"
        if word == "zero":
            zero = int(parts[0])
        elif word == "submitted":
            submissions.append(parts)
            tell(f"{since}, {parts[0]} is submitted")
        elif word in ("ended", "failed"):
            ended += 1
            good = parts[-1] == "true"
            unsuccessful += [] if good else [parts[0]]
            tell(
                f"{since}, {ended} of {expected} jobs have ended, {parts[0]} "
                f"{'' if good else 'did not succeed: ' + parts[-1]}".rstrip()
            )
    return {
        "zero_ms": zero,
        "batch_s": round(time.time() - zero / 1000, 1),
        "jobs": ended,
        "unsuccessful": unsuccessful,
        "submissions": submissions,
    }
