"""Runs studies on the cores of this machine, in processes that are kept from one study to the next.

Threads would not help: a run of a small scenario spends most of its time in Python, which one thread of a
process does at a time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import numpy as np

from engine.errors import GantryError
from engine.messages import msg
from engine.simulation.cancellation import CancelToken
from engine.studies.batches import Batch, run_batch
from engine.studies.study import Study

PREFETCH = 2  # batches queued for each process, so that none is idle while results are collected
MAX_FAILURES = 3  # how often a process may die during one study
POLL_S = 0.2  # between two checks for cancellation
PARENT_S = 1.0

_cancel_token = CancelToken()
_beginning = threading.Lock()


class StudyFailed(GantryError):
    """The processes or workers of a study died repeatedly, or its cluster is unusable."""


class ProcessRunner:
    """As many processes as asked for, by default one a core; begun with the first study, and kept until
    `close`.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        # a fork would copy locks that other threads hold
        self._context = multiprocessing.get_context("spawn")
        self._flag = self._context.RawValue("q", 0)
        self._pool: ProcessPoolExecutor | None = None
        self._one_at_a_time = threading.Lock()

    def run(self, study: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        """As Runner. A process that ends is replaced, and what it had is done again; StudyFailed when that
        does not help.
        """
        with self._one_at_a_time, _study_file(study) as path:
            self._flag.value = 0
            left, broken = dict.fromkeys(range(len(todo))), 0
            try:
                while left:
                    try:
                        yield from self._pass(path, study.digest, todo, left, cancel_token)
                    except BrokenExecutor:
                        self.close()
                        broken += 1
                        if broken >= MAX_FAILURES:
                            raise StudyFailed(
                                msg(
                                    "studies.process_runner.process_ended_times_possibly_out_memory",
                                    broken=broken,
                                )
                            ) from None
            finally:
                self._flag.value = 1  # cancels what is still running

    def _pass(
        self, path: str, digest: str, todo: Sequence[range], left: dict[int, None], cancel_token: CancelToken
    ) -> Iterator[Batch]:
        """Runs what is left, until it is done or a process dies."""
        pool = self._started()
        waiting = iter(list(left))
        running: dict[Future[Batch], int] = {}
        try:
            while True:
                while (
                    len(running) < (1 + PREFETCH) * self.count and (number := next(waiting, None)) is not None
                ):
                    with _without_interrupts():
                        running[pool.submit(_run_units, path, digest, todo[number])] = number
                if not running:
                    return
                done = wait(running, POLL_S, FIRST_COMPLETED).done
                cancel_token.raise_if_cancelled()
                for future in done:
                    batch = future.result()
                    del left[running.pop(future)]
                    yield batch
                    cancel_token.raise_if_cancelled()
        finally:
            for future in running:
                future.cancel()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, self._context, _begin, (self._flag, os.getpid()))
        return self._pool

    @property
    def is_started(self) -> bool:
        """Are the processes there?"""
        return self._pool is not None

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Processes started within ignore SIGINT, which a terminal sends to all, until they install their own
    handler; and they do not run the caller's script again, as spawned processes do with __main__: a script
    needs no guard."""
    with _beginning:
        main = sys.modules["__main__"]
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = main
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _study_file(study: Study) -> Iterator[str]:
    """A file of the study, so that it travels once to each process and not with each batch."""
    with tempfile.TemporaryDirectory(prefix="gantry-study-") as folder:
        path = Path(folder, "study.json")
        path.write_text(study.json(), "utf-8")
        yield str(path)


def _begin(flag, parent: int) -> None:
    """A process begins: its runs end by the flag, and it ends with its parent."""
    _cancel_token.flag = np.frombuffer(flag, np.int64)
    # a terminal interrupts all its processes; the parent says what ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        os._exit(0)

    threading.Thread(target=look, daemon=True, name="parent").start()


def _run_units(path: str, digest: str, units: range) -> Batch:
    return run_batch(_read(path, digest), units, _cancel_token)


@lru_cache(maxsize=2)
def _read(path: str, digest: str) -> Study:
    return Study.read(Path(path).read_bytes())
