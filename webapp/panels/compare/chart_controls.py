"""What one can turn on a chart's card, over its drawing or under it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import dash_mantine_components as dmc
from dash import html

from webapp.messages import msg


@dataclass(frozen=True)
class Control:
    """id: of the component whose value the chart is given; show: makes the components, that one among them;
    below: it stands under the drawing.
    """

    id: str
    build: Callable[[], list]
    below: bool = False


def choice(id: str, titles: dict[str, str], label: str) -> Control:
    """One of some values, each with its title; about: what it is for, for assistive technology."""
    data = [{"value": value, "label": title} for value, title in titles.items()]
    return Control(
        id,
        lambda: [
            dmc.SegmentedControl(id=id, size="xs", value=data[0]["value"], data=data, **{"aria-label": label})
        ],
    )


def pages(id: str) -> Control:
    """A page of jobs; the section offers those there are."""
    return Control(
        id,
        lambda: [
            dmc.Select(
                id=id,
                size="xs",
                allowDeselect=False,
                w=240,
                data=[],
                value="all",
                **{"aria-label": msg("panels.chart_controls.jobs_shown")},
            )
        ],
    )


def moment(id: str, worst: str) -> Control:
    """A time in seconds, with a button that goes to the worst one; the section gives the slider its ends."""

    def build() -> list:
        slider = dmc.Slider(
            id=id,
            min=0,
            max=1,
            value=0,
            size="sm",
            className="picture-slider",
            thumbLabel=msg("panels.chart_controls.time_picture_in_seconds"),
        )
        button = html.Button(
            msg("panels.chart_controls.worst_moment"), id=worst, type="button", className="link-button"
        )
        return [html.Span(msg("panels.chart_controls.time_s"), className="quiet"), slider, button]

    return Control(id, build, below=True)
