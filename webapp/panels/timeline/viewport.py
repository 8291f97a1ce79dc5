"""How the charts are looked at, and what is drawn for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeGuard

from engine import quantities
from webapp import theme
from webapp.figures import DEFAULT_OPTIONS, GROUPINGS, SORTS, RowOptions, Rows, full_window, rows, run_chart
from webapp.figures.highlight import Selection
from webapp.figures.timeline import colouring, minimap
from webapp.figures.timeline.run_chart import STRIPS, chart_to_json
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg
from webapp.panels.sections import pixels
from webapp.panels.timeline.lane import strip
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
TIMES = (("Makespan", "makespan_s"), (msg("shared.mean_turnaround"), "mean_turnaround_s"))
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
        highlight = Selection.of(sent.get("highlight"))
        strips, charts = sent.get("strips"), sent.get("charts")
        strips = strips if isinstance(strips, dict) else {}
        return cls(
            window_ms(sent.get("window")),
            ascending_pair(sent.get("window"), "y0", "y1"),
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

    def plain(self) -> dict[str, float]:
        """The window as the page keeps it."""
        times = dict(zip(("x0", "x1"), self.window or ()))
        return times | dict(zip(("y0", "y1"), self.seen or ()))

    def drawn_charts(self, count: int) -> list[int]:
        """Places of the runs that are drawn, of so many."""
        return [index for index in range(count) if self.charts is None or index in self.charts]


def is_number(value: Any) -> TypeGuard[float]:
    """Whether it is a finite number such as times are."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15


def ascending_pair(sent: Any, low: str, high: str) -> tuple[float, float] | None:
    """Two ascending numbers of a dict; None where they are anything else."""
    if not isinstance(sent, dict):
        return None
    first, last = sent.get(low), sent.get(high)
    if not is_number(first) or not is_number(last) or first >= last:
        return None
    return float(first), float(last)


def window_ms(sent: Any) -> tuple[int, int] | None:
    """A window of time in whole ms, at least one wide; None where what the page sent has none."""
    pair = ascending_pair(sent, "x0", "x1")
    return (round(pair[0]), max(round(pair[1]), round(pair[0]) + 1)) if pair else None


def wanted(sent: Any) -> RowOptions:
    """How rows are arranged; invalid values keep their defaults."""
    sent = sent if isinstance(sent, dict) else {}
    by, sort, find, opened = sent.get("by"), sent.get("sort"), sent.get("find"), sent.get("opened")
    names = opened[:MAX_OPENED_ROWS] if isinstance(opened, list) else []
    return RowOptions(
        by if by in GROUPINGS else GROUPINGS[0],
        sort if sort in SORTS else SORTS[0],
        find[: url_state.MAX_FILTER_CHARS] if isinstance(find, str) else "",
        frozenset(name for name in names if isinstance(name, str)),
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
    shared = visible_rows(task, view)
    if shown.task is task:
        return shared
    own = task_rows(shown.task, view.wanted)
    seen = shared.seen if own.row_count == shared.row_count else None
    return own.zoomed_to(seen)._replace(px=view.height)


def render_view(task: Task, view: View) -> dict[str, Any]:
    """What is looked at now of every chart that is wanted, by its place; and what holds for all: all there
    is, and whose colours these are.
    """
    layouts = {
        index: rows_of_chart(task, task.shown[index], view) for index in view.drawn_charts(len(task.shown))
    }
    outcomes = [shown.outcome for shown in task.shown]
    return {"key": task.key} | _render(outcomes, layouts, visible_rows(task, view), view)


def preview(task: Task, moved: Sequence[Outcome], view: View) -> dict[str, Any]:
    """Like `render_view`, while sliders change the scenario; with the facts of the charts' heads. moved: an
    outcome for each scheduler that is simulated; what was measured, is pinned or is the optimum stays as it
    is, on the same axis.
    """
    row_layout = rows([one.scene for one in moved], view.wanted).zoomed_to(view.seen)._replace(px=view.height)
    moved_outcomes, outcomes, layouts = iter(moved), [], {}
    for index, shown in enumerate(task.shown):
        is_moved = shown.task is task and shown.is_scheduled
        outcomes.append(next(moved_outcomes) if is_moved else shown.outcome)
        layouts[index] = row_layout if is_moved else rows_of_chart(task, shown, view)
    drawn = {index: layouts[index] for index in view.drawn_charts(len(outcomes))}
    heads = {index: facts(outcomes[index], outcomes) for index in drawn}
    return _render(outcomes, drawn, row_layout, view) | {"facts": heads}


class Fact(NamedTuple):
    """What stands over a chart. beside: how far it is above the lower bound, "" where that is unknown; about:
    what that means.
    """

    title: str
    value: str
    beside: str = ""
    about: str = ""


def facts(outcome: Outcome, outcomes: Sequence[Outcome]) -> list[Fact]:
    """What stands over a chart. outcomes: what it is shown beside."""
    facts_ = []
    for title, key in TIMES:
        seconds, above = outcome.metrics[key], optimality_gap.gap_of(outcome, key, outcomes)
        value = quantities.NO_VALUE if seconds is None else quantities.clock(seconds)
        facts_.append(Fact(title, value, *((above.sign, above.about) if above else ())))
    for title, key, unit in FACTS:
        facts_.append(Fact(title, quantities.amount(outcome.metrics[key], unit)))
    return facts_


def _chart(outcome: Outcome, row_layout: Rows, place: TimeScale, view: View) -> dict[str, Any]:
    chart = run_chart(
        outcome.scene,
        outcome.split if view.strips else None,
        row_layout,
        place,
        margin_px=view.margin,
        strips=dict(view.strips),
        highlight=view.highlight,
        dark=view.dark,
        colouring=colouring.colouring(outcome.run, view.colour),
    )
    drawing = chart_to_json(chart, view.margin)
    return drawing | {"strips": [strip(**one, room=view.margin) for one in drawing["strips"]]}


def _render(
    outcomes: Sequence[Outcome], layouts: dict[int, Rows], row_layout: Rows, view: View
) -> dict[str, Any]:
    """layouts: the rows of the charts that are drawn, by their places; row_layout: those that they share."""
    whole_window = full_window([one.run for one in outcomes])
    place = TimeScale.of(view.window or whole_window, whole_window, view.width)

    def draw(index: int) -> dict[str, Any]:
        return _chart(outcomes[index], layouts[index], place, view)

    containers = sum(len(outcomes[index].run.containers.job) for index in layouts)
    charts = dict(zip(layouts, map_in_parallel(draw, list(layouts), containers)))
    groups = colouring.colouring(outcomes[0].run, view.colour)
    top, bottom = row_layout.range
    present = frozenset().union(*(outcome.scene.legend for outcome in outcomes))
    return {
        "whole": {"x0": whole_window[0], "x1": whole_window[1], "rows": row_layout.row_count},
        "looked": {"x0": place.window[0], "x1": place.window[1], "y0": top + 0.5, "y1": bottom + 0.5},
        "asked": view.plain(),
        "hidden": row_layout.hidden,
        "names": list(groups.names),
        "others": groups.others,
        "absent": sorted(theme.OPTIONAL_KEYS - present),
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
