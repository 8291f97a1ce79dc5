"""Hostile values for hypothesis, and valid JSON that is changed in a few places."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

HUGE = 10**400


def deep(levels: int) -> Any:
    """Lists, one inside the other."""
    result: Any = 0
    for _ in range(levels):
        result = [result]
    return result


VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2,
    3,
    0.5,
    -0.0,
    1e-300,
    1e300,
    -1e300,
    2**31,
    2**53,
    2**63,
    -(2**63),
    2**64,
    HUGE,
    -HUGE,
    float("nan"),
    float("inf"),
    float("-inf"),
    "",
    " ",
    "0",
    "1e999",
    "NaN",
    "\0",
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "é",
    "🦬",
    "\u202e",
    "\r\n",
    "a" * 5_000,
    "=1+1",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%s%n",
    "{}",
    "[]",
    "null",
    "root",
    "root.default",
    "root..a",
    ".",
    "*",
    "__proto__",
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": 0},
    {"a": {"a": {}}},
    [1, "a", None],
    list(range(50)),
    deep(60),
    deep(150),
    {"name": []},
    {"count": -1},
    {"dist": "normal", "mean": float("nan"), "sd": -1},
    {"values": []},
    {"values": [HUGE]},
    {"memory_mb": HUGE, "vcores": 0},
    "0" * 16,
    "f" * 16,
)
NONE = (
    b"",
    b"null",
    b"[" * 900,
    b"[" * 900 + b"]" * 900,
    b'{"a":' * 500,
    b"9" * 5_000,
    b"\xff\xfe",
    b'{"a":1,"a":2}',
    b"\0",
)
KEYS = ("", "\0", "\ud800", "name", "count", "x_note", "__class__", "id", "versoin", "a" * 300)


def value(rng: Random) -> Any:
    """A hostile value, or a plain number or text that nobody thought of."""
    act = rng.randrange(10)
    if act == 0:
        return rng.randint(-(2**70), 2**70)
    if act == 1:
        return rng.choice((rng.random(), rng.gauss(0, 1e6), 10 ** rng.uniform(-300, 300)))
    if act == 2:
        return "".join(
            chr(rng.choice((rng.randrange(128), rng.randrange(0x2FFF), rng.randrange(0x110000))))
            for _ in range(rng.randrange(9))
        )
    return copy.deepcopy(rng.choice(VALUES))


def _places(data: Any, most: int = 400) -> list[tuple[Any, Any]]:
    """Where something stands: its holder and its key or place."""
    result, left = [], [data]
    while left and len(result) < most:
        holder = left.pop()
        items = list(holder.items() if isinstance(holder, dict) else enumerate(holder))
        result += [(holder, key) for key, _ in items]
        left += [value for _, value in items if isinstance(value, (dict, list))]
    return result


def rng() -> SearchStrategy[Random]:
    """Chances that are drawn at once, for hypothesis takes longer over each choice than the application over
    most requests.
    """
    return st.randoms(use_true_random=True)


def changed(bases: tuple[Any, ...], rng: Random, most: int = 3) -> Any:
    """One of these, as it is or changed in a few places: a value, a key, a part left out, doubled or put
    elsewhere.
    """
    data = {"all": copy.deepcopy(rng.choice(bases))}
    for _ in range(rng.randint(0, most)):
        places = _places(data)
        holder, key = rng.choice(places)
        act = rng.randrange(10)
        if act <= 4 or holder is data:
            holder[key] = value(rng)
        elif act == 5:
            del holder[key]
        elif act == 6:
            other, at = rng.choice(places)
            holder[key] = copy.deepcopy(other[at])
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]) if act == 7 else value(rng))
        elif act == 7:
            holder[rng.choice(KEYS)] = value(rng)
        else:
            name = str(key)
            at = rng.randint(0, len(name))
            holder[name[:at] + name[at + 1 :] if act == 8 else name + "x"] = holder.pop(key)
    return data["all"]


def text_of(data: Any) -> bytes:
    """As JSON, NaN and lone surrogates included."""
    return json.dumps(data).encode()


def body(bases: tuple[Any, ...], rng: Random, most: int = 3) -> bytes:
    """What is sent as JSON: mostly JSON, now and then cut, with bytes changed, or none at all."""
    text = text_of(changed(bases, rng, most))
    act = rng.randrange(20)
    if act == 0:
        return text[: rng.randint(0, len(text))]
    if act == 1 and text:
        return cut(text, rng)
    return rng.choice(NONE) if act == 2 else text


def cut(data: bytes, rng: Random) -> bytes:
    """Bytes of which some are changed, some added and some left out."""
    at = rng.randint(0, len(data))
    return data[:at] + rng.randbytes(rng.randrange(7)) + data[at + rng.randrange(9) :]
