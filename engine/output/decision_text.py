"""One decision of a scheduler, for people."""

from __future__ import annotations

from typing import Any

from engine.explanation.sentences import number

COLUMNS = ("job", "kind", "waiting", "memory_mb", "vcores", "arrival_s", "weight", "job_used_memory_mb", "job_used_vcores", "queue")


def decision_text(found: dict[str, Any]) -> str:
    """The sentences, the facts, then a table of the candidates with the chosen one marked; `found` as from engine.explain."""
    asked, admitted = found["asked"], found["admitted"]
    lines = [f"{found['because']}."]
    lines += [f"It was {earlier['because']}." for earlier in (asked, admitted) if earlier]
    lines += ["", *(f"{fact['title']}: {_cell(fact['value'], fact['unit'])}" for fact in found["facts"])] if found["facts"] else []
    terms = [term for term in found["terms"] if any(row["terms"][term["name"]] is not None for row in found["candidates"])]
    heads = ["", *COLUMNS[:3], *(term["title"].lower() for term in terms), *COLUMNS[3:]]
    rows = [heads]
    for row in found["candidates"]:
        own = [_cell(row["terms"][term["name"]], "" if term["unit"] in term["title"].lower() else term["unit"]) for term in terms]
        rows.append(["*" if row["chosen"] else "", row["job"], row["kind"], str(row["waiting"]), *own, *(_plain(row[name]) for name in COLUMNS[3:])])
    lines += ["", *_table(rows)]
    if found["queues"]:
        terms = found["queue_terms"]
        rows = [[queue["name"], *(_cell(queue["terms"][term["name"]], "") for term in terms)] for queue in found["queues"]]
        lines += ["", *_table([["queue", *(term["title"].lower() for term in terms)], *rows])]
    return "\n".join(lines) + "\n"


def _table(rows: list[list[str]]) -> list[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def _plain(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _cell(value: float | None, unit: str) -> str:
    return "-" if value is None else number(value, unit)
