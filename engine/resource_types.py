"""The resources that a container holds of a node: an entry each, in the order of every amount.

An amount is an array over them; a field of amounts has a row for each (run_records.amounts).
In Hadoop  ResourceUtils, ResourceInformation: memory-mb, vcores, and what resource-types.xml adds
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np


class Resource(NamedTuple):
    """name: as fields of one resource end; unit: of its amounts; key: what a scenario calls it."""

    name: str
    unit: str
    key: str


RESOURCES = (Resource("memory", "MB", "memory_mb"), Resource("vcores", "vcores", "vcores"))
RESOURCE_COUNT = len(RESOURCES)
MEMORY, VCORES = 0, 1
Amount: TypeAlias = tuple[int, ...]  # a computed amount: an entry for each resource


def put(amount: Any, resource: int, number: float) -> Any:
    """The amount with this much of a resource. Compiled code knows no other way to make a tuple in a loop."""
    return (*amount[:resource], number, *amount[resource + 1 :])


def amounts_of(parts: Sequence[Any], missing: int = 0) -> np.ndarray:
    """(resources, parts): what parts of a scenario say of each resource; missing: where there is no
    part, or it knows no such resource.
    """
    return np.array([[getattr(part, one.key, missing) for part in parts] for one in RESOURCES], np.int64)
