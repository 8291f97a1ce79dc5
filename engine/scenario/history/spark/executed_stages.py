"""The DAG that really ran: every attempt of a stage that had tasks (those that only ran again what was lost
with an executor stand with the first, stage_attempts.py), in the order in which Spark prefers them, with
those that it came after, and what the driver did between jobs as stages of its own.

- A stage comes after its parents' attempts that had finished; where a parent was skipped, after the stage of
  another job that had computed the same RDD; an attempt also after the one before and the last that failed.
- A job whose stages come after none of its own comes after the jobs that had ended before it began; those of
  one SQL query after that query's alone, as other queries run beside it. Adaptive plans submit their stages
  as jobs: so they stand as they really ran.
- Between the last of these and its first stage the driver worked alone, and from there to that stage's first
  task where an executor was there and had nothing to run; at least the first of MIN_GAPS_MS, or so long that
  all have room in a scenario.
"""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate

from engine.codes import INFINITE, UNKNOWN
from engine.messages import msg
from engine.scenario.history.records import FINISHED
from engine.scenario.history.spark.event_records import SparkApplication, SparkJob, SparkTask
from engine.scenario.history.spark.stage_attempts import stage_attempts

MIN_GAPS_MS = (50, 500, 5000, 50_000, INFINITE)  # between jobs: less is the scheduler's own work
DRIVER = UNKNOWN  # the id of a stage that is the driver's work

StageKey = tuple[int, int, int]  # job, stage, attempt


@dataclass
class ExecutedStage:
    """attempts: of the stage, by number, each with all its tasks; tasks: the attempt of each that counts, by
    index; of the driver's work none, but `gap_ms`. is_result: no stage reads output of it. first_end_ms: of
    the first attempt. job: of one after the last job, one more than that.
    """

    key: StageKey
    name: str
    begin_ms: int
    first_end_ms: int
    end_ms: int
    attempts: dict[int, list[SparkTask]] = field(default_factory=dict)
    tasks: list[SparkTask] = field(default_factory=list)
    gap_ms: int = 0
    is_result: bool = False
    after: list[StageKey] = field(default_factory=list)


def executed_stages(app: SparkApplication, ready_ms: int, limit: int) -> list[ExecutedStage]:
    """Each after all that it comes after: of the stages with tasks the first `limit` to begin, and no more in
    all. ready_ms: from when on the driver could submit its first job.
    """
    for min_gap_ms in MIN_GAPS_MS:
        stages = _Dag(app, ready_ms, limit, min_gap_ms).ordered()
        if len(stages) <= limit:
            break
    return stages


def counted_tasks(attempts: Iterable[SparkTask]) -> list[SparkTask]:
    """Of each task the attempt that counts: the one that finished last, else the one that ran longest."""
    chosen: dict[int, SparkTask] = {}
    for task in attempts:
        old = chosen.get(task.index)
        if old is None or _weight(task) > _weight(old):
            chosen[task.index] = task
    return [chosen[index] for index in sorted(chosen)]


def _weight(task: SparkTask) -> tuple[bool, int]:
    finished = task.outcome == FINISHED
    return finished, task.finish_ms if finished else task.finish_ms - task.launch_ms


def _of_query(job: SparkJob, ended: list[SparkJob]) -> list[SparkJob]:
    """Of the jobs that had ended those of its query, where there are any, else all."""
    same = [one for one in ended if job.execution and one.execution == job.execution]
    return same or ended


def _latest(
    ended: list[SparkJob], bits: Mapping[int, int], closure: Mapping[int, int]
) -> tuple[list[SparkJob], int]:
    """Those that none of the others comes after, and all as bits."""
    latest, covered = [], 0
    for one in reversed(ended):
        if not covered & bits[one.id]:
            latest.append(one)
            covered |= closure[one.id] | bits[one.id]
    return latest, covered


class _Spans:
    """Times from a begin to an end."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._begins = [begin for begin, _ in ordered]
        self._last_ends = [*accumulate((end for _, end in ordered), max)]

    def last_end(self, now: int) -> int:
        """The last end of those that have begun by then, UNKNOWN where there is none."""
        count = bisect_right(self._begins, now)
        return self._last_ends[count - 1] if count else UNKNOWN


class _Dag:
    """Puts the stages of an application together."""

    def __init__(self, app: SparkApplication, ready_ms: int, limit: int, min_gap_ms: int) -> None:
        self._app, self._ready_ms = app, ready_ms
        self._limit, self._min_gap_ms = limit, min_gap_ms
        self._is_cut = False
        self._stages: dict[StageKey, ExecutedStage] = {}
        self._attempts: dict[int, list[ExecutedStage]] = defaultdict(list)  # of a stage
        self._by_rdd: dict[int, list[ExecutedStage]] = defaultdict(list)
        self._by_job: dict[int, list[ExecutedStage]] = defaultdict(list)
        self._tasks = _Spans((task.launch_ms, task.finish_ms) for task in app.tasks.values())
        self._executors = _Spans(
            (one.registered_ms, one.removed_ms if one.removed_ms != UNKNOWN else INFINITE)
            for one in app.executors.values()
            if one.registered_ms != UNKNOWN
        )
        self._collect()
        for stage in list(self._stages.values()):
            self._link(stage)
        self._link_jobs()

    def _collect(self) -> None:
        by_stage = stage_attempts(self._app)
        job_of: dict[int, int] = {}
        for job in sorted(self._app.jobs.values(), key=lambda job: job.id, reverse=True):
            job_of |= dict.fromkeys(job.stages, job.id)
        begins = {key: self._begin(key, attempts[key[1]]) for key, attempts in by_stage.items()}
        kept = sorted(begins, key=lambda key: (begins[key], key))[: self._limit]
        self._is_cut = len(kept) < len(begins)
        for key in sorted(kept):
            record, attempts = self._app.stage(*key), by_stage[key]
            ends = [self._end((key[0], number), tasks) for number, tasks in attempts.items()]
            stage = ExecutedStage(
                (job_of.get(key[0], 0), *key),
                record.name,
                begins[key],
                max(begins[key], ends[0]),
                max(begins[key], *ends),
                attempts,
                counted_tasks(task for tasks in attempts.values() for task in tasks),
                is_result=record.is_result,
            )
            self._stages[stage.key] = stage
            self._attempts[key[0]].append(stage)
            self._by_job[stage.key[0]].append(stage)
            if record.rdd != UNKNOWN and not stage.is_result:
                self._by_rdd[record.rdd].append(stage)

    def _begin(self, key: tuple[int, int], tasks: list[SparkTask]) -> int:
        """When it was submitted, or when its first task began where nothing kept that from beginning."""
        submitted_ms = self._app.stage(*key).submitted_ms
        first_ms = min(task.launch_ms for task in tasks)
        if submitted_ms == UNKNOWN or (
            self._tasks.last_end(first_ms - 1) <= submitted_ms
            and self._executors.last_end(submitted_ms) >= first_ms
        ):
            return first_ms
        return submitted_ms

    def _end(self, key: tuple[int, int], tasks: list[SparkTask]) -> int:
        completed_ms = self._app.stage(*key).completed_ms
        return completed_ms if completed_ms != UNKNOWN else max(task.finish_ms for task in tasks)

    def _link(self, stage: ExecutedStage) -> None:
        """To the stages whose output it read, and to those whose failure brought it."""
        job, id, attempt = stage.key
        record = self._app.stages[id, attempt]
        sources: dict[StageKey, None] = {}
        for parent in record.parents or self._app.stage(id, 0).parents:
            self._add_latest(self._attempts.get(parent) or self._of_same_rdd(parent), stage, sources)
        if attempt:
            self._add_latest([one for one in self._attempts[id] if one.key[2] < attempt], stage, sources)
            failed = [
                one
                for one in self._by_job[job]
                if one is not stage and self._app.stages[one.key[1], one.key[2]].failure
            ]
            self._add_latest(failed, stage, sources)
        stage.after = list(sources)

    def _of_same_rdd(self, id: int) -> list[ExecutedStage]:
        rdd = self._app.stage(id, 0).rdd
        return self._by_rdd.get(rdd, []) if rdd != UNKNOWN else []

    def _add_latest(
        self, candidates: list[ExecutedStage], stage: ExecutedStage, sources: dict[StageKey, None]
    ) -> None:
        """Of those that had ended when the stage began, the last."""
        ended = [one for one in candidates if one.first_end_ms <= stage.begin_ms > one.begin_ms]
        if ended:
            sources[max(ended, key=lambda one: (one.first_end_ms, one.key)).key] = None

    def _link_jobs(self) -> None:
        """Each job to those before it, with the driver's work between them."""
        jobs = [self._app.jobs.get(id) or SparkJob(id) for id in self._by_job]
        spans = {job.id: self._span(job) for job in jobs}
        jobs.sort(key=lambda job: (spans[job.id][0], job.id))
        by_end = sorted(jobs, key=lambda job: spans[job.id][1])
        if self._app.end_ms != UNKNOWN and not self._is_cut:
            end = SparkJob(max(self._by_job, default=0) + 1)
            spans[end.id] = (self._app.end_ms, self._app.end_ms)
            jobs.append(end)
        bits = {job.id: 1 << place for place, job in enumerate(jobs)}
        closure: dict[int, int] = {}  # of a job all that it comes after, as bits
        for job in jobs:
            ended = [one for one in by_end if spans[one.id][1] <= spans[job.id][0] and one.id in closure]
            before, closure[job.id] = _latest(_of_query(job, ended), bits, closure)
            self._enter(job, before, spans)

    def _span(self, job: SparkJob) -> tuple[int, int]:
        stages = self._by_job[job.id]
        return min(stage.begin_ms for stage in stages), max(stage.end_ms for stage in stages)

    def _enter(self, job: SparkJob, before: list[SparkJob], spans: dict[int, tuple[int, int]]) -> None:
        """Puts what precedes a job before those of its stages that come after none of its own."""
        begin = spans[job.id][0]
        sources = [stage.key for one in before for stage in self._last_of(one)]
        free_ms = max((spans[one.id][1] for one in before), default=self._ready_ms)
        if begin - free_ms >= self._min_gap_ms and free_ms != UNKNOWN:
            name = (
                msg("scenario.executed_stages.driver_before_job", job=job.id)
                if job.id in self._app.jobs
                else msg("scenario.executed_stages.driver_at_the_end")
            )
            gap = ExecutedStage((job.id, DRIVER, 0), name, free_ms, begin, begin)
            gap.gap_ms, gap.is_result = begin - free_ms, True
            gap.after = sources
            self._stages[gap.key] = gap
            sources = [gap.key]
        for stage in self._by_job.get(job.id, ()):
            if not any(key[0] == job.id for key in stage.after):
                stage.after += [key for key in sources if key not in stage.after]

    def _last_of(self, job: SparkJob) -> list[ExecutedStage]:
        """Those of its stages that none of its stages comes after."""
        stages = self._by_job[job.id]
        followed = {key for stage in stages for key in stage.after}
        return [stage for stage in stages if stage.key not in followed]

    def ordered(self) -> list[ExecutedStage]:
        """By job and stage, as far as each stands behind what it comes after."""
        missing = {key: len(stage.after) for key, stage in self._stages.items()}
        following: dict[StageKey, list[StageKey]] = defaultdict(list)
        for key, stage in self._stages.items():
            for source in stage.after:
                following[source].append(key)
        ready = [key for key, count in missing.items() if not count]
        heapq.heapify(ready)
        order = []
        while ready:
            key = heapq.heappop(ready)
            order.append(self._stages[key])
            for target in following[key]:
                missing[target] -= 1
                if not missing[target]:
                    heapq.heappush(ready, target)
        return order
