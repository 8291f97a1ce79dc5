"""The regret of each decision is that of the oracle, which runs the whole batch again for it; what was tried,
and what it cost, is said.
"""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.errors import SchedulerError
from engine.explanation.regret import PASS, NoRegret, Regret, _bit_reversed_order, costly_decisions
from engine.explanation.regret_text import (
    decision_sentence,
    nothing_sentence,
    regret_plain,
    regret_text,
    tried_sentence,
)
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from engine.schedulers.scheduler import parse
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from tests.oracle.simulator import ExcludedChoice, simulate_named
from tests.phrases import phrase
from tests.small_scenarios import job, master, node, scenario, tasks
from tests.strategies import BUSY, scenarios

FOUR = presets()[0].scenario
TWO = scenario([node(2)], [job("a", tasks(3, 1.0)), job("b", tasks(1, 3.0))])


def regret(scenario: Scenario, text: str, **more) -> Regret:
    return costly_decisions(simulate(scenario, text, plain=True), parse(text), plain=True, **more)


def test_one_that_can_be_worked_out_by_hand():
    """Two places. fifo: a and a from 0 to 1 s, a from 1 to 2, b from 1 to 4. With b served first or second: b
    from 0 to 3, a, a and a from 0 to 3.
    """
    result = regret(TWO, "fifo")
    assert (result.makespan_s, result.placed, result.tried, result.is_whole) == (4.0, 4, 4, True)
    # the last has no other job; the third comes at 1 s as b does
    assert (result.choices, result.sooner, result.later, result.stuck) == (
        3,
        2,
        0,
        0,
    )
    assert [
        (one.container, one.at_s, one.instead, one.makespan_s, one.regret_s) for one in result.costly
    ] == [
        ("a/1/map/0/1", 0.0, "b/1/map/0/1", 3.0, 1.0),
        ("a/1/map/1/1", 0.0, "b/1/map/0/1", 3.0, 1.0),
    ]
    # of a and b: (2 + 4) / 2 and (3 + 3) / 2
    assert decision_sentence(result, result.costly[0]) == (
        phrase("explanation.at_s_went_map_had", "0:00", "node1", "1 s", "4 s", "3 s")
    )
    assert tried_sentence(result) == (phrase("explanation.all_decisions_were_tried_for", 4, 3, 2, 1))


def test_a_changed_choice_may_end_in_a_deadlock():
    """Two places, one container a beat: a's master, then a's map. With b's master first a's is second, or b's
    second: neither job has room for its map.
    """
    stuck = scenario([node(2)], [job(name, tasks(1, 1.0), am=master()) for name in "ab"], each=1)
    result = regret(stuck, "fifo")
    assert (result.sooner, result.stuck) == (0, 2)
    assert phrase("explanation.never_in_deadlock_after", 2) in regret_text(result)
    assert nothing_sentence(result) == phrase("explanation.under_fifo_no_other_single", "2 s")


@pytest.mark.parametrize("text", ["fifo", "fair(reservations=no)", "capacity(reservations=no)+admit-all"])
@settings(max_examples=2)
@given(scenario=scenarios(BUSY))
def test_it_is_what_a_run_of_the_whole_batch_says(text, scenario):
    run = simulate(scenario, text, plain=True)
    assume(run.status == "finished")
    c, work = run.containers, run.workload
    expected = {}
    for number in range(len(c.job)):
        excluded = ExcludedChoice(
            int(c.start[number]), number, work.node_names[c.node[number]], work.job_names[c.job[number]]
        )
        result = simulate_named(scenario, text, excluded)
        if result.status == "finished":
            makespan = max(one.finish for one in result.jobs) - min(one.arrival for one in result.jobs)
            expected[number] = (run.until_ms - run.first_ms - makespan) / 1000
    actual = costly_decisions(run, parse(text), max_decisions=len(c.job), plain=True)
    assert {one.number: one.regret_s for one in actual.costly} == {
        number: cost for number, cost in expected.items() if cost > 0
    }
    assert actual.later == sum(cost < 0 for cost in expected.values())
    assert [one.regret_s for one in actual.costly] == sorted(
        (one.regret_s for one in actual.costly), reverse=True
    )


def test_compiled_it_is_the_same():
    assert costly_decisions(simulate(FOUR, "fair"), parse("fair"), plain=False) == regret(FOUR, "fair")


def test_a_run_that_outgrows_its_arrays_is_begun_anew():
    """A node has a row for 64 containers at first."""
    wide = scenario([node(70)], [job("a", tasks(66, 1.0)), job("b", tasks(70, 1.5), arrival_s=0.5)])
    result = regret(wide, "fifo")
    assert result.is_whole and result.placed == 136


@given(st.integers(0, 1000))
def test_decisions_are_tried_in_passes_spread_over_the_run(count):
    order = list(_bit_reversed_order(count))
    assert sorted(order) == list(range(count))
    gaps = {late - early for early, late in zip(order, order[1 : min(PASS, count) // 2])}
    assert len(gaps) <= 1


def test_where_time_is_short_it_says_how_many_were_tried():
    result = regret(FOUR, "fair", seconds=1e-9)
    assert (result.tried, result.placed, result.is_whole, result.is_ended) == (1, 148, False, False)
    assert tried_sentence(result).startswith(phrase("explanation.decisions_spread_over_run_were", 1, 148))
    assert "of those tried" in nothing_sentence(result)


def test_it_is_ended_with_what_was_found():
    cancel_token, seen = CancelToken(), []

    def progress(made) -> None:
        seen.append(made)
        if made.tried == 40:
            cancel_token.cancel()

    result = regret(FOUR, "fair", cancel_token=cancel_token, progress=progress)
    assert result.is_ended and result.tried == 40 and [made.tried for made in seen] == list(range(1, 41))
    assert result.sooner == seen[-1].sooner == len(result.costly) > 0


def test_as_json_and_for_people():
    result = regret(FOUR, "fair", max_decisions=2)
    plain, text = regret_plain(result), regret_text(result)
    assert len(plain["costly"]) == 2 and plain["is_whole"] and plain["costly"][0]["sentence"] in text
    assert plain["costly"][0]["container"] in text.splitlines()[4]


def test_what_is_refused():
    stuck = scenario([node(1)], [job("a", tasks(1, 1.0), am=master())])
    with pytest.raises(NoRegret, match=phrase("explanation.run_under_fifo_ends_in")):
        regret(stuck, "fifo")
    with pytest.raises(SchedulerError, match="name a scheduler"):
        costly_decisions(simulate(FOUR, "fifo", plain=True), parse("measured"))


def test_how_many_were_tried_in_words() -> None:
    none = Regret("fair", 10.0, None, 148, 0, 0, 0, 0, 0, (), True)
    assert (tried_sentence(none), nothing_sentence(none)) == (
        phrase("explanation.none_decisions_was_tried", 148),
        "",
    )
    assert regret_text(none) == phrase("explanation.fair_makespan_s_none_decisions", "10 s", 148) + "\n"
    one = none._replace(placed=1, tried=1, is_ended=False)
    assert tried_sentence(one) == phrase("explanation.only_decision_was_tried_for", 0)
    assert nothing_sentence(one) == phrase("explanation.under_fair_no_other_single", "10 s")
