"""Containers killed for other jobs, whoever chose them: worked out by hand, then at random against the naive
simulator. Times in ms.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scenario
from engine.codes import ENDED
from engine.simulation import physics_arrays
from engine.simulation.hadoop.queues.preemption import preempt
from engine.simulation.hadoop.queues.reservations import jobs_leave
from engine.simulation.kernel import loop
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.examples import examples
from tests.oracle import simulator
from tests.physics import physical
from tests.small_scenarios import job, master, node, of, scenario, tasks
from tests.strategies import named_schedulers

FIFO = "fifo+slowstart+admit-all"


def kernel_that_kills(at: int, place: int, end_windows):
    """At a time: of what runs, in the order of placement, the one at this place."""

    def ends(v, s, functions, tables, now):
        end_windows(v, s, functions, tables, now)
        rows = [
            node * int(s.row_width) + place
            for node in range(len(s.row_count))
            for place in range(int(s.row_count[node]))
        ]
        # also masters that linger
        running = sorted(int(s.row_container[entry]) for entry in rows if s.row_end[entry] < ENDED)
        if now == at and running:
            preempt(v, s, running[place % len(running)], now)
            if s.leaving_count > 0:
                jobs_leave(v, s, None, None, now)

    return ends


def oracle_that_kills(at: int, place: int):
    class Killing(simulator._Simulation):
        def _ticks(self) -> bool:
            changed = super()._ticks()
            running = self._running()
            if self.now == at and running:
                self._preempt(running[place % len(running)])
                return True
            return changed

    return Killing


def both(case: Scenario, at: int, place: int, name: str = FIFO):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(loop, "end_windows", kernel_that_kills(at, place, loop.end_windows))
        patched.setattr(physics_arrays, "retries", lambda _: True)
        simulated = result_of(simulate(case, name, plain=True))
    expected = oracle_that_kills(at, place)(case, name).run()
    assert [one._replace(seen=None) for one in simulated.containers] == [
        one._replace(seen=None) for one in expected.containers
    ]
    assert (simulated.status, simulated.jobs) == (expected.status, expected.jobs)
    return simulated


def spans(result, kind: str) -> list[tuple]:
    return [(one.job, one.index, one.attempt, one.start, one.end, one.outcome) for one in of(result, kind)]


def test_a_killed_map_waits_again_and_its_room_is_free_when_its_node_reports_it():
    # one node of two, beats each second; a's map 0 is killed at 1500, the arrival of b; both its other
    # attempt and b's map wait for the beat at 2000
    jobs = [job("a", tasks(2, 10.0)), job("b", tasks(1, 1.0), arrival_s=1.5)]
    simulated = both(scenario([node(2)], jobs, heartbeat_ms=1000), 1500, 0)
    assert spans(simulated, "map")[:3] == [
        ("a", 0, 1, 0, 1500, "killed"),
        ("a", 1, 1, 0, 10_000, "finished"),
        ("a", 0, 2, 2000, 12_000, "finished"),
    ]


def test_a_killed_reduce_begins_from_zero():
    # the map ends at 1000, the reduce has then computed until 3000 when it is killed, and computes its 5000
    # once more
    simulated = both(
        scenario([node(1)], [job("a", tasks(1, 1.0), tasks(1, 5.0)), job("b", tasks(1, 1.0), arrival_s=3.0)]),
        3000,
        0,
    )
    assert spans(simulated, "reduce") == [
        ("a", 0, 1, 1000, 3000, "killed"),
        ("a", 0, 2, 3000, 8000, "finished"),
    ]


def test_a_killed_master_takes_its_tasks_with_it_and_may_be_killed_as_often_as_need_be():
    # start-up 500; map 0 has finished at 1500, map 1 runs; killed at 2000, and asked for again at once
    case = scenario(
        [node(3)], [job("a", tasks(2, [1.0, 3.0]), am=master(0.5)), job("b", tasks(1, 1.0), arrival_s=2.0)]
    )
    simulated = both(case, 2000, 0)
    assert spans(simulated, "am") == [("a", 0, 1, 0, 2000, "killed"), ("a", 0, 2, 2000, 5500, "finished")]
    assert spans(simulated, "map")[1:] == [
        ("a", 1, 1, 500, 2000, "killed"),
        ("b", 0, 1, 2000, 3000, "finished"),
        ("a", 1, 2, 2500, 5500, "finished"),
    ]


@examples(18, 150)
@given(case=physical(), rules=st.data(), place=st.integers(0, 5), which=st.integers(0, 30))
def test_whatever_is_killed_they_agree(case, rules, place, which):
    name = rules.draw(
        named_schedulers(orders=("fifo", "fair", "drf", "capacity"), admissions=("admit-all", "am-share"))
    )
    starts = [one.start for one in result_of(simulate(case, name, plain=True)).containers]
    if starts:
        both(case, starts[which % len(starts)], place, name)
