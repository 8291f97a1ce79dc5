"""The phases of a run fill its containers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.capacity.split import capacity_split
from engine.analysis.phases import (
    HELD_IDLE,
    RUNNING_TASKS,
    SHUFFLING,
    SLOTS_FREE,
    WAITING,
    phases,
    slot_phases,
)
from engine.codes import KILLED, NONE, RUNNING, requests_of
from engine.dashboard import PHASES
from engine.errors import TooLarge
from engine.scenario.model import Scenario
from engine.schedulers.view import MAP, MASTER, REDUCE
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests import handmade_runs
from tests.examples import examples
from tests.physics import physical
from tests.spark_jobs import MIXED
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers
from tests.tez_jobs import tez_run
from tests.tez_scenarios import tez_scenarios
from tests.webapp.handmade_runs import run
from webapp import theme


def read(of: Run) -> list[tuple]:
    return [
        (container, PHASES[phase], start, end)
        for container, phase, start, end in zip(*(field.tolist() for field in phases(of)))
    ]


def test_the_page_has_a_colour_for_each_phase_in_this_order() -> None:
    assert tuple(phase.key for phase in theme.PHASES) == PHASES


def test_phases_by_container_and_time() -> None:
    # One of 3 maps has ended when the reduce starts at 2000: 100 ms to fetch it, and 100 ms more for the
    # last, which ends at 4000.
    maps = [{"kind": MAP, "start": 1, "end": end} for end in (1_900, 2_500, 4_000)]
    made = run(
        [
            {"kind": MASTER, "start": 0, "end": 5_000},
            *maps,
            {"kind": REDUCE, "start": 2_000, "shuffle_end": 4_100, "end": 5_000},
        ]
    )
    assert read(made) == [
        (0, "master", 0, 5_000),
        *((number + 1, "map", 1, end) for number, end in enumerate((1_900, 2_500, 4_000))),
        (4, "shuffle", 2_000, 2_100),
        (4, "waiting", 2_100, 4_000),
        (4, "shuffle", 4_000, 4_100),
        (4, "reduce", 4_100, 5_000),
    ]


def test_tasks_and_free_slots_fill_the_slots_of_an_executor() -> None:
    # Two slots; the executor registers at 1000 and runs three tasks from 2000 to 6000.
    executors = {"memory_mb": 640, "vcores": 2}
    job = {"name": "s", "framework": "spark", "am": {"memory_mb": 512, "vcores": 1}, "executors": executors}
    made = handmade_runs.run(
        handmade_runs.scenario([(4096, 4)], [job | {"stages": [{"tasks": 3, "duration_s": 2}]}]),
        [handmade_runs.container(0, "executor", 0, 0, 7_000, begin=1_000)],
        tasks=[(0, 0, 1, 0, 2_000, 4_000), (0, 1, 1, 1, 2_000, 5_000), (0, 0, 1, 2, 4_500, 6_000)],
    )
    columns = (column.tolist() for column in slot_phases(made))
    assert {(PHASES[phase], *rest) for _, phase, *rest in zip(*columns)} == {
        ("launching", 0, 1_000, NONE, NONE),
        ("executor_idle", 1_000, 2_000, NONE, NONE),
        ("task", 2_000, 4_000, 0, 0),
        ("slots_free", 4_000, 4_500, 0, NONE),
        ("task", 4_500, 6_000, 0, 2),
        ("task", 2_000, 5_000, 1, 1),
        ("slots_free", 5_000, 6_000, 1, NONE),
        ("executor_idle", 6_000, 7_000, NONE, NONE),
    }


@pytest.mark.parametrize("scheduler", ["fifo", "fair", "capacity"])
def test_slots_hold_as_much_as_their_executors(scheduler: str) -> None:
    made = simulate(Scenario.of(MIXED), scheduler)
    found, whole = slot_phases(made), phases(made)
    of_slot = found.slot != NONE
    assert (found.phase[of_slot] >= RUNNING_TASKS).all() and (found.phase[of_slot] == SLOTS_FREE).any()
    held = lambda of, share: np.bincount(of.container, share * (of.end - of.start))
    assert np.allclose(held(found, np.where(of_slot, 1 / 3, 1)), held(whole, 1))
    # no two of a slot at once
    lane, start, end = found.container * 3 + found.slot, found.start, found.end
    order = np.flatnonzero(of_slot)[np.lexsort((start[of_slot], lane[of_slot]))]
    same = np.diff(lane[order]) == 0
    assert (end[order][:-1] <= start[order][1:])[same].all()


def test_a_measured_master_launches_before_it_masters() -> None:
    assert read(run([{"kind": MASTER, "start": 0, "begin": 1_500, "end": 5_000}])) == [
        (0, "launching", 0, 1_500),
        (0, "master", 1_500, 5_000),
    ]


def test_a_reduce_that_was_killed_at_once_has_a_phase_of_no_length() -> None:
    assert read(run([{"kind": REDUCE, "start": 5, "end": 5, "outcome": KILLED}])) == [(0, "reduce", 5, 5)]


def test_what_runs_in_a_deadlock_runs_to_its_instant() -> None:
    stuck = {"kind": REDUCE, "start": 5, "end": NONE, "outcome": RUNNING}
    assert read(run([stuck, {"kind": MAP, "start": 10, "end": 70}], status="deadlock")) == [
        (0, "waiting", 5, 70),
        (1, "map", 10, 70),
    ]


@given(scenarios(BUSY) | physical(), schedulers())
def test_phases_fill_each_container_without_a_gap(scenario, scheduler) -> None:
    made = simulate(scenario, scheduler_text(scheduler))
    c = made.containers
    at: dict[int, int] = {}
    for container, _, start, end in read(made):
        assert start == at.get(container, int(c.start[container]))
        assert end >= start
        at[container] = end
    assert at == {number: made.at_ms if end == NONE else end for number, end in enumerate(c.end.tolist())}


def test_a_container_launches_until_its_task_begins() -> None:
    # The only map has ended when the reduce's task begins at 2,500: 100 ms to fetch it. The second reduce is
    # killed while it launches.
    reduces = [
        {"shuffle_end": 2_600, "end": 4_000, "begin": 2_500},
        {"end": 2_200, "begin": 2_500, "outcome": KILLED, "index": 1},
    ]
    made = run(
        [
            {"kind": MAP, "start": 0, "begin": 700, "end": 1_500},
            *({"kind": REDUCE, "start": 2_000} | one for one in reduces),
        ]
    )
    assert read(made) == [
        (0, "launching", 0, 700),
        (0, "map", 700, 1_500),
        (1, "launching", 2_000, 2_500),
        (1, "shuffle", 2_500, 2_600),
        (1, "reduce", 2_600, 4_000),
        (2, "launching", 2_000, 2_200),
    ]


def test_a_held_container_idles_and_its_tasks_fetch_wait_and_compute() -> None:
    made = tez_run()
    assert read(made) == [
        (0, "master", 0, 5_000),
        (1, "task", 0, 1_000),
        (1, "shuffle", 1_000, 2_000),
        (1, "waiting", 2_000, 3_000),
        (1, "shuffle", 3_000, 4_000),
        (1, "task", 4_000, 5_000),
        (2, "task", 0, 3_000),
        (2, "held_idle", 3_000, 5_000),
    ]
    found = slot_phases(made)
    assert found.task[found.container == 1].tolist() == [0, 2, 2, 2, 2]
    assert all(np.array_equal(*both) for both in zip(found[:4], phases(made)))


@examples(20, 200)
@given(scenario=tez_scenarios(), scheduler=st.sampled_from(("fifo", "fair", "capacity")))
def test_phases_fill_held_containers_and_hold_what_the_capacity_split_says(
    scenario: Scenario, scheduler: str
) -> None:
    try:
        made = simulate(scenario, scheduler, plain=True)
    except TooLarge:
        return
    found, c = phases(made), made.containers
    end = np.where(c.end == NONE, made.at_ms, c.end)
    assert np.array_equal(np.bincount(found.container, found.end - found.start, len(c.job)), end - c.start)
    vcores = made.workload.request_vcores[requests_of(made.workload, c)][found.container]
    held = np.bincount(found.phase, vcores * (found.end - found.start), len(PHASES))
    split = capacity_split(made).vcores.totals
    assert held[HELD_IDLE] == split["held_idle"]
    assert held[SHUFFLING] + held[WAITING] == split["fetching"] + split["waiting"]
