"""What a study has found: the curve with its band or the map of the winner; and at the point of the sliders how far apart schedulers are, and the spread."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from engine import Metric, StudyResult, Tunable, best_points, estimates, winners
from webapp import theme
from webapp.figures.charts.distribution_lines import seeds_figure
from webapp.figures.charts.parameter_sweep import sweep_figure
from webapp.figures.charts.winner_map import map_figure
from webapp.panels.compare.chart_card import Picture, card, filled, outputs
from webapp.panels.components import COMPARED
from webapp.panels.what_if import study_downloads, study_text
from webapp.panels.what_if.study_form import looked_up
from webapp.services import studies, whatif

READ_CURVE = "A line a scheduler: its mean over the seeds, shaded the 95 % interval of that mean. Click a point to set the slider to it."
READ_MAP = (
    "A cell has the colour of the scheduler that is best there, the stronger the larger its margin, and is hatched where that one is not told apart from the "
    "next. Click a cell, or press Enter on it, to set both sliders."
)
CURVE = Picture("study-curve", "Study", READ_CURVE)
MAP = Picture("study-map", "Study", READ_MAP)
SPREAD = Picture("study-spread", "How do the seeds spread?", "A line a scheduler: the share of seeds that have at most so much.")
PX = (340, 1200)  # of a chart


def layout() -> html.Section:
    """Hidden until a study is begun; then it has the room that its result will need."""
    close = html.Button("Close", id="study-close", type="button", title="Back to the curve of one seed")
    return html.Section(
        [
            html.Div([html.P(id="study-answer", className="study-answer"), close], className="study-head"),
            html.Div(card(CURVE), id="study-curve-room"),
            html.Div(card(MAP), id="study-map-room", hidden=True),
            html.Div([html.Div(id="study-differences", className="study-differences"), card(SPREAD)], className="study-point"),
            study_downloads.layout(),
            dcc.Store(id="study-cells"),
        ],
        id="study",
        className="study",
        hidden=True,
        **{"aria-label": "Study"},
    )


def register(app: Dash) -> None:
    """Callbacks: the picture of all points, and what is shown of one."""
    study_downloads.register(app)
    client = lambda name: ClientsideFunction("gantry", name)
    app.clientside_callback(
        client("studyDrawn"), Input("study-curve-graph", "figure"), Input("study-map-graph", "figure"), Input("study-cells", "data"), prevent_initial_call=True
    )
    looks = [Input("study-found", "data"), Input("whatif-metric", "value"), Input("scheme", "data"), Input("drawer-width", "data")]
    whole = [Output("study-curve-room", "hidden"), Output("study-map-room", "hidden"), Output("study-cells", "data"), Output("study-files-of", "data")]
    heads = [Output(f"{key}-head", "children") for key in (CURVE.key, MAP.key)]

    @app.callback(*whole, *heads, *outputs(CURVE.key), *outputs(MAP.key), *looks, State("study-room", "data"), prevent_initial_call=True)
    def picture(shown: dict | None, metric: str | None, scheme: str | None, _width: Any, room: Any):
        found = _found(shown)
        if found is None:
            return [no_update] * (len(whole) + len(heads) + len(outputs(CURVE.key)) + len(outputs(MAP.key)))
        result, tunables, present = found
        measured, dark, width = _measured(metric), scheme == "dark", _px(room)
        is_map = len(tunables) > 1
        made = _map(result, measured, tunables, dark, width) if is_map else _curve(result, measured, tunables[0], present, dark, width)
        rest = [no_update] * len(outputs(CURVE.key))
        drawn = [*rest, *filled(made)] if is_map else [*filled(made), *rest]
        done = studies.result_of(result.study)
        return [is_map, not is_map, _cells(result, measured) if is_map else None, studies.id_of(result.study) if done else None, made.title, made.title, *drawn]

    @app.callback(
        Output("study-answer", "children"),
        Output("study-differences", "children"),
        *outputs(SPREAD.key),
        *looks,
        Input("study-point", "data"),
        State("study-room", "data"),
        prevent_initial_call=True,
    )
    def at_point(shown: dict | None, metric: str | None, scheme: str | None, _width: Any, at: Any, room: Any):
        found = _found(shown)
        if found is None:
            return [no_update] * (2 + len(outputs(SPREAD.key)))
        result, tunables, _ = found
        measured, point = _measured(metric), nearest(result, at)
        spread = _spread(result, measured, point, tunables, scheme == "dark", _px(room, 2))
        return [study_text.answer_text(result, measured, point, tunables), differences_table(result, measured, point, tunables), *filled(spread)]


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
    table = html.Table([html.Caption(caption), html.Thead(html.Tr(heads)), html.Tbody(rows)])
    return html.Div([table, html.P(study_text.CORRECTED, className="help")])


def _row(names: tuple[str, ...], gap: study_text.Gap, found: StudyResult, metric: Metric) -> html.Tr:
    pair = [_swatch(gap.place), f"{names[gap.place]} − ", _swatch(gap.best), names[gap.best]]
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


def _swatch(place: int) -> html.Span:
    return html.Span(className=f"study-swatch scheduler-{place % len(theme.SCHEDULERS)}")


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


def _title(found: StudyResult, metric: Metric, tunables: list[Tunable]) -> str:
    seeds = theme.count(found.study.seeds, "seeds")
    jitter = f", jitter {theme.percent(found.study.jitter)}" if found.study.jitter else ""
    return f"{metric.title} by {' and '.join(one.title for one in tunables)}, {seeds}{jitter}"


def _curve(found: StudyResult, metric: Metric, tunable: Tunable, present: float | None, dark: bool, width: int) -> Picture:
    of, best, groups = estimates(found, metric.key), best_points(found, metric.key), study_text.alike(found, metric)
    places = [one[0] for one in groups]
    column = lambda numbers, place: [None if np.isnan(one) else one for one in numbers[:, place].tolist()]
    figure = sweep_figure(
        [study_text.equal_names(found, one) for one in groups],
        [point[0] for point in found.study.points],
        [column(of.mean, place) for place in places],
        places,
        title=theme.titled(metric.title, theme.column(metric.unit)[1]),
        tunable=theme.titled(tunable.title, tunable.unit),
        unit=metric.unit,
        better=metric.better,
        present=present,
        halves=[column(of.half, place) for place in places],
        stars=[best[place] if best[place] >= 0 else None for place in places],
        dark=dark,
        width=width,
    )
    return replace(
        CURVE,
        title=_title(found, metric, [tunable]),
        story=study_text.curve_story(found, metric, tunable),
        figure=figure,
        table=study_text.rows(found, metric, [tunable]),
    )


def _map(found: StudyResult, metric: Metric, tunables: list[Tunable], dark: bool, width: int) -> Picture:
    won = winners(found, metric.key)
    xs, ys = ([float(value) for value in one.values] for one in found.study.vary)
    titles = [theme.titled(one.title, one.unit) for one in tunables]
    figure = map_figure(won, xs, ys, found.study.schedulers, x_title=titles[0], y_title=titles[1], dark=dark, width=width)
    return replace(
        MAP,
        title=_title(found, metric, tunables),
        story=study_text.map_story(found, metric, won, tunables),
        figure=figure,
        table=study_text.rows(found, metric, tunables),
    )


def _cells(found: StudyResult, metric: Metric) -> dict[str, Any]:
    """What the page's script needs to say of each cell, and to set the sliders: values of both, and a text a point, y changing first."""
    x, y = (list(one.values) for one in found.study.vary)
    return {"x": x, "y": y, "texts": study_text.cell_texts(found, metric, winners(found, metric.key))}


def _spread(found: StudyResult, metric: Metric, point: int, tunables: list[Tunable], dark: bool, width: int) -> Picture:
    names = found.study.schedulers
    values = [np.sort(one[~np.isnan(one)]) for one in found.of(metric.key)[point]]
    figure = seeds_figure(names, values, metric.title, metric.unit, dark=dark, width=width)
    halves = "; ".join(f"{name} {theme.amount(float(np.median(one)), metric.unit)}" for name, one in zip(names, values) if len(one))
    table = [
        {"Seed": found.study.seed(seed)}
        | {f"{name} ({theme.column(metric.unit)[1]})": _number(found, metric, point, place, seed) for place, name in enumerate(names)}
        for seed in range(found.study.seeds)
    ]
    return replace(SPREAD, story=f"Median at {study_text.point_text(found, point, tunables)}: {halves}." if halves else "", figure=figure, table=table)


def _number(found: StudyResult, metric: Metric, point: int, place: int, seed: int) -> float | None:
    number = float(found.of(metric.key)[point, place, seed])
    return None if np.isnan(number) else number * theme.column(metric.unit)[0]
