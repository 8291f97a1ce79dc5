"""Experiments under moved physics: which conditions are theirs, what is kept, and what is ended."""

from __future__ import annotations

import threading

import pytest

from engine.dashboard import Conditions, experiment_conditions
from tests.waiting import MAX_WAIT_S
from tests.webapp.task_waiting import ended
from webapp.jobs import live_claims
from webapp.jobs.job_manager import job_manager
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache

NAME = "haste/packing"
KEY = (NAME, Conditions(), 2)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    shared_cache.hold_at_most(MAX_HELD)


def test_conditions_are_stops_of_the_experiments_own_knobs() -> None:
    assert live_claims.conditions_of("haste/mixed", {}) == Conditions()
    other = not experiment_conditions("haste/mixed")["reservations"]
    assert live_claims.conditions_of("haste/mixed", {"fetch_mb_s": 8, "reservations": other}) == Conditions(
        fetch_mb_s=8, reservations=other
    )
    assert (
        live_claims.conditions_of(
            "haste/mixed", {"slowstart": experiment_conditions("haste/mixed")["slowstart"]}
        )
        == Conditions()
    ), "what it has is not moved"
    for wrong in (None, [], {"fetch_mb_s": 8.5}, {"fetch_mb_s": "8"}, {"fetch_mb_s": None}, {"nothing": 1}):
        assert live_claims.conditions_of("haste/mixed", wrong) is None
    assert live_claims.conditions_of("dynamic-priority/table-1", {"fetch_mb_s": 8}) is None, (
        "there is nothing to fetch"
    )


def test_what_is_judged_is_kept(cache: SharedCache) -> None:
    assert live_claims.find_judged(KEY) is None
    assert ended(*live_claims.start(KEY, 10.0)).state == "finished"
    findings = live_claims.find_judged(KEY)
    assert all(ours.count <= 2 for result in findings for ours in result.numbers.values())


def test_what_took_long_is_there_for_other_processes(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_claims, "SHARE_AFTER_S", 0.0)
    assert ended(*live_claims.start(KEY, 10.0)).state == "finished"
    first_answer = live_claims.find_judged(KEY)
    shared_cache.hold_at_most(MAX_HELD)
    assert live_claims.find_judged(KEY) == first_answer


def test_what_nobody_waits_for_is_ended(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()

    def slow(_name, _conditions, _seeds, report, _cancel_token):
        go.wait(MAX_WAIT_S)
        report(1, 100)
        pytest.fail("it went on")

    monkeypatch.setattr(live_claims, "judge_under", slow)
    monkeypatch.setattr(live_claims, "CANCEL_POLL_S", 0.0)
    work, progress = live_claims.start(KEY, 0.0)
    assert progress.state == "running"
    job_manager.cancel(work)
    go.set()
    assert ended(work, progress).state == "cancelled"
    assert live_claims.find_judged(KEY) is None
