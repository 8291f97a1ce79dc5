"""Studies: 4,000 runs of the four WordCount jobs on two warm processes, and what it costs to hand over a task
to a process and to a Dask cluster.

The cluster is a scheduler and two workers, each a process of this machine. How many tasks a second it can
hand out is told by the processor's time that its one scheduler takes for a task, as no further machine takes
that off it, and by the sender's. The clock counts the workers' too, who share the cores here.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil

from engine import Study, presets, run_study
from engine.dashboard import CancelToken, ProcessRunner, Runner
from engine.studies.dask_cluster import DaskCluster
from engine.studies.run_study import SerialRunner
from tests.engine.studies.separate_cluster import SeparateCluster
from tests.waiting import MAX_WAIT_S

RUNS, COUNT, TURNS = 4000, 2, 3
MAX_S, MIN_RATIO = 4.0, 1.8
JITTER = 0.2  # nothing is drawn in the preset
TASKS = 2000
THREADS = (1, 8, 64)  # of each of two workers
ASLEEP = ((16, 0.5), (256, 1.0), (1000, 4.0))  # threads in all, and seconds of a task in which they sleep
ROUNDS = 4  # of such tasks for every thread
ONE = {"count": 1, "memory_mb": 1024, "vcores": 1}
SMALLEST = {"version": 1, "cluster": {"nodes": [ONE]}, "jobs": [{"maps": {**ONE, "duration_s": 1}}]}


def studies() -> Iterator[dict]:
    """The study beside its targets, then milliseconds a task."""
    processes = ProcessRunner(COUNT)
    try:
        yield from _word_counts(processes)
        yield from _tasks(
            "a process",
            processes,
            lambda: {
                "the sender": _spent([psutil.Process()]),
                "the processes": _spent(psutil.Process().children()),
            },
        )
    finally:
        processes.close()
    for threads in THREADS:
        yield from _cluster(threads)
    for threads, seconds in ASLEEP:
        yield _kept_busy(threads, seconds)


def _word_counts(processes: ProcessRunner) -> Iterator[dict]:
    study = Study(presets()[0].scenario.plain(), ("fair",), seeds=RUNS, jitter=JITTER)
    for runner in (processes, SerialRunner()):
        run_study(replace(study, seeds=RUNS // 10), runner)  # all is loaded
    turns = [(*_seconds(study, processes), *_seconds(study, SerialRunner())) for _ in range(TURNS)]
    wall, spent, alone_wall, alone_spent = (min(column) for column in zip(*turns, strict=True))
    ratios = [alone / several for several, _, alone, _ in turns]
    title = f"{RUNS:,} runs of the four WordCount jobs"
    target = {"target": f"under {MAX_S:g} s", "met": wall < MAX_S}
    yield {
        "part": "studies",
        "title": f"{title}, {COUNT} warm processes",
        "shown": f"{spent:.2f} s of the processors in",
        "seconds": wall,
    } | target
    yield {
        "part": "studies",
        "title": f"{title}, one process",
        "shown": f"{alone_spent:.2f} s of the processor in",
        "seconds": alone_wall,
    }
    row = {
        "part": "studies",
        "title": f"{title}: one process over {COUNT}",
        "ratio": statistics.median(ratios),
        "spread": (min(ratios), max(ratios)),
    }
    yield row | {"target": f"at least {MIN_RATIO:g}x", "met": statistics.median(ratios) >= MIN_RATIO}


def _seconds(study: Study, runner: Runner) -> tuple[float, float]:
    """By the clock, and of the processors."""
    everyone = [psutil.Process(), *psutil.Process().children()]
    before, start = _spent(everyone), time.perf_counter()
    run_study(study, runner)
    return time.perf_counter() - start, _spent(everyone) - before


def _spent(processes: list[psutil.Process]) -> float:
    return sum(sum(one.cpu_times()[:2]) for one in processes)


def _cluster(threads: int) -> Iterator[dict]:
    with tempfile.TemporaryDirectory() as folder:
        separate = SeparateCluster(Path(folder), threads)
        cluster = DaskCluster(separate.address)
        try:
            run_study(Study(SMALLEST, ("fifo",), seeds=100), cluster)
            cluster._connected().wait_for_workers(2, timeout=MAX_WAIT_S)
            of = {
                "its scheduler": [separate.scheduler],
                "the sender": [psutil.Process()],
                "its workers": separate.workers,
            }
            who = {name: [psutil.Process(one.pid) for one in processes] for name, processes in of.items()}
            yield from _tasks(
                f"a Dask cluster of {2 * threads} threads",
                cluster,
                lambda: {name: _spent(processes) for name, processes in who.items()},
            )
        finally:
            cluster.close()
            separate.end()


def _tasks(of: str, runner: Runner, spent: Callable[[], dict[str, float]]) -> Iterator[dict]:
    """What each takes for a task of one run of one container, which is some of the time of who does it.
    Ranges with gaps are not joined to larger tasks.
    """
    study, todo = (
        Study(SMALLEST, ("fifo",), seeds=10_000),
        [range(unit, unit + 1) for unit in range(0, 2 * TASKS, 2)],
    )
    _all(runner.run(study, todo[:100], CancelToken()))
    before, start = spent(), time.perf_counter()
    result = _all(runner.run(study, todo, CancelToken()))
    wall = time.perf_counter() - start
    assert result == TASKS
    words = ", ".join(
        f"{name} {1000 * (after - before[name]) / TASKS:.2f} ms" for name, after in spent().items()
    )
    yield {
        "part": "studies",
        "title": f"a task of {of}, of the processor",
        "shown": f"{words}; by the clock {1000 * wall / TASKS:.2f} ms",
    }


def _kept_busy(threads: int, seconds: float) -> dict:
    """Of threads that sleep instead of computing the share of time that they do, from the study's start to
    its last number.
    """
    sleeping = {"SLEEP_S": str(seconds), "DASK_DISTRIBUTED__WORKER__PRELOAD": "tests.bench.sleeping_workers"}
    with tempfile.TemporaryDirectory() as folder:
        separate = SeparateCluster(Path(folder), threads // 2, sleeping)
        cluster = DaskCluster(separate.address)
        try:
            study, todo = (
                Study(SMALLEST, ("fifo",), seeds=10_000),
                [range(unit, unit + 1) for unit in range(0, 2 * ROUNDS * threads, 2)],
            )
            _all(cluster.run(study, todo[:1], CancelToken()))
            cluster._connected().wait_for_workers(2, timeout=MAX_WAIT_S)
            scheduler = [psutil.Process(separate.scheduler.pid)]
            before, start = _spent(scheduler), time.perf_counter()
            _all(cluster.run(study, todo, CancelToken()))
            wall = time.perf_counter() - start
            own = (_spent(scheduler) - before) / wall
        finally:
            cluster.close()
            separate.end()
    shown = f"{ROUNDS * seconds / wall:.0%} of the time, the scheduler {own:.0%}"
    return {
        "part": "studies",
        "title": f"{threads:,} threads kept busy by {ROUNDS} tasks each of {seconds:g} s",
        "shown": shown,
    }


def _all(batches: Iterator) -> int:
    return sum(1 for _ in batches)
