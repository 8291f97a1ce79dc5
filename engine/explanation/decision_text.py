"""One decision of a scheduler, for people."""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.messages import msg

COLUMNS = (
    "job",
    "kind",
    "waiting",
    "memory_mb",
    "vcores",
    "arrival_s",
    "weight",
    "job_used_memory_mb",
    "job_used_vcores",
    "queue",
)


def decision_text(decision: dict[str, Any]) -> str:
    """The sentences, the facts, then a table of the candidates with the chosen one marked; `decision` as from
    engine.explain.
    """
    if refused := decision.get("refused"):
        changes = [one["sentence"] for one in refused["properties"]]
        return "\n".join([f"{decision['because']}.", f"{refused['compared']}.", *changes])
    if not decision["placed"] or not decision["candidates"]:
        return "\n".join([f"{decision['because']}.", *_waits(decision)])
    requested, admitted = decision["asked"], decision["admitted"]
    lines = [f"{decision['because']}.", *_waits(decision)]
    lines += [
        msg("explanation.decision_text.was", because=earlier["because"])
        for earlier in (requested, admitted)
        if earlier
    ]
    lines += (
        ["", *(f"{fact['title']}: {_cell(fact['value'], fact['unit'])}" for fact in decision["facts"])]
        if decision["facts"]
        else []
    )
    terms = [
        term
        for term in decision["terms"]
        if any(row["terms"][term["name"]] is not None for row in decision["candidates"])
    ]
    heads = ["", *COLUMNS[:3], *(term["title"].lower() for term in terms), *COLUMNS[3:]]
    rows = [heads]
    for row in decision["candidates"]:
        term_cells = [
            _cell(row["terms"][term["name"]], "" if term["unit"] in term["title"].lower() else term["unit"])
            for term in terms
        ]
        rows.append(
            [
                "*" if row["chosen"] else "",
                row["job"],
                row["kind"],
                str(row["waiting"]),
                *term_cells,
                *(_plain(row[name]) for name in COLUMNS[3:]),
            ]
        )
    lines += ["", *_table(rows)]
    lines += _queues(decision)
    return "\n".join(lines)


def _queues(decision: dict[str, Any]) -> list[str]:
    """A table of the queues that were compared."""
    terms, queues = decision["queue_terms"], decision["queues"]
    if not queues:
        return []
    rows = [[queue["name"], *(_cell(queue["terms"][term["name"]], "") for term in terms)] for queue in queues]
    return ["", *_table([["queue", *(term["title"].lower() for term in terms)], *rows])]


def _waits(decision: dict[str, Any]) -> list[str]:
    """What kept it, span by span."""
    spans = [span["text"] for span in decision["waits"]]
    if decision["killed_for"]:
        spans.insert(
            0, msg("explanation.decision_text.attempt_before_was_killed_for", jobs=decision["killed_for"])
        )
    return (
        ["", msg("explanation.decision_text.it_waited"), *(f"  {span}" for span in spans), ""]
        if spans
        else []
    )


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[index]) for row in rows) for index in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(value: float | None, unit: str) -> str:
    return quantities.quantity(value, unit)
