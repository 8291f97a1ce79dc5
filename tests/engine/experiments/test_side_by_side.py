"""Schedulers side by side in one call."""

from __future__ import annotations

import pytest

from engine import SchedulerError, compare, simulate, summary
from tests.engine.schedulers.busy import busy


def test_a_comparison_has_the_run_of_each_scheduler_and_its_numbers():
    scenario = busy()
    compared = compare(scenario, ["fair", "fifo"])
    assert [run.scheduler for run in compared] == ["fair", "fifo"]
    assert compared["fifo"] is compared.runs[1]
    table = compared.frame()
    for name in ("fair", "fifo"):
        run = simulate(scenario, name)
        assert table.loc[name].to_dict() == summary(run)
        assert compared.frame("jobs").loc[name].equals(run.frame("jobs"))
    assert table.index.name == "scheduler" and "makespan_s" in repr(compared)


@pytest.mark.parametrize("wrong", [[], ["fair", "fair"], ["none-of-these"]])
def test_no_scheduler_and_one_twice_are_told(wrong):
    with pytest.raises(SchedulerError):
        compare(busy(), wrong)
