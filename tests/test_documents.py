"""engine/docs: what follows from the code is what the code says now, lines are short, and every page is in
the index.
"""

from __future__ import annotations

import re

import pytest

from tests.documents import DOCS, FOLDERS, PART, PARTS, ROOT, generated

PAGES = sorted(DOCS.rglob("*.md"))
NAMES = [path.relative_to(DOCS).as_posix() for path in PAGES]
WIDEST = 110
LINK = re.compile(r"\]\(([^)\s]+)\)")


def test_what_is_generated_is_what_the_code_says() -> None:
    stale = [path.relative_to(ROOT).as_posix() for path, text, new in generated() if new != text]
    assert not stale, f"make docs writes them anew: {stale}"


def test_every_part_stands_in_one_document() -> None:
    pages = [path.read_text("utf-8") for folder in FOLDERS for path in folder.rglob("*.md")]
    assert sorted(match[1] for text in pages for match in PART.findall(text)) == sorted(PARTS)


@pytest.mark.parametrize("name", NAMES)
def test_lines_are_short(name: str) -> None:
    """Tables, code and what a program writes are as wide as they must be."""
    text = re.sub(
        r"^(```.*?^```|<!-- (?!end|/).*?^<!-- (?:end|/).*?-->)$",
        "",
        (DOCS / name).read_text("utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    assert not [line for line in text.splitlines() if len(line) > WIDEST and not line.startswith("|")]


def test_every_page_is_in_the_index() -> None:
    listed = set(LINK.findall((DOCS / "index.md").read_text("utf-8")))
    assert set(NAMES) - {"index.md"} <= listed
