"""The run `optimum`: the best schedule found with full knowledge, attainable for the simulator made it, and what is proved of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from engine.bounds.lower_bounds import MAKESPAN, NoBound, lower_bounds, tightest
from engine.bounds.optimum.energy_bound import energy_bound_ms
from engine.bounds.optimum.plan_order import OPTIMUM, followed
from engine.bounds.optimum.plan_solver import SearchProgress, check_ortools, search_plan
from engine.bounds.optimum.plan_times import plan_of
from engine.bounds.optimum.planned_batch import PlannedBatch, Rules, planned_batch
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.names import Scheduler, parse
from engine.schedulers.policy import ORDER
from engine.simulation.halt import Halt
from engine.simulation.run import Run
from engine.simulation.simulate import simulate

MOST_CONTAINERS, MOST_PLACES = 2_000, 64_000  # places: containers x nodes
WORKERS = 2
SOLVER, ENERGY = "solver", "energy"


class Optimum(NamedTuple):
    """of: the scheduler whose run it is where no plan was better, else ""; at_least_s: no schedule has a lesser makespan; by: what proved it, a Bound's
    key, "energy" or "solver"; seconds: of the search; own_slowstart: proved of schedules that keep the jobs' own slow start."""

    run: Run
    of: str
    found_s: float
    at_least_s: float
    by: str
    seconds: float
    own_slowstart: bool

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
    heard: Callable[[SearchProgress], None] = lambda _: None,
    workers: int = WORKERS,
    halt: Halt | None = None,
) -> Optimum:
    """Never longer than a compared run, nor than that of any order under the same rules, with the best of which the search begins; what is proved holds
    for all of them. halt: ends the search with what it has.

    Raises NoBound where there is none, where it is too large, where no compared run finished, and without OR-Tools.
    """
    halt = halt or Halt()
    batch = check_optimum(scenario, [scheduler for scheduler, _ in compared])
    finished = [run for _, run in compared if run.status == "finished"]
    if not finished:
        raise NoBound("the search for the optimum begins with a run, and no scheduler that is compared finishes this one: name another")
    best = min([*finished, *_others(scenario, batch.rules, {run.scheduler for _, run in compared}, halt)], key=_makespan_ms)
    known = tightest(lower_bounds(scenario, batch.rules.memory_only), MAKESPAN)
    least, by = max((round(1000 * known.at_least) if known else 0, known.key if known else ENERGY), (energy_bound_ms(batch), ENERGY))
    begin = plan_of(batch, best)
    orders = {
        "scenario": scenario.json(),
        "rules": list(batch.rules),
        "start_ms": begin.start_ms,
        "node": begin.node,
        "best_ms": _makespan_ms(best),
        "at_least_ms": min(least, _makespan_ms(best)),
        "seconds": seconds,
        "workers": workers,
    }
    found = search_plan(orders, heard, halt)
    run, of = replace(best, scheduler=OPTIMUM), best.scheduler
    if found.plan:
        run, of = replace(followed(scenario, batch, found.plan, found.on_its_nodes), scheduler=OPTIMUM), ""
    by = SOLVER if found.at_least_ms > least else by
    return Optimum(run, of, _makespan_ms(run) / 1000, found.at_least_ms / 1000, by, found.seconds, batch.rules.own_slowstart)


def check_optimum(scenario: Scenario, schedulers: Sequence[Scheduler]) -> PlannedBatch:
    """What is to be planned beside these schedulers; NoBound where the optimum can't be looked for, which is known before anything has run."""
    check_ortools()
    check_size(scenario)
    return batch_beside(scenario, schedulers)


def check_size(scenario: Scenario) -> None:
    """NoBound for more than the search can do anything with."""
    from engine.scenario.validation import container_count

    containers, nodes = container_count(scenario.plain()), sum(group.count for group in scenario.cluster.nodes)
    if containers > MOST_CONTAINERS or containers * nodes > MOST_PLACES:
        most = f"{MOST_CONTAINERS:,} containers, and {MOST_PLACES:,} of containers times nodes"
        raise NoBound(f"the optimum is looked for up to {most}; this scenario has {containers:,} containers and {nodes:,} nodes")


def batch_beside(scenario: Scenario, schedulers: Sequence[Scheduler]) -> PlannedBatch:
    """What is to be planned so that the bound holds for all these schedulers. Raises NoBound."""
    for one in schedulers:
        if one.preempts:
            raise NoBound(f"the optimum can't be told beside {one.order}: a job whose master it kills does without for a while")
    return planned_batch(scenario, _rules(schedulers))


def _rules(schedulers: Sequence[Scheduler]) -> Rules:
    own_slowstart = all(one.reduce_start.policy.name in KEEP_SLOWSTART and one.reduce_start.given.get("at") is None for one in schedulers)
    return Rules(any(one.memory_only for one in schedulers), own_slowstart, not any(one.assigns_half for one in schedulers))


def _others(scenario: Scenario, rules: Rules, known: Set[str], halt: Halt) -> Iterator[Run]:
    """The runs that finish of every order whose own rules are no looser, but for those that are known; until it is halted."""
    for name in CATALOGUE[ORDER]:
        one = parse(name)
        own = _rules([one])
        is_looser = own.memory_only > rules.memory_only or own.own_slowstart < rules.own_slowstart or own.per_beat < rules.per_beat
        if not (is_looser or one.name in known or halt.asked):
            run = simulate(scenario, one)
            if run.status == "finished":
                yield run


KEEP_SLOWSTART = ("ramp-up", "slowstart")


def _makespan_ms(run: Run) -> int:
    return run.until_ms - run.first_ms
