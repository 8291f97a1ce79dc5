"""The three lamps of a claim, how many of them are lit as a bar, and what the words mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dash import html

from engine.dashboard import (
    LAMP_STATES,
    LAMP_WORDS,
    LAMPS,
    STANDINGS,
    Lamp,
    Tally,
    amount,
    lamp_text,
    paper_number,
)
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.papers.pieces import sign

SIGNS = dict(zip(LAMP_STATES, "✓✗–"))
LOOKS = dict(zip(LAMP_STATES, ("good", "bad", "open")))
MEANINGS = dict(
    zip(
        STANDINGS,
        (
            msg("panels.lamps.repeated"),
            msg("panels.lamps.reproduced"),
            msg("panels.lamps.in_part"),
            msg("panels.lamps.not_reproduced"),
            msg("panels.lamps.not_testable"),
        ),
    )
)
LAMP_MEANINGS = dict(
    zip(LAMPS, (msg("panels.lamps.order"), msg("panels.lamps.gain"), msg("panels.lamps.absolute")))
)
LONG = 90  # characters of a reason that a cell has no room for
JUDGING = (
    msg("panels.lamps.number_holds"),
    msg("panels.lamps.order_holds"),
    msg("panels.lamps.one_reading"),
    msg("panels.lamps.fitted"),
)


def lamp_cell(lamp: Lamp) -> html.Div:
    """A lamp with both numbers, or why it is not testable."""
    text: list[Any] = [html.Span(lamp.state, className="unseen")]
    if len(lamp.because) > LONG:
        text = [html.Details([html.Summary(lamp.state), lamp.because], className="where")]
    elif lamp.because:
        text = [html.Span(f"{lamp.state}: {lamp.because}", className="where")]
    elif lamp.paper is not None and lamp.ours is not None:
        text += [
            amount(lamp.ours, lamp.unit),
            html.Span(msg("panels.lamps.paper", number=paper_number(lamp)), className="where"),
        ]
    return html.Div(
        [sign(SIGNS[lamp.state], f"lamp {LOOKS[lamp.state]}"), html.Div(text)], className="lamp-cell"
    )


def lamps_of_claim(lamps: Mapping[str, Lamp]) -> html.Ul:
    """The lamps that a claim has, each with its numbers or why it is not testable."""
    return html.Ul(
        [
            html.Li(
                [
                    sign(SIGNS[one.state], f"lamp {LOOKS[one.state]}"),
                    html.Span([html.B(LAMP_WORDS[name]), f" {lamp_text(one)}"]),
                ]
            )
            for name, one in lamps.items()
        ],
        className="claim-lamps",
    )


def bars(tallies: Mapping[str, Tally], name: str) -> html.Div:
    """A bar a lamp: how many claims hold, do not, and are not testable; name: of what."""
    rows = [_bar(lamp, one) for lamp, one in tallies.items() if sum(one)]
    return html.Div(rows, className="lamp-bars", role="group", **attributes({"aria-label": name}))


def _bar(lamp: str, counted: Tally) -> html.Div:
    parts = [
        html.Span(style={"flexGrow": count}, className=f"lamp-part {LOOKS[state]}")
        for state, count in zip(LAMP_STATES, counted)
        if count
    ]
    text = msg("panels.lamps.of", holds=counted.holds, tested=counted.tested) if counted.tested else ""
    if counted.not_testable:
        open_ = msg("panels.lamps.open", count=counted.not_testable)
        text = f"{text}; {open_}" if text else open_
    return html.Div(
        [
            html.Span(LAMP_WORDS[lamp].capitalize(), className="lamp-name", title=LAMP_MEANINGS[lamp]),
            html.Span(parts, className="lamp-bar", **attributes({"aria-hidden": "true"})),
            html.Span(text, className="lamp-count"),
        ],
        className="lamp-row",
    )


def key() -> html.Ul:
    """What the signs stand for."""
    items = [html.Li([sign(SIGNS[state], f"lamp {LOOKS[state]}"), state]) for state in LAMP_STATES]
    return html.Ul(items, className="lamp-key", **attributes({"aria-label": msg("panels.lamps.signs")}))


def words() -> html.Details:
    """What the lamps and the words of artifact evaluation mean, and how claims are judged; folded."""
    terms = [
        *((LAMP_WORDS[name].capitalize(), text) for name, text in LAMP_MEANINGS.items()),
        *MEANINGS.items(),
    ]
    meanings = [piece for term, text in terms for piece in (html.Dt(term), html.Dd(text))]
    judging: Sequence[html.Li] = [html.Li(line) for line in JUDGING]
    return html.Details(
        [html.Summary(msg("panels.lamps.what_words_mean")), html.Dl(meanings), html.Ul(judging)],
        className="lamp-words",
    )
