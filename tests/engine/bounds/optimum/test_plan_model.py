"""The law that makes a bound of the model one of the simulator: whatever a scheduler does is a schedule that
its constraints allow.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from ortools.sat.python import cp_model

from engine.analysis.metrics import summary
from engine.bounds.lower_bounds import NoBound
from engine.bounds.optimum.energy_bound import energy_bound_ms
from engine.bounds.optimum.optimum import plan_batch
from engine.bounds.optimum.plan_model import plan_model
from engine.bounds.optimum.plan_times import Plan, in_order_of_index, plan_of, plan_times
from engine.bounds.optimum.planned_batch import PlannedBatch, planned_batch
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.examples import examples
from tests.handmade_runs import scenario, stage
from tests.physics import physical
from tests.strategies import BUSY, named_schedulers, scenarios


def quiet_solver() -> cp_model.CpSolver:
    """One that leaves Python's handler of SIGINT: it would put the default in its place, which ends the
    process of whatever test is interrupted next.
    """
    solver = cp_model.CpSolver()
    solver.parameters.catch_sigint_signal = False
    return solver


def solved(batch: PlannedBatch, plan: Plan) -> tuple[str, float]:
    """What the solver says of the model where each container is held at its place in a plan: its status, and
    the least makespan.
    """
    result = plan_model(batch, plan, 0)
    for start, literals, at, node in zip(result.start, result.on, plan.start_ms, plan.node):
        result.model.add(start == at)
        result.model.add(literals[node] == 1)
    solver = quiet_solver()
    solver.parameters.num_workers = 1
    status = solver.solve(result.model)
    return solver.status_name(status), solver.objective_value


@examples(7, 60)
@given(scenario=scenarios() | scenarios(BUSY) | physical(), name=named_schedulers())
def test_every_run_is_a_schedule_that_the_model_allows(scenario: Scenario, name: str) -> None:
    scheduler = parse(name)
    try:
        batch = plan_batch(scenario, [scheduler])
    except NoBound:
        return
    run = simulate(scenario, scheduler)
    if run.status == "deadlock":
        return
    makespan = round(1000 * summary(run)["makespan_s"])
    plan = plan_of(batch, run)
    assert plan_times(batch, plan).makespan_ms(batch) <= makespan
    status, least = solved(batch, plan)
    assert status == "OPTIMAL" and least <= makespan
    assert energy_bound_ms(batch) <= makespan


@examples(7, 60)
@given(scenario=scenarios(BUSY))
def test_without_physics_a_plan_has_the_simulators_times(scenario: Scenario) -> None:
    """No contention is on there but what is drawn: without it each end is the run's own."""
    plain = Scenario.of({**scenario.plain(), "cluster": {**scenario.plain()["cluster"], "contention": 0.0}})
    run = simulate(plain, "fifo+slowstart")
    if run.status == "deadlock":
        return
    batch = planned_batch(plain)
    assert plan_times(batch, plan_of(batch, run)).makespan_ms(batch) == round(
        1000 * summary(run)["makespan_s"]
    )


def test_energy_by_hand() -> None:
    """4 maps of 10 s of half a node, and after the last a reduce of 5 s: 4 x 10 / 2 + 5 = 25 s. The area of
    memory is (160 + 5) / 8 s, the chain 15 s.
    """
    batch = planned_batch(
        scenario([(8, 99)], [{"maps": stage(4, 4, 1, 10.0), "reduces": stage(1, 1, 1, 5.0)}])
    )
    assert energy_bound_ms(batch) == 25_000


def test_a_beat_is_part_of_the_model() -> None:
    """One node, a heartbeat a second, one container a heartbeat: of three maps of 1 s with room for all, the
    last starts at 2 s and ends at 3 s.
    """
    of = scenario([(9, 9)], [{"maps": stage(3, 1, 1, 1.0)}])
    batch = planned_batch(of)
    run = simulate(of, "fifo", plain=True)
    result = plan_model(batch, plan_of(batch, run), 0)
    solver = quiet_solver()
    assert solver.solve(result.model) == cp_model.OPTIMAL
    assert solver.objective_value == 3000


def test_the_lowest_index_takes_the_earliest_place() -> None:
    batch = planned_batch(scenario([(9, 9)], [{"maps": stage(3, 1, 1, 1.0)}]))
    assert in_order_of_index(batch, Plan([5, 3, 4], [0, 1, 2])) == Plan([3, 4, 5], [1, 2, 0])


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"failures": {"probability": 0.1}}, "attempts may fail"),
        ({"outages": [{"node": "node1", "lost_s": 1.0, "back_s": 2.0}]}, "nodes are lost"),
    ],
)
def test_what_is_no_matter_of_the_schedule_is_refused(more: dict, says: str) -> None:
    with pytest.raises(NoBound, match=says):
        planned_batch(scenario([(4, 4), (4, 4)], [{"maps": stage(1, 1, 1)}], **more))


def test_second_attempts_are_refused() -> None:
    with pytest.raises(NoBound, match="speculative"):
        planned_batch(scenario([(4, 4)], [{"maps": stage(1, 1, 1), "speculation": "both"}]))
