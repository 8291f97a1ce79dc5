"""Gantt charts of small scenarios on pages of text: drawn as wide as the page is, and not to be zoomed, so
that the page scrolls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dash import dcc, get_relative_path, html

from engine import Scenario, parse
from engine.dashboard import labels
from webapp.figures import case_charts, describe
from webapp.panels.components import attributes
from webapp.runs import run_cache
from webapp.url import url_state
from webapp.url.url_state import RunRequest

CONFIG: dcc.Graph.Config = {
    "displayModeBar": False,
    "scrollZoom": False,
    "responsive": True,
    "doubleClick": False,
    "showTips": False,
}


def schedules(title: str, scenario: Scenario, schedulers: Sequence[str], dark: bool, width: int) -> list:
    """The charts of a scenario under its schedulers, by short names, and what they show in words. Raises
    GantryError as a run does.

    title: what stands over a picture of them that is saved.
    """
    outcomes = [run_cache.outcome(scenario, parse(scheduler)) for scheduler in schedulers]
    names = labels(schedulers)
    descriptions = [describe(outcome.run, outcome.metrics, name) for outcome, name in zip(outcomes, names)]
    pictures = case_charts([outcome.run for outcome in outcomes], names, descriptions, dark=dark, width=width)
    return [
        html.Img(src=source, alt=description, title=title, className="schedule")
        for source, description in zip(pictures, descriptions)
    ]


def chart(figure: dict) -> html.Div:
    """A figure that has words or a table beside it, so that assistive technology needs not read the
    drawing.
    """
    graph = dcc.Graph(
        figure=figure, config=CONFIG, responsive=True, style={"height": figure["layout"]["height"]}
    )
    return html.Div(graph, className="chart", **attributes({"aria-hidden": "true"}))


def address(scenario: Scenario, schedulers: Sequence[str]) -> str:
    """Where the dashboard opens a scenario under these schedulers."""
    request = RunRequest(scenario.plain(), tuple(schedulers))
    return get_relative_path("/") + (url_state.address(request=request) or "")


def clamped_width(width: Any, widths: range) -> int | None:
    """The width that a page sends, in whole pixels and within bounds; None for what is no number."""
    if not isinstance(width, (int, float)) or not math.isfinite(width):
        return None
    return min(max(round(width), widths[0]), widths[-1])
