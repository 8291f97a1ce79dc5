"""The charts of an exercise: hidden, up to an instant or whole before its answer; with the answer's scenario
after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine import METRICS, Run, Scenario, quantities, summary
from engine.dashboard import RUNNING, Exercise, display_name
from webapp.figures import TimeMark, case_charts, describe, run_so_far
from webapp.messages import msg
from webapp.panels.exercises.bounded_runs import bounded_run
from webapp.panels.papers import static_charts

WIDTHS = range(240, 1601)
MAX_MARK = 2  # times the makespan; a prediction beyond it is told, not drawn
MIN_DEADLOCK_MS = 10_000  # that a deadlock is drawn
MAKESPAN = METRICS[0].key  # of the answer too


class Look(NamedTuple):
    """As wide as the page's charts are, in px, and in which scheme."""

    width: int
    dark: bool

    @classmethod
    def of(cls, sent: Any) -> Look | None:
        """From what a page sends; None where it is no look."""
        width = static_charts.clamped_width(sent.get("width"), WIDTHS) if isinstance(sent, dict) else None
        return None if width is None else cls(width, sent.get("dark") is True)


def charts_before(exercise: Exercise, until_ms: int, look: Look) -> dict[str, Any]:
    """A picture a scheduler, with nothing that comes later than `until_ms` in it; none where that is nothing
    at all. Without a way to the dashboard, which shows them whole.
    """
    runs = [bounded_run(exercise.checked_scenario, name) for name in exercise.schedulers]
    if until_ms <= runs[0].first_ms:
        return {"charts": [], "address": ""}
    known = [run_so_far(run, until_ms) for run in runs]
    return {"charts": _pictures(known, exercise.schedulers, look, until_ms), "address": ""}


def charts_after(
    scenario: Scenario, schedulers: Sequence[str], look: Look, mark: TimeMark | None = None
) -> dict[str, Any]:
    """Whole, with their address on the dashboard; mark: what was predicted."""
    runs = [bounded_run(scenario, name) for name in schedulers]
    address = static_charts.address(scenario, schedulers)
    return {"charts": _pictures(runs, schedulers, look, mark=mark), "address": address}


def predicted(exercise: Exercise, answer: Mapping[str, str | float]) -> TimeMark | None:
    """The makespan that was predicted, as a line; None where none was, or one far beyond the chart."""
    seconds, place = answer.get(MAKESPAN), getattr(exercise.task, "scheduler", 0)
    if exercise.task.kind != "predict" or not isinstance(seconds, (int, float)) or seconds <= 0:
        return None
    run = bounded_run(exercise.checked_scenario, exercise.schedulers[place])
    if 1000 * seconds > MAX_MARK * (run.until_ms - run.first_ms):
        return None
    words = msg("panels.exercise_charts.you_said", moment=quantities.clock(seconds))
    return TimeMark(place, run.first_ms + round(1000 * seconds), words)


def _pictures(
    runs: Sequence[Run],
    schedulers: Sequence[str],
    look: Look,
    until_ms: int | None = None,
    mark: TimeMark | None = None,
) -> list[dict[str, str]]:
    names = [display_name(name) for name in schedulers]
    if until_ms is None:
        abouts = [describe(run, summary(run), name) for run, name in zip(runs, names)]
    else:
        abouts = [_so_far_text(run, name, until_ms) for run, name in zip(runs, names)]
    notes = [f"{name}: {run.because}." if run.because else "" for run, name in zip(runs, names)]
    drawn = [_seen_to_last(run) for run in runs]
    sources = case_charts(drawn, names, abouts, dark=look.dark, width=look.width, mark=mark)
    return [
        {"src": source, "alt": about, "note": note}
        for source, about, note in zip(sources, abouts, notes, strict=True)
    ]


def _seen_to_last(run: Run) -> Run:
    """What is held for ever is drawn for some seconds, also where it is from the beginning."""
    last_ms = run.first_ms + MIN_DEADLOCK_MS
    return replace(run, at_ms=max(run.at_ms, last_ms)) if run.status == "deadlock" and run.because else run


def _so_far_text(run: Run, name: str, until_ms: int) -> str:
    """The same in words."""
    started = quantities.count(len(run.containers.start), "containers")
    running = int((run.containers.outcome == RUNNING).sum())
    at = quantities.moment(until_ms)
    return msg("panels.exercise_charts.so_far", name=name, at=at, started=started, running=running)
