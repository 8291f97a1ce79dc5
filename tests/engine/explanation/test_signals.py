"""Signals are what the explained decisions show, over time."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import TooLarge
from engine.explanation.explain import explain
from engine.explanation.signals import signals
from engine.scenario.presets import presets
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.engine.schedulers.busy import busy
from tests.small_scenarios import job, node, scenario, tasks


@pytest.mark.parametrize("order", ["haste", "saf", "priority-fifo", "omo", "fresh"])
def test_a_decision_s_facts_are_on_the_curves(order: str) -> None:
    run, chosen = simulate(busy(), order), parse(order)
    curves = {
        (curve.name, curve.series): curve
        for curve in signals(simulate(busy(), chosen), chosen)
        if curve.part == "order"
    }
    strips = {term.strip for term in (*chosen.order.policy.terms, *chosen.order.policy.facts) if term.strip}
    assert {name for name, _ in curves} <= strips and curves
    for container in range(0, len(run.containers.job), 17):
        result = explain(run, chosen, container)
        row = next(row for row in result["candidates"] if row["chosen"])
        display_value = {fact["title"]: fact["value"] for fact in result["facts"]} | {
            term["title"]: row["terms"][term["name"]] for term in result["terms"]
        }
        for (name, series), curve in curves.items():
            title = series or curve.title
            if display_value.get(title) is not None:
                at_or_before = curve.values[curve.at_ms <= round(1000 * result["at_s"])]
                assert display_value[title] in at_or_before, f"{name} {title} of {result['container']}"


def test_curves_hold_until_they_change() -> None:
    chosen = parse("fair+lazy-start(window_s=0.5)+autoadmin")
    for curve in signals(simulate(busy(), chosen), chosen):
        assert (np.diff(curve.at_ms) >= 0).all() and (np.diff(curve.values) != 0).all()
        assert curve.title and curve.about and curve.part in CATALOGUE


def test_the_release_frequency_is_in_containers_a_second() -> None:
    """One node, one map of 2 s at a time, a window of 10 s: five maps end in a window (four are seen in the
    first); nothing before.
    """
    one = scenario([node(1)], [job("a", tasks(30, [2.0] * 30))], heartbeat_ms=100)
    (curve,) = (
        curve
        for curve in signals(simulate(one, parse("batch-finish")), parse("batch-finish"))
        if curve.series == "Released in the last window"
    )
    assert (
        curve.unit == "per s"
        and curve.at_ms[1] == 10_000
        and {round(number, 9) for number in curve.values[1:]} <= {0.4, 0.5, 0.0}
    )
    assert 0.5 in curve.values


def test_orders_that_compute_nothing_have_none() -> None:
    assert signals(simulate(busy(), parse("fifo+slowstart")), parse("fifo+slowstart")) == []


def test_a_run_too_large_is_said_in_a_sentence() -> None:
    many = scenario(
        [node(100)], [job("a", {"count": 40_000, "memory_mb": 1, "vcores": 1, "duration_s": 1.0})]
    )
    with pytest.raises(TooLarge, match="30,000"):
        signals(simulate(many, parse("haste")), parse("haste"))


def test_every_preset_has_its_signals() -> None:
    for preset in presets():
        scheduler = parse(preset.schedulers[0] if preset.schedulers else "saf")
        assert signals(simulate(preset.scenario, scheduler), scheduler)
