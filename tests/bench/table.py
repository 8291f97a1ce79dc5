"""`python -m tests.bench.table bench.json`: puts measured numbers into engine/README.md, between its two marks."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from tests.browser.server import ROOT

PARTS = {"a": "a: run of four jobs", "b": "b: 50 jobs active", "c": "c: 1,000 jobs active", "d": "d: contention", "e": "e: worst step"}
BEGIN, END = "<!-- bench -->\n", "<!-- /bench -->"


def table(measured: dict) -> str:
    """Markdown: a row an order with what was measured of (a) to (e), then start-up and page, then the machine."""
    rows = measured["rows"]
    parts = {key: title for key, title in PARTS.items() if any(row["part"] == key for row in rows)}
    lines = [f"| order | {' | '.join(parts.values())} |", "|---" * (len(parts) + 1) + "|"]
    for order in dict.fromkeys(row["order"] for row in rows if row.get("order")):
        own = [row for row in rows if row.get("order") == order]
        lines.append(f"| `{order}` | {' | '.join(_cell([row for row in own if row['part'] == part]) for part in parts)} |")
    targets = {part: " or ".join(dict.fromkeys(row["target"] for row in rows if row["part"] == part and row.get("target"))) for part in parts}
    lines += [f"| *to reach* | {' | '.join(targets.values())} |"]
    clicks = [f"| {row['title']} | {row['seconds']:.2f} s | {row.get('target', '')} |" for row in rows if row["part"] in ("start", "page")]
    lines += ["", "| from, to | measured | to reach |", "|---|---|---|", *clicks] if clicks else []
    machine = measured["machine"]
    versions = ", ".join(f"{name} {machine[name]}" for name in ("python", "numba", "numpy", "plotly"))
    where = f"one core of {machine['cores']} (load {machine['load']:.1f}), {machine['system']}; {versions}"
    return "\n".join([*lines, "", f"Containers a second of the process's own time unless said otherwise; {where}.", ""])


def _cell(rows: list[dict]) -> str:
    if not rows:
        return ""
    if rows[0]["part"] == "a":
        return f"{rows[0]['seconds'] * 1000:.2f} ms"
    if rows[0]["part"] == "e":
        return f"{max(row['ratio'] or 0 for row in rows):.2f}x"
    return f"{rows[0]['per_second']:,.0f}"


def main() -> None:
    """Rewrites the block in engine/README.md."""
    path = ROOT / "engine" / "README.md"
    text = table(json.loads(Path(sys.argv[1]).read_text()))
    path.write_text(re.sub(f"{re.escape(BEGIN)}.*{re.escape(END)}", lambda _: f"{BEGIN}{text}{END}", path.read_text(), flags=re.DOTALL))


if __name__ == "__main__":
    main()
