"""The queues as edited: what was opened is before, what stands there now is after, on the record's jobs."""

from __future__ import annotations

import pytest

from engine.prediction.answer import answer, has_record, make_baseline
from engine.prediction.edited_queues import apply_edits, scenario_as_read
from engine.prediction.question import QuestionError
from engine.schedulers.scheduler import as_scheduler
from tests.engine.prediction.edited_queues import SCHEDULER, edited, opened
from tests.engine.prediction.histories import history, truth
from tests.phrases import phrase


def test_queues_as_edited_are_compared_with_those_opened_on_the_record() -> None:
    before = opened()
    after = edited(before, 100.0)
    as_read = scenario_as_read(after, SCHEDULER)
    assert as_read.queues == before.queues != after.queues
    assert has_record(as_read)
    baseline = make_baseline(as_read, as_scheduler(SCHEDULER))
    changed = apply_edits(baseline.scenario, after, SCHEDULER)
    assert {queue.name: queue.max_capacity_pct for queue in changed.scenario.queues}["root.b"] == 100.0
    assert [job.maps for job in changed.scenario.jobs] == [job.maps for job in baseline.scenario.jobs]
    found = answer(baseline, changed)
    assert [gain.name for gain in found.gainers("queue")] == ["root.b"]
    assert [file.name for file in found.files] == ["capacity-scheduler.xml"]


def test_what_was_not_edited_or_not_opened_or_has_no_capacities_is_said() -> None:
    before = opened()
    with pytest.raises(QuestionError, match=phrase("scheduler_conf.nothing_changed")):
        scenario_as_read(before, SCHEDULER)
    with pytest.raises(QuestionError, match=phrase("scheduler_conf.nothing_read")):
        scenario_as_read(history(truth(2)), SCHEDULER)
    with pytest.raises(QuestionError, match=phrase("engine.ask_under_capacity")):
        scenario_as_read(edited(before, 100.0), "fair")
