"""What the reading that is shown found, as pictures and notes; what the other readings change."""

from __future__ import annotations

import dash_mantine_components as dmc
from dash import html

from engine.dashboard import Experiment, Picture, Result, changes, fit_lines, over_seeds_text
from webapp.figures.charts.paper_charts import printed_figure, printed_table
from webapp.messages import msg
from webapp.panels.components import attributes, card_menu
from webapp.panels.papers import downloads, static_charts
from webapp.panels.papers.pieces import folded, region

MIN_COLUMNS_PX = 900  # pictures stand beside each other from this width on
GAP_PX = 16
MAX_IN_SIGHT = 2  # pictures; more are a click away


def calibration(experiment: Experiment) -> str:
    """Which reading is shown, and what it takes for given."""
    return " ".join([experiment.shown.says, *experiment.shown.assumes])


def pictures(result: Result, file: str, dark: bool, width: int, large: bool) -> list:
    """The pictures of the reading that is shown, the first of them in sight; file: what their files are
    called.
    """
    drawn = result.shown.pictures
    if not drawn:
        return []
    beside = 1 if width < MIN_COLUMNS_PX else min(MAX_IN_SIGHT, len(drawn))
    picture_width = (width - (beside - 1) * GAP_PX) // beside
    cards = [
        _card(picture, number, f"{file}-{number}", dark, picture_width, large)
        for number, picture in enumerate(drawn, start=1)
    ]
    rooms = [
        html.Div(some, className="paper-pictures", style=columns(beside))
        for some in (cards[:MAX_IN_SIGHT], cards[MAX_IN_SIGHT:])
        if some
    ]
    if len(rooms) == 1:
        return rooms
    more = msg("panels.readings.more_pictures", count=len(cards) - MAX_IN_SIGHT)
    return [rooms[0], folded(more, [rooms[1]])]


def columns(count: int) -> dict[str, str]:
    """The style of so many equal columns."""
    return {"gridTemplateColumns": f"repeat({count}, minmax(0, 1fr))"}


def others(result: Result) -> list:
    """The readings that are not shown, folded: what each is, and which lamps it changes."""
    changed = changes(result)
    if not changed:
        return []
    parts = [
        html.Section([html.H3(reading.title), html.P(reading.says), *(html.P(line) for line in lines)])
        for reading, lines in changed
    ]
    rule = html.P(msg("panels.readings.rule"), className="quiet")
    return [folded(msg("panels.readings.other_readings", count=len(parts)), [rule, *parts])]


def fits(result: Result) -> list:
    """Where the free parameters of each reading come from, and how well they fit; folded."""
    parts = []
    for reading, judged in zip(result.experiment.readings, result.readings):
        if fit := reading.fit:
            title = reading.title if len(result.readings) > 1 else fit.title
            parts += [
                html.H3(title),
                html.P(msg("panels.readings.paper_does_not_print_these_they", source=fit.source)),
                html.Ul([html.Li(line) for line in fit_lines(fit)]),
            ]
            if seeds_text := over_seeds_text(judged.findings):
                parts.append(html.P(seeds_text))
    return [folded(msg("panels.readings.free_parameters"), parts)] if parts else []


def notes(result: Result) -> list:
    """What was tried beside what shows the reasons; folded."""
    shown = {reason.note for reason in result.experiment.reasons.values()}
    lines = [html.Li(line) for key, line in result.shown.notes.items() if key not in shown]
    if not lines:
        return []
    return [folded(msg("panels.readings.what_was_tried"), [html.Ul(lines, className="notes")])]


def _card(picture: Picture, key: int, name: str, dark: bool, width: int, large: bool) -> html.Figure:
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
