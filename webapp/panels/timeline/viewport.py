"""How the charts are looked at, and what is drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from webapp import theme
from webapp.figures import AS_USUAL, BY, SORTS, Rows, Wanted, rows, run_chart, whole
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, minimap
from webapp.figures.timeline.place import Place
from webapp.figures.timeline.run_chart import STRIPS, plain
from webapp.report import best_possible
from webapp.services import runs, url_state
from webapp.services.outcome import Outcome
from webapp.services.runs import Shown, Task
from webapp.services.side_by_side import side_by_side

WIDTHS = range(120, 4001)  # px of the time axis
HEIGHTS = range(16, 4001)  # px of a chart's rows
ROOMS = range(0, 401)  # px of the margin for names
STRIP_HEIGHTS = range(8, 401)
TIMES = (("Makespan", "makespan_s"), ("Mean turnaround", "mean_turnaround_s"))  # over each chart: title, metric; as on the clock that its axis shows
FACTS = (  # and its unit
    ("Vcores used", "vcore_utilization", "share"),
    ("Memory used", "memory_utilization", "share"),
)
MOST_OPENED = 200  # rows turned the other way round by hand


@dataclass(frozen=True)
class View:
    """window: ms, None for all; seen: rows by their edges, None for all; highlight: a selection as text; colour: what colour means.

    width: px of the time axis; height: of a chart's rows; room: of the margin for their names; strips: what stands below the rows, and how
    high; charts: places of the runs that are drawn, None for all.
    """

    window: tuple[int, int] | None = None
    seen: tuple[float, float] | None = None
    wanted: Wanted = AS_USUAL
    highlight: str | None = None
    colour: str = colouring.BY[0]
    dark: bool = False
    width: int = 800
    height: int = 240
    room: int = 92
    strips: tuple[tuple[str, int], ...] = ()
    charts: frozenset[int] | None = None

    @classmethod
    def of(cls, sent: Any) -> View:
        """From what the page sent, which may be anything."""
        sent = sent if isinstance(sent, dict) else {}
        window, seen = span(sent.get("window"), "x0", "x1"), span(sent.get("window"), "y0", "y1")
        window = (round(window[0]), max(round(window[1]), round(window[0]) + 1)) if window else None
        highlight = Selection.of(sent.get("highlight"))
        strips, charts = sent.get("strips"), sent.get("charts")
        strips = strips if isinstance(strips, dict) else {}
        return cls(
            window,
            seen,
            wanted(sent.get("rows")),
            highlight.text if highlight else None,
            sent.get("colour") if sent.get("colour") in colouring.BY else cls.colour,
            sent.get("dark") is True,
            pixels(sent.get("width"), WIDTHS, cls.width),
            pixels(sent.get("height"), HEIGHTS, cls.height),
            pixels(sent.get("room"), ROOMS, cls.room),
            tuple((key, pixels(strips[key], STRIP_HEIGHTS, 40)) for key in STRIPS if key in strips),
            frozenset(one for one in charts if isinstance(one, int)) if isinstance(charts, list) else None,
        )

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
    return Wanted(by if by in BY else BY[0], sort if sort in SORTS else SORTS[0], find[: url_state.MOST_FIND] if isinstance(find, str) else "", names)


def pixels(sent: Any, allowed: range, usual: int) -> int:
    """A whole number of px that is allowed; the usual one for what is none."""
    return min(max(round(sent), allowed[0]), allowed[-1]) if isinstance(sent, (int, float)) and abs(sent) < 1e9 else usual


def bounds(task: Task) -> tuple[int, int]:
    """The window that shows every scheduler's run, in ms."""
    return whole([one.outcome.run for one in task.shown])


def rows_seen(task: Task, view: View) -> Rows:
    """The rows that the charts share, which of them are looked at, and how high they are."""
    return runs.rows_of(task, view.wanted).looked(view.seen)._replace(px=view.height)


def rows_beside(task: Task, one: Shown, view: View) -> Rows:
    """The rows of one of the charts: those of its own scenario, as far into them as the others are looked at."""
    if one.task is task:
        return rows_seen(task, view)
    own, of = rows_seen(task, view), runs.rows_of(one.task, view.wanted)
    return of.looked(own.seen if of.count == own.count else None)._replace(px=view.height)


def drawn(task: Task, view: View) -> dict[str, Any]:
    """What is looked at now of every chart that is wanted, by its place; and what holds for all: all there is, and whose colours these are."""
    every, of = bounds(task), rows_seen(task, view)
    place = Place.of(view.window or every, every, view.width)
    wanted = [(number, shown) for number, shown in enumerate(task.shown) if view.charts is None or number in view.charts]
    outcomes = [(number, shown.outcome, rows_beside(task, shown, view)) for number, shown in wanted]
    draw = lambda one: (one[0], _chart(*one[1:], place, view))
    charts = dict(side_by_side(draw, outcomes, sum(len(one.run.containers.job) for _, one, _ in outcomes)))
    return {"key": task.key} | _around([one.outcome for one in task.shown], charts, of, place, every, view)


def passing(task: Task, moved: Sequence[Outcome], view: View) -> dict[str, Any]:
    """The same of a task whose scenario may soon be another, with the facts of the charts' heads. moved: of each scheduler that it simulates; what was
    measured, is pinned or the optimum stays what it is, on the same axis."""
    new = iter(moved)
    stays = [one.task is not task or not one.is_scheduled for one in task.shown]
    outcomes = [one.outcome if still else next(new) for one, still in zip(task.shown, stays, strict=True)]
    every = whole([one.run for one in outcomes])
    of = rows([one.scene for one in moved], view.wanted).looked(view.seen)._replace(px=view.height)
    place = Place.of(view.window or every, every, view.width)
    wanted = [number for number in range(len(outcomes)) if view.charts is None or number in view.charts]
    arranged = {number: rows_beside(task, task.shown[number], view) if stays[number] else of for number in wanted}
    charts = {number: _chart(outcomes[number], arranged[number], place, view) for number in wanted}
    return _around(outcomes, charts, of, place, every, view) | {"facts": {number: facts(outcomes[number], outcomes) for number in wanted}}


class Fact(NamedTuple):
    """What stands over a chart. beside: how far it is above the best possible, "" where that can't be told; about: what that means."""

    title: str
    value: str
    beside: str = ""
    about: str = ""


def facts(one: Outcome, among: Sequence[Outcome]) -> list[Fact]:
    """What stands over a chart. among: what it is shown beside."""
    found = []
    for title, key in TIMES:
        seconds, above = one.metrics[key], best_possible.above_best(one, key, among)
        value = theme.NOTHING if seconds is None else theme.clock(seconds)
        found.append(Fact(title, value, *((above.sign, above.about) if above else ())))
    return [*found, *(Fact(title, theme.amount(one.metrics[key], unit)) for title, key, unit in FACTS)]


def _chart(one: Outcome, of: Rows, place: Place, view: View) -> dict[str, Any]:
    look = {"strips": dict(view.strips), "highlight": view.highlight, "dark": view.dark, "colouring": colouring.colouring(one.run, view.colour)}
    return plain(run_chart(one.scene, one.split if view.strips else None, of, place, room=view.room, **look), view.room)


def _around(outcomes: Sequence[Outcome], charts: dict[int, dict], of: Rows, place: Place, every: tuple[int, int], view: View) -> dict[str, Any]:
    groups = colouring.colouring(outcomes[0].run, view.colour)
    looked = {"x0": place.window[0], "x1": place.window[1], "y0": of.range[0] + 0.5, "y1": of.range[1] + 0.5}
    return {
        "whole": {"x0": every[0], "x1": every[1], "rows": of.count},
        "looked": looked,
        "asked": view.plain() or {},
        "hidden": of.hidden,
        "names": list(groups.names),
        "others": groups.others,
        "absent": sorted(theme.SOMETIMES - frozenset().union(*(one.scene.legend for one in outcomes))),
        "charts": charts,
    }


def mapped(task: Task, view: View) -> str:
    """The address of the map: all of the first scheduler's run."""
    one = task.outcomes()[0]
    return minimap.minimap(one.scene, runs.rows_of(task, view.wanted), bounds(task), view.dark, view.highlight, colouring.colouring(one.run, view.colour))
