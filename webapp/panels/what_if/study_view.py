"""What a study has found: the curve with its band or the map of the winner; and at the point of the sliders how far apart schedulers are, and the spread."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, dcc, html, no_update

from engine import Metric, StudyResult, Tunable, winners
from webapp import theme
from webapp.panels.compare.chart_card import card, filled, outputs, table_of
from webapp.panels.components import COMPARED
from webapp.panels.what_if import study_downloads, study_pictures, study_text
from webapp.panels.what_if.study_form import looked_up
from webapp.panels.what_if.study_pictures import CURVE, MAP, SPREAD
from webapp.services import studies, whatif

PARTS = 3  # of a card's outputs: its figure, its room and its story
PX = (340, 1200)  # of a chart


def layout() -> html.Section:
    """Hidden until a study is begun; then it has the room that its result will need."""
    close = html.Button("Close", id="study-close", type="button", title="Back to the curve of one seed")
    return html.Section(
        [
            html.Div([html.P(id="study-answer", className="study-answer"), close], className="study-head"),
            html.Div(card(CURVE, late=True), id="study-curve-room"),
            html.Div(card(MAP, late=True), id="study-map-room", hidden=True),
            html.Div([html.Div(id="study-differences", className="study-differences"), card(SPREAD, late=True)], className="study-point"),
            study_downloads.layout(),
            dcc.Store(id="study-shown"),
        ],
        id="study",
        className="study",
        hidden=True,
        **{"aria-label": "Study"},
    )


def register(app: Dash) -> None:
    """Callbacks: the picture of all points, and what is shown of one."""
    study_downloads.register(app)
    app.clientside_callback(ClientsideFunction("gantry", "studyDrawn"), Input("study-shown", "data"), prevent_initial_call=True)
    looks = [Input("study-found", "data"), Input("whatif-metric", "value"), Input("scheme", "data"), Input("study-room", "data")]
    drawings = [*outputs(CURVE.key)[:PARTS], *outputs(MAP.key)[:PARTS]]

    @app.callback(Output("study-shown", "data"), *drawings, *looks, prevent_initial_call=True)
    def picture(shown: dict | None, metric: str | None, scheme: str | None, room: Any):
        found = _found(shown)
        if found is None:
            return [no_update] * (1 + len(drawings))
        result, tunables, present = found
        measured, dark, width = _measured(metric), scheme == "dark", _px(room)
        rest, is_map = [no_update] * PARTS, len(tunables) > 1
        says: dict[str, Any] = {"metric": measured.key, "files": studies.id_of(result.study) if studies.result_of(result.study) else None}
        if is_map:
            won = winners(result, measured.key)
            made, says["cells"] = study_pictures.of_map(result, measured, tunables, won, dark, width), study_pictures.cells(result, measured, won)
        else:
            made = study_pictures.of_curve(result, measured, tunables[0], present, dark, width)
        parts = filled(made, table=False)[:PARTS]
        return [says | {"title": made.title}, *([*rest, *parts] if is_map else [*parts, *rest])]

    @app.callback(
        Output("study-answer", "children"),
        Output("study-differences", "children"),
        *outputs(SPREAD.key)[:PARTS],
        *looks,
        Input("study-point", "data"),
        prevent_initial_call=True,
    )
    def at_point(shown: dict | None, metric: str | None, scheme: str | None, room: Any, at: Any):
        found = _found(shown)
        if found is None:
            return [no_update] * (2 + PARTS)
        result, tunables, _ = found
        measured, point = _measured(metric), nearest(result, at)
        spread = study_pictures.of_spread(result, measured, point, tunables, scheme == "dark", _px(room, 2))
        answer = study_text.answer_text(result, measured, point, tunables)
        return [answer, differences_table(result, measured, point, tunables), *filled(spread, table=False)[:PARTS]]

    opened = [Input(f"{key}-open", "data") for key in (CURVE.key, MAP.key, SPREAD.key)]

    @app.callback(*(outputs(key)[-1] for key in (CURVE.key, MAP.key, SPREAD.key)), *looks[:2], Input("study-point", "data"), *opened, prevent_initial_call=True)
    def tables(shown: dict | None, metric: str | None, at: Any, *is_open: bool | None):
        """Of a study that is done, once somebody looks: thousands of rows each second would hold the page up."""
        found = _found(shown) if any(is_open) else None
        if found is None or not studies.result_of(found[0].study):
            return [no_update] * len(is_open)
        result, tunables, _ = found
        measured, of_points, of_seeds = _measured(metric), is_open[len(tunables) - 1], is_open[-1]
        points = table_of(replace(MAP if len(tunables) > 1 else CURVE, table=study_text.rows(result, measured, tunables))) if of_points else no_update
        seeds = table_of(replace(SPREAD, table=study_text.seed_rows(result, measured, nearest(result, at)))) if of_seeds else no_update
        return [points, no_update, seeds] if len(tunables) == 1 else [no_update, points, seeds]


def nearest(found: StudyResult, at: Any) -> int:
    """The point nearest to values of the sliders, which may be anything; by steps of the study, a parameter after the other."""
    point = 0
    for number, one in enumerate(found.study.vary):
        value = at[number] if isinstance(at, list) and len(at) > number and whatif.finite(at[number]) else one.values[len(one.values) // 2]
        point = point * len(one.values) + int(np.argmin(np.abs(np.array(one.values, float) - value)))
    return point


def differences_table(found: StudyResult, metric: Metric, point: int, tunables: list[Tunable]) -> html.Div:
    """Each scheduler against the best at a point, in the order of their means; as many rows while they come as there will be."""
    names, known = found.study.schedulers, study_text.gaps(found, metric, point)
    rows = [_row(names, gap, found, metric) for gap in known]
    rows += [html.Tr([html.Th(theme.NOTHING, scope="row"), html.Td(), html.Td()])] * (len(names) - 1 - len(rows))
    heads = [html.Th(text, scope="col") for text in ("Pair", theme.titled("Difference", ""), "At 95 %")]
    caption = f"{metric.title} at {study_text.point_text(found, point, tunables)}"
    made = html.Table([html.Caption(caption), html.Thead(html.Tr(heads)), html.Tbody(rows)])
    return html.Div([made, html.P(study_text.CORRECTED, className="help")])


def _row(names: tuple[str, ...], gap: study_text.Gap, found: StudyResult, metric: Metric) -> html.Tr:
    pair = [_named(names, gap.place), " − ", _named(names, gap.best)]
    words = study_text.SAME if gap.is_same else study_text.CLEAR if gap.is_clear else study_text.OPEN
    if found.study.seeds == 1 and found.study.is_random and not gap.is_same:
        words = "one seed"
    return html.Tr(
        [
            html.Th(pair, scope="row"),
            html.Td(study_text.plus_minus(gap.mean, gap.half, metric.unit, signed=True)),
            html.Td(words, className=f"study-{'clear' if gap.is_clear else 'open'}"),
        ]
    )


def _named(names: tuple[str, ...], place: int) -> html.Span:
    """A scheduler with its colour, which stays beside the name."""
    return html.Span([html.Span(className=f"study-swatch scheduler-{place % len(theme.SCHEDULERS)}"), names[place]], className="study-named")


def _found(shown: Any) -> tuple[StudyResult, list[Tunable], float | None] | None:
    """The result that a page shows as far as it has come, what is moved in it, and where x stands now."""
    known = looked_up(shown.get("asked")) if isinstance(shown, dict) else None
    result = studies.so_far(known[2]) if known else None
    if result is None:
        return None
    ask, task, _ = known
    by_path = {one.path: one for one in whatif.tunables_of(task)}
    tunables = [by_path[axis.path] for axis in ask.axes if axis.path in by_path]
    return (result, tunables, ask.x.present) if len(tunables) == len(ask.axes) else None


def _measured(key: str | None) -> Metric:
    return next((one for one in COMPARED if one.key == key), COMPARED[0])


def _px(room: Any, parts: int = 1) -> int:
    """The width of a chart; room: what the page says of the study's, which may be anything."""
    width = room if whatif.finite(room) else PX[1] // 2
    return round(min(max(width / (parts if width > 640 else 1), PX[0]), PX[1]))
