"""How the charts are looked at, and what is drawn for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import Any

from webapp.figures import AS_USUAL, BY, SORTS, Rows, Wanted, run_figure, whole
from webapp.figures.highlight import Selection
from webapp.services import runs
from webapp.services.runs import Shown, Task

WIDTHS = range(200, 4001)
MOST_FIND = 100  # characters
MOST_OPENED = 200  # rows turned the other way round by hand


@dataclass(frozen=True)
class View:
    """window: ms, None for all; seen: rows by their edges, None for all; highlight: a selection as text; width: of a chart in pixels."""

    window: tuple[int, int] | None = None
    seen: tuple[float, float] | None = None
    wanted: Wanted = AS_USUAL
    highlight: str | None = None
    dark: bool = False
    width: int = 800

    @classmethod
    def of(cls, sent: Any) -> View:
        """From what the page sent, which may be anything."""
        sent = sent if isinstance(sent, dict) else {}
        window, seen = span(sent.get("window"), "x0", "x1"), span(sent.get("window"), "y0", "y1")
        window = (round(window[0]), max(round(window[1]), round(window[0]) + 1)) if window else None
        width = sent.get("width")
        width = min(max(round(width), WIDTHS[0]), WIDTHS[-1]) if isinstance(width, (int, float)) and abs(width) < 1e9 else cls.width
        highlight = Selection.of(sent.get("highlight"))
        return cls(window, seen, wanted(sent.get("rows")), highlight.text if highlight else None, sent.get("dark") is True, width)

    def plain(self) -> dict | None:
        """The window as the page keeps it."""
        times = {"x0": self.window[0], "x1": self.window[1]} if self.window else {}
        rows = {"y0": self.seen[0], "y1": self.seen[1]} if self.seen else {}
        return times | rows or None


def span(sent: Any, low: str, high: str) -> tuple[float, float] | None:
    """Two ascending numbers of a dict; None where they are anything else."""
    if not isinstance(sent, dict):
        return None
    found = sent.get(low), sent.get(high)
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) and abs(one) < 1e15 for one in found):
        return None
    return (float(found[0]), float(found[1])) if found[0] < found[1] else None


def wanted(sent: Any) -> Wanted:
    """How rows are arranged; invalid values keep their defaults."""
    sent = sent if isinstance(sent, dict) else {}
    by, sort, find, opened = sent.get("by"), sent.get("sort"), sent.get("find"), sent.get("opened")
    names = frozenset(name for name in opened[:MOST_OPENED] if isinstance(name, str)) if isinstance(opened, list) else frozenset()
    return Wanted(by if by in BY else BY[0], sort if sort in SORTS else SORTS[0], find[:MOST_FIND] if isinstance(find, str) else "", names)


def bounds(task: Task) -> tuple[int, int]:
    """The window that shows every scheduler's run, in ms."""
    return whole([one.outcome.run for one in task.shown])


def rows_seen(task: Task, view: View) -> Rows:
    """The rows that the charts share, and which of them are looked at."""
    return runs.rows_of(task, view.wanted).looked(view.seen)


def rows_beside(task: Task, one: Shown, view: View) -> Rows:
    """The rows of one of the charts: those of its own scenario, as far into them as the others are looked at."""
    if one.task is task:
        return rows_seen(task, view)
    own, of = rows_seen(task, view), runs.rows_of(one.task, view.wanted)
    return of.looked(own.seen if of.count == own.count else None)


def figures(task: Task, view: View) -> list[dict]:
    """A plotly figure a scheduler; layout.meta.drawn says of what, so that the page asks again only for something else."""
    every, of = bounds(task), rows_seen(task, view)
    view = replace(view, seen=of.seen)
    drawn = {
        "key": task.key,
        "whole": {"x0": every[0], "x1": every[1], "rows": of.count},
        "looked": view.plain(),
        "rows": {"by": view.wanted.by, "sort": view.wanted.sort, "find": view.wanted.find, "opened": sorted(view.wanted.opened)},
        "highlight": view.highlight,
        "dark": view.dark,
        "width": view.width,
    }
    found = []
    for shown in task.shown:
        one = shown.outcome
        look = {"all_of": every, "highlight": view.highlight, "dark": view.dark, "width": view.width, "of": rows_beside(task, shown, view)}
        figure = run_figure(one.scene, one.split, window=view.window or every, **look)
        complete = figure["layout"]["meta"]["complete"]
        if complete and view.window:
            figure = run_figure(one.scene, one.split, window=every, **look)
            figure["layout"]["xaxis"]["range"] = [ms / 1000 for ms in view.window]
        figure["layout"]["meta"]["drawn"] = drawn | {"window": None if complete else view.plain(), "complete": complete}
        figure["layout"]["meta"]["title"] = " under ".join(escape(part) for part in (shown.task.scenario.name, one.run.scheduler) if part)
        found.append(figure)
    return found
