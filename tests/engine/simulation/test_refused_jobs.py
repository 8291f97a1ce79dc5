"""Jobs that are refused when they arrive (REFUSE-1): by which limit, in which words, and the rest runs on.
What Hadoop says was asked of Hadoop 3.4.1; the numbers are by hand.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis.metrics import per_user, summary
from engine.analysis.queueing import jobs_waiting
from engine.bounds.lower_bounds import NoBound, lower_bounds
from engine.bounds.optimum.planned_batch import planned_batch
from engine.scenario.model import Scenario
from engine.simulation.refused_jobs import application_limits, refusal_reasons
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from engine.simulation.workload import workload
from tests.engine.agreement import check_all_three
from tests.examples import examples
from tests.limited_scenarios import limited
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, tasks
from tests.strategies import BUSY, named_schedulers, scenarios

CAPACITY, FAIR = "capacity+slowstart+admit-all", "fair(update_ms=0)+slowstart+admit-all"


def batch(jobs: list[dict], queues: list[dict] = (), users: list[dict] = (), **cluster) -> Scenario:
    """One node with room for all, which beats every second."""
    fields = {"nodes": [node(1000)], "heartbeat_ms": 1000, "containers_per_heartbeat": None, **cluster}
    return Scenario.of(
        {"version": 1, "cluster": fields, "queues": [*queues], "users": [*users], "jobs": jobs}
    )


def reasons(run: Run) -> list[str | None]:
    said = refusal_reasons(run)
    return [said.get(job) for job in range(len(run.jobs.refused))]


def halves(**of_a) -> list[dict]:
    return [{"name": "root.a", "capacity_pct": 60, **of_a}, {"name": "root.b", "capacity_pct": 40}, CLOSED]


CLOSED = {"name": "root.default", "capacity_pct": 0}


def test_a_queue_that_is_full_refuses_until_one_of_its_jobs_has_left():
    """x runs from 0 to 1.5 and has left at 2, when z comes; y came at 1."""
    jobs = [job(name, tasks(1, 1.5), queue="root.a", arrival_s=at) for name, at in zip("xyz", (0, 1, 2.5))]
    run = simulate(batch(jobs, halves(max_applications=1)), CAPACITY)
    assert reasons(run) == [None, phrase("simulation.queue_full", "root.a", 1, "y"), None]
    assert run.jobs.start.tolist() == [0, -1, 3000] and run.jobs.finish.tolist() == [1500, -1, 4500]
    assert run.status == "finished" and run.because is None
    assert reasons(simulate(run.scenario, FAIR)) == [None] * 3


def test_a_leaf_has_its_part_of_the_system_s_and_a_user_theirs_of_it():
    """10 x 60 % are 6, of which a user has half by the factor; 10 x 0 % are none."""
    case = batch([job("x", tasks(1, 1.5))], halves(user_limit_factor=0.5), max_applications=10)
    work = workload(case)
    limits = application_limits(case, work.queues)
    of = {name: place for place, name in enumerate(work.queues.names)}
    assert limits.of_queue[[of["root"], of["root.a"], of["root.b"], of["root.default"]]].tolist() == [
        10,
        6,
        4,
        0,
    ]
    assert limits.of_user[[of["root.a"], of["root.b"]]].tolist() == [3, 4]
    run = simulate(case, CAPACITY)
    assert run.status == "refused" and run.jobs.finish.tolist() == [-1]
    assert run.because == phrase(
        "simulation.all_refused", phrase("simulation.queue_full", "root.default", 0, "x")
    )
    assert simulate(case, FAIR).status == "finished"


def test_a_user_and_the_system_have_their_own_limits():
    jobs = [
        job("x", tasks(1, 1.5), queue="root.a", user="ann"),
        job("y", tasks(1, 1.5), queue="root.a", user="ann"),
        job("z", tasks(1, 1.5), queue="root.a", user="bob"),
        job("w", tasks(1, 1.5), queue="root.b", user="bob"),
    ]
    run = simulate(
        batch(jobs, halves(max_applications=2, user_limit_factor=0.5), max_applications=2), CAPACITY
    )
    assert reasons(run) == [
        None,
        phrase("simulation.user_full", "root.a", 1, "ann", "y"),
        None,
        phrase("simulation.system_full", "w"),
    ]


def test_a_stopped_queue_refuses_under_capacity_and_so_do_those_below_it():
    queues = [
        {"name": "root.p", "state": "stopped", "capacity_pct": 50},
        {"name": "root.p.a"},
        {"name": "root.b", "capacity_pct": 50},
        CLOSED,
    ]
    jobs = [job("x", tasks(1, 1.5), queue="root.p.a"), job("y", tasks(1, 1.5), queue="root.b")]
    assert reasons(simulate(batch(jobs, queues), CAPACITY)) == [
        phrase("simulation.queue_stopped", "root.p.a", "x"),
        None,
    ]
    assert reasons(simulate(batch(jobs, queues), FAIR)) == [None, None]


@pytest.mark.parametrize(
    ("maximum", "minimum", "closed"),
    [((0, 0), (0, 0), True), ((0, 5), (0, 0), True), ((5, 0), (0, 0), True), ((0, 5), (3, 0), False)],
)
def test_a_queue_with_no_memory_or_no_vcores_is_closed_under_fair(maximum, minimum, closed):
    """A minimum share raises the maximum."""
    sizes = [dict(zip(("memory_mb", "vcores"), pair)) for pair in (maximum, minimum)]
    queue = {"name": "root.a", "max_share": sizes[0], "min_share": sizes[1]}
    case = batch([job("x", tasks(1, 1.5), queue="root.a", am=master()), job("y", tasks(1, 1.5))], [queue])
    run = simulate(case, FAIR)
    assert reasons(run)[0] == (phrase("simulation.queue_closed", "x", "root.a") if closed else None)
    assert run.jobs.finish[1] == 1500


NOBODY = " "
LISTS = [
    {"name": "root", "submit_acl": NOBODY, "administer_acl": NOBODY},
    {"name": "root.a", "submit_acl": "ann,cho staff"},
    {"name": "root.p", "administer_acl": "bob"},
    {"name": "root.p.b"},
    {"name": "root.all", "submit_acl": "*"},
]


@pytest.mark.parametrize("scheduler", [CAPACITY, FAIR])
@pytest.mark.parametrize(
    ("user", "queue", "allowed"),
    [
        ("ann", "root.a", True),
        ("bob", "root.a", False),
        ("dan", "root.a", True),  # of the group staff
        ("eve", "root.a", True),  # not listed: may be of any group
        ("eve", "root.p.b", False),
        ("bob", "root.p.b", True),
        ("bob", "root.all", True),
        ("default", "root.p.b", True),  # named by nobody
    ],
)
def test_who_is_on_no_list_of_a_queue_or_of_those_above_is_refused(scheduler, user, queue, allowed):
    users = [{"name": "bob"}, {"name": "dan", "groups": "dev, staff"}]
    case = batch([job("x", tasks(1, 1.5), user=user, queue=queue)], LISTS, users, acl_enable=True)
    run = simulate(case, scheduler)
    assert reasons(run) == [None if allowed else phrase("simulation.no_permission", user, "x", queue)]
    assert reasons(simulate(case, "fifo+slowstart+admit-all")) == [None]


def test_root_lets_everybody_submit_everywhere_unless_both_its_lists_say_otherwise():
    """As in Hadoop: who may administer root may submit."""
    for queues in (LISTS[1:], [{"name": "root", "submit_acl": NOBODY}, *LISTS[1:]]):
        case = batch([job("x", tasks(1, 1.5), user="bob", queue="root.a")], queues, [{"name": "bob"}])
        assert reasons(simulate(case, FAIR)) == [None]


def test_capacity_scheduler_asks_the_lists_where_it_is_told_to():
    """FairScheduler.addApplication asks them in any case."""
    case = batch([job("x", tasks(1, 1.5), user="bob", queue="root.a")], LISTS, [{"name": "bob"}])
    said = phrase("simulation.no_permission", "bob", "x", "root.a")
    assert [reasons(simulate(case, scheduler)) for scheduler in (CAPACITY, FAIR)] == [[None], [said]]


def test_a_job_that_a_placement_rule_rejects_is_refused_under_every_scheduler():
    said = phrase("simulation.no_rule_takes")
    case = batch([job("x", tasks(1, 1.5), rejected=said), job("y", tasks(1, 1.5))])
    for scheduler in ("fifo", "saf", CAPACITY, FAIR):
        assert reasons(simulate(case, scheduler)) == [said, None]


def test_where_jobs_may_be_refused_there_is_no_bound_and_no_optimum():
    """In none of these jobs has a limit anything to refuse, until it is narrower."""
    jobs = [job(name, tasks(1, 1.5), queue="root.a") for name in "xy"]
    wide, narrow = (batch(jobs, halves(max_applications=count)) for count in (2, 1))
    assert lower_bounds(wide) and planned_batch(wide)
    for refused in (lower_bounds, planned_batch):
        with pytest.raises(NoBound):
            refused(narrow)


@pytest.mark.parametrize("scheduler", [CAPACITY, FAIR])
def test_what_is_measured_is_of_the_jobs_that_ran(scheduler):
    """As if the refused job were not there, but for the number of those refused."""
    first = job("x", tasks(1, 1.5), rejected=phrase("simulation.no_rule_takes"))
    others = [job("y", tasks(2, 1.5), arrival_s=3.0), job("z", tasks(1, 4.5), arrival_s=4.0)]
    run, without = (simulate(batch(jobs), scheduler) for jobs in ([first, *others], others))
    assert summary(run) == {**summary(without), "refused_jobs": 1}
    (row,), (row_without,) = per_user(run), per_user(without)
    assert row == {**row_without, "jobs": 3, "refused": 1}
    assert [step.tolist() for step in jobs_waiting(run)] == [step.tolist() for step in jobs_waiting(without)]
    (alone,) = [simulate(batch([first]), scheduler)]
    assert (alone.status, summary(alone)["makespan_s"], summary(alone)["refused_jobs"]) == (
        "refused",
        None,
        1,
    )
    assert jobs_waiting(alone).level.tolist() == [0]


@examples(30, 300)
@given(scenario=scenarios() | scenarios(BUSY), scheduler=named_schedulers(), data=st.data())
def test_compiled_plain_and_oracle_refuse_the_same_jobs(scenario, scheduler, data):
    check_all_three(limited(scenario, data.draw), scheduler)


@pytest.mark.parametrize("order", ["capacity", "fair", "drf", "priority-capacity"])
@examples(10, 100)
@given(scenario=scenarios(BUSY), data=st.data())
def test_they_refuse_the_same_jobs_under_orders_with_limits(order, scenario, data):
    check_all_three(limited(scenario, data.draw), data.draw(named_schedulers(orders=(order,))))
