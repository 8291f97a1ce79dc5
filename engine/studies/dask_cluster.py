"""A study on the machines of an existing Dask cluster: its scheduler hands out the batches, does again what was lost with a worker, and shows all of it on
its dashboard. Workers need the same version of Gantry.

distributed is an extra, and takes half a second to import: so that is done when a study is first sent to a cluster.
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
from engine.simulation.halt import Halt
from engine.studies.batches import BATCH_S, Batch, do_batch
from engine.studies.processes import StudyFailed
from engine.studies.study import Study
from engine.version import VERSION

if TYPE_CHECKING:
    from distributed import Client, Future

AHEAD = 2  # tasks a thread of a worker has waiting
TASK_S = 1e-3  # of the one scheduler for a task, of this process rather less (python -m tests.bench --only studies)
SHARE = 0.25  # of its time, at most: tasks are as long as that takes
LEAST_S = 0.25  # and so long, for what a worker spends on a task beside it, some 5 ms, to be little
ROUNDS = 4  # but so short that every thread gets so many of what is left
RETRIES = 2  # of a task that fails, as for want of memory; what is lost with its worker Dask does again anyway
CONNECT_S = 5.0
LOOK_S = 0.2  # between two looks whether it is to end
COUNT_S = 1.0  # between two counts of the workers
WORKERLESS_S = 60.0  # that a cluster may have none: one that grows by need begins so


class DaskCluster:
    """The cluster whose scheduler has this address, such as tcp://host:8786; connected to with the first study, and until `close`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._client: Client | None = None
        self._first = threading.Lock()

    def run(self, study: Study, todo: Sequence[range], halt: Halt) -> Iterator[Batch]:
        """As Runner. StudyFailed when there is no such cluster, when it goes away, or when a worker can't do a batch or has another Gantry."""
        sent = _Sent(self._connected(), self.address, study, todo)
        try:
            yield from sent.batches(halt)
        except GantryError:
            raise
        except (CancelledError, OSError):
            self.close()
            raise StudyFailed(f"the Dask scheduler at {self.address} went away, or the study was cancelled there") from None
        except Exception as error:
            raise StudyFailed(_why(error, self.address)) from None
        finally:
            sent.end()

    def close(self) -> None:
        """Leave the cluster, which goes on."""
        with self._first:
            if self._client:
                self._client.close()
            self._client = None

    def _connected(self) -> Client:
        with self._first:
            if self._client is None or self._client.status != "running":
                self._client = _client(self.address)
            return self._client


class _Sent:
    """A study that is with a cluster. Its text is a task's result: it travels to a worker once, and is there again when the worker that had it is lost."""

    def __init__(self, client: Client, address: str, study: Study, todo: Sequence[range]) -> None:
        self.client, self.address, self.name = client, address, uuid.uuid4().hex
        self.left, self.running, self.done = deque(todo), set[Any](), SimpleQueue[Any]()
        self.threads, self.counted, self.manned = 0, 0.0, time.monotonic()
        self.text = client.submit(str, study.json(), key=("gantry-study", self.name))
        self.number = 0

    def batches(self, halt: Halt) -> Iterator[Batch]:
        _refuse_others(self.client)
        while True:
            self._count()
            self._submit()
            if not self.running:
                return
            finished = self._finished()
            halt.go_on()
            found = asyncio.run_coroutine_threadsafe(self.client.gather(finished, asynchronous=True), self.client.loop.asyncio_loop)
            while not wait([found], LOOK_S).done:  # what a lost worker had done is done again
                halt.go_on()
            self.running.difference_update(finished)
            yield from found.result()

    def end(self) -> None:
        """What is still under way is wanted by nobody."""
        with contextlib.suppress(Exception):  # where the scheduler has gone there is nothing left to end
            self.client.cancel([*self.running, self.text])
        with contextlib.suppress(Exception):
            self.client.run(_end, self.name, wait=False)

    def _count(self) -> None:
        now = time.monotonic()
        if now - self.counted < COUNT_S:
            return
        self.counted, self.threads = now, sum(self.client.nthreads().values())
        self.manned = now if self.threads else self.manned
        if now - self.manned > WORKERLESS_S:
            raise StudyFailed(f"the Dask cluster at {self.address} has no workers: dask worker {self.address} starts one")

    def _submit(self) -> None:
        """So much that every thread has some, in one message."""
        parts = []
        while self.left and len(self.running) + len(parts) < (1 + AHEAD) * max(self.threads, 1):
            parts.append(joined(self.left, self.threads))
        if not parts:
            return
        keys = [("gantry-batch-" + self.name, self.number + place) for place in range(len(parts))]
        self.number += len(parts)
        futures = self.client.map(_task(), [self.text] * len(parts), parts, key=keys, retries=RETRIES, pure=False, run=self.name, version=VERSION)
        self.running.update(futures)
        for future in futures:
            future.add_done_callback(self.done.put)

    def _finished(self) -> list[Future]:
        """Those that have ended by now; none when none does in LOOK_S."""
        found = []
        with contextlib.suppress(Empty):
            found.append(self.done.get(timeout=LOOK_S))
            while True:
                found.append(self.done.get_nowait())
        return found


def joined(left: deque[range], threads: int) -> range:
    """Takes the next units of what is left: as many batches, one after the other, as make a task for a cluster of so many threads."""
    seconds = max(LEAST_S, threads * TASK_S / SHARE)
    most = min(math.ceil(seconds / BATCH_S), math.ceil(len(left) / (ROUNDS * max(threads, 1))))
    first = left.popleft()
    stop, count = first.stop, 1
    while left and left[0].start == stop and count < most:
        stop, count = left.popleft().stop, count + 1
    return range(first.start, stop)


def _client(address: str) -> Client:
    """StudyFailed without distributed, and where no Dask scheduler answers."""
    try:
        from distributed import Client
        from distributed.core import connect
    except ImportError:
        raise StudyFailed("A Dask cluster needs distributed: pip install 'gantry[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # what goes wrong is said once, by us
        logging.getLogger(name).setLevel(logging.CRITICAL)

    async def knock() -> None:
        await (await connect(address, timeout=CONNECT_S)).close()

    try:
        with ThreadPoolExecutor(1) as apart:  # the caller's thread may have an event loop that runs, as a notebook's has
            apart.submit(asyncio.run, knock()).result()  # a Client that finds nobody tells its own story as it goes
        return Client(address, timeout=CONNECT_S, set_as_default=False, name="gantry")
    except Exception:
        raise StudyFailed(f"no Dask scheduler answers at {address!r}: its address is like tcp://host:8786, as `dask scheduler` says it") from None


def _refuse_others(client: Client) -> None:
    """StudyFailed where a worker has another Gantry, or none."""
    for address, found in client.run(_version, on_error="return").items():
        if found != VERSION and not isinstance(found, OSError):  # one that has just gone
            has = "no Gantry that can be imported" if isinstance(found, Exception) else f"Gantry {found}"
            raise StudyFailed(f"the worker {address} has {has}; here is Gantry {VERSION}, which it needs too")


def _why(error: Exception, address: str) -> str:
    if isinstance(error, ImportError):
        return f"a worker of the Dask cluster at {address} has no Gantry that can be imported; here is Gantry {VERSION}, which it needs too"
    if type(error).__name__ == "KilledWorker":
        return f"the same batch ended several workers of the Dask cluster at {address}, as for want of memory: fewer threads a worker need less"
    said = str(error).partition("\n")[0]
    return f"a worker of the Dask cluster at {address} could not do a batch: {type(error).__name__}{said and ': '}{said}"


# What follows is done by workers.

_halts: dict[str, Halt] = {}  # by the name of a study that is with the cluster
_over: deque[str] = deque(maxlen=100)  # names of the last that ended: a batch that was given to two workers may begin after that


def _version() -> str:
    return VERSION


def _task() -> Callable[[str, range, str, str], Batch]:
    """`_do` as a function within one, which is sent whole: the scheduler, which opens what it is sent, needs no Gantry."""

    def batch(text: str, units: range, run: str, version: str) -> Batch:
        from engine.studies.dask_cluster import _do

        return _do(text, units, run, version)

    return batch


def _do(text: str, units: range, run: str, version: str) -> Batch:
    if version != VERSION:
        raise StudyFailed(f"a worker has Gantry {VERSION}; where the study comes from is Gantry {version}, which it needs too")
    halt = _halts.setdefault(run, Halt())
    if run in _over:
        _halts.pop(run, halt).ask()
    return do_batch(_read(text), units, halt)


async def _end(run: str) -> None:
    """What it runs of this study ends. A coroutine, as Dask wants of what nobody waits for."""
    _over.append(run)
    _halts.pop(run, Halt()).ask()


@lru_cache(maxsize=4)
def _read(text: str) -> Study:
    return Study.read(text)
