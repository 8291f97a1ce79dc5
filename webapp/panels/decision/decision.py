"""A decision of a scheduler as the page shows it: the sentence, the facts behind it, and the requests it
chose among.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dash import html

from engine import Run, quantities
from webapp.figures.timeline.tooltips import container_lines
from webapp.messages import msg
from webapp.panels.components import KIND_NAMES, attributes

MAX_CANDIDATES = 24
EARLIER_DECISIONS = (
    ("asked", msg("panels.decision.why_was_requested_then")),
    ("admitted", msg("panels.decision.why_master_was_admitted")),
)


def content(explanation: dict[str, Any]) -> list:
    """What engine's explain says of a decision, the most telling first; what an order has nothing for is left
    out.
    """
    placement = [
        ("Node", explanation["node"]),
        ("Time", quantities.moment(1000 * explanation["at_s"])),
        (msg("panels.decision.free_memory"), quantities.memory(explanation["free_memory_mb"])),
        (msg("panels.decision.free_vcores"), quantities.vcores(explanation["free_vcores"])),
    ]
    parts = [
        html.P(_sentence(explanation["because"]), className="because"),
        _definitions([html.Div([html.Dt(title), html.Dd(value)]) for title, value in placement]),
        _facts(explanation.get("facts")),
        _candidates(explanation["candidates"], explanation.get("terms") or []),
        *_queues(explanation.get("queues") or [], explanation.get("queue_terms") or []),
    ]
    for key, title in EARLIER_DECISIONS:
        if earlier := explanation.get(key):
            parts += [html.H3(title), html.P(_sentence(earlier["because"])), _facts(earlier.get("facts"))]
    return parts


def container(run: Run, index: int) -> tuple[str, list]:
    """The decided container's name, and what it did in words. index: of the container in run.containers."""
    first, *others = container_lines(run, index)
    return first, [html.H3("Outcome"), html.P(f"{'; '.join(others)}.")]


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _facts(facts: Sequence[dict[str, Any]] | None) -> html.Dl | None:
    if not facts:
        return None
    rows = [
        html.Div(
            [html.Dt(fact["title"]), html.Dd(quantities.quantity(fact["value"], fact.get("unit") or ""))],
            title=fact.get("about") or None,
            className="about",
        )
        for fact in facts
    ]
    return _definitions(rows)


def _definitions(rows: list[html.Div]) -> html.Dl:
    return html.Dl(rows, className="facts")


def _candidates(candidates: list[dict[str, Any]], terms: list[dict[str, Any]]) -> html.Div:
    """The chosen request first, then the others as the scheduler saw them; terms without a value last; the
    queue only where there are several.
    """
    shown = sorted(candidates, key=lambda row: not row["chosen"])[:MAX_CANDIDATES]
    terms = sorted(
        terms, key=lambda term: all((row.get("terms") or {}).get(term["name"]) is None for row in candidates)
    )
    queues = len({row["queue"] for row in candidates}) > 1
    headings = (
        [html.Th(head) for head in ("Job", "Kind", "Waiting", "Size")]
        + [_term(term) for term in terms]
        + [html.Th(msg("panels.decision.job_holds"))]
    )
    body = []
    for row in shown:
        job = [html.Span("★ ", className="star", title="Chosen"), row["job"]] if row["chosen"] else row["job"]
        cells = [job, KIND_NAMES.get(row["kind"], row["kind"]), f"{row['waiting']:,}", _size(row, "")]
        cells += [_number(term, row.get("terms") or {}) for term in terms]
        cells += [_size(row, "job_used_"), *([row["queue"]] if queues else [])]
        body.append(html.Tr([html.Td(cell) for cell in cells], className="chosen" if row["chosen"] else None))
    remaining = len(candidates) - len(shown)
    parts = [
        html.H3(
            [
                "Candidates ",
                html.Span(
                    quantities.count(len(candidates), "requests") + msg("panels.decision.fit_node"),
                    className="quiet",
                ),
            ]
        ),
        _table("Candidates", headings + ([html.Th("Queue")] if queues else []), body),
        html.P(
            msg("panels.decision.and_more_fit", count=quantities.count(remaining, "others")), className="help"
        )
        if remaining
        else None,
    ]
    return html.Div(parts, className="candidates-part")


def _queues(queues: list[dict[str, Any]], terms: list[dict[str, Any]]) -> list:
    """The queues that were compared, by the keys they were compared by."""
    if not queues:
        return []
    terms_by_name = {term["name"]: term for term in terms}
    names = list(dict.fromkeys(name for row in queues for name in row["terms"]))
    headings = [
        html.Th("Queue"),
        *(_term(terms_by_name.get(name, {"title": name.replace("_", " ").capitalize()})) for name in names),
    ]
    body = [
        html.Tr(
            [
                html.Td(row["name"]),
                *(html.Td(_number(terms_by_name.get(name, {"name": name}), row["terms"])) for name in names),
            ]
        )
        for row in queues
    ]
    return [
        html.H3(msg("panels.decision.queues_compared")),
        _table(msg("panels.decision.queues_compared"), headings, body),
    ]


def _term(term: dict[str, Any]) -> html.Th:
    _, unit = quantities.display_unit(term.get("unit") or "")
    return html.Th(quantities.title_with_unit(term["title"], unit), title=term.get("about") or None)


def _number(term: dict[str, Any], values: dict[str, float | None]) -> str:
    """In the unit that the head of its column names."""
    times, _ = quantities.display_unit(term.get("unit") or "")
    value = values.get(term["name"])
    return quantities.number(None if value is None else value * times)


def _table(name: str, headings: list[html.Th], body: list[html.Tr]) -> html.Div:
    """A table that scrolls sideways by itself; by keyboard once it has the focus."""
    return html.Div(
        html.Table([html.Thead(html.Tr(headings)), html.Tbody(body)]),
        className="candidates",
        tabIndex="0",
        role="group",
        **attributes({"aria-label": name}),
    )


def _size(row: dict[str, Any], prefix: str) -> list:
    """On two lines: the terms beside it need the room."""
    return [
        quantities.memory(row[f"{prefix}memory_mb"]),
        html.Br(),
        quantities.vcores(row[f"{prefix}vcores"]),
    ]
