"""Pictures below the tables: the queue, waits and turnarounds of all schedulers; shares, lifelines, nodes and free room of one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, html, no_update

from webapp import runs
from webapp.figures import lifelines
from webapp.panels import pictures_made as made
from webapp.panels.picture import Picture, card, filled, outputs
from webapp.panels.sections import section
from webapp.runs import Task

STEPS = 1000  # of the slider of times
LOOKS = {"highlight.data", "scheme.data"}  # what changes a drawing and not its table


def layout() -> html.Section:
    """The section, empty until it is seen."""
    return section("pictures", "Pictures", dcc.Store(id="pictures-width"), dcc.Store(id="pictures-made"), html.Div(id="pictures-room"))


def room() -> list:
    """The cards, still blank, with their controls."""
    scheduler = dmc.Select(id="pictures-scheduler", label="Scheduler", size="xs", allowDeselect=False, w=280, data=[])
    page = dmc.Select(id="lifelines-page", size="xs", allowDeselect=False, w=240, data=[], value="all", **{"aria-label": "Jobs shown"})
    slider = dmc.Slider(id="scattered-at", min=0, max=1, value=0, size="sm", className="picture-slider", thumbLabel="Time of the picture, in seconds")
    worst = html.Button("Worst moment", id="scattered-worst", type="button", className="link-button")
    time = [html.Span("Time (s)", className="quiet"), slider, worst]
    below = {"dues": None, "lifelines": None, "heat": None, "scattered": time}
    above = {"dues": _choice("dues-by", made.BY, "Whose shares"), "lifelines": page, "heat": _choice("heat-resource", made.RESOURCES, "Resource")}
    return [
        html.Div([card(made.EMPTY[key]) for key in ("queue", "waits", "turnarounds")], className="pictures"),
        html.Div([html.H3("Of one scheduler", className="question"), scheduler], className="pictures-of"),
        html.Div([card(made.EMPTY[key], above=above.get(key), below=below[key]) for key in below], className="pictures"),
    ]


def register(app: Dash) -> None:
    """Callbacks: make the room once, offer what there is to choose from, and fill each card."""
    app.clientside_callback(ClientsideFunction("gantry", "sizedPictures"), Output("pictures-width", "data"), Input("pictures-made", "data"))
    app.clientside_callback(ClientsideFunction("gantry", "highlightedPictures"), Output("pictures-room", "className"), Input("highlight", "data"))

    @app.callback(
        Output("pictures-room", "children"),
        Output("pictures-made", "data"),
        Input("pictures-seen", "data"),
        Input("result", "data"),
        State("pictures-made", "data"),
        prevent_initial_call=True,
    )
    def make(seen: bool | None, result: dict | None, there: bool | None):
        return (room(), True) if seen and result and not there else (no_update, no_update)

    @app.callback(
        Output("pictures-scheduler", "data"),
        Output("pictures-scheduler", "value"),
        Output("lifelines-page", "data"),
        Output("lifelines-page", "value"),
        Output("lifelines-page", "display"),
        Input("result", "data"),
        State("pictures-scheduler", "value"),
    )
    def offer(result: dict | None, chosen: str | None):
        task = _task(result)
        if task is None:
            return [no_update] * 5
        names = list(task.schedulers)
        pages = [{"value": value, "label": words} for value, words in lifelines.pages(len(task.outcomes()[0].run.workload.job_names))]
        return names, chosen if chosen in names else names[0], pages, "all", None if len(pages) > 1 else "none"

    @app.callback(
        Output("scattered-at", "min"),
        Output("scattered-at", "max"),
        Output("scattered-at", "step"),
        Output("scattered-at", "value"),
        Input("result", "data"),
        Input("pictures-scheduler", "value"),
        Input("scattered-worst", "n_clicks"),
    )
    def times(result: dict | None, name: str | None, _clicks: int | None):
        task = _task(result)
        if task is None:
            return [no_update] * 4
        run = made.outcome(task, name).run
        step = max((run.until_ms - run.first_ms) // STEPS, 1)
        return run.first_ms / 1000, max(run.until_ms, run.first_ms + 1) / 1000, step / 1000, made.worst_moment(task, name) / 1000

    scheduler = Input("pictures-scheduler", "value")
    _follow(app, "queue", [], lambda task, look: made.queued(task, look))
    for key in ("waits", "turnarounds"):
        _follow(app, key, [], lambda task, look, key=key: made.spreading(task, key, look))
    _follow(app, "dues", [scheduler, Input("dues-by", "value")], lambda task, look, name, by: made.dues(task, name, by, look))
    _follow(app, "lifelines", [scheduler, Input("lifelines-page", "value")], lambda task, look, name, page: made.living(task, name, str(page), look))
    _follow(app, "heat", [scheduler, Input("heat-resource", "value")], lambda task, look, name, what: made.heated(task, name, what, look))
    _follow(app, "scattered", [scheduler, Input("scattered-at", "value")], lambda task, look, name, at: made.scattering(task, name, _ms(at), look))


def _follow(app: Dash, key: str, controls: list[Input], make: Callable[..., Picture]) -> None:
    """Fill a card whenever the result, the look or one of its controls changes, its table once that is opened. It is there only once the section was seen."""

    @app.callback(
        *outputs(key),
        Input("result", "data"),
        Input("pictures-width", "data"),
        Input("highlight", "data"),
        Input("scheme", "data"),
        Input(f"{key}-open", "data"),
        *controls,
    )
    def fill(result: dict | None, width: Any, highlight: Any, scheme: str | None, opened: bool | None, *values: Any):
        task = _task(result)
        if task is None or not width:
            return [no_update] * len(outputs(key))
        picture = make(task, made.Look.of(highlight, scheme, width), *values)
        changed = set(ctx.triggered_prop_ids)
        return list(filled(picture, drawing=changed != {f"{key}-open.data"}, table=bool(opened) and not (changed and changed <= LOOKS)))


def _task(result: Any) -> Task | None:
    return runs.known(str(result.get("key"))) if isinstance(result, dict) else None


def _ms(seconds: Any) -> int | None:
    """What the slider says, in ms; None for what is no time."""
    return round(1000 * seconds) if isinstance(seconds, (int, float)) and abs(seconds) < 1e13 else None


def _choice(key: str, titles: dict[str, str], about: str) -> dmc.SegmentedControl:
    data = [{"value": value, "label": title} for value, title in titles.items()]
    return dmc.SegmentedControl(id=key, size="xs", value=data[0]["value"], data=data, **{"aria-label": about})
