"""What a study has found: the curve with its band or the map of the winner; and at the point of the sliders
how far apart schedulers are, and the spread.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, dcc, html, no_update

from engine import quantities
from engine.dashboard import Metric, StudyResult, Tunable, display_name, winners
from webapp import theme
from webapp.jobs import studies, whatif
from webapp.messages import msg
from webapp.panels.compare.chart_card import card, output_values, outputs, table_grid
from webapp.panels.components import COMPARED, attributes
from webapp.panels.what_if import study_downloads, study_pictures, study_text
from webapp.panels.what_if.study_form import requested_study
from webapp.panels.what_if.study_pictures import CURVE, MAP, SPREAD

CARD_OUTPUTS = 3  # of a card's outputs: its figure, its room and its story
PX = (340, 1200)  # of a chart


def layout() -> html.Section:
    """Hidden until a study is begun; then it has the room that its result will need."""
    close = html.Button(
        "Close", id="study-close", type="button", title=msg("panels.study_view.back_to_curve_one_seed")
    )
    return html.Section(
        [
            html.Div([html.P(id="study-answer", className="study-answer"), close], className="study-head"),
            html.Div(card(CURVE, lazy=True), id="study-curve-room"),
            html.Div(card(MAP, lazy=True), id="study-map-room", hidden=True),
            html.Div(
                [html.Div(id="study-differences", className="study-differences"), card(SPREAD, lazy=True)],
                className="study-point",
            ),
            study_downloads.layout(),
            dcc.Store(id="study-shown"),
        ],
        id="study",
        className="study",
        hidden=True,
        **attributes({"aria-label": "Study"}),
    )


def register(app: Dash) -> None:
    """Callbacks: the picture of all points, and what is shown of one."""
    study_downloads.register(app)
    app.clientside_callback(
        ClientsideFunction("gantry", "studyDrawn"), Input("study-shown", "data"), prevent_initial_call=True
    )
    style_inputs = [
        Input("study-found", "data"),
        Input("whatif-metric", "value"),
        Input("scheme", "data"),
        Input("study-room", "data"),
    ]
    drawings = [*outputs(CURVE.key)[:CARD_OUTPUTS], *outputs(MAP.key)[:CARD_OUTPUTS]]

    @app.callback(Output("study-shown", "data"), *drawings, *style_inputs, prevent_initial_call=True)
    def picture(shown: dict | None, metric: str | None, scheme: str | None, room: Any):
        shown_study = _shown_study(shown)
        if shown_study is None:
            return [no_update] * (1 + len(drawings))
        result, tunables, present = shown_study
        metric_, dark, width = _metric(metric), scheme == "dark", _chart_width(room)
        unchanged, is_map = [no_update] * CARD_OUTPUTS, len(tunables) > 1
        shown_facts: dict[str, Any] = {
            "metric": metric_.key,
            "files": studies.study_id(result.study) if studies.find_result(result.study) else None,
        }
        if is_map:
            winners_by_point = winners(result, metric_.key)
            card_picture, shown_facts["cells"] = (
                study_pictures.map_picture(result, metric_, tunables, winners_by_point, dark, width),
                study_pictures.cells(result, metric_, winners_by_point),
            )
        else:
            card_picture = study_pictures.curve_picture(result, metric_, tunables[0], present, dark, width)
        values = output_values(card_picture, with_table=False)[:CARD_OUTPUTS]
        return [
            shown_facts | {"title": card_picture.title},
            *([*unchanged, *values] if is_map else [*values, *unchanged]),
        ]

    @app.callback(
        Output("study-answer", "children"),
        Output("study-differences", "children"),
        *outputs(SPREAD.key)[:CARD_OUTPUTS],
        *style_inputs,
        Input("study-point", "data"),
        prevent_initial_call=True,
    )
    def show_point(shown: dict | None, metric: str | None, scheme: str | None, room: Any, at: Any):
        shown_study = _shown_study(shown)
        if shown_study is None:
            return [no_update] * (2 + CARD_OUTPUTS)
        result, tunables, _ = shown_study
        metric_, point = _metric(metric), nearest(result, at)
        spread = study_pictures.spread_picture(
            result, metric_, point, tunables, scheme == "dark", _chart_width(room, 2)
        )
        answer = study_text.answer_text(result, metric_, point, tunables)
        return [
            answer,
            differences_table(result, metric_, point, tunables),
            *output_values(spread, with_table=False)[:CARD_OUTPUTS],
        ]

    opened = [Input(f"{key}-open", "data") for key in (CURVE.key, MAP.key, SPREAD.key)]

    @app.callback(
        *(outputs(key)[-1] for key in (CURVE.key, MAP.key, SPREAD.key)),
        *style_inputs[:2],
        Input("study-point", "data"),
        *opened,
        prevent_initial_call=True,
    )
    def tables(shown: dict | None, metric: str | None, at: Any, *is_open: bool | None):
        """Of a study that is done, once somebody looks: thousands of rows each second would hold the page
        up.
        """
        shown_study = _shown_study(shown) if any(is_open) else None
        if shown_study is None or not studies.find_result(shown_study[0].study):
            return [no_update] * len(is_open)
        result, tunables, _ = shown_study
        metric_, of_points, of_seeds = _metric(metric), is_open[len(tunables) - 1], is_open[-1]
        points = (
            table_grid(
                replace(MAP if len(tunables) > 1 else CURVE, table=study_text.rows(result, metric_, tunables))
            )
            if of_points
            else no_update
        )
        seeds = (
            table_grid(replace(SPREAD, table=study_text.seed_rows(result, metric_, nearest(result, at))))
            if of_seeds
            else no_update
        )
        return [points, no_update, seeds] if len(tunables) == 1 else [no_update, points, seeds]


def nearest(result: StudyResult, at: Any) -> int:
    """The point nearest to values of the sliders, which may be anything; by steps of the study, a parameter
    after the other.
    """
    point = 0
    for index, axis in enumerate(result.study.vary):
        value = (
            at[index]
            if isinstance(at, list) and len(at) > index and whatif.is_finite_number(at[index])
            else axis.values[len(axis.values) // 2]
        )
        point = point * len(axis.values) + int(np.argmin(np.abs(np.array(axis.values, float) - value)))
    return point


def differences_table(result: StudyResult, metric: Metric, point: int, tunables: list[Tunable]) -> html.Div:
    """Each scheduler against the best at a point, in the order of their means; as many rows while they come
    as there will be.
    """
    names, gaps = result.study.schedulers, study_text.gaps_to_best(result, metric, point)
    rows = [_row(names, gap, result, metric) for gap in gaps]
    rows += [html.Tr([html.Th(quantities.NO_VALUE, scope="row"), html.Td(), html.Td()])] * (
        len(names) - 1 - len(rows)
    )
    heads = [
        html.Th(text, scope="col")
        for text in ("Pair", quantities.title_with_unit("Difference", ""), "At 95 %")
    ]
    caption = f"{metric.title} at {study_text.point_text(result, point, tunables)}"
    table = html.Table([html.Caption(caption), html.Thead(html.Tr(heads)), html.Tbody(rows)])
    return html.Div([table, html.P(study_text.CORRECTED, className="help")])


def _row(names: tuple[str, ...], gap: study_text.GapToBest, result: StudyResult, metric: Metric) -> html.Tr:
    pair: list[Any] = [_scheduler_label(names, gap.scheduler), " − ", _scheduler_label(names, gap.best)]
    words = study_text.SAME if gap.is_same else study_text.CLEAR if gap.is_clear else study_text.OPEN
    if result.study.seeds == 1 and result.study.is_random and not gap.is_same:
        words = msg("panels.study_view.one_seed")
    return html.Tr(
        [
            html.Th(pair, scope="row"),
            html.Td(quantities.estimate(gap.mean, gap.half, metric.unit, is_difference=True)),
            html.Td(words, className=f"study-{'clear' if gap.is_clear else 'open'}"),
        ]
    )


def _scheduler_label(names: tuple[str, ...], index: int) -> html.Span:
    """A scheduler with its colour, which stays beside the name."""
    return html.Span(
        [
            html.Span(className=f"study-swatch scheduler-{index % len(theme.SCHEDULERS)}"),
            display_name(names[index]),
        ],
        title=names[index],
        className="study-named",
    )


def _shown_study(shown: Any) -> tuple[StudyResult, list[Tunable], float | None] | None:
    """The result that a page shows as far as it has come, what is moved in it, and where x stands now."""
    request = requested_study(shown.get("asked")) if isinstance(shown, dict) else None
    result = studies.find_partial_result(request[2]) if request else None
    if request is None or result is None:
        return None
    ask, task, _ = request
    by_path = {one.path: one for one in whatif.tunables_of(task)}
    tunables = [by_path[axis.path] for axis in ask.axes if axis.path in by_path]
    return (result, tunables, ask.x.present) if len(tunables) == len(ask.axes) else None


def _metric(key: str | None) -> Metric:
    return next((one for one in COMPARED if one.key == key), COMPARED[0])


def _chart_width(sent: Any, columns: int = 1) -> int:
    """The width of a chart; sent: the width of the study as the page sends it, untrusted."""
    width = sent if whatif.is_finite_number(sent) else PX[1] // 2
    return round(min(max(width / (columns if width > 640 else 1), PX[0]), PX[1]))
