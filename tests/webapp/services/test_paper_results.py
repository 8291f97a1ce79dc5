"""Experiments in the background: run once, for all who look, and kept for the other processes."""

from __future__ import annotations

import threading

import pytest

from engine import PAPERS, reproduce
from tests.phrases import phrase
from tests.waiting import PATIENT_S, until
from webapp.services import gallery
from webapp.services.cache import Shared
from webapp.services.tasks import works

NAME = "dynamic-priority/table-1"


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gallery, "_own", {})


def ended(name: str) -> None:
    until(lambda: (gallery.found(name) or not gallery.follow(name, 0.0).under_way) and not works.same("experiment", {"name": name}))


def test_what_is_run_is_found_here_and_by_other_processes(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    assert gallery.found(NAME) is None
    ended(NAME)
    own = gallery.found(NAME)
    assert own.verdict == "agrees"
    monkeypatch.setattr(gallery, "_own", {})
    other = gallery.found(NAME)
    judged = lambda result: [(one.verdict, one.claims, one.samples) for one in result.readings]
    assert judged(other) == judged(own)
    assert other.experiment is own.experiment


def test_a_result_of_other_claims_is_not_read(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(NAME)
    monkeypatch.setattr(gallery, "_own", {})
    monkeypatch.setattr(gallery, "fingerprint", lambda name: "another")
    assert gallery.found(NAME) is None


def test_two_visitors_follow_one_run(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    told, go, begun = threading.Event(), threading.Event(), []

    def slow(experiment, tell, _halt):
        begun.append(experiment)
        tell(1, 2)
        told.set()
        go.wait(PATIENT_S)
        return reproduce(experiment)

    monkeypatch.setattr(gallery, "reproduce", slow)
    first = gallery.follow(NAME, 0.0)
    assert told.wait(PATIENT_S)
    second = gallery.follow(NAME, 0.0)
    assert (first.state, second.state) == ("running", "running")
    assert second.done == gallery.STEPS // 2
    go.set()
    ended(NAME)
    assert len(begun) == 1


def test_a_failure_is_told_and_the_next_visitor_tries_again(cache: Shared, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(experiment, tell, _halt):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(gallery, "reproduce", broken)
    progress = gallery.follow(NAME, PATIENT_S)
    assert progress.state == "failed"
    assert phrase("common.log_has_details") in progress.because
    monkeypatch.undo()
    monkeypatch.setattr(gallery, "_own", {})
    ended(NAME)
    assert gallery.found(NAME).verdict == "agrees"


def test_no_experiment_of_that_name() -> None:
    with pytest.raises(KeyError):
        gallery.found("saf/nothing")
    assert all(paper.experiments for paper in PAPERS)
