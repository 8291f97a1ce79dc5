"""Access to unchecked JSON values of a scenario: what is malformed is skipped, since the models report what
is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.scenario_limits import (
    MAX_DEPTH,
    MAX_JOB_GROUPS,
    MAX_NODE_GROUPS,
    MAX_OUTAGES,
    MAX_QUEUES,
    MAX_USERS,
)

LISTS = {
    ("cluster", "nodes"): MAX_NODE_GROUPS,
    ("cluster", "outages"): MAX_OUTAGES,
    ("queues",): MAX_QUEUES,
    ("users",): MAX_USERS,
    ("jobs",): MAX_JOB_GROUPS,
}
# beyond it a number is malformed: larger ones neither fit a clock nor, some of them, a text
MAX_NUMBER = 10**18


def dict_list(owner: Any, key: str) -> list[dict]:
    """The entries of a list; a malformed entry stands as {} so that indices stay those of the file."""
    items = owner.get(key) if isinstance(owner, dict) else None
    return [item if isinstance(item, dict) else {} for item in items] if isinstance(items, list) else []


def int_at(owner: Any, *keys: str) -> int | None:
    """The whole number at the end of the keys."""
    for key in keys:
        owner = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(owner, float) and owner.is_integer():
        owner = int(owner)
    return owner if type(owner) is int and abs(owner) <= MAX_NUMBER else None


def number(value: Any) -> float | None:
    """The value, if it is a finite number that a float can hold."""
    return (
        value
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MAX_NUMBER
        else None
    )


def value_at(owner: Any, path: tuple[str, ...]) -> Any:
    """What stands at the end of a path; None where it does not lead."""
    for key in path:
        owner = owner.get(key) if isinstance(owner, dict) else getattr(owner, key, None)
    return owner


def oversize_faults(data: Any) -> list[Fault]:
    """Why a scenario is too large to be looked at further; empty if it is not."""
    faults = list(_long_lists(data))
    return (
        faults
        if faults or not depth_exceeds(data, MAX_DEPTH)
        else [Fault("", msg("shared.nested_more_than_deep", max_depth=MAX_DEPTH))]
    )


def depth_exceeds(data: Any, limit: int) -> bool:
    """Whether more than `limit` objects and lists stand one inside the other; found level by level, for
    recursion would fail where it matters.
    """
    level = [data] if isinstance(data, (dict, list)) else []
    for _ in range(limit):
        if not level:
            return False
        level = [
            item
            for container in level
            for item in (container.values() if isinstance(container, dict) else container)
            if isinstance(item, (dict, list))
        ]
    return bool(level)


def _long_lists(data: Any) -> Iterator[Fault]:
    for path, limit in LISTS.items():
        items = value_at(data, path)
        if isinstance(items, (list, tuple)) and len(items) > limit:
            yield Fault(
                ".".join(path), msg("scenario.json_values.has_entries_at_most", items=len(items), limit=limit)
            )
