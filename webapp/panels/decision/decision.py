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
from webapp.panels.components import KIND_NAMES, scrolling_table
from webapp.panels.decision import waiting

MAX_CANDIDATES = 24
EARLIER_DECISIONS = (
    ("asked", msg("panels.decision.why_was_requested_then")),
    ("admitted", msg("panels.decision.why_master_was_admitted")),
)


def content(explanation: dict[str, Any]) -> list:
    """What engine's explain says of a decision, the most telling first; what an order has nothing for is left
    out.
    """
    if not explanation["candidates"]:  # others were preempted for it
        spans = waiting.spans(explanation["waits"])
        return [html.P(_sentence(explanation["because"]), className="because"), *spans]
    placement = [
        ("Node", explanation["node"]),
        ("Time", quantities.moment(1000 * explanation["at_s"])),
        (msg("panels.decision.free_memory"), quantities.memory(explanation["free_memory_mb"])),
        (msg("panels.decision.free_vcores"), quantities.vcores(explanation["free_vcores"])),
    ]
    parts = [
        html.P(_sentence(explanation["because"]), className="because"),
        html.Dl(
            [html.Div([html.Dt(title), html.Dd(value)]) for title, value in placement], className="facts"
        ),
        _facts(explanation.get("facts")),
        html.Div(
            [
                *_candidates(explanation["candidates"], explanation.get("terms") or []),
                *waiting.spans(explanation["waits"]),
            ],
            className="candidates-part",
        ),
        *_queues(explanation.get("queues") or [], explanation.get("queue_terms") or []),
    ]
    for key, title in EARLIER_DECISIONS:
        if earlier := explanation.get(key):
            words = _sentence(earlier["because"])  # it goes on, in English, after a container's name
            words = words[:1].upper() + words[1:]
            parts += [html.H3(title), html.P(words), _facts(earlier.get("facts"))]
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
    return html.Dl(rows, className="facts")


def _candidates(candidates: list[dict[str, Any]], terms: list[dict[str, Any]]) -> list[Any]:
    """The chosen request first, then the others as the scheduler saw them; terms without a value last; the
    queue only where there are several.
    """
    shown = sorted(candidates, key=lambda row: not row["chosen"])[:MAX_CANDIDATES]
    values = lambda row: row.get("terms") or {}
    terms = sorted(terms, key=lambda term: all(values(row).get(term["name"]) is None for row in candidates))
    queues = ["Queue"] if len({row["queue"] for row in candidates}) > 1 else []
    headings = [
        *map(html.Th, ("Job", "Kind", "Waiting", "Size")),
        *map(_term, terms),
        *map(html.Th, (msg("panels.decision.job_holds"), *queues)),
    ]
    body = []
    for row in shown:
        job = [html.Span("★ ", className="star", title="Chosen"), row["job"]] if row["chosen"] else row["job"]
        cells = [job, _kind(row), f"{row['waiting']:,}", _size(row, "")]
        cells += [_number(term, values(row)) for term in terms]
        cells += [_size(row, "job_used_"), *(row["queue"] for _ in queues)]
        body.append(html.Tr(list(map(html.Td, cells)), className="chosen" if row["chosen"] else None))
    count = quantities.count(len(candidates), "requests") + msg("panels.decision.fit_node")
    title = html.H3(["Candidates ", html.Span(count, className="quiet")])
    parts: list[Any] = [title, scrolling_table("Candidates", headings, [html.Tbody(body)], "candidates")]
    if remaining := len(candidates) - len(shown):
        more = msg("panels.decision.and_more_fit", count=quantities.count(remaining, "others"))
        parts.append(html.P(more, className="help"))
    return parts


def _queues(queues: list[dict[str, Any]], terms: list[dict[str, Any]]) -> list:
    """The queues that were compared, by the keys they were compared by."""
    if not queues:
        return []
    known = {term["name"]: term for term in terms}
    names = dict.fromkeys(name for row in queues for name in row["terms"])
    shown = [known.get(name, {"name": name, "title": name.replace("_", " ").capitalize()}) for name in names]
    rows = [[row["name"], *(_number(term, row["terms"]) for term in shown)] for row in queues]
    body = html.Tbody([html.Tr(list(map(html.Td, row))) for row in rows])
    title = msg("panels.decision.queues_compared")
    table = scrolling_table(title, [html.Th("Queue"), *map(_term, shown)], [body], "candidates")
    return [html.H3(title), table]


def _term(term: dict[str, Any]) -> html.Th:
    _, unit = quantities.display_unit(term.get("unit") or "")
    return html.Th(quantities.title_with_unit(term["title"], unit), title=term.get("about") or None)


def _number(term: dict[str, Any], values: dict[str, float | None]) -> str:
    """In the unit that the head of its column names."""
    times, _ = quantities.display_unit(term.get("unit") or "")
    value = values.get(term["name"])
    return quantities.number(None if value is None else value * times)


def _kind(row: dict[str, Any]) -> str:
    """What a candidate's containers are."""
    if row["kind"] == "executor" and row.get("framework") == "tez":
        return "container"
    return KIND_NAMES.get(row["kind"], row["kind"])


def _size(row: dict[str, Any], prefix: str) -> list:
    """On two lines: the terms beside it need the room."""
    memory, vcores = row[f"{prefix}memory_mb"], row[f"{prefix}vcores"]
    return [quantities.memory(memory), html.Br(), quantities.vcores(vcores)]
