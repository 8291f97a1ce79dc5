"""Links from one place to another: out of a backup, or from one database to the next. What was begun may be begun again: what is there already stays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from webapp.store.links import Kept, Store

MOST_TOGETHER = 25  # links written at once: they stand in memory, and who shares meanwhile waits for them
MOST_IDS = 1_000


@dataclass
class Moved:
    """What became of links that were to be added. differing: ids of those that are there with other content, which stay as they are."""

    new: int = 0
    same: int = 0
    differing: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many were looked at."""
        return self.new + self.same + len(self.differing)


def transfer(links: Iterable[Kept], to: Store, write: bool = True, tell: Callable[[int], None] = lambda _: None) -> Moved:
    """Add them to a store, some at a time; `tell` hears how many are done. write=False: only say what would become of them. StoreError."""
    moved = Moved()
    for some in _together(links):
        added = to.add(some, write)
        moved.new += added.new
        moved.same += added.same
        moved.differing += added.differing
        tell(moved.count)
    return moved


def missing(source: Store, target: Store) -> int:
    """How many links of one store the other does not have."""
    lost, ids = 0, []
    for head in source.heads():
        ids.append(head.id)
        if len(ids) == MOST_IDS:
            lost += len(ids) - len(target.among(ids))
            ids = []
    return lost + len(ids) - len(target.among(ids))


def _together(links: Iterable[Kept]) -> Iterator[list[Kept]]:
    left = iter(links)
    while some := list(islice(left, MOST_TOGETHER)):
        yield some
