"""What a process holds ready."""

from __future__ import annotations

from webapp.runs.lru import LRUCache, WeightedLRUCache


def test_the_latest_used_stay() -> None:
    held = LRUCache(2)
    for key in "ab":
        held.put(key, key)
    assert held.get("a") == "a"
    held.put("c", "c")
    assert [held.get(key) for key in "abc"] == ["a", None, "c"]
    held.clear()
    assert held.get("a") is None


def test_what_weighs_too_much_in_all_goes_the_oldest_first() -> None:
    held = WeightedLRUCache(10, len)
    for key, value in (("a", "12345"), ("b", "123"), ("a", "1234"), ("c", "1234")):
        held.put(key, value)
    assert [held.get(key) for key in "abc"] == ["1234", None, "1234"]
    held.put("d", "longer than all that may be held")
    assert [held.get(key) is not None for key in "abcd"] == [False, False, False, True]
    held.clear()
    held.put("e", "1234567890")
    held.put("f", "")
    assert held.get("d") is None and held.get("e")
