"""Scenario + Scheduler -> Run."""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine import jit, quantities, run_records
from engine.codes import (
    BAD_ANSWER,
    CANCELLED,
    DEADLOCK,
    EXCLUDED,
    INFINITE,
    NONE,
    OUT_OF_CONTAINERS,
    OUT_OF_SPANS,
    OUT_OF_TASK_RUNS,
    OUT_OF_WIDTH,
    SPARK,
    TAKEN,
    TEZ,
    TOO_LONG,
)
from engine.errors import PolicyError, RunCancelled, SchedulerError, TooLarge
from engine.messages import msg
from engine.resource_types import amounts_of
from engine.run_records import Given
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ADMISSION, ORDER, REDUCE_START
from engine.schedulers.scheduler import Scheduler, as_scheduler
from engine.schedulers.view import View
from engine.simulation import durations, shortlist_arrays
from engine.simulation import physics_arrays as physical
from engine.simulation.applications.seam import (
    expected_executors,
    most_slots,
    spark_arrays,
    stage_arrays,
    tez_arrays,
)
from engine.simulation.cancellation import CancelToken
from engine.simulation.compilation_status import announce, is_ready
from engine.simulation.deadlock import deadlock_reason
from engine.simulation.kernel.setup import fit_resource, fresh_state, fresh_view, state_arrays, view_arrays
from engine.simulation.kernel.state import State
from engine.simulation.measured_run import measured_run
from engine.simulation.monitor_arrays import monitor_arrays
from engine.simulation.normalization import min_allocation, normalize_requests
from engine.simulation.physics_arrays import Physics
from engine.simulation.policy_binding import Answer, Kernel, Watch, bind_kernel
from engine.simulation.refused_jobs import all_refused_reason, set_refusals
from engine.simulation.run import Containers, Fetches, JobTimes, Run, Targets, TaskRuns, Waiting
from engine.simulation.run_plan import set_run_plan
from engine.simulation.waiting.rule import Moment
from engine.simulation.workload import Workload, group_name, workload

_thread_cache = threading.local()
MAX_CACHED_TASKS = (
    100_000  # tasks whose draws are kept: for larger scenarios they are a small part of the run
)
CONTAINER_S = 1.2e-4  # of a plain run for a container, at least
MAX_ATTEMPTS = 100  # of a task, on average, where a scheduler kills for other jobs
MAX_INITIAL_WIDTH = 64  # containers a node at first; doubled when a node needs more


def simulate(
    scenario: Scenario,
    scheduler: str | Scheduler = "fair",
    plain: bool | None = None,
    watch: Watch | None = None,
    cancel_token: CancelToken | None = None,
) -> Run:
    """Run a scenario under one scheduler; `watch` is called with each answer of a part in a plain run, which
    this then is.

    cancel_token: another thread may end the run by it.
    plain: uncompiled, or compiled, with the same result; by default what is there sooner. A policy that can't
    be compiled runs plain. Raises SchedulerError for an unknown name, or `measured` without a record that
    fits, PolicyError when a policy answers what it was not offered, TooLarge when the clock would overflow,
    RunCancelled when the run was ended.
    """
    cancel_token = cancel_token or CancelToken()
    chosen = as_scheduler(scheduler)
    if chosen.is_measured:
        return measured_run(scenario)
    refuse_other_frameworks(scenario, chosen)
    if jit.PLAIN or plain or watch:
        return _simulate(scenario, chosen, True, watch, cancel_token)
    if plain is None and not is_ready(chosen):
        run = _run_plain_if_faster(scenario, chosen, cancel_token)
        if run:
            return run
        announce(chosen)
    return _simulate(scenario, chosen, False, None, cancel_token)


def refuse_other_frameworks(scenario: Scenario, chosen: Scheduler) -> None:
    """Raises SchedulerError where an order weighs maps and reduces, and a job has none."""
    policy = chosen.order.policy
    applications = [number for number, job in enumerate(scenario.jobs) if job.stages]
    if applications and policy.assignment.weighs_tasks:
        raise SchedulerError(
            msg(
                "simulation.simulate.order_weighs_maps",
                order=policy.name,
                job=group_name(scenario, applications[0]),
                framework=scenario.jobs[applications[0]].framework,
            )
        )


class _TooSlow(Exception):
    """A plain run takes longer than compiling, or loading compiled code."""


def _run_plain_if_faster(scenario: Scenario, chosen: Scheduler, cancel_token: CancelToken) -> Run | None:
    """The run, if plain Python is faster than waiting for compiled code; abandoned when it turns out to take
    longer.
    """
    start = time.thread_time()
    if not jit.is_plain_faster(CONTAINER_S * _tasks(scenario)):
        return None

    def watch(_: Answer) -> None:
        if not jit.is_plain_faster(time.thread_time() - start):
            raise _TooSlow

    try:
        return _simulate(scenario, chosen, True, watch, cancel_token)
    except _TooSlow:
        return None
    finally:
        jit.count_plain_seconds(time.thread_time() - start)


class ArraySizes(NamedTuple):
    """Capacity of a run's arrays: attempts, containers at a time on a node, spans of fetching (-1: none are
    recorded), tasks in slots of executors.
    """

    containers: int
    width: int
    spans: int
    task_runs: int = 0


class PreparedRun(NamedTuple):
    """A run from its first instant on: its arrays stand where the kernel has left them, and `kernel.advance`
    resumes from there.
    """

    scenario: Scenario
    chosen: Scheduler
    work: Workload
    view: View
    state: State
    array_sizes: ArraySizes
    kernel: Kernel
    plain: bool
    cancel_token: CancelToken


def _simulate(
    scenario: Scenario, chosen: Scheduler, plain: bool, watch: Watch | None, cancel_token: CancelToken
) -> Run:
    array_sizes = None
    while True:
        prepared = prepare(scenario, chosen, plain, watch, cancel_token, array_sizes)
        ended, node = prepared.kernel.advance()
        array_sizes = larger_sizes(prepared, ended)
        if not array_sizes:
            return finish_run(prepared, ended, node)


def larger_sizes(prepared: PreparedRun, ended: int) -> ArraySizes | None:
    """The larger sizes with which a run that ended so has to start again; None where it did not run out of
    space. Raises TooLarge where it would have no end.
    """
    array_sizes = prepared.array_sizes
    if (
        ended == OUT_OF_CONTAINERS
        and prepared.chosen.preempts
        and array_sizes.containers > MAX_ATTEMPTS * _min_containers(prepared.work)
    ):
        raise TooLarge(
            msg("simulation.simulate.queues_kill_each_others_containers_for", max_attempts=MAX_ATTEMPTS)
        )
    if ended == OUT_OF_CONTAINERS:
        return array_sizes._replace(containers=array_sizes.containers * 2 + 64)
    if ended == OUT_OF_WIDTH:
        return array_sizes._replace(width=array_sizes.width * 2)
    if ended == OUT_OF_TASK_RUNS:
        return array_sizes._replace(
            task_runs=2 * int(max(prepared.state.run_count, prepared.state.target_count))
        )
    return array_sizes._replace(spans=2 * int(prepared.state.span_count)) if ended == OUT_OF_SPANS else None


def finish_run(prepared: PreparedRun, ended: int, node: int) -> Run:
    """The Run of arrays that the kernel left when all was done or nothing could happen; raises PolicyError,
    RunCancelled, or TooLarge when it ended otherwise.
    """
    moment = quantities.moment(int(prepared.view.now))
    if ended == BAD_ANSWER and not prepared.plain:
        # which raises what the policy raised
        return _simulate(prepared.scenario, prepared.chosen, True, None, prepared.cancel_token)
    if ended == BAD_ANSWER:
        raise PolicyError(
            msg(
                "simulation.simulate.chose_request_was_not_offered_at",
                name=prepared.chosen.order.policy.name,
                moment=moment,
                node_names=prepared.work.node_names[node],
            )
        )
    if ended == CANCELLED:
        raise RunCancelled(msg("simulation.simulate.run_was_cancelled_at_simulated_time", moment=moment))
    if ended == TOO_LONG:
        raise TooLarge(msg("simulation.simulate.run_lasts_longer_than_clock_can"))
    return _result(prepared, ended)


def prepare(
    scenario: Scenario,
    chosen: Scheduler,
    plain: bool,
    watch: Watch | None,
    cancel_token: CancelToken,
    array_sizes: ArraySizes | None = None,
) -> PreparedRun:
    """A run at its start, with as much room as can be needed but for attempts after kills, or with
    `array_sizes`.
    """
    work, times, physics, given = _cached_arrays(scenario)
    if scenario.cluster.allocation or chosen.normalizes_vcores_to_one:
        work = normalize_requests(work, scenario, chosen)
        given = _given(scenario, work, times, physics)
    minimum = min_allocation(scenario.cluster.allocation)
    memory_only = chosen.memory_only
    if array_sizes is None:
        containers = _min_containers(work) + expected_executors(scenario, work)
        spans = 4 * containers if physical.weighs_fetching(scenario.cluster) else -1
        array_sizes = ArraySizes(
            containers + containers // 8 + 16,
            _width(work, containers, memory_only),
            spans,
            _task_runs(work),
        )
    view = fresh_view(
        work,
        given.view,
        durations.policy_seed(scenario.seed),
        memory_only,
        amounts_of([minimum], 1),
        physics.absent_nodes,
    )
    must_fit = fit_resource(work, view)
    runs_spark, runs_tez = ((work.job_framework == framework).any() for framework in (SPARK, TEZ))
    alike = shortlist_arrays.alike_requests(chosen, work, must_fit, watch is not None)
    conditions = {
        run_records.LAUNCHES: physical.launches(scenario),
        run_records.RETRIES: physical.retries(scenario) or chosen.preempts,
        run_records.SPECULATES: physics.job_speculates.any(),
        run_records.SKEWED: len(work.reduce_part) > 0,
        run_records.FETCHES: array_sizes.spans >= 0,
        run_records.PREEMPTS: chosen.preempts_for_starved,
        run_records.MONITORS: chosen.monitor_ms > 0,
        run_records.RANKS: alike.are_ranked,
        run_records.RUNS_SPARK: runs_spark,
        run_records.SPARK_SPECULATES: any(job.is_spark and job.speculates for job in scenario.jobs),
        run_records.RUNS_TEZ: runs_tez,
        run_records.RUNS_TASKS: runs_spark or runs_tez,
        run_records.HAS_STAGES: any(job.stages for job in scenario.jobs),
    }
    state = fresh_state(
        work,
        view,
        given.state,
        physics,
        {
            **monitor_arrays(chosen, work),
            **alike.arrays,
            "fit_resource": must_fit,
            "cancel_flag": cancel_token.flag,
        },
        {condition for condition, holds in conditions.items() if holds},
        {
            run_records.CONTAINER: array_sizes.containers,
            run_records.WIDTH: array_sizes.width,
            run_records.SPAN: max(array_sizes.spans, 0),
            run_records.SLOT: array_sizes.containers * most_slots(scenario),
            run_records.TASK_RUN: array_sizes.task_runs,
            run_records.TARGET: array_sizes.task_runs + 2 * len(work.job_names),
            run_records.GROUP: alike.groups,
        },
    )
    state.window_ms[:] = state.window_end[:] = chosen.windows_ms
    set_refusals(scenario, chosen.order.policy.queues.scheme, work, state)
    set_run_plan(scenario, chosen, work, view, state, watch is not None)
    state.pause_ms, state.excluded_container = INFINITE, EXCLUDED
    return PreparedRun(
        scenario,
        chosen,
        work,
        view,
        state,
        array_sizes,
        bind_kernel(chosen, view, state, plain, watch),
        plain,
        cancel_token,
    )


def moment_of(prepared: PreparedRun) -> Moment:
    """A run as it stands, for waiting_rule."""
    return Moment(prepared.chosen, prepared.work, prepared.view, prepared.state)


def _min_containers(work: Workload) -> int:
    """One attempt a task that has a container, and a master a job that has one."""
    tasks = int(work.job_tasks[work.job_framework != SPARK].sum())
    return tasks + int((work.job_startup >= 0).sum())


def _task_runs(work: Workload) -> int:
    """One attempt a task of Spark and Tez, and some more."""
    tasks = int(work.job_tasks[np.isin(work.job_framework, (SPARK, TEZ))].sum())
    return tasks + tasks // 8


def warm(schedulers: Iterable[str] | None = None) -> None:
    """Compile or load the kernel and the policies of these schedulers, by default every policy of the
    catalogue.
    """
    smallest = {"count": 1, "memory_mb": 1, "vcores": 1}
    tiny = Scenario.of(
        {"version": 1, "cluster": {"nodes": [smallest]}, "jobs": [{"maps": {**smallest, "duration_s": 1}}]}
    )
    for name in _all_schedulers() if schedulers is None else schedulers:
        simulate(tiny, name, plain=False)


def runs_plain(scenario: Scenario, chosen: Scheduler, runs: float) -> bool:
    """Whether so many runs are there sooner plain than compiled; otherwise what has to be compiled for them
    is announced.
    """
    if jit.PLAIN:
        return True
    if is_ready(chosen):
        return False
    plain = jit.is_plain_faster(CONTAINER_S * _tasks(scenario) * runs)
    if not plain:
        announce(chosen)
    return plain


def _tasks(scenario: Scenario) -> int:
    return sum(job.count * job.task_count for job in scenario.jobs)


class _GivenArrays(NamedTuple):
    """A scenario's arrays as the two tables have them."""

    view: Given
    state: Given


def _given(scenario: Scenario, work: Workload, times: np.ndarray, physics: Physics) -> _GivenArrays:
    applications = stage_arrays(scenario, work) | spark_arrays(scenario, work) | tez_arrays(scenario, work)
    return _GivenArrays(view_arrays(work), state_arrays(work, times, physics, applications))


def _cached_arrays(scenario: Scenario) -> tuple[Workload, np.ndarray, Physics, _GivenArrays]:
    """The scenario's arrays and draws. A thread keeps those of its last scenario while it lives: schedulers
    are compared on one; no run writes to them.
    """
    scenario_ref, arrays = getattr(_thread_cache, "last", (lambda: None, None))
    if arrays is not None and scenario_ref() is scenario:
        return arrays
    work = workload(scenario)
    times, physics = durations.durations(scenario, work), physical.physics(scenario, work)
    arrays = work, times, physics, _given(scenario, work, times, physics)
    if len(times) <= MAX_CACHED_TASKS:
        _thread_cache.last = weakref.ref(scenario), arrays
    return arrays


def _all_schedulers() -> list[str]:
    rules = [policy.name for role in (REDUCE_START, ADMISSION) for policy in CATALOGUE[role].values()]
    return [
        *CATALOGUE[ORDER],
        *(f"fifo+{name}(vcores=0)" if name == "reserve" else f"fifo+{name}" for name in rules),
    ]


def _width(work: Workload, containers: int, memory_only: bool) -> int:
    """How many containers a node's row holds at first: as many as can ever be there, within reason."""
    max_containers = np.full(len(work.node_names), containers)
    is_asked = work.request_memory > 0
    for node, request in list(zip(work.node_resource, work.request_resource))[: 1 if memory_only else None]:
        if (smallest := request[is_asked].min()) > 0:
            max_containers = np.minimum(max_containers, node // smallest)
    return max(1, min(int(max_containers.max()), containers, MAX_INITIAL_WIDTH)) + 1


def _result(prepared: PreparedRun, ended: int) -> Run:
    chosen, work, view, state = prepared.chosen, prepared.work, prepared.view, prepared.state
    count = int(state.container_count)
    containers = Containers(*(getattr(state, f"container_{column}")[:count] for column in Containers._fields))
    if not state.launches:
        containers = containers._replace(begin=containers.start)
    refused = state.job_refused
    jobs = JobTimes(
        view.job_arrival,
        view.job_start,
        state.job_maps_end,
        state.job_shuffle_end,
        np.where(refused == TAKEN, view.job_finish, NONE),
        state.job_failed.astype(bool),
        refused,
    )
    spans = slice(0, int(state.span_count))
    fetches = (
        Fetches(state.span_container[spans], state.span_start[spans], state.span_end[spans])
        if state.weighs_fetching
        else None
    )
    slots = np.flatnonzero(view.request_waiting)
    waiting = Waiting(
        work.request_job[slots],
        work.request_kind[slots],
        view.request_waiting[slots],
        view.request_asked_at[slots],
        slots - work.job_first_request[work.request_job[slots]] - work.request_kind[slots] + 1,
    )
    stuck, all_refused = ended == DEADLOCK, bool((refused != TAKEN).all())
    because = None
    if stuck:
        because = deadlock_reason(moment_of(prepared), containers, waiting)
    elif all_refused:
        because = all_refused_reason(prepared.scenario, work, refused)
    return Run(
        scenario=prepared.scenario,
        scheduler=chosen.name,
        status="deadlock" if stuck else "refused" if all_refused else "finished",
        at_ms=int(state.last_event_ms) if count else int(view.job_arrival.max()),
        because=because,
        workload=work,
        containers=containers,
        jobs=jobs,
        waiting=waiting,
        memory_only=chosen.memory_only,
        fetches=fetches,
        tasks=_task_log(state) if state.run_count else None,
        targets=_target_log(state) if state.target_count else None,
    )


def _target_log(state: State) -> Targets:
    count = int(state.target_count)
    return Targets(*(getattr(state, f"target_{column}")[:count] for column in Targets._fields))


def _task_log(state: State) -> TaskRuns:
    count = int(state.run_count)
    log = TaskRuns(*(getattr(state, f"run_{column}")[:count] for column in TaskRuns._fields))
    return log if len(log.shuffle_end) else log._replace(shuffle_end=np.full(count, NONE, np.int64))
