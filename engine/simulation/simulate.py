"""Scenario + Scheduler -> Run."""

from __future__ import annotations

import math
import threading
import time
import weakref
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from engine import jit
from engine.errors import Halted, PolicyError, TooLarge
from engine.scenario.model import Scenario
from engine.schedulers.admission.admit_all import ADMIT_ALL
from engine.schedulers.admission.am_share import AM_SHARE
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.names import Scheduler, parse
from engine.schedulers.policy import ACTIVATE, ADMISSION, COUNTED, ORDER, PASS_OVER, REDUCE_START, WALKED, Policy
from engine.schedulers.view import BY_CAPACITY, BY_MEMORY, BY_MEMORY_FOR_SIZE, BY_WEIGHT, DRF, FAIR, NO_QUEUES, PER_JOB, View
from engine.simulation import durations, shortlist_arrays
from engine.simulation import physics_arrays as physical
from engine.simulation.booking import as_booked, least_of
from engine.simulation.deadlock import because
from engine.simulation.halt import Halt
from engine.simulation.kernel import beats, candidates, loop
from engine.simulation.kernel.fair_shares import INCREMENTS
from engine.simulation.kernel.hash_order import node_hashes
from engine.simulation.kernel.setup import fresh_state, fresh_view
from engine.simulation.kernel.state import FAR, FORGONE, ON_CHANGES, ON_ENDS, ON_WINDOWS, State
from engine.simulation.measured_run import measured_run
from engine.simulation.monitor_arrays import monitor_arrays
from engine.simulation.physics_arrays import Physics
from engine.simulation.policy_calls import Answer, Kernel, Watch, bound_kernel, reads
from engine.simulation.queues import UNLIMITED
from engine.simulation.readiness import announce, is_ready
from engine.simulation.run import Containers, Fetches, JobTimes, Run, Waiting
from engine.simulation.workload import Workload, workload

_kept = threading.local()
MOST_KEPT = 100_000  # tasks whose draws are kept: for larger scenarios they are a small part of the run
CONTAINER_S = 1.2e-4  # of a plain run for a container, at least
MOST_ATTEMPTS = 100  # of a task, on average, where a scheduler kills for other jobs
WIDEST_START = 64  # containers a node at first; doubled when a node needs more
TREES = {"": NO_QUEUES, "max_share": BY_WEIGHT, "max_capacity": BY_CAPACITY}  # how an order with these limits treats queues


def simulate(scenario: Scenario, scheduler: str | Scheduler = "fair", plain: bool | None = None, watch: Watch | None = None, halt: Halt | None = None) -> Run:
    """Run a scenario under one scheduler; `watch` is called with each answer of a part in a plain run, which this then is.

    halt: another thread may end the run by it.
    plain: uncompiled, or compiled, with the same result; by default what is there sooner. A policy that can't be compiled runs plain.
    Raises SchedulerError for an unknown name, or `measured` without a record that fits, PolicyError when a policy answers what it was not offered,
    TooLarge when the clock would overflow, Halted when the run was ended.
    """
    halt = halt or Halt()
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    if chosen.is_measured:
        return measured_run(scenario)
    if jit.PLAIN or plain or watch:
        return _simulate(scenario, chosen, True, watch, halt)
    if plain is None and not is_ready(chosen):
        found = _plain_if_sooner(scenario, chosen, halt)
        if found:
            return found
        announce(chosen)
    return _simulate(scenario, chosen, False, None, halt)


class _Late(Exception):
    """A plain run takes longer than compiling, or loading what is compiled."""


def _plain_if_sooner(scenario: Scenario, chosen: Scheduler, halt: Halt) -> Run | None:
    """The run, if plain Python makes it sooner than compiled code would be there; it is given up when it turns out to be longer."""
    start = time.thread_time()
    if not jit.sooner_plain(CONTAINER_S * _tasks(scenario)):
        return None

    def watch(_: Answer) -> None:
        if not jit.sooner_plain(time.thread_time() - start):
            raise _Late

    try:
        return _simulate(scenario, chosen, True, watch, halt)
    except _Late:
        return None
    finally:
        jit.plain_seconds(time.thread_time() - start)


class Room(NamedTuple):
    """For how much a run's arrays have room: attempts, containers at a time on a node, spans of fetching (-1: none are kept)."""

    containers: int
    width: int
    spans: int


class Begun(NamedTuple):
    """A run from its first instant on: its arrays stand where the kernel has left them, and `kernel.go` goes on from there."""

    scenario: Scenario
    chosen: Scheduler
    work: Workload
    view: View
    state: State
    room: Room
    kernel: Kernel
    plain: bool
    halt: Halt


def _simulate(scenario: Scenario, chosen: Scheduler, plain: bool, watch: Watch | None, halt: Halt) -> Run:
    room = None
    while True:
        begun = begin(scenario, chosen, plain, watch, halt, room)
        ended, node = begun.kernel.go()
        room = more_room(begun, ended)
        if not room:
            return finished(begun, ended, node)


def more_room(begun: Begun, ended: int) -> Room | None:
    """With how much more room a run is to begin anew that ended so; None where that was not for want of room. Raises TooLarge where it would have no end."""
    room = begun.room
    if ended == beats.MORE_CONTAINERS and begun.chosen.preempts and room.containers > MOST_ATTEMPTS * _least_containers(begun.work):
        raise TooLarge(f"queues kill each other's containers for ever: there were more than {MOST_ATTEMPTS} attempts a task")
    if ended == beats.MORE_CONTAINERS:
        return room._replace(containers=room.containers * 2 + 64)
    if ended == beats.MORE_WIDTH:
        return room._replace(width=room.width * 2)
    return room._replace(spans=2 * int(begun.state.span_count[0])) if ended == loop.MORE_SPANS else None


def finished(begun: Begun, ended: int, node: int) -> Run:
    """The Run of arrays that the kernel left when all was done or nothing could happen; raises PolicyError, Halted, or TooLarge when it ended otherwise."""
    at = int(begun.view.now[0]) / 1000
    if ended == beats.BAD_ANSWER and not begun.plain:
        return _simulate(begun.scenario, begun.chosen, True, None, begun.halt)  # which raises what the policy raised
    if ended == beats.BAD_ANSWER:
        raise PolicyError(f"{begun.chosen.order.policy.name} chose a request it was not offered, at {at:.10g} s for node {begun.work.node_names[node]}")
    if ended == loop.HALTED:
        raise Halted(f"the run was ended at {at:.10g} s of its time, before it was done")
    if ended == loop.TOO_LONG:
        raise TooLarge("the run lasts longer than the clock can count, 2^60 ms")
    return _result(begun.scenario, begun.chosen, begun.work, begun.view, begun.state, ended)


def begin(scenario: Scenario, chosen: Scheduler, plain: bool, watch: Watch | None, halt: Halt, room: Room | None = None) -> Begun:
    """A run at its start, with as much room as can be needed but for attempts after kills, or with `room`."""
    work, times, physics = _prepared(scenario)
    if scenario.cluster.allocation or chosen.books_one_vcore:
        work = as_booked(work, scenario, chosen)
    least = least_of(scenario.cluster.allocation)
    memory_only = chosen.memory_only
    if room is None:
        containers = _least_containers(work)
        spans = 4 * containers if physical.weighs_fetching(scenario.cluster) else -1
        room = Room(containers + containers // 8 + 16, _width(work, containers, memory_only), spans)
    view = fresh_view(work, durations.policy_seed(scenario.seed), TREES[chosen.order.policy.limits], memory_only, (least.memory_mb, least.vcores))
    launches, retries = physical.launches(scenario), physical.retries(scenario) or chosen.preempts
    state = fresh_state(
        work,
        view,
        times,
        physics,
        room.containers,
        room.width,
        chosen.windows_ms,
        launches,
        retries,
        room.spans,
        monitor_arrays(chosen, work, room.containers, room.width * len(work.node_memory)),
        shortlist_arrays.shortlist_arrays(chosen, work, work.request_vcores * view.counts_vcores[0], watch is not None),
        halt.flag,
        chosen.kills_for_starved,
    )
    state.stretches[0], state.fails[0] = physical.stretches(scenario.cluster, work), scenario.cluster.failures is not None
    state.reduce_start_trigger[0], state.may_mark_reduces_first[0] = _trigger(chosen.reduce_start.policy), chosen.reduce_start.policy.reduces_first
    view.heartbeat[0] = scenario.cluster.heartbeat_ms
    state.order_follows_jobs[0] = chosen.order.policy.on_jobs is not None
    state.stops_job[0], state.reserves[0] = chosen.stops_job, chosen.reserves
    if chosen.reserves == WALKED:
        view.node_hash[:] = node_hashes(len(view.node_hash))
    state.beats_on_ends[0] = scenario.cluster.out_of_band_heartbeats and scenario.cluster.heartbeat_ms > 0
    state.walks_always[0], state.spreads_load[0] = chosen.walks_always, chosen.spreads_load
    state.walks_always[0] |= _finds_places(chosen, work)
    state.most_off_switch[0] = chosen.off_switch
    if scenario.cluster.locality:
        state.walks_always[0] |= chosen.delays == COUNTED
        state.delays[0], state.most_missed[:] = chosen.delays, np.minimum(chosen.locality, 1.0) * len(work.node_memory)
    if not watch:  # who watches sees each answer and all candidates
        state.serves_first[0], state.admits_all[0] = chosen.order.policy.serves_first, chosen.admission.policy is ADMIT_ALL
    state.assigns_half[0], state.limits_running[0] = chosen.assigns_half, _limits_running(chosen, work)
    view.holds_masters[0] = chosen.admission.policy is not ADMIT_ALL and chosen.admission.policy.line != ACTIVATE
    view.limits_users[0], state.limits_users[0] = _limits_users(chosen, work), chosen.limits_users
    state.keeps_shares[0], view.update_interval[0] = chosen.keeps_shares, chosen.update_ms
    state.headroom[0] = chosen.headroom
    if chosen.monitor_ms > 0:
        state.monitor_ms[0], state.monitor_event_count[0] = chosen.monitor_ms, -1
        state.kill_wait_ms[0] = math.floor(chosen.order.given["max_wait_before_kill_ms"] + 0.5)
        view.limits_users[0] = chosen.limits_users
    if chosen.kills_for_starved:
        _set_preemption(chosen, work, state)
    if scenario.cluster.allocation:
        increment = scenario.cluster.allocation.increment
        state.threshold_memory[0], state.threshold_vcores[0] = INCREMENTS * increment.memory_mb, INCREMENTS * increment.vcores
    state.group_count[0] = len(state.group_memory)
    state.ranks_by[0] = chosen.ranks_by if len(state.ranked) and not scenario.cluster.locality else 0
    state.keeps_scores[0] = watch is None and _keeps_scores(scenario, chosen, work, state)
    state.walks_unlisted[0] = state.keeps_scores[0] or watch is None and _walks_unlisted(scenario, chosen, work, state)
    state.is_watched[0], state.lists_late[0] = watch is not None, _lists_late(scenario, chosen, work, state)
    state.shortlist_depth[0], state.masters_alike[0] = chosen.order.policy.compares, chosen.admission.policy is AM_SHARE
    state.own_policy[0] = DRF if chosen.order.policy.name == "drf" else FAIR
    state.pause_ms[0], state.forgo_container[0] = FAR, FORGONE
    return Begun(scenario, chosen, work, view, state, room, _bound(scenario, chosen, work, view, state, plain, watch), plain, halt)


def _least_containers(work: Workload) -> int:
    """One attempt a task, and a master a job that has one."""
    return int((work.job_iterations * (work.job_maps + work.job_reduces)).sum()) + int((work.job_startup >= 0).sum())


def warm(schedulers: Iterable[str] | None = None) -> None:
    """Compile or load the kernel and the policies of these schedulers, by default every policy of the catalogue."""
    one = {"count": 1, "memory_mb": 1, "vcores": 1}
    tiny = Scenario.of({"version": 1, "cluster": {"nodes": [one]}, "jobs": [{"maps": {**one, "duration_s": 1}}]})
    for name in _all() if schedulers is None else schedulers:
        simulate(tiny, name, plain=False)


def runs_plain(scenario: Scenario, chosen: Scheduler, runs: float = 1.0) -> bool:
    """Whether so many runs are there sooner plain than compiled; otherwise what has to be compiled for them is announced."""
    if jit.PLAIN:
        return True
    if is_ready(chosen):
        return False
    plain = jit.sooner_plain(CONTAINER_S * _tasks(scenario) * runs)
    if not plain:
        announce(chosen)
    return plain


def _tasks(scenario: Scenario) -> int:
    return sum(job.count * job.iterations * (job.maps.count + (job.reduces.count if job.reduces else 0)) for job in scenario.jobs)


def _prepared(scenario: Scenario) -> tuple[Workload, np.ndarray, Physics]:
    """The scenario's arrays and draws. A thread keeps those of its last scenario while it lives: schedulers are compared on one; no run writes to them."""
    of, found = getattr(_kept, "last", (lambda: None, None))
    if of() is scenario:
        return found
    work = workload(scenario)
    found = work, durations.durations(scenario, work), physical.physics(scenario, work)
    if len(found[1]) <= MOST_KEPT:
        _kept.last = weakref.ref(scenario), found
    return found


def _all() -> list[str]:
    rules = [policy.name for role in (REDUCE_START, ADMISSION) for policy in CATALOGUE[role].values()]
    return [*CATALOGUE[ORDER], *(f"fifo+{name}(vcores=0)" if name == "reserve" else f"fifo+{name}" for name in rules)]


def _width(work: Workload, containers: int, memory_only: bool) -> int:
    """How many containers a node's row holds at first: as many as can ever be there, within reason."""
    asked = work.request_memory > 0
    most = work.node_memory // work.request_memory[asked].min()
    if not memory_only:
        most = np.minimum(most, work.node_vcores // work.request_vcores[asked].min())
    return max(1, min(int(most.max()), containers, WIDEST_START)) + 1


def _bound(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, plain: bool, watch: Watch | None) -> Kernel:
    cluster = scenario.cluster
    per_beat = cluster.containers_per_heartbeat or 0
    rest = (cluster.heartbeat_ms, per_beat, float(cluster.contention), _limits(chosen, work), chosen.admission.policy.line)
    return bound_kernel(chosen, view, state, rest, plain, watch)


def _limits(chosen: Scheduler, work: Workload) -> int:
    """Which limits of queues the kernel has to hold: none when no queue has one."""
    queues = work.queues
    shares = (queues.max_memory < UNLIMITED).any() or (queues.max_vcores < UNLIMITED).any()
    capacities = (queues.max_capacity < 1.0).any()
    held = {"": candidates.NO_LIMITS, "max_share": candidates.MAX_SHARES * int(shares), "max_capacity": candidates.MAX_CAPACITIES * int(capacities)}
    return held[chosen.order.policy.limits]


def _limits_users(chosen: Scheduler, work: Workload) -> bool:
    """Can a limit of users, or of their masters, ever hold one of them back?"""
    queues = work.queues
    return (chosen.limits_users or chosen.admission.policy.line == ACTIVATE) and bool(
        ((queues.capacity < 1.0) | (queues.user_limit_factor < 1.0) | (queues.min_user_limit < 100)).any()
    )


def _set_preemption(chosen: Scheduler, work: Workload, state: State) -> None:
    """FSPreemptionThread's numbers: a starved job is looked at again after the warning and a time of its own.

    The four heartbeats that Hadoop means to add are 0: the thread is made before the interval is read (FairScheduler.serviceInit).
    """
    given = chosen.order.given
    warning, check = (math.floor(given[name] + 0.5) for name in ("wait_before_kill_ms", "starvation_check_ms"))
    state.preemption_threshold[0], state.spares_masters[0] = given["utilization_threshold"], given["am_preemption"] == "no"
    state.warning_ms[0], state.next_check_ms[0] = warning, warning + check
    timeouts = [one for one in (*work.queues.least_timeout, *work.queues.share_timeout) if one < UNLIMITED]
    state.hope_ms[0] = max(timeouts, default=0) + state.next_check_ms[0] + 2 * chosen.update_ms


def _limits_running(chosen: Scheduler, work: Workload) -> bool:
    """May a job have to wait until others have left? Orders that know no queues ask nobody."""
    most = np.concatenate((work.queues.most_running, work.owner_most_running))
    return chosen.order.policy.limits != "" and bool((most < len(work.job_arrival)).any())


def _finds_places(chosen: Scheduler, work: Workload) -> bool:
    """Do leaves find the places of their jobs anew when they are asked, though nothing fits?"""
    return chosen.order.policy.reserves == WALKED and bool(np.isin(work.queues.ordering, (BY_MEMORY, BY_MEMORY_FOR_SIZE)).any())


def _walks_unlisted(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """May an order that walks choose every request that fits, or the first one of every active job on every node if it reserves?"""
    fits = work.request_memory.max() <= work.node_memory.min() and state.fit_vcores.max() <= work.node_vcores.min()
    admits = chosen.admission.policy is ADMIT_ALL or chosen.admission.policy.line == ACTIVATE
    is_free = _only_room_decides(scenario, chosen, work, state)
    if chosen.reserves == WALKED:
        return bool(fits) and admits and is_free
    return chosen.order.policy.walks and is_free and len(work.job_arrival) >= shortlist_arrays.LEAST_JOBS


def _lists_late(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """Do orders seldom go through all that waits, and no part reads the list beside them?"""
    walks = state.walks_unlisted[0] and chosen.reserves == WALKED
    first = state.serves_first[0] and state.group_count[0] and _only_room_decides(scenario, chosen, work, state)
    is_seldom = bool(state.ranks_by[0] or walks or first) and chosen.admission.policy.line in (ACTIVATE, PASS_OVER)
    return is_seldom and not any(reads(part.policy, "waiting_requests") for part in (chosen.order, chosen.reduce_start, chosen.admission))


def _keeps_scores(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """May an order that keeps scores choose every request that fits? Where reduces go before their job's maps, if it sees to that itself."""
    keeps = chosen.order.policy.keeps_scores and len(work.job_arrival) >= shortlist_arrays.LEAST_JOBS
    admits = chosen.admission.policy is ADMIT_ALL and (not chosen.reduce_start.policy.reduces_first or bool(chosen.order.policy.made_with))
    return keeps and admits and _only_room_decides(scenario, chosen, work, state)


def _only_room_decides(scenario: Scenario, chosen: Scheduler, work: Workload, state: State) -> bool:
    """Are there neither limits of queues nor slots, and no nodes to be waited for?"""
    return _limits(chosen, work) == candidates.NO_LIMITS and not scenario.cluster.locality and not state.limits_slots[0]


def _trigger(rule: Policy) -> int:
    """When the kernel asks a reduce-start rule."""
    if rule.preempt is not None:
        return ON_WINDOWS
    return ON_CHANGES if rule.window else ON_ENDS


def _result(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, ended: int) -> Run:
    count = int(state.container_count[0])
    columns = [column[:count] for column in state[state._fields.index("container_job") : state._fields.index("container_heard")]]
    containers = Containers(*columns)
    if not state.launches[0]:
        containers = containers._replace(begin=containers.start)
    jobs = JobTimes(view.job_arrival, view.job_start, state.job_maps_end, state.job_shuffle_end, view.job_finish, state.job_failed.astype(bool))
    spans = slice(0, int(state.span_count[0]))
    fetches = Fetches(state.span_container[spans], state.span_start[spans], state.span_end[spans]) if state.weighs_fetching[0] else None
    slots = np.flatnonzero(view.request_waiting)
    waiting = Waiting(slots // PER_JOB, slots % PER_JOB, view.request_waiting[slots], view.request_asked[slots])
    stuck = ended == loop.DEADLOCK
    return Run(
        scenario=scenario,
        scheduler=chosen.name,
        status="deadlock" if stuck else "finished",
        at_ms=int(state.last_event_ms[0]) if count else int(view.job_arrival.max()),
        because=because(work, containers, waiting, view, chosen.memory_only) if stuck else None,
        workload=work,
        containers=containers,
        jobs=jobs,
        waiting=waiting,
        memory_only=chosen.memory_only,
        fetches=fetches,
    )
