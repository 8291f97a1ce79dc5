"""The table of optima: as many rows as recorded workloads, on HaSTE's page alone."""

from __future__ import annotations

import json

from engine import quantities
from engine.dashboard import recorded_optima, schedulers_compared
from webapp.panels.papers import optimum_table


def test_it_is_haste_s() -> None:
    assert optimum_table.paper_layout("omo") == []
    (section,) = optimum_table.paper_layout("haste")
    text = json.dumps(section.to_plotly_json(), default=lambda one: one.to_plotly_json())
    for one in recorded_optima():
        assert one.title in text and quantities.amount(one.found_s, "s") in text
        assert all(quantities.percent(one.above_found(label)) in text for label in one.makespans_s)


def test_the_records_keep_the_law() -> None:
    """The best found is never longer than a scheduler's makespan, and never below the bound."""
    optima = recorded_optima()
    assert len(optima) == 6 and len(schedulers_compared(optima)) == 7
    for one in optima:
        assert 0 < one.at_least_s <= one.found_s <= min(one.makespans_s.values())
