"""Every decision of Hadoop's schedulers on real jobs is Gantry's too."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.hadoop import workloads
from tests.hadoop.features import NAMES
from tests.hadoop.gantry_decisions import difference, reservations
from tests.hadoop.referee import Decisions, golden
from tests.hadoop.scripts import digest


@cache
def kept() -> dict[str, Decisions]:
    return {name: one for name, one in golden().items() if name.startswith(workloads.BEGIN)}


@pytest.fixture(scope="module")
def scripts() -> list[dict[str, Any]]:
    if not workloads.are_available():
        pytest.skip(workloads.ABSENT)
    return list(workloads.scripts())


def test_the_golden_file_is_of_these_scripts(scripts: list[dict[str, Any]]) -> None:
    assert {one["id"]: digest(one) for one in scripts} == {
        name: one.script for name, one in kept().items()
    }, "make referee renews it"


def test_the_golden_file_has_every_job_under_every_scheduler() -> None:
    for scheduler in NAMES:
        by_name = {
            name.split("/")[1]: {job for _, _, job, _ in one.placements}
            for name, one in kept().items()
            if name.endswith(f"/{scheduler}")
        }
        jobs = {"Rumen sample": set(range(2)), "FB-2009": set(range(50))}
        assert by_name == {
            row: jobs[row.partition(",")[0]]
            for row in workloads.rows()
            if scheduler != "fifo" or "reservations" not in row
        }


@pytest.mark.parametrize("scheduler", NAMES)
def test_the_same_decisions(scheduler: str, scripts: list[dict[str, Any]]) -> None:
    rows = [difference(one, kept()[one["id"]]) for one in scripts if one["scheduler"] == scheduler]
    assert len(rows) == (2 if scheduler == "fifo" else 4) and not any(rows), "\n".join(filter(None, rows))


def test_the_same_reservations(scripts: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(len(one.reservations) for one in kept().values()) > 100
    for one in scripts:
        result = reservations(one, monkeypatch) if one["reservations"] else []
        assert result == kept()[one["id"]].reservations, one["id"]


def test_the_jobs_of_the_facebook_sample(scripts: list[dict[str, Any]]) -> None:
    jobs = next(one for one in scripts if one["id"] == "workload/FB-2009/fair")["jobs"]
    assert (len(jobs), sum(len(job["maps"]) for job in jobs), sum(len(job["reduces"]) for job in jobs)) == (
        50,
        1291,
        48,
    )
    # job17 of the file: 10,274,791,099 bytes of input make 77 maps, 13,024,975,762 of shuffle 13 reduces
    assert (len(jobs[17]["maps"]), len(jobs[17]["reduces"]), jobs[17]["slow"], jobs[17]["arrival"]) == (
        77,
        13,
        4,
        112_800,
    )
    assert jobs[17]["maps"][0] == round(1000 + 100 * (128 + 13_024_975_762 / 77 / 2**20))
    # job38 reads 53,416 bytes, writes 85,899,343,844 and reduces nothing: 640 maps by its output
    assert (len(jobs[38]["maps"]), jobs[38]["reduces"], jobs[38]["reduce"]) == (640, [], None)
