"""What a process holds ready."""

from __future__ import annotations

from webapp.services.held import Latest


def test_the_latest_used_stay() -> None:
    held = Latest(2)
    for key in "ab":
        held.put(key, key)
    assert held.get("a") == "a"
    held.put("c", "c")
    assert [held.get(key) for key in "abc"] == ["a", None, "c"]
    held.clear()
    assert held.get("a") is None
