"""What Gantry says to people, by key: engine/messages/en/ROOM.toml.

May import: errors.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

LANGUAGE = "en"


def load_messages(folder: Path) -> Callable[..., str]:
    """The function that says what stands under a key in the files of a folder, each read when it is first
    needed.

    A key is ROOM.MODULE.NAME: the table MODULE of folder/en/ROOM.toml; `shared.NAME` is said by several
    modules.
    """

    @cache
    def room(name: str) -> dict[str, Any]:
        return tomllib.loads((folder / LANGUAGE / f"{name}.toml").read_text("utf-8"))

    @cache
    def template(key: str) -> str:
        name, *path = key.split(".")
        entry: Any = room(name)
        for step in path:
            entry = entry[step]
        return entry

    def msg(key: str, /, **values: Any) -> str:
        """The sentence under a key, with its values filled in; KeyError where there is none."""
        return template(key).format_map(values) if values else template(key)

    return msg


msg = load_messages(Path(__file__).parent)
