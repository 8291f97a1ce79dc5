"""A study on the machines of an existing Dask cluster: its scheduler hands out the batches, does again what
was lost with a worker, and shows all of it on its dashboard. Workers need the same version of Gantry.

distributed is an extra, and takes half a second to import: so that is done when a study is first sent to a
cluster.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, wait
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from engine.errors import GantryError
from engine.messages import msg
from engine.simulation.cancellation import CancelToken
from engine.studies.batches import BATCH_S, Batch, run_batch
from engine.studies.process_runner import StudyFailed
from engine.studies.study import Study
from engine.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

PREFETCH = 2  # tasks queued for each thread of a worker
# of the one scheduler for a task, of this process rather less (python -m tests.bench --only studies)
TASK_S = 1e-3
SHARE = 0.25  # of its time, at most: tasks are as long as that takes
MIN_TASK_S = 0.25  # and so long, for what a worker spends on a task beside it, some 5 ms, to be little
ROUNDS = 4  # but so short that every thread gets so many of what is left
RETRIES = 2  # of a task that fails, for example out of memory; Dask itself repeats what is lost with a worker
CONNECT_S = 5.0
POLL_S = 0.2  # between two checks for cancellation
WORKER_POLL_S = 1.0  # between two counts of the workers
WORKERLESS_S = 60.0  # how long a cluster may have no workers: one that scales on demand begins so


class DaskCluster:
    """The cluster whose scheduler has this address, such as tcp://host:8786; connected to with the first
    study, and until `close`.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Client | None = None
        self._first = threading.Lock()

    def run(self, study: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        """As Runner. StudyFailed when there is no such cluster, when it goes away, or when a worker can't do
        a batch or has another Gantry.
        """
        sent = _SubmittedStudy(self._connected(), self.address, study, todo)
        try:
            yield from sent.batches(cancel_token)
        except GantryError:
            raise
        except (CancelledError, OSError):
            self.close()
            raise StudyFailed(
                msg("studies.dask_cluster.dask_scheduler_at_went_away_or", address=self.address)
            ) from None
        except Exception as error:
            raise StudyFailed(_failure_message(error, self.address)) from None
        finally:
            sent.end()

    def close(self) -> None:
        """Disconnects; the cluster goes on."""
        with self._first:
            if self._client:
                self._client.close()
            self._client = None

    def _connected(self) -> Client:
        with self._first:
            if self._client is None or self._client.status != "running":
                self._client = _client(self.address)
            return self._client


class _SubmittedStudy:
    """A study submitted to a cluster. Its text is the result of a task, so that it is sent to a worker once
    and recomputed when that worker is lost.
    """

    def __init__(self, client: Client, address: str, study: Study, todo: Sequence[range]) -> None:
        self.client, self.address, self.name = client, address, uuid.uuid4().hex
        self.left, self.running, self.done = deque(todo), set[Any](), SimpleQueue[Any]()
        self.threads, self.counted, self.staffed = 0, 0.0, time.monotonic()
        self.text = client.submit(str, study.json(), key=("gantry-study", self.name))
        self.number = 0

    def batches(self, cancel_token: CancelToken) -> Iterator[Batch]:
        _require_same_version(self.client)
        while True:
            self._count()
            self._submit()
            if not self.running:
                return
            finished = self._finished()
            cancel_token.raise_if_cancelled()
            loop: Any = self.client.loop  # a tornado.ioloop.IOLoop around asyncio's
            gathered = asyncio.run_coroutine_threadsafe(
                self.client.gather(finished, asynchronous=True), loop.asyncio_loop
            )
            while not wait([gathered], POLL_S).done:  # what a lost worker had done is done again
                cancel_token.raise_if_cancelled()
            self.running.difference_update(finished)
            for batch in gathered.result():
                cancel_token.raise_if_cancelled()
                yield batch

    def end(self) -> None:
        """Cancels what is still running."""
        with contextlib.suppress(Exception):  # where the scheduler has gone there is nothing left to end
            self.client.cancel([*self.running, self.text])
        with contextlib.suppress(Exception):
            self.client.run(_end, self.name, wait=False)

    def _count(self) -> None:
        now = time.monotonic()
        if now - self.counted < WORKER_POLL_S:
            return
        self.counted, self.threads = now, sum(self.client.nthreads().values())
        self.staffed = now if self.threads else self.staffed
        if now - self.staffed > WORKERLESS_S:
            raise StudyFailed(
                msg("studies.dask_cluster.dask_cluster_at_has_no_workers", address=self.address)
            )

    def _submit(self) -> None:
        """Submits enough for every thread, in one message."""
        parts: list[range] = []
        while self.left and len(self.running) + len(parts) < (1 + PREFETCH) * max(self.threads, 1):
            parts.append(take_task(self.left, self.threads))
        if not parts:
            return
        keys = [("gantry-batch-" + self.name, self.number + offset) for offset in range(len(parts))]
        self.number += len(parts)
        futures = self.client.map(
            _task(),
            [self.text] * len(parts),
            parts,
            key=keys,
            retries=RETRIES,
            pure=False,
            run=self.name,
            version=VERSION,
        )
        self.running.update(futures)
        for future in futures:
            future.add_done_callback(self.done.put)

    def _finished(self) -> list[Future]:
        """The futures that have ended; none when none does within POLL_S."""
        futures = []
        with contextlib.suppress(Empty):
            futures.append(self.done.get(timeout=POLL_S))
            while True:
                futures.append(self.done.get_nowait())
        return futures


def take_task(pending: deque[range], threads: int) -> range:
    """Takes the next units of what is pending: as many batches, one after the other, as make a task for a
    cluster of so many threads.
    """
    seconds = max(MIN_TASK_S, threads * TASK_S / SHARE)
    max_batches = min(math.ceil(seconds / BATCH_S), math.ceil(len(pending) / (ROUNDS * max(threads, 1))))
    first = pending.popleft()
    stop, count = first.stop, 1
    while pending and pending[0].start == stop and count < max_batches:
        stop, count = pending.popleft().stop, count + 1
    return range(first.start, stop)


def _client(address: str) -> Client:
    """StudyFailed without distributed, and where no Dask scheduler answers."""
    try:
        from distributed import Client
        from distributed.core import connect
    except ImportError:
        raise StudyFailed(msg("studies.dask_cluster.dask_cluster_needs_distributed_pip_install")) from None
    for name in ("distributed", "distributed.client"):  # errors are reported once, by us
        logging.getLogger(name).setLevel(logging.CRITICAL)

    async def knock() -> None:
        await (await connect(address, timeout=CONNECT_S)).close()

    try:
        with ThreadPoolExecutor(
            1
        ) as apart:  # the caller's thread may have a running event loop, as in a notebook
            apart.submit(asyncio.run, knock()).result()  # a Client without a scheduler logs errors of its own
        return Client(address, timeout=CONNECT_S, set_as_default=False, name="gantry")
    except Exception:
        raise StudyFailed(
            msg("studies.dask_cluster.no_dask_scheduler_answers_at_its", address=address)
        ) from None


def _require_same_version(client: Client) -> None:
    """StudyFailed where a worker has another Gantry, or none."""
    for address, version in client.run(_version, on_error="return").items():
        if version != VERSION and not isinstance(version, OSError):  # a worker that has just left
            installed = (
                msg("studies.dask_cluster.no_importable_gantry")
                if isinstance(version, Exception)
                else msg("shared.gantry", version=version)
            )
            raise StudyFailed(
                msg(
                    "studies.dask_cluster.worker_has_here_gantry_which_needs",
                    address=address,
                    installed=installed,
                    version=VERSION,
                )
            )


def _failure_message(error: Exception, address: str) -> str:
    if isinstance(error, ImportError):
        return msg("studies.dask_cluster.worker_dask_cluster_at_has_no", address=address, version=VERSION)
    if type(error).__name__ == "KilledWorker":
        return msg("studies.dask_cluster.same_batch_ended_several_workers_dask", address=address)
    detail = str(error).partition("\n")[0]
    return msg(
        "studies.dask_cluster.worker_dask_cluster_at_could_not",
        address=address,
        name=type(error).__name__,
        value=detail and ": ",
        detail=detail,
    )


# What follows is done by workers.

_halts: dict[str, CancelToken] = {}  # by the name of a submitted study
# names of the last that ended: a batch that was given to two workers may begin after that
_ended_studies: deque[str] = deque(maxlen=100)


def _version() -> str:
    return VERSION


def _task() -> Callable[[str, range, str, str], Batch]:
    """`_run_units` as a function within one, which is sent whole: the scheduler, which opens what it is sent,
    needs no Gantry.
    """

    def batch(text: str, units: range, run: str, version: str) -> Batch:
        from engine.studies.dask_cluster import _run_units

        return _run_units(text, units, run, version)

    return batch


def _run_units(text: str, units: range, run: str, version: str) -> Batch:
    if version != VERSION:
        raise StudyFailed(
            msg("studies.dask_cluster.worker_has_gantry_where_study_comes", version=VERSION, version2=version)
        )
    cancel_token = _halts.setdefault(run, CancelToken())
    if run in _ended_studies:
        _halts.pop(run, cancel_token).cancel()
    return run_batch(_read(text), units, cancel_token)


async def _end(run: str) -> None:
    """Cancels this worker's runs of the study. A coroutine, as Dask requires for calls that are not
    awaited.
    """
    _ended_studies.append(run)
    _halts.pop(run, CancelToken()).cancel()


@lru_cache(maxsize=4)
def _read(text: str) -> Study:
    return Study.read(text)
