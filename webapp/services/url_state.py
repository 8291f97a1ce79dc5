"""The state of the page that an address carries, read as untrusted input.

?r=<id of a stored link> or ?s=v2.<scenario and schedulers in the address alone>, with x0, x1 (ms) and y0, y1 (edges of rows) of what is
looked at, one of job, user, queue, node, rack, phase (highlighted), rows, sort, find (how the charts' rows are arranged), and pin (the id of a link
whose result is shown beside it).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from engine import GantryError, SchedulerError, expand_0_1, parse
from webapp.figures.highlight import HIGHLIGHTED, Selection

MOST_ADDRESS = 2_000  # characters; longer addresses break in mail and chat
MOST_INLINE = 200_000  # bytes after unpacking
MOST_MS = 10**14
MOST_SCHEDULERS = 16
MOST_FIND = 100  # characters of a filter
ROWS = {"by": "rows", "sort": "sort", "find": "find"}  # how rows are arranged, by its key in an address
OLD, NEW = "v1.", "v2."  # 0.1's addresses, whose bare names are not today's, and ours
LINK = re.compile(r"[0-9a-f]{16}")


class StateError(GantryError):
    """An address that holds nothing Gantry can open."""


@dataclass(frozen=True)
class Asked:
    """What a Run is asked for: a scenario's JSON values as the user has them, and schedulers by name."""

    scenario: dict
    schedulers: tuple[str, ...]

    @classmethod
    def of(cls, data: Any) -> Asked:
        """From a draft or an unpacked address; StateError when it is not even of that shape."""
        if not isinstance(data, Mapping) or not isinstance(data.get("scenario"), dict):
            raise StateError("There is no scenario in it.")
        names = data.get("schedulers")
        if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) and len(name) <= 300 for name in names):
            raise StateError("Its schedulers are not a list of names.")
        if len(names) > MOST_SCHEDULERS:
            raise StateError(f"It names {len(names)} schedulers; at most {MOST_SCHEDULERS} are run at a time.")
        return cls(data["scenario"], tuple(dict.fromkeys(names)))

    def plain(self) -> dict:
        """As JSON values."""
        return {"scenario": self.scenario, "schedulers": list(self.schedulers)}


@dataclass(frozen=True)
class State:
    """An address, read: at most one of link and asked; complaints are sentences for the page; note: what its names meant, if they meant something else.

    viewport: {x0, x1} in ms and {y0, y1} in rows, either or both; highlight: a selection; rows: {by, sort, find}; pinned: a link's id.
    """

    link: str | None = None
    asked: Asked | None = None
    viewport: dict[str, float] | None = None
    highlight: str | None = None
    rows: dict[str, str] | None = None
    pinned: str | None = None
    note: str = ""
    complaints: list[str] = field(default_factory=list)


def read(query: Mapping[str, Any]) -> State:
    """The state in a query; what is broken in it becomes a complaint, never an exception."""
    complaints: list[str] = []
    link, asked, note = None, None, ""
    if text := _text(query, "r"):
        link = text if LINK.fullmatch(text) else None
        if not link:
            complaints.append("This link is broken: its id must be 16 hexadecimal digits. Your own draft is shown instead.")
    elif text := _text(query, "s"):
        try:
            asked, note = as_in_0_1(unpack(text)) if text.startswith(OLD) else (unpack(text), "")
        except StateError as error:
            complaints.append(f"This link is broken: {error} Your own draft is shown instead.")
    window = _window(query)
    if window is None and ("x0" in query or "x1" in query):
        complaints.append("The link's zoom (x0, x1) is not two times in milliseconds, the first smaller; the whole run is shown.")
    edges = _edges(query)
    if edges is None and ("y0" in query or "y1" in query):
        complaints.append("The link's rows (y0, y1) are not two numbers, the first smaller; all rows are shown.")
    viewport = ({"x0": window[0], "x1": window[1]} if window else {}) | ({"y0": edges[0], "y1": edges[1]} if edges else {})
    chosen = [Selection.of(f"{kind}:{name}") for kind in HIGHLIGHTED if (name := _text(query, kind))]
    arranged = {key: text[:MOST_FIND] for key, name in ROWS.items() if (text := _text(query, name))}
    pinned = _text(query, "pin")
    if pinned and not LINK.fullmatch(pinned):
        complaints.append("What the link has pinned (pin) must be an id of 16 hexadecimal digits; it opens without it.")
        pinned = ""
    return State(link, asked, viewport or None, chosen[0].text if chosen else None, arranged or None, pinned or None, note, complaints)


def address(*, link: str | None = None, asked: Asked | None = None, window: tuple[int, int] | None = None, highlight: str | None = None) -> str | None:
    """The query for this state, with its ?; None where the scenario is too large for an address."""
    query: dict[str, Any] = {"r": link} if link else {"s": pack(asked)} if asked else {}
    if window:
        query |= {"x0": window[0], "x1": window[1]}
    if chosen := Selection.of(highlight):
        query[chosen.kind] = chosen.name
    text = "?" + urlencode(query)
    return text if len(text) <= MOST_ADDRESS else None


def pack(asked: Asked) -> str:
    """Scenario and schedulers as v2.<base64url of zlib of JSON>."""
    text = json.dumps(asked.plain(), separators=(",", ":"), ensure_ascii=False, sort_keys=True)
    return NEW + base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpack(text: str) -> Asked:
    """What `pack` made, here or in 0.1; StateError for anything else."""
    body = text[len(NEW) :]
    if not text.startswith((OLD, NEW)) or not body:
        raise StateError(f"It must begin with {OLD} or {NEW} and was made by another Gantry, or cut.")
    try:
        raw = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        unpacker = zlib.decompressobj()
        plain = unpacker.decompress(raw, MOST_INLINE)
        if not unpacker.eof:
            raise StateError("It was cut, or is too large for an address.")
        data = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError):
        raise StateError("It was cut or changed on its way.") from None
    return Asked.of(data)


def as_in_0_1(asked: Asked) -> tuple[Asked, str]:
    """What was asked for in Gantry 0.1, its names written as they were meant there, and a sentence where they mean something else today."""
    meant = {name: expand_0_1(name) for name in asked.schedulers}
    changed = [f"{name} meant {full}" for name, full in meant.items() if _differs(name, full)]
    if not changed:
        return asked, ""
    told = " and ".join([", ".join(changed[:-1]), changed[-1]] if len(changed) > 1 else changed)
    both = Asked(asked.scenario, tuple(dict.fromkeys(meant.values())))
    return both, f"This link was made with Gantry 0.1, where {told}; it is shown so."


def _differs(name: str, full: str) -> bool:
    try:
        return parse(name) != parse(full)
    except SchedulerError:  # which is said where it is run
        return False


def _text(query: Mapping[str, Any], key: str) -> str:
    value = query.get(key)
    return value.strip() if isinstance(value, str) else ""


def _edges(query: Mapping[str, Any]) -> tuple[float, float] | None:
    first, last = _text(query, "y0"), _text(query, "y1")
    if not all(re.fullmatch(r"\d{1,9}(\.\d{1,3})?", text) for text in (first, last)):
        return None
    return (float(first), float(last)) if float(first) < float(last) else None


def _window(query: Mapping[str, Any]) -> tuple[int, int] | None:
    first, last = _text(query, "x0"), _text(query, "x1")
    if not re.fullmatch(r"-?\d{1,15}", first) or not re.fullmatch(r"-?\d{1,15}", last):
        return None
    window = int(first), int(last)
    return window if -MOST_MS <= window[0] < window[1] <= MOST_MS else None
