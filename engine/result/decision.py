"""One decision of a scheduler, for people."""

from __future__ import annotations

from typing import Any

COLUMNS = ("job", "kind", "waiting", "memory_mb", "vcores", "arrival_s", "weight", "job_used_memory_mb", "job_used_vcores", "queue")


def decision_text(found: dict[str, Any]) -> str:
    """The sentence, then a table of the candidates with the chosen one marked; `found` as from engine.explain."""
    rows = [["", *COLUMNS]]
    for row in found["candidates"]:
        cells = (f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in COLUMNS)
        rows.append(["*" if row["chosen"] else "", *cells])
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    return f"{found['because']}.\n\n" + "\n".join(lines) + "\n"
