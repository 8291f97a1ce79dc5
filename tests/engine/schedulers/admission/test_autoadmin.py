"""AutoAdmin: Tables 3.1 and 3.2, Algorithm 2, Fig. 3.2, who is admitted at the start, and the deadlock of
§2.2 gone.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.schedulers.admission.autoadmin import reserve
from engine.schedulers.policy import ADMISSION_AT
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.admission.recurring import jobs_66, late, started
from tests.engine.schedulers.decisions import decisions
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, of, scenario, tasks

C = 64  # vcores of the paper's cluster: 8 nodes of 8


def predicted(task, am, floor=0.0):
    """Eq. 3.1 for one master and one task running, rounded up as printed."""
    return math.ceil(reserve(C, 1, am, 1, task, floor))


# C TC / (AMC + TC): TC 1: 32, 21.3, 16, 12.8; TC 2: 42.7, 32, 25.6, 21.3; TC 3: 48, 38.4, 32, 27.4; TC 4:
# 51.2, 42.7, 36.6, 32.
TABLE_3_1 = {1: [32, 22, 16, 13], 2: [43, 32, 26, 22], 3: [48, 39, 32, 31], 4: [52, 43, 37, 32]}
TABLE_3_2 = {1: [32, 26, 26, 26], 2: [43, 32, 26, 26], 3: [48, 39, 32, 31], 4: [52, 43, 37, 32]}
# TC = 3, AMC = 4 is printed as 31 in both tables; Eq. 3.1 gives 64 x 3/7 = 27.43, so 28
DOES_NOT_FOLLOW = {(3, 4)}


@pytest.mark.parametrize(("table", "floor"), [(TABLE_3_1, 0.0), (TABLE_3_2, 0.4)])
def test_predictions_of_tables_3_1_and_3_2(table, floor):
    """autoadmin Tables 3.1 and, with the floor of .4 x 64 = 25.6, 3.2: 15 of 16 cells each."""
    by_name = {(task, am): predicted(task, am, floor) for task in range(1, 5) for am in range(1, 5)}
    printed = {(task, am): row[am - 1] for task, row in table.items() for am in range(1, 5)}
    assert {cell for cell in by_name if by_name[cell] != printed[cell]} == DOES_NOT_FOLLOW
    assert by_name[3, 4] == 28


# (mean task, mean master, all masters): Eq. 3.2; if it exceeds C less the masters, Eq. 3.3; the floor; C less
# a mean master. (2, 2, 38): 32 > 26: 32 x (32 + 38) / 64 = 35. (4, 1, 38): 51.2 > 26: 51.2 x 89.2 / 64 =
# 71.36, bound 63. (1, 4, 36): 12.8 <= 28: floor. (1, 4, 56): 12.8 > 8: 12.8 x 68.8 / 64 = 13.76: floor.
@pytest.mark.parametrize(
    ("task", "am", "masters", "expected"),
    [(2, 2, 38, 35.0), (4, 1, 38, 63.0), (1, 4, 36, 25.6), (1, 4, 56, 25.6)],
)
def test_algorithm_2_with_scale_up_and_bounds(task, am, masters, expected):
    assert reserve(C, masters // am, masters, 5, 5 * task, 0.4) == pytest.approx(expected)


def test_while_nothing_runs_it_is_the_floor():
    """Algorithm 2, line 12."""
    assert reserve(C, 0, 0, 0, 0, 0.4) == reserve(C, 9, 18, 0, 0, 0.4) == reserve(C, 0, 0, 9, 18, 0.4) == 25.6


def test_the_scale_up_of_figure_3_2():
    """30 wanted, 10 not occupied by masters, so they hold 54: 30 x (30 + 54) / 64 = 39.375. 27 masters of 2
    and 34 tasks of 60 vcores in all want 64 x 1.7647 / 3.7647 = 30."""
    assert reserve(C, 27, 54, 34, 60, 0.4) == pytest.approx(39.375)


@given(st.integers(1, 30), st.integers(1, 8), st.integers(1, 200), st.integers(1, 8), st.floats(0, 1))
def test_the_bounds_hold_always(masters, am, count, task, floor):
    """At least the floor and at most C less a mean master, which goes last; only a prediction that fits
    beside the masters stays as Eq. 3.2 has it.
    """
    result = reserve(C, masters, masters * am, count, count * task, floor)
    wanted = C * task / (am + task)
    assert result <= C - am and (result >= C * floor or result == C - am)
    if C * floor <= wanted <= C - masters * am:
        assert result == pytest.approx(wanted)
    if wanted > C - masters * am:
        assert result >= min(wanted * (wanted + masters * am) / C, C - am) - 1e-9


@pytest.mark.parametrize(("am", "admitted"), [(1, 38), (2, 19), (3, 12), (4, 9)])
@pytest.mark.parametrize("each", [1, None])
def test_masters_admitted_at_the_start(am, admitted, each):
    """No task runs: the reserve is 25.6, so masters may hold 38.4 of 64 vcores. Admitted masters count at
    once, or all 66 would pass (AUTOADMIN-4).
    """
    several = jobs_66(am)
    cluster = several.cluster.model_copy(update={"containers_per_heartbeat": each})
    result = decisions(several.model_copy(update={"cluster": cluster}), "fair+autoadmin", ADMISSION_AT)
    assert [one.answer for one in result if one.at == 0][:66] == [0] * admitted + [-1] * (66 - admitted)
    assert result[0].facts["reserve_vcores"] == pytest.approx(25.6)
    assert result[admitted].facts["masters_vcores"] == am * admitted


def most_at_once(run):
    """The most vcores that masters held at a time."""
    masters = of(result_of(run), "am")
    size = run.scenario.jobs[0].am.vcores
    return max(
        sum(
            size for other in masters if other.start <= c.start and (other.end is None or other.end > c.start)
        )
        for c in masters
    )


def test_the_deadlock_of_section_2_2_and_its_end():
    """Fair, 66 jobs with masters of 1 vcore: 64 masters hold all 64 vcores and none finds room for a task.
    AutoAdmin keeps a reserve.
    """
    stuck = simulate(jobs_66(1), "fair+admit-all")
    assert stuck.status == "deadlock" and stuck.scheduler == "fair+admit-all"
    assert stuck.because.endswith(
        phrase(
            "admission.applicationmasters_and_more_hold_mb",
            64,
            "j-1",
            "j-2",
            "j-3",
            61,
            "64 MB",
            64,
            "6.25 GB",
            64,
        )
    )
    assert stuck.because.startswith(
        phrase("admission.maps_maps_maps_and_more", 2, "j-1", 2, "j-2", 2, "j-3", 63, "1 MB", 4, "792 MB", 0)
    )
    done = simulate(jobs_66(1), "fair+autoadmin")
    assert done.status == "finished" and most_at_once(done) == 38


@pytest.mark.parametrize("am", [1, 2, 3, 4])
@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_all_sixteen_workloads_finish(am, task):
    """The floor leaves some node room for a task of 4: 38 masters on 8 nodes leave one with 4 free
    (AUTOADMIN-5).
    """
    run = simulate(jobs_66(am, task, 1), "fair+autoadmin")
    assert run.status == "finished" and most_at_once(run) <= 38.4


def test_the_prediction_follows_what_runs():
    """One master of 2 and one map of 3 run on 10 vcores when b arrives at 5 s: R = 10 x 3/5 = 6, masters may
    hold 4: b's 2 are admitted, c's at 6 s, with 4 held and mean 2, not: 10 - 4 - 2 = 4 < 6."""
    jobs = [
        job(name, tasks(1, 90.0, vcores=3), am=master(vcores=2), arrival_s=at)
        for name, at in (("a", 0), ("b", 5), ("c", 6))
    ]
    by_name = {
        one.at: one
        for one in decisions(scenario([node(99, 10)], jobs), "fair+autoadmin", ADMISSION_AT)
        if one.at in (0, 5, 6)
    }
    assert [by_name[at].answer for at in (0, 5, 6)] == [0, 0, -1]
    assert [by_name[at].facts["reserve_vcores"] for at in (0, 5, 6)] == pytest.approx([4.0, 6.0, 6.0])
    assert [by_name[at].facts["masters_vcores"] for at in (0, 5, 6)] == [0, 2, 4]


def test_a_small_master_may_overtake_on_its_arrival():
    """Algorithm 3 tests a submitted job's own master alone: b waits (10 - 3 - 3 < 5), c is admitted (10 - 3 -
    1 = 6), d not (10 - 4 - 2 = 4). At 41 a is over: b first in line, 10 - 1 - 3 = 6; then d must wait for c,
    10 - 4 - 2 = 4, over at 43. reserve lets nobody pass."""
    assert started(simulate(late(), "fifo+autoadmin(floor=0.5)")) == {"a": 0, "b": 41, "c": 2, "d": 43}
    # b and c follow a in line, 10 - 3 - 1 = 6; d waits for b or c, both over at 82
    assert started(simulate(late(), "fifo+reserve(vcores=5)")) == {"a": 0, "b": 41, "c": 41, "d": 82}


@pytest.mark.parametrize(("resource", "admitted"), [("vcores", 6), ("memory", 4), ("both", 4)])
def test_of_which_resource(resource, admitted):
    """Masters of 3 MB and 1 vcore on 20 MB and 10 vcores, floor .4: 6 vcores or 12 MB are theirs."""
    ten = scenario([node(20, 10)], [job("j", tasks(1, 5.0), am=master(9.0, memory=3), count=10)])
    run = simulate(ten, f"fifo+autoadmin(resource={resource})")
    assert sum(c.start == 0 for c in of(result_of(run), "am")) == admitted
