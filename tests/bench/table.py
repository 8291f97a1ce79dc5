"""`python -m tests.bench.table bench.json`: puts measured numbers into engine/docs/numbers/benchmarks.md,
each block between its two marks.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.browser.server import ROOT

PARTS = {
    "a": "a: run of four jobs",
    "b": "b: 50 jobs active",
    "c": "c: 1,000 jobs active",
    "d": "d: contention",
    "e": "e: worst step",
    "g": "g: 1,000 (and 10,000) to 50 jobs active",
}
PAGE = ("page", "whatif", "million", "start", "formats", "compile", "suite")
STUDIES = ("studies",)


def shown_value(row: dict) -> str:
    """What was measured, with its unit."""
    words = [row["shown"]] if "shown" in row else []
    if row.get("seconds") is not None:
        words.append(f"{row['seconds'] * 1000:.3g} ms" if row["seconds"] < 0.1 else f"{row['seconds']:.2f} s")
    if "per_second" in row:
        words.append(f"{row['per_second']:,.0f} containers/s")
    if row.get("ratio"):
        words.append(
            f"{row['ratio']:.2f}x" + (" ({:.2f} to {:.2f})".format(*row["spread"]) if "spread" in row else "")
        )
    return " ".join(words)


def blocks(measured: dict) -> dict[str, str]:
    """Markdown by the block's name, of those that anything was measured for."""
    machine = measured["machine"]
    versions = ", ".join(f"{name} {machine[name]}" for name in ("python", "numba", "numpy", "plotly"))
    where = f"{machine['cores']} cores (load {machine['load']:.1f}), {machine['system']}; {versions}"
    by_name = {
        "orders": _orders(measured["rows"]),
        "page": _targets(measured["rows"], PAGE, "from, to"),
        "studies": _targets(measured["rows"], STUDIES, "what"),
    }
    ends = dict.fromkeys(by_name, f"On {where}.") | {
        "orders": f"Containers a second of the process's own time unless said otherwise; one core of {where}."
    }
    return {name: "\n".join([*lines, "", ends[name], ""]) for name, lines in by_name.items() if lines}


def _orders(rows: list[dict]) -> list[str]:
    """A row an order with what was measured of (a) to (e)."""
    parts = {key: title for key, title in PARTS.items() if any(row["part"] == key for row in rows)}
    if not parts:
        return []
    lines = [f"| order | {' | '.join(parts.values())} |", "|---" * (len(parts) + 1) + "|"]
    for order in dict.fromkeys(row["order"] for row in rows if row.get("order")):
        own = [row for row in rows if row.get("order") == order]
        lines.append(
            f"| `{order}` | "
            f"{' | '.join(_cell([row for row in own if row['part'] == part]) for part in parts)} |"
        )
    targets = {
        part: " or ".join(
            dict.fromkeys(row["target"] for row in rows if row["part"] == part and row.get("target"))
        )
        for part in parts
    }
    return [*lines, f"| *to reach* | {' | '.join(targets.values())} |"]


def _targets(rows: list[dict], parts: tuple[str, ...], what: str) -> list[str]:
    """A row for each number of these parts, beside its target."""
    verdict = lambda row: row.get("target", "") + ("" if row.get("met", True) else ", **missed**")
    lines = [
        f"| {row['title']} | {shown_value(row)} | {verdict(row)} |" for row in rows if row["part"] in parts
    ]
    return [f"| {what} | measured | to reach |", "|---|---|---|", *lines] if lines else []


def _cell(rows: list[dict]) -> str:
    if not rows:
        return ""
    if rows[0]["part"] == "a":
        return f"{rows[0]['seconds'] * 1000:.2f} ms"
    if rows[0]["part"] == "e":
        return f"{max(row['ratio'] or 0 for row in rows):.2f}x"
    if rows[0]["part"] == "g":
        return " and ".join(f"{row['ratio']:.2f}x" for row in rows)
    return f"{rows[0]['per_second']:,.0f}"


def main() -> None:
    """Rewrites those blocks in engine/docs/numbers/benchmarks.md that the file has numbers for."""
    path = ROOT / "engine" / "docs" / "numbers" / "benchmarks.md"
    text = path.read_text()
    for name, lines in blocks(json.loads(Path(sys.argv[1]).read_text())).items():
        text = put(text, name, lines)
    path.write_text(text)


def put(text: str, name: str, lines: str) -> str:
    """The text with the block of this name filled anew."""
    before, mark, rest = text.partition(f"<!-- bench: {name} -->\n")
    _, end, after = rest.partition(f"<!-- /bench: {name} -->")
    return before + mark + lines + end + after


if __name__ == "__main__":
    main()
