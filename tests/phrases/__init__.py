"""What the product says to people, each phrase once, by keys that stay when the words change: `en.toml` has
the words, tests the data.

`phrase("scenario.must_be_at_least", 0, 1)` is "0 must be at least 1". A new phrase is written there by hand;
after the words of the product have changed, `make phrases` writes those down that it says now.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

FILE = Path(__file__).with_name("en.toml")
PHRASES: dict[str, str] = {
    f"{area}.{name}": words
    for area, named in tomllib.loads(FILE.read_text("utf-8")).items()
    for name, words in named.items()
}


FILLED: dict[
    str, tuple[str, tuple[object, ...], bool]
] = {}  # by what tests asked for: its key, its data, and whether it is a regular expression


def phrase(key: str, *data: object) -> str:
    """The words of this key, with `data` where they have {}."""
    text = filled(PHRASES[key].split("{}"), key, data)
    FILLED[text] = key, data, False
    return text


def phrase_pattern(key: str, *data: object) -> str:
    """A regular expression for the words of this key; `data` are regular expressions."""
    text = filled([re.escape(words) for words in PHRASES[key].split("{}")], key, data)
    FILLED[text] = key, data, True
    return text


def filled(words: list[str], key: str, data: tuple[object, ...]) -> str:
    assert len(words) == len(data) + 1, f"{key} has {len(words) - 1} places for data, not {len(data)}"
    return words[0] + "".join(f"{one}{after}" for one, after in zip(data, words[1:]))
