"""Compiled run, plain run and the naive simulator on one scenario, and the scenarios on which they once
differed.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from engine.scenario.model import Scenario
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.conftest import ROOT
from tests.engine.results import result_of
from tests.oracle.result import Result
from tests.oracle.simulator import simulate_named

FOUND_ONCE = ROOT / "tests" / "oracle" / "found_once.json"


class FoundOnce(NamedTuple):
    """What a random example showed, made as small as hypothesis makes it. fault: what was wrong."""

    fault: str
    scheduler: str
    scenario: Scenario


def found_once() -> list[FoundOnce]:
    return [
        FoundOnce(one["fault"], one["scheduler"], Scenario.of(one["scenario"]))
        for one in json.loads(FOUND_ONCE.read_text("utf-8"))
    ]


def without_seen(result: Result) -> Result:
    """The oracle's `seen` stops with the run; the Run does not record it."""
    return result._replace(containers=[container._replace(seen=None) for container in result.containers])


def check_all_three(scenario: Scenario, text: str) -> None:
    check_both(scenario, text, simulate_named(scenario, text))


def check_both(scenario: Scenario, text: str, expected: Result) -> None:
    """Compiled and plain the engine gives what the naive simulator gives."""
    check_runs([simulate(scenario, text, plain=plain) for plain in (None, True)], expected)


def check_runs(runs: list[Run], expected: Result) -> None:
    for run in runs:
        assert without_seen(result_of(run)) == without_seen(expected)
