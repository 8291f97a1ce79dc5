"""The answer above the charts: which scheduler is best, by how much, and how that compares to what is pinned."""

from __future__ import annotations

from webapp import theme
from webapp.panels.replay import replay_text
from webapp.report import summary_text
from webapp.services import prediction
from webapp.services.runs import Shown, Task


def sentences(task: Task) -> list[str]:
    """What was measured, the best of the task's own schedulers, each beside the same one of what is pinned, and how far off that is where it was fitted."""
    measured = [one.outcome for one in task.shown if one.is_measured and one.task is not task and not task.has_measured]
    found = summary_text.verdict([*measured, *task.outcomes()])
    pinned = {one.name: one for one in task.shown if one.task is not task}
    own = [one for one in task.shown if one.task is task]
    apart = [_beside(one, pinned[one.name]) for one in own if one.name in pinned]
    off = (
        replay_text.answers_text(task.scenario, "makespan_s", [(one.name, one.outcome.metrics["makespan_s"]) for one in own if one.is_scheduled])
        if prediction.known(task.scenario)
        else ""
    )
    return [*found, *apart, *([off] if off else [])]


def _beside(own: Shown, pinned: Shown) -> str:
    now, before = own.outcome.metrics["makespan_s"], pinned.outcome.metrics["makespan_s"]
    if now is None or before is None:
        return f"{own.name} {'finishes' if now is not None else 'deadlocks'} here and {'finished' if before is not None else 'deadlocked'} in the pinned run."
    if now == before:
        return f"{own.name} takes as long as in the pinned run, {theme.amount(now, 's')}."
    apart = f"{theme.amount(abs(now - before), 's')} {'longer' if now > before else 'less'}"
    return f"{own.name} takes {apart} than in the pinned run ({theme.amount(before, 's')})."
