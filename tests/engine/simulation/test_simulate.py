"""What a scenario is turned into once serves every scheduler, and no run changes it."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine.output.result_format import json_text
from engine.scenario.model import Scenario
from engine.scenario.presets import presets
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import ORDER
from engine.simulation import durations
from engine.simulation.simulate import _cached_arrays, _thread_cache, simulate
from engine.simulation.workload import workload

OF_HADOOP = ("fifo", "fair", "drf", "capacity")  # others weigh maps and reduces
PRESETS = {preset.key: preset.scenario for preset in presets()}


def again(scenario: Scenario) -> Scenario:
    """An equal scenario that is not the same."""
    return Scenario.of(scenario.plain())


@pytest.mark.parametrize("key", PRESETS)
def test_runs_beside_each_other_are_those_of_fresh_scenarios_and_leave_the_arrays_as_they_were(
    key: str,
) -> None:
    one = again(PRESETS[key])
    for order in CATALOGUE[ORDER]:
        for rules in ("", "+ramp-up", "+autoadmin"):
            if order == "omo" and rules == "+ramp-up":
                continue
            if order not in OF_HADOOP and any(job.stages for job in one.jobs):
                continue
            alone = again(one)
            assert "".join(json_text(alone, [simulate(alone, order + rules)])) == "".join(
                json_text(one, [simulate(one, order + rules)])
            )
    kept, times, *_ = _cached_arrays(one)
    fresh = workload(one)
    assert np.array_equal(times, durations.durations(one, fresh))
    for name, value in vars(fresh).items():
        same = (
            np.array_equal(value, getattr(kept, name))
            if isinstance(value, np.ndarray)
            else name == "queues" or value == getattr(kept, name)
        )
        assert same, name


def test_the_last_scenario_is_prepared_once_in_a_thread() -> None:
    one = again(PRESETS["wordcount"])
    first = _cached_arrays(one)
    assert _cached_arrays(one)[0] is first[0]
    other: list = []
    thread = threading.Thread(target=lambda: other.append(_cached_arrays(one)))
    thread.start()
    thread.join()
    assert other[0][0] is not first[0]
    assert _cached_arrays(again(one))[0] is not first[0]


def test_what_is_gone_is_not_taken_for_another() -> None:
    _cached_arrays(again(PRESETS["wordcount"]))
    assert _thread_cache.last[0]() is None
