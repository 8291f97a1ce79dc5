"""Answers one under the other: a table that sets them beside each other, and a card for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

from dash import html

from engine import quantities
from engine.dashboard import (
    Answer,
    Gain,
    MetricChange,
    answer_text,
    change_words,
    cost_text,
    display_name,
    gain_text,
    no_time_words,
    scope_text,
)
from webapp.jobs.questions import AnsweredQuestion
from webapp.messages import msg
from webapp.panels.components import attributes, button, table_row

MAX_SHOWN = 4  # who gains and who loses, of each kind
HEADS = {
    "makespan_s": "Makespan",
    "mean_turnaround_s": msg("shared.mean_turnaround"),
    "p95_turnaround_s": msg("panels.answer_cards.finish_within"),
}
GAIN_LOSE = msg("panels.answer_cards.gain_lose")
NEVER_ENDS = msg("panels.answer_cards.does_not_end")


def layout(answers: Sequence[AnsweredQuestion]) -> list:
    """Newest first; the newest one's card is open."""
    if not answers:
        return []
    cards = [card(answered, index == 0) for index, answered in enumerate(answers)]
    return [html.Div(table(answers), className="questions-room"), *cards]


def table(answers: Sequence[AnsweredQuestion]) -> html.Table:
    """A row for what is asked about, as it is, and one an answer."""
    has_cost = any(answered.answer.cost for answered in answers)
    headings = ["Change", *HEADS.values(), GAIN_LOSE, *(["Cost"] if has_cost else [])]
    groups: dict[tuple[str, str], list[Answer]] = {}
    for answered in answers:
        asked_about = (answered.request.key, answered.request.scheduler)
        groups.setdefault(asked_about, []).append(answered.answer)
    rows = [
        row
        for group in groups.values()
        for row in (_before_row(group[0], has_cost), *(_after_row(answer, has_cost) for answer in group))
    ]
    caption = html.Caption("Answers", className="unseen")
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in headings]))
    return html.Table([caption, head, html.Tbody(rows)], className="questions-table")


def _before_row(answer: Answer, has_cost: bool) -> html.Tr:
    cells = [_cell(HEADS[metric.key], _time(metric, metric.before_s)) for metric in answer.metrics]
    cells.append(_cell("", [""]))
    if has_cost:
        cells.append(_cell("Cost", [_money(answer, 0)]))
    under = msg("shared.under", scheduler=display_name(answer.scheduler))
    title = [msg("panels.answer_cards.as"), html.Span(under, title=answer.scheduler)]
    return table_row(title, cells, className="questions-before")


def _after_row(answer: Answer, has_cost: bool) -> html.Tr:
    cells = [
        _cell(HEADS[metric.key], [*_time(metric, metric.after_s), _change(metric)])
        for metric in answer.metrics
    ]
    gains = [gain.gain_s for gain in answer.gains["job"]]
    gain = msg("panels.answer_cards.gain_2", gain=sum(gain_s > 0 for gain_s in gains))
    lose = msg("panels.answer_cards.lose_2", lose=sum(gain_s < 0 for gain_s in gains))
    cells.append(_cell(GAIN_LOSE, [gain, html.Span(lose)]))
    if has_cost:
        cells.append(_cell("Cost", [_money(answer, 1)]))
    return table_row(answer.title, cells)


def _money(answer: Answer, place: int) -> str:
    """What it costs; place: 0 before the change, 1 after it."""
    if not answer.cost or not answer.price:
        return quantities.NO_VALUE
    cost = answer.cost[place]
    return NEVER_ENDS if cost is None else answer.price.words(cost)


def _cell(head: str, content: list) -> html.Td:
    return html.Td(html.Div(content), **attributes({"data-head": head}))


def _time(metric: MetricChange, seconds: float | None) -> list:
    if seconds is None:
        return [no_time_words(metric)]
    band = metric.band.words(seconds) if metric.band else ""
    return [html.Strong(quantities.rough_duration(1000 * seconds)), *([html.Span(band)] if band else [])]


def _change(metric: MetricChange) -> html.Span:
    words = change_words(metric)
    if not metric.verdict:
        return html.Span(words)
    kind = "questions-beyond" if metric.beyond else "questions-within"
    return html.Span(words, className=kind, title=metric.verdict)


def card(answered: AnsweredQuestion, is_open: bool) -> html.Details:
    """What changes, who gains and who loses, what it rests on, and what can be taken away."""
    answer = answered.answer
    verdicts = {metric.verdict for metric in answer.metrics[:1] if metric.verdict}
    summary = msg(
        "panels.answer_cards.makespan",
        change_words=change_words(answer.metrics[0]),
        ending=", " + verdicts.pop() if verdicts else "",
    )
    notes = [answer.stuck, scope_text(answer), *answer.meanings, answer.says, *answer.caveats]
    cost, *instead = cost_text(answer).partition(" instead")
    head = html.Summary([html.Strong(answer.title), html.Span(summary)])
    sides = [part for kind in answer.kinds for part in _sides(answer, kind)]
    body = [
        tools(answered),
        html.P(["Cost: ", html.Strong(cost), "".join(instead), "."]) if cost else None,
        html.Div(sides, className="questions-sides"),
        html.Ul([html.Li(note) for note in notes if note], className="questions-notes"),
    ]
    return html.Details(
        [head, html.Div(body, className="questions-body")], className="questions-answer", open=is_open
    )


def _sides(answer: Answer, kind: str) -> list[html.Div]:
    recurring = msg("panels.answer_cards.recurring", jobs=answer.noun)
    kinds = {"queue": "queues", "group": recurring, "user": "users", "job": answer.noun}[kind]
    sides = [
        (msg("panels.answer_cards.gain", kinds=kinds), answer.gainers(kind)),
        (msg("panels.answer_cards.lose", kinds=kinds), answer.losers(kind)),
    ]
    return [
        html.Div([html.H4(title), html.Ul(_gains(gains, answer.noun))]) for title, gains in sides if gains
    ]


def _gains(gains: Sequence[Gain], noun: str) -> list[html.Li]:
    items = [html.Li(_with_fixed_spaces(gain_text(gain, noun))) for gain in gains[:MAX_SHOWN]]
    if len(gains) > MAX_SHOWN:
        more = msg("panels.answer_cards.and_more", gains=len(gains) - MAX_SHOWN)
        items.append(html.Li(more, className="quiet"))
    return items


def _with_fixed_spaces(text: str) -> str:
    """Numbers stay with their units at the end of a line."""
    return re.sub(r"(\d) (?=(?:s|min|h|d)\b)", "\\1\u00a0", text)


def tools(answered: AnsweredQuestion) -> html.Div:
    """Into the charts, the configuration as files, the report as text, and away."""
    of, text = {"data-question-of": answered.request.id}, answer_text(answered.answer)
    opens = msg("panels.answer_cards.run_with_original_result_pinned_next")
    copies = msg("panels.answer_cards.copy_answer_as_text")
    files = []
    for file in answered.answer.files:
        kind = "The whole file" if file.whole else "Properties to put into it"
        title = msg("panels.answer_cards.with_change_applied", value=kind)
        media = "application/xml" if file.name.endswith(".xml") else "text/plain"
        href = f"data:{media};charset=utf-8,{quote(file.text)}"
        files.append(html.A(file.name, href=href, download=file.name, title=title))
    buttons = [
        button(msg("panels.answer_cards.open_in_charts"), of | {"data-act": "open"}, title=opens),
        *files,
        button("Copy", of | {"data-act": "copy", "data-text": text}, title=copies),
        button("Remove", of | {"data-act": "remove"}),
    ]
    return html.Div(buttons, className="questions-tools")
