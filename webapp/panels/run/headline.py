"""The answer above the charts: which scheduler is best, by how much, and how that compares to what is
pinned.
"""

from __future__ import annotations

from engine import quantities
from webapp.jobs import prediction
from webapp.messages import msg
from webapp.panels.replay import replay_text
from webapp.report import summary_text
from webapp.runs.task import ShownRun, Task


def sentences(task: Task) -> list[str]:
    """The story first, where there is one; what was measured, the best of the task's own schedulers, each
    beside the same one of what is pinned, and how far off that is where it was fitted.
    """
    measured = [
        shown.outcome
        for shown in task.shown
        if shown.is_measured and shown.task is not task and not task.has_measured
    ]
    verdict = summary_text.verdict([*measured, *task.outcomes()])
    scheduled = [outcome for outcome in task.outcomes() if outcome.is_scheduled]
    pinned = {shown.name: shown for shown in task.shown if shown.task is not task}
    own_runs = [shown for shown in task.shown if shown.task is task]
    differences = [
        _compared_to_pinned(shown, pinned[shown.name]) for shown in own_runs if shown.name in pinned
    ]
    band_sentence = (
        replay_text.answers_text(
            task.scenario,
            "makespan_s",
            [(shown.name, shown.outcome.metrics["makespan_s"]) for shown in own_runs if shown.is_scheduled],
        )
        if prediction.error_bands_of(task.scenario)
        else ""
    )
    story = "" if measured or task.has_measured else summary_text.story(scheduled)
    return [*filter(None, [story, *verdict, *differences, band_sentence])]


def _compared_to_pinned(shown: ShownRun, pinned: ShownRun) -> str:
    now, before = shown.outcome.metrics["makespan_s"], pinned.outcome.metrics["makespan_s"]
    if now is None or before is None:
        return msg(
            "panels.headline.here_and_in_pinned_run",
            name=shown.display_name,
            value="finishes" if now is not None else "deadlocks",
            value2="finished" if before is not None else "deadlocked",
        )
    if now == before:
        return msg(
            "panels.headline.takes_as_long_as_in_pinned",
            name=shown.display_name,
            amount=quantities.amount(now, "s"),
        )
    difference = f"{quantities.amount(abs(now - before), 's')} {'longer' if now > before else 'less'}"
    return msg(
        "panels.headline.takes_than_in_pinned_run",
        name=shown.display_name,
        difference=difference,
        amount=quantities.amount(before, "s"),
    )
