"""Scenario + Scheduler -> Run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine import draws, speed
from engine.errors import PolicyError, TooLarge
from engine.kernel import loop
from engine.kernel.setup import fresh_state, fresh_view
from engine.kernel.state import CONTAINERS, LAST, State
from engine.policies.policy import HOOKS, ORDER, Policy
from engine.queues import UNLIMITED
from engine.run import Containers, JobTimes, Run, Waiting
from engine.scenario import Scenario
from engine.scheduler import CATALOGUE, Part, Scheduler, parse
from engine.stuck import because
from engine.view import FIELDS, KINDS, View
from engine.workload import Workload, workload

OWN = 2  # the View's last fields, parameters and notes, are each policy's own
WIDEST_START = 64  # containers a node at first; doubled when a node needs more


Watch = Callable[[View, int, int, np.ndarray, int], None]  # the view, containers placed so far, node, candidates, position chosen


def simulate(scenario: Scenario, scheduler: str | Scheduler = "fair", plain: bool = speed.PLAIN, watch: Watch | None = None) -> Run:
    """Run a scenario under one scheduler; `plain`: uncompiled, with the same result; `watch` is told of each decision of a plain run.

    A policy that can't be compiled runs plain.
    Raises SchedulerError for an unknown name, PolicyError when a policy answers what it was not offered,
    TooLarge when the clock would overflow.
    """
    chosen = parse(scheduler) if isinstance(scheduler, str) else scheduler
    work = workload(scenario)
    times = draws.durations(scenario, work)
    memory_only = chosen.memory_only
    containers = len(times) + int((work.job_startup >= 0).sum())
    width = _width(work, containers, memory_only)
    room = containers + containers // 8 + 16  # for attempts after kills
    while True:
        view = fresh_view(work)
        state = fresh_state(work, view, times, room, width, memory_only)
        ended, node = _run(scenario, chosen, work, view, state, plain, watch)
        if ended == loop.MORE_CONTAINERS:
            room = room * 2 + 64
        elif ended == loop.MORE_WIDTH:
            width *= 2
        else:
            break
    if ended == loop.BAD_ANSWER:
        at = int(view.now[0]) / 1000
        raise PolicyError(f"{chosen.order.policy.name} chose a request it was not offered, at {at:g} s for node {work.node_names[node]}")
    if ended == loop.TOO_LONG:
        raise TooLarge("the run lasts longer than the clock can count, 2^60 ms")
    return _result(scenario, chosen, work, view, state, ended)


def warm() -> None:
    """Compile or load the kernel and every policy of the catalogue."""
    one = {"count": 1, "memory_mb": 1, "vcores": 1}
    tiny = Scenario.of({"version": 1, "cluster": {"nodes": [one]}, "jobs": [{"maps": {**one, "duration_s": 1}}]})
    for name in CATALOGUE[ORDER]:
        simulate(tiny, name)


def _width(work: Workload, containers: int, memory_only: bool) -> int:
    """How many containers a node's row holds at first: as many as can ever be there, within reason."""
    asked = work.request_memory > 0
    most = work.node_memory // work.request_memory[asked].min()
    if not memory_only:
        most = np.minimum(most, work.node_vcores // work.request_vcores[asked].min())
    return max(1, min(int(most.max()), containers, WIDEST_START)) + 1


def _run(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, plain: bool, watch: Watch | None) -> tuple[int, int]:
    parts = [chosen.order, chosen.reduce_start, chosen.admission]
    views = [view._replace(parameters=np.array(part.numbers or [0.0]), notes=_notes(part.policy, len(view.job_arrival))) for part in parts]
    cluster = scenario.cluster
    rest = (
        cluster.heartbeat_ms,
        cluster.containers_per_heartbeat or 0,
        float(cluster.contention),
        _limits(chosen, work),
        chosen.memory_only,
    )
    addresses = [None] if plain else [_address(part.policy) for part in parts]
    if None in addresses:
        functions = [_plain_policy(part, own) for part, own in zip(parts, views)]
        if watch:
            functions[0] = _watched(functions[0], view, state, watch)
        return speed.plain(loop.kernel)(view, state, *functions, 0, 0, 0, *rest)
    shared, own = speed.table(view), [speed.table(each[-OWN:]) for each in views]
    tables = [shared, speed.table(state), *(np.concatenate([shared[: -2 * OWN], table]) for table in own)]
    at = [table.ctypes.data for table in tables]
    return loop.kernel(at[0], at[1], *addresses, *at[2:], *rest)


def _limits(chosen: Scheduler, work: Workload) -> int:
    """Which limits of queues the kernel has to hold: none when no queue has one."""
    queues = work.queues
    shares = (queues.max_memory < UNLIMITED).any() or (queues.max_vcores < UNLIMITED).any()
    capacities = (queues.max_capacity < 1.0).any()
    return {"": loop.NO_LIMITS, "max_share": loop.MAX_SHARES * int(shares), "max_capacity": loop.MAX_CAPACITIES * int(capacities)}[chosen.order.policy.limits]


def _notes(policy: Policy, jobs: int) -> np.ndarray:
    return np.zeros(max(1, policy.notes + policy.job_notes * jobs))


def _plain_policy(part: Part, own: View) -> Callable[[int, int], int]:
    name = part.policy.name
    try:
        bound = speed.bind_plain(part.policy.function, own._asdict(), HOOKS[part.policy.role])
    except TypeError as error:
        raise PolicyError(f"policy {name}: {error}") from None

    def asked(first: int, second: int) -> int:
        try:
            return bound(first, second)
        except Exception as error:
            raise PolicyError(f"policy {name} failed at {own.now[0] / 1000:g} s: {type(error).__name__}: {error}") from error

    return asked


def _watched(order: Callable[[int, int], int], view: View, state: State, watch: Watch) -> Callable[[int, int], int]:
    def asked(node: int, count: int) -> int:
        chosen = order(node, count)
        watch(view, int(state.sizes[CONTAINERS]), node, view.candidates[:count].copy(), chosen)
        return chosen

    return asked


def _address(policy: Policy) -> int | None:
    try:
        return speed.address(policy.function, FIELDS, HOOKS[policy.role])
    except TypeError as error:
        raise PolicyError(f"policy {policy.name}: {error}") from None


def _result(scenario: Scenario, chosen: Scheduler, work: Workload, view: View, state: State, ended: int) -> Run:
    count = int(state.sizes[CONTAINERS])
    containers = Containers(*(column[:count] for column in state[state._fields.index("container_job") : state._fields.index("job_start")]))
    jobs = JobTimes(view.job_arrival, state.job_start, state.job_maps_end, state.job_shuffle_end, state.job_finish)
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
