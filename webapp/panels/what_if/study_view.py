"""What a study has found: the curve with its band or the map of the winner; and at the point of the sliders
how far apart schedulers are, and the spread.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, dcc, html, no_update

from engine import quantities
from engine.dashboard import Metric, StudyResult, Tunable, display_name, winners
from webapp import theme
from webapp.jobs import studies, whatif
from webapp.messages import msg
from webapp.panels.compare.chart_card import Picture, card, output_values, outputs, table_grid
from webapp.panels.compare.metric_tables import chosen_metric
from webapp.panels.components import attributes, button, table_row
from webapp.panels.what_if import study_downloads, study_pictures, study_text
from webapp.panels.what_if.study_form import requested_study
from webapp.panels.what_if.study_pictures import CURVE, MAP, SPREAD

CARD_OUTPUTS = 3  # of a card's outputs: its figure, its room and its story
PX = (340, 1200)  # of a chart


def layout() -> html.Section:
    """Hidden until a study is begun; then it has the room that its result will need."""
    close = button("Close", id="study-close", title=msg("panels.study_view.back_to_curve_one_seed"))
    differences = html.Div(id="study-differences", className="study-differences")
    return html.Section(
        [
            html.Div([html.P(id="study-answer", className="study-answer"), close], className="study-head"),
            html.Div(card(CURVE, lazy=True), id="study-curve-room"),
            html.Div(card(MAP, lazy=True), id="study-map-room", hidden=True),
            html.Div([differences, card(SPREAD, lazy=True)], className="study-point"),
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
        metric_, dark, width = chosen_metric(metric), scheme == "dark", _chart_width(room)
        unchanged = [no_update] * CARD_OUTPUTS
        files = studies.study_id(result.study) if studies.find_result(result.study) else None
        facts: dict[str, Any] = {"metric": metric_.key, "files": files}
        if len(tunables) == 1:
            curve = study_pictures.curve_picture(result, metric_, tunables[0], present, dark, width)
            return [facts | {"title": curve.title}, *_drawn(curve), *unchanged]
        winners_by_point = winners(result, metric_.key)
        map_ = study_pictures.map_picture(result, metric_, tunables, winners_by_point, dark, width)
        facts["cells"] = study_pictures.cells(result, metric_, winners_by_point)
        return [facts | {"title": map_.title}, *unchanged, *_drawn(map_)]

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
        of_point = result, chosen_metric(metric), nearest(result, at), tunables
        spread = study_pictures.spread_picture(*of_point, scheme == "dark", _chart_width(room, 2))
        return [study_text.answer_text(*of_point), differences_table(*of_point), *_drawn(spread)]

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
        metric_, place = chosen_metric(metric), len(tunables) - 1
        filled: list[Any] = [no_update] * len(is_open)
        if is_open[place]:
            rows = study_text.rows(result, metric_, tunables)
            filled[place] = table_grid(replace((CURVE, MAP)[place], table=rows))
        if is_open[-1]:
            rows = study_text.seed_rows(result, metric_, nearest(result, at))
            filled[-1] = table_grid(replace(SPREAD, table=rows))
        return filled


def _drawn(picture: Picture) -> tuple:
    """The values of a card's first outputs."""
    return output_values(picture, with_table=False)[:CARD_OUTPUTS]


def nearest(result: StudyResult, at: Any) -> int:
    """The point nearest to values of the sliders, which may be anything; by steps of the study, a parameter
    after the other.
    """
    point = 0
    values = at if isinstance(at, list) else []
    for axis, value in zip_longest(result.study.vary, values[: len(result.study.vary)]):
        if not whatif.is_finite_number(value):
            value = axis.values[len(axis.values) // 2]
        point = point * len(axis.values) + int(np.argmin(np.abs(np.array(axis.values, float) - value)))
    return point


def differences_table(result: StudyResult, metric: Metric, point: int, tunables: list[Tunable]) -> html.Div:
    """Each scheduler against the best at a point, in the order of their means; as many rows while they come
    as there will be.
    """
    names, gaps = result.study.schedulers, study_text.gaps_to_best(result, metric, point)
    empty = table_row(quantities.NO_VALUE, [html.Td(), html.Td()])
    rows = [_row(names, gap, result, metric) for gap in gaps] + [empty] * (len(names) - 1 - len(gaps))
    heads = [html.Th(text, scope="col") for text in ("Pair", "Difference", "At 95 %")]
    caption = f"{metric.title} at {study_text.point_text(result, point, tunables)}"
    table = html.Table([html.Caption(caption), html.Thead(html.Tr(heads)), html.Tbody(rows)])
    return html.Div([table, html.P(study_text.CORRECTED, className="help")])


def _row(names: tuple[str, ...], gap: study_text.GapToBest, result: StudyResult, metric: Metric) -> html.Tr:
    pair: list[Any] = [_scheduler_label(names, gap.scheduler), " − ", _scheduler_label(names, gap.best)]
    words = study_text.SAME if gap.is_same else study_text.CLEAR if gap.is_clear else study_text.OPEN
    if result.study.seeds == 1 and result.study.is_random and not gap.is_same:
        words = msg("panels.study_view.one_seed")
    difference = quantities.estimate(gap.mean, gap.half, metric.unit, is_difference=True)
    verdict = html.Td(words, className=f"study-{'clear' if gap.is_clear else 'open'}")
    return table_row(pair, [difference, verdict])


def _scheduler_label(names: tuple[str, ...], index: int) -> html.Span:
    """A scheduler with its colour, which stays beside the name."""
    swatch = html.Span(className=f"study-swatch scheduler-{index % len(theme.SCHEDULERS)}")
    return html.Span([swatch, display_name(names[index])], title=names[index], className="study-named")


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


def _chart_width(sent: Any, columns: int = 1) -> int:
    """The width of a chart; sent: the width of the study as the page sends it, untrusted."""
    width = sent if whatif.is_finite_number(sent) else PX[1] // 2
    return round(min(max(width / (columns if width > 640 else 1), PX[0]), PX[1]))
