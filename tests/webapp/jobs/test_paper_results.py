"""Experiments in the background: run once, for all who look, and kept for the other processes."""

from __future__ import annotations

import threading

import pytest

from engine import reproduce
from engine.dashboard import PAPERS
from engine.papers.judge import REPEATED
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from webapp.jobs import paper_results
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache

NAME = "dynamic-priority/table-1"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    shared_cache.hold_at_most(MAX_HELD)


def ended(name: str) -> None:
    until(lambda: not paper_results.begin_experiment(name, 0.0)[1].is_active)


def test_what_is_run_is_found_here_and_by_other_processes(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert paper_results.find_result(NAME) is None
    ended(NAME)
    own = paper_results.find_result(NAME)
    assert {finding.standing for finding in own.shown.findings} == {REPEATED}
    shared_cache.hold_at_most(MAX_HELD)
    other = paper_results.find_result(NAME)
    judged = lambda result: [(reading.findings, reading.samples) for reading in result.readings]
    assert judged(other) == judged(own)
    assert other.experiment is own.experiment


def test_a_result_of_other_claims_is_not_read(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(NAME)
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr(paper_results, "experiment_fingerprint", lambda name: "another")
    assert paper_results.find_result(NAME) is None


def test_two_visitors_follow_one_run(cache: SharedCache, monkeypatch: pytest.MonkeyPatch) -> None:
    told, go, begun = threading.Event(), threading.Event(), []

    def slow(experiment, tell, _cancel_token):
        begun.append(experiment)
        tell(1, 2)
        told.set()
        go.wait(MAX_WAIT_S)
        return reproduce(experiment)

    monkeypatch.setattr(paper_results, "reproduce", slow)
    work, first = paper_results.begin_experiment(NAME, 0.0)
    assert told.wait(MAX_WAIT_S)
    again, second = paper_results.begin_experiment(NAME, 0.0)
    assert (first.state, second.state, again) == ("running", "running", work)
    assert second.done == paper_results.STEPS // 2
    go.set()
    ended(NAME)
    assert len(begun) == 1


def test_a_failure_is_told_and_the_next_visitor_tries_again(
    cache: SharedCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(experiment, tell, _cancel_token):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(paper_results, "reproduce", broken)
    _, progress = paper_results.begin_experiment(NAME, MAX_WAIT_S)
    assert progress.state == "failed"
    assert phrase("common.log_has_details") in progress.because
    monkeypatch.undo()
    shared_cache.hold_at_most(MAX_HELD)
    ended(NAME)
    assert paper_results.find_result(NAME).shown.findings[0].standing == REPEATED


def test_no_experiment_of_that_name() -> None:
    with pytest.raises(KeyError):
        paper_results.find_result("saf/nothing")
    assert all(paper.experiments for paper in PAPERS)
