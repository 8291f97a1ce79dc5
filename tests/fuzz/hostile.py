"""Hostile values for hypothesis, and valid JSON that is changed in a few places."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

HUGE = 10**400


def deep(levels: int) -> Any:
    """Lists, one inside the other."""
    found: Any = 0
    for _ in range(levels):
        found = [found]
    return found


VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2, 3, 0.5, -0.0, 1e-300, 1e300, -1e300, 2**31, 2**53, 2**63, -(2**63), 2**64, HUGE, -HUGE,
    float("nan"), float("inf"), float("-inf"), "", " ", "0", "1e999", "NaN", "\0", "a\0b", "\ud800", "\udfff\ud800", "é", "🦬", "\u202e", "\r\n", "a" * 5_000,
    "=1+1", "<script>alert(1)</script>", "../../etc/passwd", "%s%n", "{}", "[]", "null", "root", "root.default", "root..a", ".", "*", "__proto__",
    [], {}, [None], [[]], [{}], {"": 0}, {"a": {"a": {}}}, [1, "a", None], list(range(50)), deep(60), deep(150), {"name": []}, {"count": -1},
    {"dist": "normal", "mean": float("nan"), "sd": -1}, {"values": []}, {"values": [HUGE]}, {"memory_mb": HUGE, "vcores": 0}, "0" * 16, "f" * 16,
)  # fmt: skip
KEYS = ("", "\0", "\ud800", "name", "count", "x_note", "__class__", "id", "versoin", "a" * 300)


def values() -> SearchStrategy[Any]:
    """Any hostile value, or a plain number or text that nobody thought of."""
    return st.sampled_from(VALUES).map(copy.deepcopy) | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8)


def _places(data: Any, most: int = 400) -> list[tuple[Any, Any]]:
    """Where something stands: its holder and its key or place."""
    found, left = [], [data]
    while left and len(found) < most:
        holder = left.pop()
        items = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
        found += [(holder, key) for key, _ in items]
        left += [value for _, value in items if isinstance(value, (dict, list))]
    return found


@st.composite
def changed(draw: DrawFn, bases: tuple[Any, ...], most: int = 3) -> Any:
    """One of these, as it is or changed in a few places: a value, a key, a part left out, doubled or put elsewhere."""
    data = {"all": copy.deepcopy(draw(st.sampled_from(bases)))}
    for _ in range(draw(st.integers(0, most))):
        places = _places(data)
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        act = draw(st.integers(0, 9))
        if act <= 4 or holder is data:
            holder[key] = draw(values())
        elif act == 5:
            del holder[key]
        elif act == 6:
            other, at = places[draw(st.integers(0, len(places) - 1))]
            holder[key] = copy.deepcopy(other[at])
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]) if act == 7 else draw(values()))
        elif act == 7:
            holder[draw(st.sampled_from(KEYS))] = draw(values())
        else:
            name = str(key)
            at = draw(st.integers(0, len(name)))
            holder[name[:at] + name[at + 1 :] if act == 8 else name + "x"] = holder.pop(key)
    return data["all"]


def text_of(data: Any) -> bytes:
    """As JSON, NaN and lone surrogates included."""
    return json.dumps(data).encode()


@st.composite
def bodies(draw: DrawFn, bases: tuple[Any, ...], most: int = 3) -> bytes:
    """What is sent as JSON: mostly JSON, now and then cut, with bytes changed, or none at all."""
    text = text_of(draw(changed(bases, most)))
    act = draw(st.integers(0, 19))
    if act == 0:
        return text[: draw(st.integers(0, len(text)))]
    if act == 1 and text:
        at = draw(st.integers(0, len(text) - 1))
        return text[:at] + draw(st.binary(min_size=1, max_size=4)) + text[at + 1 :]
    if act == 2:
        return draw(st.sampled_from([b"", b"null", b"[" * 900, b"[" * 900 + b"]" * 900, b'{"a":' * 500, b"9" * 5_000, b"\xff\xfe", b'{"a":1,"a":2}', b"\0"]))
    return text
