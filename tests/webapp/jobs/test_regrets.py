"""What decisions cost as work: what a page may ask, what is kept and found again, what is there of one that
was ended.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine import costly_decisions, parse, presets
from tests.webapp.task_waiting import ended
from webapp.jobs import regrets
from webapp.jobs.job_manager import Cancelled, JobControl
from webapp.jobs.regrets import RegretRequest
from webapp.runs import saved_tasks
from webapp.runs.cache import MAX_HELD, SharedCache, shared_cache
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache: SharedCache) -> Task:
    result = build_task(RunRequest(presets()[0].scenario.plain(), ("fifo", "fair")))
    saved_tasks.save_task(result).result()
    return result


def test_the_answer_is_the_engine_s(task: Task) -> None:
    ask = RegretRequest(task.key, 1)
    shown = regrets.shown_run(ask)
    assert ended(*regrets.begin_regret(ask, shown, 30)).state == "finished"
    assert regrets.find_regret(shown) == costly_decisions(
        shown.outcome.run, parse("fair"), regrets.MAX_DECISIONS
    )


def test_it_is_done_once_and_found_by_other_processes(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = RegretRequest(task.key, 0)
    regrets._do_regret(ask.plain() | {"by": ""}, JobControl(148, is_local=True))
    shared_cache.hold_at_most(MAX_HELD)
    monkeypatch.setattr(regrets, "costly_decisions", lambda *_: pytest.fail("it was done already"))
    name, progress = regrets.begin_regret(ask, regrets.shown_run(ask), 0)
    assert (name, progress.state, progress.total) == ("", "finished", 148)


def test_of_one_that_was_ended_there_is_what_it_had_found(task: Task) -> None:
    class Ending(JobControl):
        def report(self, done: int, now: str) -> None:
            super().report(done, now)
            if done == 50:
                self.cancel_token.cancel()

    ask = RegretRequest(task.key, 1)
    control = Ending(148, is_local=True)
    with pytest.raises(Cancelled):
        regrets._do_regret(ask.plain(), control)
    assert control.now.startswith("50 of 148 decisions tried, ")
    shown = regrets.shown_run(ask)
    assert regrets.find_regret(shown) is None and regrets.find_last_regret(shown).tried == 50


NONE = [
    None,
    [],
    "x",
    {},
    {"key": 1, "place": 0},
    *({"key": "x", "place": place} for place in (-1, True, 0.5, "0")),
]


@pytest.mark.parametrize("data", NONE)
def test_what_is_no_question(data: Any) -> None:
    assert RegretRequest.find(data) is None


def test_a_run_that_is_not_there(task: Task) -> None:
    assert regrets.shown_run(RegretRequest(task.key, 2)) is None
    assert regrets.shown_run(RegretRequest("0" * 16, 0)) is None
