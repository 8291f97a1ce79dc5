"""Where did the capacity go: the sentence that says what made the difference, a bar a run whose parts add up to it, and the same over time."""

from __future__ import annotations

from functools import lru_cache

import dash_mantine_components as dmc
from dash import Dash, Input, Output, html, no_update

from engine import PARTS, CapacityComparison, CapacityUse, capacity_comparison
from webapp import theme
from webapp.figures.charts.capacity_bars import RESOURCES, Account, account, areas_figure, areas_table, busy, parts_table, spent_figure
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import heading, legend
from webapp.panels.sections import inner, opened, tab
from webapp.services.runs import Task

MOST_TASKS = 8  # whose accounts are held ready
BAR = (
    "Each bar is a run; its length is the run's, its segments are the uses of the whole cluster's {}, as time of the whole cluster. "
    "Where one bar is longer than another, the segments say by which use."
)
AREAS = "The height is all {} of the cluster; the areas, from below, are their uses at each time. All charts have the same axes."
OVERBOOKED = "Under resources=memory more vcores are held than there are, so the segments add up to more than the run."

USES = (*theme.PHASES, theme.WASTED, *theme.IDLE, theme.DOWN)


@lru_cache(maxsize=MOST_TASKS)
def accounts(task: Task) -> tuple[Account, ...]:
    """Of each of its runs. One after another, so that of a large batch no more than one split is there at a time."""
    outcomes = ((one.outcome, heading(task, one)) for one in task.shown)
    return tuple(account(one.run, one.split, name) for one, name in outcomes)


def pictures(found: tuple[Account, ...], resource: str, dark: bool, width: int) -> tuple[CapacityComparison, list[Picture]]:
    """What the section shows of a result, for "vcores" or "memory"."""
    uses = [one.uses[resource] for one in found]
    comparison = capacity_comparison(uses, resource)
    overbooked = [OVERBOOKED] if any(ms < 0 for one in uses for ms in one.cluster_ms.values()) else []
    return comparison, [
        Picture(
            "capacity-spent",
            f"What did each run spend its {resource} on?",
            " ".join([BAR.format(resource), *overbooked]),
            " ".join(_largest(one) for one in uses),
            spent_figure(uses, dark=dark, width=width),
            parts_table(uses),
        ),
        Picture(
            "capacity-areas",
            f"When did the {resource} go there?",
            AREAS.format(resource),
            " ".join(_thirds(one, resource) for one in found),
            areas_figure(found, resource, dark=dark, width=width),
            areas_table(found, resource),
        ),
    ]


def layout() -> html.Section:
    """The sentences, the choice of the resource, and room for the pictures."""
    choice = dmc.SegmentedControl(
        id="capacity-resource",
        size="xs",
        value=RESOURCES[0],
        data=[{"value": one, "label": one.capitalize()} for one in RESOURCES],
        **{"aria-label": "Resource"},
    )
    return tab(
        "capacity",
        "Where did the capacity go?",
        html.Div(id="capacity-says", className="finding"),
        html.Div(id="capacity-legend"),
        html.Div(id="capacity-room", className="wide-pictures"),
        tools=html.Div(choice, className="tools"),
    )


def register(app: Dash) -> None:
    """The callback that fills it while it is open."""

    @app.callback(
        Output("capacity-says", "children"),
        Output("capacity-legend", "children"),
        Output("capacity-room", "children"),
        Input("open-capacity", "data"),
        Input("capacity-resource", "value"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, resource: str, scheme: str | None, width: float | None):
        task = opened(key)
        if task is None or resource not in RESOURCES:
            return no_update, no_update, no_update
        found = accounts(task)
        comparison, drawn = pictures(found, resource, scheme == "dark", inner(width))
        colours = legend(theme.legend(_sometimes(found), USES), "Colours of the uses of capacity")
        return [html.P(html.Strong(comparison.difference)), html.P(comparison.account)], colours, [card(picture) for picture in drawn]


def _sometimes(found: tuple[Account, ...]) -> set[str]:
    """Keys of theme.SOMETIMES of which a run has something."""
    uses = [use for one in found for use in one.uses.values()]
    return {key for use in uses for key, ms in use.cluster_ms.items() if ms} | ({"wasted"} if any(use.wasted_ms for use in uses) else set())


def _largest(one: CapacityUse) -> str:
    """A run's length and its three largest uses."""
    uses = sorted(((part.title, one.cluster_ms[part.key], one.share(part.key)) for part in PARTS), key=lambda use: -use[1])[:3]
    largest = "; ".join(f"{theme.percent(share)} ({theme.duration(ms)}) {_within(title)}" for title, ms, share in uses if ms > 0)
    return f"{one.scheduler} {'takes' if one.finished else 'deadlocked after'} {theme.duration(one.length_ms)}: {largest or 'nothing'}."


def _within(title: str) -> str:
    """A title in the middle of a sentence; names keep their capitals."""
    return title[0].lower() + title[1:] if title[1:].islower() else title


def _thirds(one: Account, resource: str) -> str:
    """How much of the resource is held early, midway and late in a run."""
    shares = [theme.percent(share) for share in busy(one, resource, 3)]
    if len(shares) < 3:
        return f"{one.scheduler} takes no time."
    return f"{one.scheduler}: containers hold {shares[0]} of the {resource} in the first third of its run, {shares[1]} in the second, {shares[2]} in the last."
