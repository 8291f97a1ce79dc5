"""What diagnostics say, for people."""

from __future__ import annotations

from typing import Any

from engine.messages import msg


def diagnosis_text(diagnosis: dict[str, Any]) -> str:
    """Each of Hadoop's sentences with its meaning, its rule and the properties that would change it, then the
    numbers, entry by entry; `diagnosis` as from engine.diagnose.
    """
    parts = []
    for entry in (diagnosis, *diagnosis["further"]):
        for reading in entry["readings"]:
            lines = [reading["said"], reading["meaning"]]
            lines.append(msg("output.diagnosis_text.said_by", rule=reading["rule"]))
            parts.append([*lines, *(one["sentence"] for one in reading["properties"])])
        numbers = [f"{number['title']}: {number['text']}" for number in entry["numbers"]]
        rest = [entry["compared"], *numbers, entry["says"]]
        parts.append([line for line in rest if line])
    parts.append([diagnosis["beside"]] if diagnosis["beside"] else [])
    return "\n\n".join("\n  ".join(lines) for lines in parts if lines) + "\n"
