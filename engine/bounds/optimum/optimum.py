"""The run `optimum`: the best schedule found with full knowledge, attainable for the simulator made it, and
what is proved of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from engine import quantities
from engine.bounds.lower_bounds import MAKESPAN, NoBound, lower_bounds, tightest
from engine.bounds.optimum.energy_bound import energy_bound_ms
from engine.bounds.optimum.plan_order import OPTIMUM, simulate_plan
from engine.bounds.optimum.plan_solver import SearchProgress, check_ortools, search_plan
from engine.bounds.optimum.plan_times import plan_of
from engine.bounds.optimum.planned_batch import PlannedBatch, Rules, planned_batch
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ORDER
from engine.schedulers.scheduler import Part, Scheduler
from engine.simulation.cancellation import CancelToken
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

MAX_CONTAINERS, MAX_PLACES = 2_000, 64_000  # places: containers x nodes
WORKERS = 2
SOLVER, ENERGY = "solver", "energy"


class Optimum(NamedTuple):
    """of: the scheduler whose run it is where no plan was better, else ""; at_least_s: no schedule has a
    lesser makespan; by: what proved it, a Bound's key, "energy" or "solver"; seconds: of the search;
    keeps_slowstart: proved of schedules that keep the jobs' own slow start."""

    run: Run
    scheduler: str
    found_s: float
    at_least_s: float
    by: str
    seconds: float
    keeps_slowstart: bool

    @property
    def is_proved(self) -> bool:
        """Is it the best there is?"""
        return self.found_s <= self.at_least_s

    @property
    def gap(self) -> float:
        """By what share of the bound it is more than that."""
        return self.found_s / self.at_least_s - 1 if self.at_least_s else 0.0


def find_optimum(
    scenario: Scenario,
    compared: Sequence[tuple[Scheduler, Run]],
    seconds: float,
    on_progress: Callable[[SearchProgress], None] = lambda _: None,
    workers: int = WORKERS,
    cancel_token: CancelToken | None = None,
) -> Optimum:
    """Never longer than a compared run, nor than that of any order under the same rules, with the best of
    which the search begins; what is proved holds for all of them. cancel_token: ends the search with what it
    has.

    Raises NoBound where there is none, where it is too large, where no compared run finished, and without
    OR-Tools.
    """
    cancel_token = cancel_token or CancelToken()
    batch = check_optimum(scenario, [scheduler for scheduler, _ in compared])
    finished = [run for _, run in compared if run.status == "finished"]
    if not finished:
        raise NoBound(msg("bounds.optimum.search_for_optimum_begins_with_run"))
    best = min(
        [
            *finished,
            *_other_runs(scenario, batch.rules, {run.scheduler for _, run in compared}, cancel_token),
        ],
        key=_makespan_ms,
    )
    bound = tightest(lower_bounds(scenario, batch.rules.memory_only), MAKESPAN)
    bound_ms, by = max(
        (round(1000 * bound.at_least) if bound else 0, bound.key if bound else ENERGY),
        (energy_bound_ms(batch), ENERGY),
    )
    initial = plan_of(batch, best)
    request = {
        "scenario": scenario.json(),
        "rules": list(batch.rules),
        "start_ms": initial.start_ms,
        "node": initial.node,
        "best_ms": _makespan_ms(best),
        "at_least_ms": min(bound_ms, _makespan_ms(best)),
        "seconds": seconds,
        "workers": workers,
    }
    result = search_plan(request, on_progress, cancel_token)
    run, scheduler = replace(best, scheduler=OPTIMUM), best.scheduler
    if result.plan:
        run, scheduler = (
            replace(simulate_plan(scenario, batch, result.plan, result.on_its_nodes), scheduler=OPTIMUM),
            "",
        )
    by = SOLVER if result.at_least_ms > bound_ms else by
    return Optimum(
        run,
        scheduler,
        _makespan_ms(run) / 1000,
        result.at_least_ms / 1000,
        by,
        result.seconds,
        batch.rules.keeps_slowstart,
    )


def check_optimum(scenario: Scenario, schedulers: Sequence[Scheduler]) -> PlannedBatch:
    """What is to be planned beside these schedulers; NoBound where the optimum can't be looked for, which is
    known before anything has run.
    """
    check_ortools()
    check_size(scenario)
    return plan_batch(scenario, schedulers)


def check_size(scenario: Scenario) -> None:
    """NoBound for more than the search can do anything with."""
    from engine.scenario.validation import container_count

    containers, nodes = (
        container_count(scenario.plain()),
        sum(group.count for group in scenario.cluster.nodes),
    )
    if containers > MAX_CONTAINERS or containers * nodes > MAX_PLACES:
        maximum = msg(
            "bounds.optimum.containers_and_containers_times_nodes",
            max_containers=MAX_CONTAINERS,
            max_places=MAX_PLACES,
        )
        raise NoBound(
            msg(
                "bounds.optimum.optimum_looked_for_up_to_scenario",
                maximum=maximum,
                containers=quantities.count(containers, "containers"),
                nodes=quantities.count(nodes, "nodes"),
            )
        )


def plan_batch(scenario: Scenario, schedulers: Sequence[Scheduler]) -> PlannedBatch:
    """What is to be planned so that the bound holds for all these schedulers. Raises NoBound."""
    for scheduler in schedulers:
        if scheduler.preempts:
            raise NoBound(msg("bounds.optimum.no_optimum_can_be_computed_next", order=scheduler.order))
    return planned_batch(scenario, _rules(schedulers))


def _rules(schedulers: Sequence[Scheduler]) -> Rules:
    keeps_slowstart = all(
        scheduler.reduce_start.policy.name in KEEP_SLOWSTART
        and scheduler.reduce_start.given.get("at") is None
        for scheduler in schedulers
    )
    return Rules(
        any(scheduler.memory_only for scheduler in schedulers),
        keeps_slowstart,
        not any(scheduler.uses_dynamic_max_assign for scheduler in schedulers),
    )


def _other_runs(
    scenario: Scenario, rules: Rules, names: Set[str], cancel_token: CancelToken
) -> Iterator[Run]:
    """The runs that finish of every order whose own rules are no looser, but for those that are known; until
    it is halted.
    """
    for order in CATALOGUE[ORDER].values():
        scheduler = Scheduler.of(Part.of(order))
        scheduler_rules = _rules([scheduler])
        is_looser = (
            scheduler_rules.memory_only > rules.memory_only
            or scheduler_rules.keeps_slowstart < rules.keeps_slowstart
            or scheduler_rules.per_heartbeat < rules.per_heartbeat
        )
        if not (is_looser or scheduler.name in names or cancel_token.is_cancelled):
            run = simulate(scenario, scheduler)
            if run.status == "finished":
                yield run


KEEP_SLOWSTART = ("ramp-up", "slowstart")


def _makespan_ms(run: Run) -> int:
    return run.until_ms - run.first_ms
