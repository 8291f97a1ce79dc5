"""How the charts are looked at, and what is drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import quantities
from webapp import theme
from webapp.figures import DEFAULT_OPTIONS, GROUPINGS, SORTS, RowOptions, Rows, full_window, rows, run_chart
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, minimap
from webapp.figures.timeline.run_chart import STRIPS, chart_to_json
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg
from webapp.report import optimality_gap
from webapp.runs.outcome import Outcome
from webapp.runs.parallel_map import map_in_parallel
from webapp.runs.task import ShownRun, Task, task_rows
from webapp.url import url_state

WIDTHS = range(120, 4001)  # px of the time axis
HEIGHTS = range(16, 4001)  # px of a chart's rows
MARGINS = range(0, 401)  # px of the margin for names
STRIP_HEIGHTS = range(8, 401)
# over each chart: title, metric; as on the clock that its axis shows
TIMES = (
    ("Makespan", "makespan_s"),
    (msg("shared.mean_turnaround"), "mean_turnaround_s"),
)
FACTS = (  # and its unit
    (msg("panels.viewport.vcores_used"), "vcore_utilization", "share"),
    (msg("panels.viewport.memory_used"), "memory_utilization", "share"),
)
MAX_OPENED_ROWS = 200  # rows that a user opened or closed


@dataclass(frozen=True)
class View:
    """window: ms, None for all; seen: rows by their edges, None for all; highlight: a selection as text;
    colour: what colour means.

    width: px of the time axis; height: of a chart's rows; margin: of the margin for their names; strips: what
    stands below the rows, and how high; charts: places of the runs that are drawn, None for all.
    """

    window: tuple[int, int] | None = None
    seen: tuple[float, float] | None = None
    wanted: RowOptions = DEFAULT_OPTIONS
    highlight: str | None = None
    colour: str = colouring.COLOURINGS[0]
    dark: bool = False
    width: int = 800
    height: int = 240
    margin: int = 92
    strips: tuple[tuple[str, int], ...] = ()
    charts: frozenset[int] | None = None

    @classmethod
    def of(cls, sent: Any) -> View:
        """From what the page sent, which may be anything."""
        sent = sent if isinstance(sent, dict) else {}
        window, seen = (
            ascending_pair(sent.get("window"), "x0", "x1"),
            ascending_pair(sent.get("window"), "y0", "y1"),
        )
        window = (round(window[0]), max(round(window[1]), round(window[0]) + 1)) if window else None
        highlight = Selection.of(sent.get("highlight"))
        strips, charts = sent.get("strips"), sent.get("charts")
        strips = strips if isinstance(strips, dict) else {}
        return cls(
            window,
            seen,
            wanted(sent.get("rows")),
            highlight.text if highlight else None,
            sent.get("colour") if sent.get("colour") in colouring.COLOURINGS else cls.colour,
            sent.get("dark") is True,
            pixels(sent.get("width"), WIDTHS, cls.width),
            pixels(sent.get("height"), HEIGHTS, cls.height),
            pixels(sent.get("room"), MARGINS, cls.margin),
            tuple((key, pixels(strips[key], STRIP_HEIGHTS, 40)) for key in STRIPS if key in strips),
            frozenset(one for one in charts if isinstance(one, int)) if isinstance(charts, list) else None,
        )

    def plain(self) -> dict | None:
        """The window as the page keeps it."""
        times = {"x0": self.window[0], "x1": self.window[1]} if self.window else {}
        rows = {"y0": self.seen[0], "y1": self.seen[1]} if self.seen else {}
        return times | rows or None


def ascending_pair(sent: Any, low: str, high: str) -> tuple[float, float] | None:
    """Two ascending numbers of a dict; None where they are anything else."""
    if not isinstance(sent, dict):
        return None
    pair: tuple[Any, Any] = sent.get(low), sent.get(high)
    if not all(
        isinstance(number, (int, float)) and not isinstance(number, bool) and abs(number) < 1e15
        for number in pair
    ):
        return None
    return (float(pair[0]), float(pair[1])) if pair[0] < pair[1] else None


def wanted(sent: Any) -> RowOptions:
    """How rows are arranged; invalid values keep their defaults."""
    sent = sent if isinstance(sent, dict) else {}
    by, sort, find, opened = sent.get("by"), sent.get("sort"), sent.get("find"), sent.get("opened")
    names = (
        frozenset(name for name in opened[:MAX_OPENED_ROWS] if isinstance(name, str))
        if isinstance(opened, list)
        else frozenset()
    )
    return RowOptions(
        by if by in GROUPINGS else GROUPINGS[0],
        sort if sort in SORTS else SORTS[0],
        find[: url_state.MAX_FILTER_CHARS] if isinstance(find, str) else "",
        names,
    )


def pixels(sent: Any, allowed: range, default: int) -> int:
    """A whole number of px that is allowed; the usual one for what is none."""
    return (
        min(max(round(sent), allowed[0]), allowed[-1])
        if isinstance(sent, (int, float)) and abs(sent) < 1e9
        else default
    )


def bounds(task: Task) -> tuple[int, int]:
    """The window that shows every scheduler's run, in ms."""
    return full_window([shown.outcome.run for shown in task.shown])


def visible_rows(task: Task, view: View) -> Rows:
    """The rows that the charts share, which of them are looked at, and how high they are."""
    return task_rows(task, view.wanted).zoomed_to(view.seen)._replace(px=view.height)


def rows_of_chart(task: Task, shown: ShownRun, view: View) -> Rows:
    """The rows of one of the charts: those of its own scenario, as far into them as the others are looked
    at.
    """
    if shown.task is task:
        return visible_rows(task, view)
    shared, chart_rows = visible_rows(task, view), task_rows(shown.task, view.wanted)
    return chart_rows.zoomed_to(shared.seen if chart_rows.row_count == shared.row_count else None)._replace(
        px=view.height
    )


def render_view(task: Task, view: View) -> dict[str, Any]:
    """What is looked at now of every chart that is wanted, by its place; and what holds for all: all there
    is, and whose colours these are.
    """
    whole_window, row_layout = bounds(task), visible_rows(task, view)
    place = TimeScale.of(view.window or whole_window, whole_window, view.width)
    wanted = [
        (index, shown)
        for index, shown in enumerate(task.shown)
        if view.charts is None or index in view.charts
    ]
    outcomes = [(index, shown.outcome, rows_of_chart(task, shown, view)) for index, shown in wanted]

    def draw(wanted_chart: tuple[int, Outcome, Rows]) -> tuple[int, dict[str, Any]]:
        index, outcome, chart_rows = wanted_chart
        return index, _chart(outcome, chart_rows, place, view)

    charts = dict(map_in_parallel(draw, outcomes, sum(len(one.run.containers.job) for _, one, _ in outcomes)))
    return {"key": task.key} | _response(
        [one.outcome for one in task.shown], charts, row_layout, place, whole_window, view
    )


def preview(task: Task, moved: Sequence[Outcome], view: View) -> dict[str, Any]:
    """Like `render_view`, while sliders change the scenario; with the facts of the charts' heads. moved: an
    outcome for each scheduler that is simulated; what was measured, is pinned or is the optimum stays as it
    is, on the same axis."""
    moved_outcomes = iter(moved)
    is_fixed = [one.task is not task or not one.is_scheduled for one in task.shown]
    outcomes = [
        one.outcome if fixed else next(moved_outcomes)
        for one, fixed in zip(task.shown, is_fixed, strict=True)
    ]
    whole_window = full_window([one.run for one in outcomes])
    row_layout = rows([one.scene for one in moved], view.wanted).zoomed_to(view.seen)._replace(px=view.height)
    place = TimeScale.of(view.window or whole_window, whole_window, view.width)
    wanted = [index for index in range(len(outcomes)) if view.charts is None or index in view.charts]
    layouts = {
        index: rows_of_chart(task, task.shown[index], view) if is_fixed[index] else row_layout
        for index in wanted
    }
    charts = {index: _chart(outcomes[index], layouts[index], place, view) for index in wanted}
    return _response(outcomes, charts, row_layout, place, whole_window, view) | {
        "facts": {index: facts(outcomes[index], outcomes) for index in wanted}
    }


class Fact(NamedTuple):
    """What stands over a chart. beside: how far it is above the lower bound, "" where that is unknown; about:
    what that means.
    """

    title: str
    value: str
    beside: str = ""
    about: str = ""


def facts(outcome: Outcome, outcomes: Sequence[Outcome]) -> list[Fact]:
    """What stands over a chart. among: what it is shown beside."""
    facts_ = []
    for title, key in TIMES:
        seconds, above = outcome.metrics[key], optimality_gap.gap_of(outcome, key, outcomes)
        value = quantities.NO_VALUE if seconds is None else quantities.clock(seconds)
        facts_.append(Fact(title, value, *((above.sign, above.about) if above else ())))
    return [
        *facts_,
        *(Fact(title, quantities.amount(outcome.metrics[key], unit)) for title, key, unit in FACTS),
    ]


def _chart(outcome: Outcome, row_layout: Rows, place: TimeScale, view: View) -> dict[str, Any]:
    return chart_to_json(
        run_chart(
            outcome.scene,
            outcome.split if view.strips else None,
            row_layout,
            place,
            margin_px=view.margin,
            strips=dict(view.strips),
            highlight=view.highlight,
            dark=view.dark,
            colouring=colouring.colouring(outcome.run, view.colour),
        ),
        view.margin,
    )


def _response(
    outcomes: Sequence[Outcome],
    charts: dict[int, dict],
    row_layout: Rows,
    place: TimeScale,
    whole_window: tuple[int, int],
    view: View,
) -> dict[str, Any]:
    groups = colouring.colouring(outcomes[0].run, view.colour)
    visible = {
        "x0": place.window[0],
        "x1": place.window[1],
        "y0": row_layout.range[0] + 0.5,
        "y1": row_layout.range[1] + 0.5,
    }
    return {
        "whole": {"x0": whole_window[0], "x1": whole_window[1], "rows": row_layout.row_count},
        "looked": visible,
        "asked": view.plain() or {},
        "hidden": row_layout.hidden,
        "names": list(groups.names),
        "others": groups.others,
        "absent": sorted(
            theme.OPTIONAL_KEYS - frozenset().union(*(outcome.scene.legend for outcome in outcomes))
        ),
        "charts": charts,
    }


def minimap_image(task: Task, view: View) -> str:
    """The address of the map: all of the first scheduler's run."""
    outcome = task.outcomes()[0]
    return minimap.minimap(
        outcome.scene,
        task_rows(task, view.wanted),
        bounds(task),
        view.dark,
        view.highlight,
        colouring.colouring(outcome.run, view.colour),
    )
