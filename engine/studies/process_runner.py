"""A study on the cores of this machine: processes that stay warm from one study to the next.

Threads would not do: a run of a small scenario spends most of its time in Python, which one thread of a process does at a time.
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
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, ProcessPoolExecutor, wait
from functools import lru_cache
from pathlib import Path
from types import ModuleType

import numpy as np

from engine.errors import GantryError
from engine.simulation.halt import Halt
from engine.studies.batches import Batch, do_batch
from engine.studies.study import Study

AHEAD = 2  # batches a process has waiting, so that none is idle while another's numbers are taken
MOST_BROKEN = 3  # times a process may end over the same study
LOOK_S = 0.2  # between two looks whether it is to end
PARENT_S = 1.0

_halt = Halt()
_beginning = threading.Lock()


class StudyFailed(GantryError):
    """What ran a study ended, again and again."""


class Processes:
    """As many processes as asked for, by default one a core; begun with the first study, and kept until `close`."""

    def __init__(self, count: int | None = None) -> None:
        self.count = count or os.cpu_count() or 1
        self._context = multiprocessing.get_context("spawn")  # a fork would copy locks that other threads hold
        self._flag = self._context.RawValue("q", 0)
        self._pool: ProcessPoolExecutor | None = None
        self._one_at_a_time = threading.Lock()

    def run(self, study: Study, todo: Sequence[range], halt: Halt) -> Iterator[Batch]:
        """As Runner. A process that ends is replaced, and what it had is done again; StudyFailed when that does not help."""
        with self._one_at_a_time, _written(study) as path:
            self._flag.value = 0
            left, broken = dict.fromkeys(range(len(todo))), 0
            try:
                while left:
                    try:
                        yield from self._pass(path, study.digest, todo, left, halt)
                    except BrokenExecutor:
                        self.close()
                        broken += 1
                        if broken >= MOST_BROKEN:
                            raise StudyFailed(f"a process ended {broken} times, as for want of memory: fewer processes need less") from None
            finally:
                self._flag.value = 1  # what is still under way is wanted by nobody

    def _pass(self, path: str, digest: str, todo: Sequence[range], left: dict[int, None], halt: Halt) -> Iterator[Batch]:
        """What is left, until it is done or a process ends."""
        pool = self._started()
        waiting, running = iter(list(left)), {}
        try:
            while True:
                while len(running) < (1 + AHEAD) * self.count and (number := next(waiting, None)) is not None:
                    with _undisturbed():
                        running[pool.submit(_do, path, digest, todo[number])] = number
                if not running:
                    return
                done = wait(running, LOOK_S, FIRST_COMPLETED).done
                halt.go_on()
                for future in done:
                    batch = future.result()
                    del left[running.pop(future)]
                    yield batch
        finally:
            for future in running:
                future.cancel()

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self.count, self._context, _begin, (self._flag, os.getpid()))
        return self._pool

    @property
    def is_begun(self) -> bool:
        """Are the processes there?"""
        return self._pool is not None

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Processes that begin within hear no interrupt, which a terminal sends to all, until they see to it themselves; and they do not run the caller's script
    again, as spawned ones do with what is __main__: a script needs no guard."""
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
def _written(study: Study) -> Iterator[str]:
    """A file of the study, so that it travels once to each process and not with each batch."""
    with tempfile.TemporaryDirectory(prefix="gantry-study-") as folder:
        path = Path(folder, "study.json")
        path.write_text(study.json(), "utf-8")
        yield str(path)


def _begin(flag, parent: int) -> None:
    """A process begins: its runs end by the flag, and it ends with its parent."""
    _halt.flag = np.frombuffer(flag, np.int64)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal interrupts all its processes; the parent says what ends

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(PARENT_S)
        os._exit(0)

    threading.Thread(target=look, daemon=True, name="parent").start()


def _do(path: str, digest: str, units: range) -> Batch:
    return do_batch(_read(path, digest), units, _halt)


@lru_cache(maxsize=2)
def _read(path: str, digest: str) -> Study:
    return Study.read(Path(path).read_bytes())
