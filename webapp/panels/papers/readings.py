"""What an experiment's readings are and what each found: where there are several, beside each other, each
under its name.
"""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import html

from engine.dashboard import Picture, ReadingResult, Result, fit_lines, over_seeds_text, verdict_text
from webapp.figures.charts.paper_charts import printed_figure, printed_table
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads, static_charts
from webapp.panels.papers.claims import verdict_badge
from webapp.panels.papers.pieces import region

# readings, and the pictures of one alone, stand beside each other from this width on
MIN_COLUMNS_PX = 900
GAP_PX = 16


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
    cards = []
    for reading, judged in zip(readings, result.readings):
        head = html.Div([html.H3(reading.title), verdict_badge(judged.verdict)], className="reading-head")
        card = [head, html.P(rests_on(judged), className="quiet"), html.P(reading.says)]
        name = attributes({"aria-label": msg("panels.readings.reading", title=reading.title)})
        cards.append(html.Section(card, className="reading-card", **name))
    return [html.H2("Readings"), _columns(cards, width)]


def pictures(result: Result, file: str, dark: bool, width: int, large: bool) -> list:
    """The pictures of each reading, under its name where there are several; file: what their files are
    called.
    """
    if not any(judged.pictures for judged in result.readings):
        return []
    count = len(result.readings)
    beside = count if count > 1 else min(2, len(result.readings[0].pictures))
    if width < MIN_COLUMNS_PX:
        beside = 1
    picture_width = (width - (beside - 1) * GAP_PX) // beside
    columns = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        key = f"{reading.key}-" if count > 1 else ""
        cards = [
            _card(picture, f"{key}{number}", f"{file}-{key}{number}", dark, picture_width, large)
            for number, picture in enumerate(judged.pictures, start=1)
        ]
        column = html.Div(cards, className="paper-pictures")
        columns.append(html.Div([html.H3(reading.title), column]) if count > 1 else column)
    return [_columns(columns, width)] if count > 1 else columns


def fits(result: Result, width: int) -> list:
    """Where the free parameters of each reading come from, and how well they fit."""
    parts = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        if fit := reading.fit:
            title = reading.title if len(result.readings) > 1 else fit.title
            pieces = [
                html.P(msg("panels.readings.paper_does_not_print_these_they", source=fit.source)),
                html.Ul([html.Li(line) for line in fit_lines(fit)]),
            ]
            if seeds_text := over_seeds_text(judged.findings):
                pieces.append(html.P(seeds_text))
            parts.append((msg("panels.readings.free_parameters", title=title), pieces))
    return _side_by_side(parts, width)


def notes(result: Result, width: int) -> list:
    """What was tried to find a reason, under each reading."""
    parts = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        if judged.notes:
            title = (
                msg("panels.readings.what_was_tried", title=reading.title)
                if len(result.readings) > 1
                else msg("panels.readings.what_was_tried_2")
            )
            parts.append((title, [html.Ul([html.Li(line) for line in judged.notes], className="notes")]))
    return _side_by_side(parts, width)


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


def _card(picture: Picture, key: str, name: str, dark: bool, width: int, large: bool) -> html.Figure:
    """A picture with its table. key: of the page's pictures; name: of its files."""
    figure = printed_figure(picture, dark=dark, width=width - 2, large=large)
    head, body = printed_table(picture)
    menu = card_menu(picture.title, [*downloads.chart(name), downloads.picture(name, picture)])
    # one component: thousands of cells of Dash's own bring its renderer to a halt
    table = dmc.Table(data={"head": head, "body": body})
    title = html.Span(picture.title, id=f"paper-picture-{key}")
    return html.Figure(
        [
            html.Figcaption([title, menu], className="paper-title"),
            static_charts.chart(figure),
            html.Details([html.Summary("Table"), region(picture.title, table, "parameters")]),
        ],
        className="card paper-picture",
        **attributes({"aria-labelledby": f"paper-picture-{key}"}),
    )
