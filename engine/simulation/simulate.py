"""Scenario + Scheduler -> Run."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable

import numpy as np

from engine import draws, speed
from engine.binding import Watch, run_kernel
from engine.catalogue import CATALOGUE
from engine.errors import PolicyError, TooLarge
from engine.kernel import candidates, loop
from engine.kernel.setup import fresh_state, fresh_view
from engine.kernel.state import CONTAINERS, LAST, LOOKED, MARKS, ON_CHANGES, ON_ENDS, ON_WINDOWS, State
from engine.policies.policy import ADMISSION, ORDER, REDUCE_START, Policy
from engine.queues import UNLIMITED
from engine.run import Containers, JobTimes, Run, Waiting
from engine.scenario import Scenario
from engine.scheduler import Scheduler, parse
from engine.stuck import because
from engine.view import BY_CAPACITY, BY_WEIGHT, KINDS, NO_QUEUES, View
from engine.workload import Workload, workload

_kept = threading.local()
MOST_KEPT = 100_000  # tasks whose draws are kept: for larger scenarios they are a small part of the run
WIDEST_START = 64  # containers a node at first; doubled when a node needs more
TREES = {"": NO_QUEUES, "max_share": BY_WEIGHT, "max_capacity": BY_CAPACITY}  # how an order with these limits treats queues


def simulate(scenario: Scenario, scheduler: str | Scheduler = "fair", plain: bool = speed.PLAIN, watch: Watch | None = None) -> Run:
    """Run a scenario under one scheduler; `plain`: uncompiled, with the same result; `watch` is told each answer of a part in a plain run.

    A policy that can't be compiled runs plain.
    Raises SchedulerError for an unknown name, PolicyError when a policy answers what it was not offered,
    TooLarge when the clock would overflow.
    """
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    work, times = _prepared(scenario)
    memory_only = chosen.memory_only
    containers = len(times) + int((work.job_startup >= 0).sum())
    width = _width(work, containers, memory_only)
    room = containers + containers // 8 + 16  # for attempts after kills
    while True:
        view = fresh_view(work, draws.policy_seed(scenario.seed), TREES[chosen.order.policy.limits], memory_only)
        state = fresh_state(work, view, times, room, width, chosen.windows_ms)
        state.sizes[LOOKED], state.sizes[MARKS] = _looked(chosen.reduce_start.policy), chosen.reduce_start.policy.reduces_first
        ended, node = _run(scenario, chosen, work, view, state, plain, watch)
        if ended == loop.MORE_CONTAINERS:
            room = room * 2 + 64
        elif ended == loop.MORE_WIDTH:
            width *= 2
        else:
            break
    if ended == loop.BAD_ANSWER:
        if not plain:
            return simulate(scenario, chosen, plain=True, watch=watch)  # which raises what the policy raised
        at = int(view.now[0]) / 1000
        raise PolicyError(f"{chosen.order.policy.name} chose a request it was not offered, at {at:g} s for node {work.node_names[node]}")
    if ended == loop.TOO_LONG:
        raise TooLarge("the run lasts longer than the clock can count, 2^60 ms")
    return _result(scenario, chosen, work, view, state, ended)


def warm(schedulers: Iterable[str] | None = None) -> None:
    """Compile or load the kernel and the policies of these schedulers, by default every policy of the catalogue."""
    one = {"count": 1, "memory_mb": 1, "vcores": 1}
    tiny = Scenario.of({"version": 1, "cluster": {"nodes": [one]}, "jobs": [{"maps": {**one, "duration_s": 1}}]})
    for name in _all() if schedulers is None else schedulers:
        simulate(tiny, name)


def _prepared(scenario: Scenario) -> tuple[Workload, np.ndarray]:
    """The scenario's arrays and draws. A thread keeps those of its last scenario while it lives: schedulers are compared on one; no run writes to them."""
    of, found = getattr(_kept, "last", (lambda: None, None))
    if of() is scenario:
        return found
    work = workload(scenario)
    times = draws.durations(scenario, work)
    if len(times) <= MOST_KEPT:
        _kept.last = weakref.ref(scenario), (work, times)
    return work, times


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


def _run(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, plain: bool, watch: Watch | None) -> tuple[int, int]:
    cluster = scenario.cluster
    per_beat = cluster.containers_per_heartbeat or 0
    rest = (cluster.heartbeat_ms, per_beat, float(cluster.contention), _limits(chosen, work), chosen.admission.policy.line)
    return run_kernel(chosen, view, state, rest, plain, watch)


def _limits(chosen: Scheduler, work: Workload) -> int:
    """Which limits of queues the kernel has to hold: none when no queue has one."""
    queues = work.queues
    shares = (queues.max_memory < UNLIMITED).any() or (queues.max_vcores < UNLIMITED).any()
    capacities = (queues.max_capacity < 1.0).any()
    held = {"": candidates.NO_LIMITS, "max_share": candidates.MAX_SHARES * int(shares), "max_capacity": candidates.MAX_CAPACITIES * int(capacities)}
    return held[chosen.order.policy.limits]


def _looked(rule: Policy) -> int:
    """When the kernel looks at a reduce-start rule."""
    if rule.preempt is not None:
        return ON_WINDOWS
    return ON_CHANGES if rule.window else ON_ENDS


def _result(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, ended: int) -> Run:
    count = int(state.sizes[CONTAINERS])
    containers = Containers(*(column[:count] for column in state[state._fields.index("container_job") : state._fields.index("job_maps_end")]))
    jobs = JobTimes(view.job_arrival, view.job_start, state.job_maps_end, state.job_shuffle_end, view.job_finish)
    slots = np.flatnonzero(view.request_waiting)
    waiting = Waiting(slots // KINDS, slots % KINDS, view.request_waiting[slots], view.request_asked[slots])
    stuck = ended == loop.DEADLOCK
    return Run(
        scenario=scenario,
        scheduler=chosen.name,
        status="deadlock" if stuck else "finished",
        at_ms=int(state.sizes[LAST]) if count else int(view.job_arrival.max()),
        because=because(work, containers, waiting, view, chosen.memory_only) if stuck else None,
        workload=work,
        containers=containers,
        jobs=jobs,
        waiting=waiting,
        memory_only=chosen.memory_only,
    )
