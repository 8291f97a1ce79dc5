"""A scenario's JSON values where anything may stand in the place of anything: what is malformed is passed over, for the models say what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.scenario.bounds import MOST_DEPTH, MOST_JOB_GROUPS, MOST_NODE_GROUPS, MOST_OUTAGES, MOST_QUEUES, MOST_USERS

LISTS = {
    ("cluster", "nodes"): MOST_NODE_GROUPS,
    ("cluster", "outages"): MOST_OUTAGES,
    ("queues",): MOST_QUEUES,
    ("users",): MOST_USERS,
    ("jobs",): MOST_JOB_GROUPS,
}
LARGEST = 10**18  # beyond it a number is malformed: larger ones neither fit a clock nor, some of them, a text


def dicts(owner: Any, key: str) -> list[dict]:
    """The entries of a list; a malformed entry stands as {} so that indices stay those of the file."""
    items = owner.get(key) if isinstance(owner, dict) else None
    return [item if isinstance(item, dict) else {} for item in items] if isinstance(items, list) else []


def whole(owner: Any, *keys: str) -> int | None:
    """The whole number at the end of the keys."""
    for key in keys:
        owner = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(owner, float) and owner.is_integer():
        owner = int(owner)
    return owner if type(owner) is int and abs(owner) <= LARGEST else None


def number(value: Any) -> float | None:
    """The value, if it is a finite number that a float can hold."""
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST else None


def at(owner: Any, path: tuple[str, ...]) -> Any:
    """What stands at the end of a path; None where it does not lead."""
    for key in path:
        owner = owner.get(key) if isinstance(owner, dict) else getattr(owner, key, None)
    return owner


def oversize_faults(data: Any) -> list[Fault]:
    """Why a scenario is too large to be looked at further; empty if it is not."""
    found = list(_long_lists(data))
    return found if found or not depth_exceeds(data, MOST_DEPTH) else [Fault("", f"is nested more than {MOST_DEPTH} deep")]


def depth_exceeds(data: Any, most: int) -> bool:
    """Whether more than `most` objects and lists stand one inside the other; found level by level, for recursion would fail where it matters."""
    level = [data] if isinstance(data, (dict, list)) else []
    for _ in range(most):
        if not level:
            return False
        level = [item for one in level for item in (one.values() if isinstance(one, dict) else one) if isinstance(item, (dict, list))]
    return bool(level)


def _long_lists(data: Any) -> Iterator[Fault]:
    for path, most in LISTS.items():
        items = at(data, path)
        if isinstance(items, (list, tuple)) and len(items) > most:
            yield Fault(".".join(path), f"has {len(items):,} entries, at most {most:,}")
