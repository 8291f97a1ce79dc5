"""The page's state: who hears of a change, and what is none."""

from __future__ import annotations

import pytest

from tests.scripts import Scripts


@pytest.fixture
def scripts() -> Scripts:
    return Scripts()


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ({"a": 1, "b": [1, 2]}, {"b": [1, 2], "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([], {}, False),
        (None, {}, False),
        ("1", 1, False),
    ],
)
def test_values_are_the_same_in_whatever_order_their_keys_stand(scripts: Scripts, a, b, same: bool) -> None:
    assert scripts.evaluate("(a, b) => gantry.same(a, b)", a, b) is same


def test_listeners_of_what_differs_hear_once_after_all_is_set(scripts: Scripts) -> None:
    scripts.evaluate(
        "() => { window.heard = []; gantry.on(['a', 'b'], (state, before) => heard.push([before, state])); }"
    )
    scripts.evaluate("gantry.change({ a: 1, b: [2], c: 3 })")
    scripts.evaluate("gantry.change({ a: 1, b: [2] })")
    scripts.evaluate("gantry.change({ c: 4 })")
    assert scripts.evaluate("heard") == [[{}, {"a": 1, "b": [2], "c": 3}]]
    scripts.evaluate("() => { gantry.toggle('a', 1); gantry.toggle('a', 5); }")
    assert [state["a"] for _, state in scripts.evaluate("heard")] == [1, None, 5]
