"""Answers one under the other: a table that sets them beside each other, and a card for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
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
    scope_text,
)
from webapp.jobs.questions import AnsweredQuestion
from webapp.messages import msg
from webapp.panels.components import attributes

MAX_SHOWN = 4  # who gains and who loses, of each kind
KINDS = {
    "queue": "queues",
    "group": msg("panels.answer_cards.recurring_jobs"),
    "user": "users",
    "job": "jobs",
}
HEADS = {
    "makespan_s": "Makespan",
    "mean_turnaround_s": msg("shared.mean_turnaround"),
    "p95_turnaround_s": msg("panels.answer_cards.jobs_finish_within"),
}
NEVER_ENDS = msg("panels.answer_cards.does_not_end")


def layout(answers: Sequence[AnsweredQuestion]) -> list:
    """Newest first; the newest one's card is open."""
    if not answers:
        return []
    return [
        html.Div(table(answers), className="questions-room"),
        *(card(answered, index == 0) for index, answered in enumerate(answers)),
    ]


def table(answers: Sequence[AnsweredQuestion]) -> html.Table:
    """A row for what is asked about, as it is, and one an answer."""
    has_cost = any(answered.answer.cost for answered in answers)
    headings = [
        "Change",
        *HEADS.values(),
        msg("panels.answer_cards.gain_lose"),
        *(["Cost"] if has_cost else []),
    ]
    rows: list[html.Tr] = []
    shown: set[tuple[str, str]] = set()
    for answered in answers:
        asked_about = (answered.request.key, answered.request.scheduler)
        if asked_about not in shown:
            shown.add(asked_about)
            rows += [
                _before_row(answered, has_cost),
                *(
                    _after_row(other, has_cost)
                    for other in answers
                    if (other.request.key, other.request.scheduler) == asked_about
                ),
            ]
    head = html.Thead(html.Tr([html.Th(title, scope="col") for title in headings]))
    return html.Table(
        [html.Caption("Answers", className="unseen"), head, html.Tbody(rows)], className="questions-table"
    )


def _before_row(answered: AnsweredQuestion, has_cost: bool) -> html.Tr:
    answer = answered.answer
    cells = [_cell(HEADS[metric.key], _time(metric, metric.before_s)) for metric in answer.metrics]
    cost = (
        [
            _cell(
                "Cost",
                [answer.price.words(answer.cost[0]) if answer.cost and answer.price else quantities.NO_VALUE],
            )
        ]
        if has_cost
        else []
    )
    return html.Tr(
        [
            html.Th(
                [
                    msg("panels.answer_cards.as"),
                    html.Span(
                        msg("shared.under", scheduler=display_name(answer.scheduler)), title=answer.scheduler
                    ),
                ],
                scope="row",
            ),
            *cells,
            _cell("", [""]),
            *cost,
        ],
        className="questions-before",
    )


def _after_row(answered: AnsweredQuestion, has_cost: bool) -> html.Tr:
    answer = answered.answer
    cells = [
        _cell(HEADS[metric.key], [*_time(metric, metric.after_s), _change(metric)])
        for metric in answer.metrics
    ]
    jobs = answer.gains["job"]
    gain, lose = sum(gain.gain_s > 0 for gain in jobs), sum(gain.gain_s < 0 for gain in jobs)
    cost = [_cell("Cost", [_money(answer)])] if has_cost else []
    return html.Tr(
        [
            html.Th(answer.title, scope="row"),
            *cells,
            _cell(
                msg("panels.answer_cards.gain_lose"),
                [
                    msg("panels.answer_cards.gain_2", gain=gain),
                    html.Span(msg("panels.answer_cards.lose_2", lose=lose)),
                ],
            ),
            *cost,
        ]
    )


def _money(answer: Answer) -> str:
    if not answer.cost or not answer.price:
        return quantities.NO_VALUE
    return NEVER_ENDS if answer.cost[1] is None else answer.price.words(answer.cost[1])


def _cell(head: str, content: list) -> html.Td:
    return html.Td(html.Div(content), **attributes({"data-head": head}))


def _time(metric: MetricChange, seconds: float | None) -> list:
    if seconds is None:
        return [NEVER_ENDS]
    band = metric.band.words(seconds) if metric.band else ""
    return [html.Strong(quantities.rough_duration(1000 * seconds)), *([html.Span(band)] if band else [])]


def _change(metric: MetricChange) -> html.Span:
    css_class = "questions-beyond" if metric.beyond else "questions-within"
    return html.Span(
        change_words(metric), className=css_class if metric.verdict else None, title=metric.verdict or None
    )


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
    cost = cost_text(answer)
    head = html.Summary([html.Strong(answer.title), html.Span(summary)])
    body = [
        tools(answered),
        *(
            [
                html.P(
                    [
                        "Cost: ",
                        html.Strong(cost.partition(" instead")[0]),
                        cost[len(cost.partition(" instead")[0]) :],
                        ".",
                    ]
                )
            ]
            if cost
            else []
        ),
        html.Div(
            [part for kind in answer.kinds for part in _sides(answer, kind)], className="questions-sides"
        ),
        html.Ul([html.Li(note) for note in notes if note], className="questions-notes"),
    ]
    return html.Details(
        [head, html.Div(body, className="questions-body")], className="questions-answer", open=is_open
    )


def _sides(answer: Answer, kind: str) -> list[html.Div]:
    sides = [
        (msg("panels.answer_cards.gain", kinds=KINDS[kind]), answer.gainers(kind)),
        (msg("panels.answer_cards.lose", kinds=KINDS[kind]), answer.losers(kind)),
    ]
    return [html.Div([html.H4(title), html.Ul(_gains(gains))]) for title, gains in sides if gains]


def _gains(gains: Sequence[Gain]) -> list[html.Li]:
    remaining = (
        [html.Li(msg("panels.answer_cards.and_more", gains=len(gains) - MAX_SHOWN), className="quiet")]
        if len(gains) > MAX_SHOWN
        else []
    )
    return [*(html.Li(_with_fixed_spaces(gain_text(gain))) for gain in gains[:MAX_SHOWN]), *remaining]


def _with_fixed_spaces(text: str) -> str:
    """Numbers stay with their units at the end of a line."""
    return re.sub(r"(\d) (?=(?:s|min|h|d)\b)", "\\1\u00a0", text)


def tools(answered: AnsweredQuestion) -> html.Div:
    """Into the charts, the configuration as files, the report as text, and away."""
    which: dict[str, Any] = {"data-question-of": answered.request.id}
    files = [
        html.A(
            file.name,
            href=f"data:application/xml;charset=utf-8,{quote(file.text)}",
            download=file.name,
            title=(
                msg(
                    "panels.answer_cards.with_change_applied",
                    value="The whole file" if file.whole else "Properties to put into it",
                )
            ),
        )
        for file in answered.answer.files
    ]
    return html.Div(
        [
            html.Button(
                msg("panels.answer_cards.open_in_charts"),
                type="button",
                title=msg("panels.answer_cards.run_with_original_result_pinned_next"),
                **which,
                **attributes({"data-act": "open"}),
            ),
            *files,
            html.Button(
                "Copy",
                type="button",
                title=msg("panels.answer_cards.copy_answer_as_text"),
                **which,
                **attributes({"data-act": "copy", "data-text": answer_text(answered.answer)}),
            ),
            html.Button("Remove", type="button", **which, **attributes({"data-act": "remove"})),
        ],
        className="questions-tools",
    )
