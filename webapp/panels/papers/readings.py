"""What an experiment's readings are and what each found: where there are several, beside each other, each
under its name.
"""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import html

from engine.dashboard import Fit, Picture, ReadingResult, Result, fit_lines, over_seeds_text, verdict_text
from webapp.figures.charts.paper_charts import printed_figure, printed_table
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads, static_charts
from webapp.panels.papers.claims import verdict_badge

# readings, and the pictures of one alone, stand beside each other from this width on
MIN_COLUMNS_PX, GAP_PX = (
    900,
    16,
)


def rests_on(judged: ReadingResult) -> str:
    """What a verdict rests on: "on 4 claims; 3 of 4 formulas agree"."""
    return verdict_text(judged).removeprefix(f"{judged.verdict}, ")


def heads(result: Result, width: int) -> list:
    """Which calibration each reading is, and where there are several its verdict; width: of the page, in
    pixels.
    """
    readings = result.experiment.readings
    if len(readings) == 1:
        return [
            html.P([html.Span("Calibration: ", className="of"), readings[0].says], className="calibration")
        ]
    cards = [
        html.Section(
            [
                html.Div([html.H3(reading.title), verdict_badge(judged.verdict)], className="reading-head"),
                html.P(rests_on(judged), className="quiet"),
                html.P(reading.says),
            ],
            className="reading-card",
            **attributes({"aria-label": msg("panels.readings.reading", title=reading.title)}),
        )
        for reading, judged in zip(readings, result.readings)
    ]
    return [html.H2("Readings"), _columns(cards, width)]


def pictures(result: Result, file: str, dark: bool, width: int, large: bool) -> list:
    """The pictures of each reading, under its name where there are several; file: what their files are
    called.
    """
    count = len(result.readings)
    if count > 1 and width >= MIN_COLUMNS_PX:  # a column a reading
        picture_width = (width - (count - 1) * GAP_PX) // count
    else:
        picture_width = (
            (width - GAP_PX) // 2
            if width >= MIN_COLUMNS_PX and len(result.readings[0].pictures) > 1
            else width
        )
    columns = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        key = f"{reading.key}-" if count > 1 else ""
        cards = [
            _card(picture, f"{key}{number}", f"{file}-{key}{number}", dark, picture_width, large)
            for number, picture in enumerate(judged.pictures, start=1)
        ]
        column = html.Div(cards, className="paper-pictures")
        columns.append(html.Div([html.H3(reading.title), column]) if count > 1 else column)
    if not any(judged.pictures for judged in result.readings):
        return []
    return [_columns(columns, width)] if count > 1 else columns


def fits(result: Result, width: int) -> list:
    """Where the free parameters of each reading come from, and how well they fit."""
    fitted = [
        (reading.title, fit, judged)
        for reading, judged in zip(result.experiment.readings, result.readings)
        if (fit := reading.fit)
    ]
    has_readings = len(result.readings) > 1
    return _side_by_side(
        [
            (
                msg("panels.readings.free_parameters", title=title if has_readings else fit.title),
                _fit(fit, over_seeds_text(judged.findings)),
            )
            for title, fit, judged in fitted
        ],
        width,
    )


def notes(result: Result, width: int) -> list:
    """What was tried to find a reason, under each reading."""
    notes_by_title = [
        (reading.title, judged.notes)
        for reading, judged in zip(result.experiment.readings, result.readings)
        if judged.notes
    ]
    headings = {
        title: msg("panels.readings.what_was_tried", title=title)
        if len(result.readings) > 1
        else msg("panels.readings.what_was_tried_2")
        for title, _ in notes_by_title
    }
    return _side_by_side(
        [
            (headings[title], [html.Ul([html.Li(line) for line in lines], className="notes")])
            for title, lines in notes_by_title
        ],
        width,
    )


def _side_by_side(parts: list[tuple[str, list]], width: int) -> list:
    """Parts with their titles, one beside the other where there are several."""
    if len(parts) > 1:
        return [_columns([html.Div([html.H2(title), *pieces]) for title, pieces in parts], width)]
    return [piece for title, pieces in parts for piece in (html.H2(title), *pieces)]


def _columns(parts: list, width: int) -> html.Div:
    """A column each, where there is room."""
    count = len(parts) if width >= MIN_COLUMNS_PX else 1
    return html.Div(
        parts, className="readings", style={"gridTemplateColumns": f"repeat({count}, minmax(0, 1fr))"}
    )


def _fit(fit: Fit, seeds_text: str) -> list:
    sentence = msg("panels.readings.paper_does_not_print_these_they", source=fit.source)
    return [
        html.P(sentence),
        html.Ul([html.Li(line) for line in fit_lines(fit)]),
        *([html.P(seeds_text)] if seeds_text else []),
    ]


def _card(picture: Picture, key: str, name: str, dark: bool, width: int, large: bool) -> html.Figure:
    """A picture with its table. key: of the page's pictures; name: of its files."""
    figure = printed_figure(picture, dark=dark, width=width - 2, large=large)
    head, body = printed_table(picture)
    menu = card_menu(picture.title, [*downloads.chart(name), downloads.picture(name, picture)])
    # one component: thousands of cells of Dash's own bring its renderer to a halt
    table = dmc.Table(data={"head": head, "body": body})
    return html.Figure(
        [
            html.Figcaption(
                [html.Span(picture.title, id=f"paper-picture-{key}"), menu], className="paper-title"
            ),
            static_charts.chart(figure),
            html.Details(
                [
                    html.Summary("Table"),
                    html.Div(
                        table,
                        className="parameters",
                        tabIndex="0",
                        role="region",
                        **attributes({"aria-label": picture.title}),
                    ),
                ]
            ),
        ],
        className="card paper-picture",
        **attributes({"aria-labelledby": f"paper-picture-{key}"}),
    )
