"""A fixed reserve (autoadmin §2.3): Fig. 3.4, how fragments deadlock it, and that nobody overtakes."""

from __future__ import annotations

import pytest

from engine.schedulers.policy import ADMISSION_AT
from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.admission.recurring import jobs_66, late, started
from tests.engine.schedulers.decisions import decisions
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, of, scenario, tasks


def test_the_cluster_of_figure_3_4():
    """27 vcores, 21 kept: 6 for masters. job1 and job2 have 3 each, job3 waits until one of them is over, at
    30 s.
    """
    three = scenario(
        [node(99, 27)],
        [job(f"job{number}", tasks(2, 25.0), am=master(5.0, vcores=3)) for number in (1, 2, 3)],
    )
    result = decisions(three, "fair+reserve(vcores=21)", ADMISSION_AT)
    assert [(one.answer, one.facts["masters_vcores"]) for one in result[:3]] == [(0, 0), (0, 3), (-1, 6)]
    assert started(simulate(three, "fair+reserve(vcores=21)")) == {"job1": 0, "job2": 0, "job3": 30}


def test_a_reserve_in_fragments_deadlocks_and_one_vcore_more_does_not():
    """66 jobs, masters of 1 and tasks of 4 vcores, 8 nodes of 8, one container a heartbeat (AUTOADMIN-5). 24
    kept: 40 masters, 5 a node, 3 free on each: no task of 4 fits anywhere. 25 kept: 39 masters, one node has
    4 free."""
    stuck = simulate(jobs_66(1), "fair+reserve(vcores=24)")
    masters = [c.node for c in of(result_of(stuck), "am")]
    assert stuck.status == "deadlock" and sorted(masters.count(name) for name in set(masters)) == [5] * 8
    assert stuck.because.endswith(
        phrase(
            "admission.applicationmasters_and_more_hold_mb",
            40,
            "j-1",
            "j-2",
            "j-3",
            37,
            "40 MB",
            40,
            "6.25 GB",
            64,
        )
    )
    done = simulate(jobs_66(1), "fair+reserve(vcores=25)")
    assert done.status == "finished" and len(of(result_of(done), "am")) == 66


def small(**sizes):
    """Nine jobs on 10 MB and 20 vcores, their masters start at once and last."""
    return scenario([node(10, 20)], [job("j", tasks(1, 5.0), am=master(50.0, **sizes), count=9)])


@pytest.mark.parametrize(
    ("text", "admitted"),
    [
        ("vcores=17", 3),  # 20 - 3 = 17
        ("vcores=16.5", 3),
        ("vcores=0", 9),
        ("memory_mb=8", 2),  # 10 - 2 = 8
        ("fraction=0.8", 2),  # memory 10 - 2 = 8, vcores 20 - 4 = 16
        ("fraction=0", 9),
        ("vcores=17, memory_mb=9", 1),
        ("vcores=19, memory_mb=1, fraction=0.1", 1),
    ],
)
def test_every_amount_given_is_left(text, admitted):
    assert (
        sum(c.start == 0 for c in of(result_of(simulate(small(), f"fifo+reserve({text})")), "am")) == admitted
    )


def test_more_than_there_is_admits_nobody_and_says_so():
    run = simulate(small(), "fifo+reserve(vcores=21)")
    assert run.status == "deadlock" and phrase("admission.masters_may_hold", "0 vcores") in run.because


def test_nobody_overtakes_one_that_is_held_back():
    """b's 3 vcores do not leave 5 of 10, c's 1 would: c waits behind b all the same."""
    result = decisions(late(), "fifo+reserve(vcores=5)", ADMISSION_AT)
    assert {one.candidates[0] for one in result if one.at < 40} == {"a", "b"}
    assert started(simulate(late(), "fifo+reserve(vcores=5)"))["c"] == 41


def test_the_first_in_line_waits_for_a_node_that_it_fits():
    """a is held back at 0 (it wants 4, 3 may be given). b, of 1 vcore, fits and may, but stands behind it:
    for ever, since a never may.
    """
    jobs = [job("a", tasks(1, 5.0), am=master(vcores=4)), job("b", tasks(1, 5.0), am=master())]
    run = simulate(scenario([node(9, 8)], jobs), "fifo+reserve(vcores=5)")
    assert run.status == "deadlock" and not len(run.containers.job)


def test_a_master_s_room_counts_until_its_end_is_seen():
    """Heartbeat 1000 ms: a's map runs from 5 to 7.3 s, and the job is over; the node tells at 8: b, admitted
    there, starts at 8.
    """
    jobs = [
        job("a", tasks(1, 2.3), am=master(5.0, vcores=3)),
        job("b", tasks(1, 2.0), am=master(5.0, vcores=3)),
    ]
    run = simulate(scenario([node(9, 8)], jobs, heartbeat_ms=1000), "fifo+reserve(vcores=5)")
    assert run.jobs.finish[0] == 7300 and started(run)["b"] == 8
