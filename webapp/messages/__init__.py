"""What the page says to people, by key: webapp/messages/en/ROOM.toml.

May import: settings.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from engine.dashboard import load_messages

msg = load_messages(Path(__file__).parent)

SHARED, OF_SCRIPTS, OF_STYLES = "shared", "scripts", "styles"
TOUR = "tour"  # what comes with a script that is loaded when it is asked for


def script_messages() -> dict[str, str]:
    """What assets/gantry.js says, by the keys it asks for: `SCRIPT.NAME` and `shared.NAME`."""
    tables = {**_entries(OF_SCRIPTS), SHARED: _entries(SHARED)}
    del tables[TOUR]
    return _by_key(tables)


def tour_messages() -> dict[str, str]:
    """The same of assets/tour.js."""
    return _by_key({TOUR: _entries(OF_SCRIPTS)[TOUR]})


def _by_key(tables: dict[str, dict[str, str]]) -> dict[str, str]:
    return {f"{table}.{name}": text for table, named in tables.items() for name, text in named.items()}


def style_messages() -> str:
    """A style rule that gives the style sheets of assets/ what they say: var(--message-NAME)."""
    said = (
        f"--message-{name}: {json.dumps(text, ensure_ascii=False)};"
        for name, text in _entries(OF_SCRIPTS)[OF_STYLES].items()
    )
    return f":root {{{' '.join(said)}}}"


def _entries(room: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / "en" / f"{room}.toml").read_text("utf-8"))
