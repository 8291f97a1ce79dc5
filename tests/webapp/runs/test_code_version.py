"""Kept values are of the code that made them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import VERSION
from webapp.runs import code_version


def test_any_source_that_changes_changes_it_and_nothing_else_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_version, "ROOT", tmp_path)
    seen = []
    for name, text in (
        ("engine/a.py", "1"),
        ("webapp/messages/en/a.toml", "1"),
        ("engine/a.py", "2"),
        ("engine/b.py", ""),
        ("engine/notes.md", "1"),
        ("tests/a.py", "1"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        seen.append(code_version.code_version.__wrapped__())
    assert len(set(seen[:4])) == 4
    assert set(seen[4:]) == {seen[3]}
    assert all(one.startswith(f"{VERSION}-") for one in seen)
