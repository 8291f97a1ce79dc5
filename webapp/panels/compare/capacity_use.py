"""Where did the capacity go: the sentence that says what made the difference, a bar a run whose parts add up
to it, and the same over time.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

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
from webapp.figures.timeline.capacity_areas import phase_of_part
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
    return tuple(
        capacity_account(one.outcome.run, one.outcome.split, heading(task, one), full_heading(task, one))
        for one in task.shown
    )


def pictures(
    accounts: tuple[CapacityAccount, ...], resource: str, dark: bool, width: int
) -> tuple[CapacityComparison, list[Picture]]:
    """What the section shows of a result, for "vcores" or "memory"."""
    uses = [one.uses[resource] for one in accounts]
    in_full = [one.in_full() for one in accounts]
    overbooked = [OVERBOOKED] if any(ms < 0 for one in uses for ms in one.cluster_ms.values()) else []
    spent = Picture(
        "capacity-spent",
        msg("panels.capacity_use.what_did_each_run_spend_its", resource=resource),
        " ".join([BAR.format(resource), *overbooked]),
        " ".join(map(_largest_uses, uses)),
        capacity_figure(uses, dark=dark, width=width),
        parts_table([one.uses[resource] for one in in_full]),
    )
    areas = Picture(
        "capacity-areas",
        msg("panels.capacity_use.how_does_use_change", resource=resource),
        AREAS.format(resource),
        " ".join(_thirds(one, resource) for one in accounts),
        areas_figure(accounts, resource, dark=dark, width=width),
        areas_table(in_full, resource),
    )
    return capacity_comparison(uses, resource), [spent, areas]


def layout() -> html.Section:
    """The sentences, the choice of the resource, and room for the pictures."""
    data = [{"value": one, "label": one.capitalize()} for one in RESOURCES]
    shown: dict[str, Any] = {"value": RESOURCES[0], "data": data, "aria-label": "Resource"}
    choice = dmc.SegmentedControl(id="capacity-resource", size="xs", **shown)
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
        *(Output(f"capacity-{part}", "children") for part in ("says", "legend", "room")),
        Input("open-capacity", "data"),
        Input("capacity-resource", "value"),
        Input("scheme", "data"),
        Input("drawer-width", "data"),
        prevent_initial_call=True,
    )
    def fill(key: str | None, resource: str, scheme: str | None, width: float | None):
        task = task_of_tab(key)
        if task is None or resource not in RESOURCES:
            return [no_update] * 3
        accounts = run_accounts(task)
        comparison, charts = pictures(accounts, resource, scheme == "dark", content_width(width))
        phases = theme.legend(_optional_phases(accounts), USES)
        colours = legend(phases, msg("panels.capacity_use.colours_uses_capacity"))
        sentences = [html.P(html.Strong(comparison.difference)), html.P(comparison.account)]
        return sentences, colours, [card(picture) for picture in charts]


def _optional_phases(accounts: tuple[CapacityAccount, ...]) -> set[str]:
    """Keys of theme.OPTIONAL_KEYS of which a run has something."""
    uses = [use for one in accounts for use in one.uses.values()]
    keys = {phase_of_part(key) for use in uses for key, ms in use.cluster_ms.items() if ms}
    return keys | {"wasted"} if any(use.wasted_ms for use in uses) else keys


def _largest_uses(capacity_use: CapacityUse) -> str:
    """A run's length and its three largest uses."""
    held_ms = capacity_use.cluster_ms
    largest = "; ".join(
        f"{quantities.percent(capacity_use.share(part.key))} ({quantities.duration(held_ms[part.key])}) "
        f"{_mid_sentence(part.title)}"
        for part in sorted(PARTS, key=lambda part: -held_ms[part.key])[:3]
        if held_ms[part.key] > 0
    )
    verb = "takes" if capacity_use.finished else "deadlocked after"
    length = quantities.duration(capacity_use.length_ms)
    return f"{capacity_use.scheduler} {verb} {length}: {largest or 'nothing'}."


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
