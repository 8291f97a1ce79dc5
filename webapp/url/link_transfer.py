"""Links from one place to another: out of a backup, or from one database to the next. What was begun may be
begun again: what is there already stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from webapp.url.links import LinkStore, StoredLink

LINKS_PER_BATCH = 25  # links written at once: they stand in memory, and who shares meanwhile waits for them
IDS_PER_QUERY = 1_000


@dataclass
class TransferResult:
    """What became of links that were to be added. differing: ids of those that are there with other content,
    which stay as they are.
    """

    new: int = 0
    same: int = 0
    differing: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many were looked at."""
        return self.new + self.same + len(self.differing)


def transfer(
    links: Iterable[StoredLink],
    target: LinkStore,
    write: bool = True,
    report: Callable[[int], None] = lambda _: None,
) -> TransferResult:
    """Add them to a store, some at a time; `tell` hears how many are done. write=False: only say what would
    become of them. StoreError.
    """
    moved = TransferResult()
    for batch in _batches(links):
        added = target.add(batch, write)
        moved.new += added.new
        moved.same += added.same
        moved.differing += added.differing
        report(moved.count)
    return moved


def count_missing(source: LinkStore, target: LinkStore) -> int:
    """How many links of one store the other does not have."""
    missing, ids = 0, []
    for head in source.heads():
        ids.append(head.id)
        if len(ids) == IDS_PER_QUERY:
            missing += len(ids) - len(target.existing_ids(ids))
            ids = []
    return missing + len(ids) - len(target.existing_ids(ids))


def _batches(links: Iterable[StoredLink]) -> Iterator[list[StoredLink]]:
    remaining = iter(links)
    while batch := list(islice(remaining, LINKS_PER_BATCH)):
        yield batch
