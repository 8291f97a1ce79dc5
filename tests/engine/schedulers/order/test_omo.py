"""OMO: Algorithm 3, due reduces first, then a batch, then fair; it brings lazy-start."""

from __future__ import annotations

import re

import pytest

from engine.analysis.metrics import summary
from engine.errors import SchedulerError
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions
from tests.phrases import phrase_pattern
from tests.small_scenarios import job, node, scenario, tasks


def test_it_brings_lazy_start_with_its_own_windows():
    chosen = parse("omo(window_s=7, ema=0.3)")
    assert chosen.reduce_start.policy.name == "lazy-start"
    assert chosen.reduce_start.given == {
        "window_s": 7,
        "ema": 0.3,
        "jobs": "running",
        "bandwidth": "observed",
    }
    assert (
        chosen.name
        == "omo(window_s=7, ema=0.3)"
        == parse("omo(window_s=7, ema=0.3)+lazy-start(window_s=7, ema=0.3)").name
    )
    assert parse("omo+lazy-start").name == "omo" and parse("omo+autoadmin").name == "omo+autoadmin"


@pytest.mark.parametrize(
    "rule", ["slowstart", "slowstart(at=1)", "ramp-up", "lazy-start(window_s=7)", "lazy-start(ema=0.3)"]
)
def test_another_reduce_start_is_refused(rule):
    says = phrase_pattern("order.omo_starts_reduces_by_own", re.escape(rule), re.escape(rule))
    with pytest.raises(SchedulerError, match=f"^{says}$") as result:
        parse(f"omo+{rule}")
    assert "\n" not in str(result.value)


def due():
    """All maps are placed at 0, so the reduces are due at 0: a holds 1 container of 3 MB, b two of 1 MB."""
    jobs = [job("a", tasks(1, 9.0, memory=3), tasks(2, 9.0)), job("b", tasks(2, 9.0), tasks(2, 9.0))]
    return scenario([node(9)], jobs)


def test_a_due_reduce_goes_to_the_job_that_holds_the_fewest_containers():
    """Algorithm 1, lines 25 - 26. a 1, b 2: a; a 2, b 2: a by job order; a 3, b 2: b. fair compares memory: a
    3, b 2: b first.
    """
    rows = [one for one in decisions(due(), "omo") if one.chosen.endswith("reduce")]
    assert [one.chosen[0] for one in rows] == list("aabb")
    assert [one.each("held") for one in rows[:2]] == [
        {"a reduce": 1, "b reduce": 2},
        {"a reduce": 2, "b reduce": 2},
    ]
    by_fair = [one for one in decisions(due(), "fair+lazy-start") if one.chosen.endswith("reduce")]
    assert by_fair[0].chosen == "b reduce"


def test_reduces_that_are_due_go_before_any_map():
    """Algorithm 3, line 1: in a run with everything, no decision that could place a reduce places a map or a
    master.
    """
    seen = 0
    for seed in range(4):
        for one in decisions(busy(seed), "omo(window_s=2)"):
            if any(name.endswith("reduce") for name in one.candidates):
                seen += 1
                assert one.chosen.endswith("reduce")
                held = {name: count for name, count in one.each("held").items() if name.endswith("reduce")}
                assert held[one.chosen] == min(held.values())
    assert seen > 20


def test_then_a_batch_then_fair():
    """4 containers; a 6 maps, a reduce and a huge shuffle, b 30 maps, all of 10 s. The window that ends at 11
    s saw 4 released: F_o = 4/11 a second, A_o = 4; a's reduce is due. At 20 all are free: a's reduce; then
    a's two maps, m' = 2: t_fair = 2 x 2 / F_o + 10 = 21, s = 2 + F_o x 10 / 2 = 3.818, t_batch = 3.818 x 4 /
    (5 F_o) = 8.4, gain 12.6 s; m' = 1: 15.5 - 2.818 x 4 / (5 F_o) = 9.3 s; then b. fair takes turns."""
    jobs = [job("a", tasks(6, 10.0), tasks(1, 1.0), shuffle_mb_per_map=90_000), job("b", tasks(30, 10.0))]
    at_20 = lambda text: [one for one in decisions(scenario([node(4)], jobs), text) if one.at == 20]
    result = at_20("omo(window_s=11, ema=1)")
    assert [one.chosen for one in result] == ["a reduce", "a map", "a map", "b map"]
    assert [one.terms["a map"]["gain"] for one in result[1:3]] == pytest.approx([12_600, 9300])
    assert [one.chosen for one in at_20("fair+lazy-start(window_s=11, ema=1)")] == [
        "a reduce",
        "b map",
        "a map",
        "b map",
    ]
    # without its second step
    assert [one.chosen for one in at_20("omo(window_s=11, ema=1, batch=no)")] == [
        "a reduce",
        "b map",
        "a map",
        "b map",
    ]


def test_without_batches_due_reduces_still_go_first():
    """Algorithm 3 without its second step: fair would give b the first, for it holds less memory (the test
    above).
    """
    rows = [one for one in decisions(due(), "omo(batch=no)") if one.chosen.endswith("reduce")]
    assert [one.chosen[0] for one in rows] == list("aabb")


def test_on_the_picture_s_four_containers_it_is_no_slower_than_fair():
    """Fig. 4's job on 4 containers of either kind, two of them at once: lazy start leaves all four to the
    maps until the end.
    """
    jobs = [job(name, tasks(13, 1.0), tasks(1, 1.0), slowstart=0.05) for name in "ab"]
    four = scenario([node(4)], jobs)
    assert summary(simulate(four, "omo"))["makespan_s"] <= summary(simulate(four, "fair"))["makespan_s"]
