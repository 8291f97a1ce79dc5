"""Where did the capacity go: the sentence that says what made the difference, a bar a run whose parts add up
to it, and the same over time.
"""

from __future__ import annotations

from functools import lru_cache

import dash_mantine_components as dmc
from dash import Dash, Input, Output, html, no_update

from engine import quantities
from engine.dashboard import PARTS, CapacityComparison, CapacityUse, capacity_comparison
from webapp import theme
from webapp.figures.charts.capacity_bars import (
    RESOURCES,
    CapacityAccount,
    areas_figure,
    areas_table,
    capacity_account,
    capacity_figure,
    held_shares,
    parts_table,
)
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture, card
from webapp.panels.components import full_heading, heading, legend
from webapp.panels.sections import content_width, tab, task_of_tab
from webapp.runs.task import Task

MAX_CACHED_TASKS = 8  # whose accounts are held ready
BAR = msg("panels.capacity_use.each_bar_run_its_length_runs")
AREAS = msg("panels.capacity_use.height_all_cluster_areas_from_below")
OVERBOOKED = msg("panels.capacity_use.under_resources_memory_more_vcores_held")

USES = (*theme.PHASES, theme.WASTED, *theme.IDLE_USES, theme.DOWN)


@lru_cache(maxsize=MAX_CACHED_TASKS)
def run_accounts(task: Task) -> tuple[CapacityAccount, ...]:
    """Of each of its runs. One after another, so that of a large batch no more than one split is there at a
    time.
    """
    outcomes = ((shown.outcome, heading(task, shown), full_heading(task, shown)) for shown in task.shown)
    return tuple(capacity_account(shown.run, shown.split, *names) for shown, *names in outcomes)


def pictures(
    accounts: tuple[CapacityAccount, ...], resource: str, dark: bool, width: int
) -> tuple[CapacityComparison, list[Picture]]:
    """What the section shows of a result, for "vcores" or "memory"."""
    uses = [one.uses[resource] for one in accounts]
    in_full = [one.in_full() for one in accounts]
    comparison = capacity_comparison(uses, resource)
    overbooked = [OVERBOOKED] if any(ms < 0 for one in uses for ms in one.cluster_ms.values()) else []
    return comparison, [
        Picture(
            "capacity-spent",
            msg("panels.capacity_use.what_did_each_run_spend_its", resource=resource),
            " ".join([BAR.format(resource), *overbooked]),
            " ".join(_largest_uses(one) for one in uses),
            capacity_figure(uses, dark=dark, width=width),
            parts_table([one.uses[resource] for one in in_full]),
        ),
        Picture(
            "capacity-areas",
            msg("panels.capacity_use.how_does_use_change", resource=resource),
            AREAS.format(resource),
            " ".join(_thirds(one, resource) for one in accounts),
            areas_figure(accounts, resource, dark=dark, width=width),
            areas_table(in_full, resource),
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
        msg("panels.capacity_use.where_did_capacity_go"),
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
        task = task_of_tab(key)
        if task is None or resource not in RESOURCES:
            return no_update, no_update, no_update
        accounts = run_accounts(task)
        comparison, charts = pictures(accounts, resource, scheme == "dark", content_width(width))
        colours = legend(
            theme.legend(_optional_phases(accounts), USES), msg("panels.capacity_use.colours_uses_capacity")
        )
        return (
            [html.P(html.Strong(comparison.difference)), html.P(comparison.account)],
            colours,
            [card(picture) for picture in charts],
        )


def _optional_phases(accounts: tuple[CapacityAccount, ...]) -> set[str]:
    """Keys of theme.OPTIONAL_KEYS of which a run has something."""
    uses = [use for one in accounts for use in one.uses.values()]
    return {key for use in uses for key, ms in use.cluster_ms.items() if ms} | (
        {"wasted"} if any(use.wasted_ms for use in uses) else set()
    )


def _largest_uses(capacity_use: CapacityUse) -> str:
    """A run's length and its three largest uses."""
    uses = sorted(
        ((part.title, capacity_use.cluster_ms[part.key], capacity_use.share(part.key)) for part in PARTS),
        key=lambda use: -use[1],
    )[:3]
    largest = "; ".join(
        f"{quantities.percent(share)} ({quantities.duration(ms)}) {_mid_sentence(title)}"
        for title, ms, share in uses
        if ms > 0
    )
    return (
        f"{capacity_use.scheduler} {'takes' if capacity_use.finished else 'deadlocked after'} "
        f"{quantities.duration(capacity_use.length_ms)}: {largest or 'nothing'}."
    )


def _mid_sentence(title: str) -> str:
    """A title in the middle of a sentence; names keep their capitals."""
    return title[0].lower() + title[1:] if title[1:].islower() else title


def _thirds(run_account: CapacityAccount, resource: str) -> str:
    """How much of the resource is held early, midway and late in a run."""
    shares = [quantities.percent(share) for share in held_shares(run_account, resource, 3)]
    if len(shares) < 3:
        return msg("panels.capacity_use.takes_no_time", scheduler=run_account.scheduler)
    return msg(
        "panels.capacity_use.containers_hold_in_first_third_its",
        scheduler=run_account.scheduler,
        shares=shares[0],
        resource=resource,
        shares2=shares[1],
        shares3=shares[2],
    )
