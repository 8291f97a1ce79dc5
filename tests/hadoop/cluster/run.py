"""One run: a batch on a fresh cluster, and everything it left behind, in a folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, TextIO

from tests.hadoop.cluster.batches import BATCHES, applications_of, jobs_of
from tests.hadoop.cluster.collect import collect
from tests.hadoop.cluster.daemons import Cluster, StartupError, cluster, log_tail, start
from tests.hadoop.cluster.spark import build, start_client

SUBMISSIONS = "name\tid\tuser\tqueue\tplanned_ms\tcalled_ms\treturned_ms\n"
SETTLE_S = 9  # masters linger 6 s, the JobHistoryServer looks for ended jobs every 2 s
BEFORE_ZERO_S = 4  # in which a client starts that makes no data
PIPED = {"stdout": subprocess.PIPE, "text": True}


def run(scheduler: str, batch: str, to: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """Plays a batch; the folder holds conf/, history/, rest/, logs/, submissions.tsv, and run.json, which is
    returned. DidNotStart, referee.NotFetched.
    """
    if applications_of(batch):
        build()
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
    expected = len(BATCHES[batch]) + sum(job.kind == "grep" for job in jobs_of(batch))
    with ExitStack() as ends:
        done = _follow_client(_said(running.work, batch, ends), expected, tell)
    if len(done["submissions"]) != expected:
        raise StartupError(
            f"{len(done['submissions'])} of {expected} applications were submitted:\n"
            + log_tail(running.work, "client")
            + log_tail(running.work, "spark-client")
        )
    return done


def _said(work: Path, batch: str, ends: ExitStack) -> Iterator[str]:
    """What the clients say that submit a batch's jobs and applications. Hadoop's makes data before its time
    0, from which Spark's counts too.
    """
    clients, zero = [], f"zero\t{round(1000 * (time.time() + BEFORE_ZERO_S))}\n"
    if jobs := jobs_of(batch):
        (work / "batch.tsv").write_text("".join("\t".join(map(str, job)) + "\n" for job in jobs), "utf-8")
        (work / "data").mkdir()
        called = (str(work / "batch.tsv"), str(work / "data"))
        clients.append(start(work, "client", "gantry.cluster.Main", 400, arguments=called, **PIPED))
        ends.callback(_end, clients[0])
        # Hadoop's own words stand before it; none comes of a client that ends at once
        zero = next((line for line in clients[0].stdout if line.startswith("zero")), "")
    if zero and (applications := applications_of(batch)):
        clients.append(start_client(work, applications, int(zero.split("\t")[1]), **PIPED))
        ends.callback(_end, clients[-1])
    yield zero
    yield from _as_they_come([client.stdout for client in clients])


def _end(client: subprocess.Popen) -> None:
    client.stdin.close()
    client.wait()


def _as_they_come(streams: list[TextIO]) -> Iterator[str]:
    """The lines of several streams, to the end of all."""
    lines: SimpleQueue[str | None] = SimpleQueue()

    def read(stream: TextIO) -> None:
        for line in stream:
            lines.put(line)
        lines.put(None)

    for stream in streams:
        Thread(target=read, args=(stream,), daemon=True).start()
    for _ in streams:
        yield from iter(lines.get, None)


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
                f"{since}, {ended} of {expected} applications have ended, {parts[0]} "
                f"{'' if good else 'did not succeed: ' + parts[-1]}".rstrip()
            )
    return {
        "zero_ms": zero,
        "batch_s": round(time.time() - zero / 1000, 1),
        "jobs": ended,
        "unsuccessful": unsuccessful,
        "submissions": submissions,
    }
