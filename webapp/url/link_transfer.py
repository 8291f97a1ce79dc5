"""Links from one place to another: out of a backup, or from one database to the next. What was begun may be
begun again: what is there already stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TypeVar

from webapp.url.links import AddResult, LinkStore, StoredLink

LINKS_PER_BATCH = 25  # links written at once: they stand in memory, and who shares meanwhile waits for them
IDS_PER_QUERY = 1_000
T = TypeVar("T")


def transfer(
    links: Iterable[StoredLink], target: LinkStore, report: Callable[[int], None], write: bool = True
) -> AddResult:
    """Add them to a store, some at a time; `report` hears how many are done. write=False: only say what would
    become of them. StoreError.
    """
    new, same, differing = 0, 0, list[str]()
    for batch in _batches(links, LINKS_PER_BATCH):
        added = target.add(batch, write)
        new += added.new
        same += added.same
        differing += added.differing
        report(new + same + len(differing))
    return AddResult(new, same, tuple(differing))


def count_missing(source: LinkStore, target: LinkStore) -> int:
    """How many links of one store the other does not have."""
    ids = (head.id for head in source.heads())
    return sum(len(batch) - len(target.existing_ids(batch)) for batch in _batches(ids, IDS_PER_QUERY))


def _batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(values)
    while batch := list(islice(remaining, size)):
        yield batch
