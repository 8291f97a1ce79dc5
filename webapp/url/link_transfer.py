"""Links and records from one place to another: out of a backup, or from one database to the next. What was
begun may be begun again: what is there already stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, islice
from typing import Any, TypeVar

from webapp.store.kept_records import AddResult, Record, RecordStore, record_stores
from webapp.url.links import LinkStore, StoredLink

LINKS = "links"
LINKS_PER_BATCH = 25  # written at once: they stand in memory, and who shares meanwhile waits for them
RECORDS_PER_BATCH = 1  # a class has up to 20,000 answers
IDS_PER_QUERY = 1_000
Stores = dict[str, LinkStore | RecordStore]
T = TypeVar("T")


def stores(links: LinkStore) -> Stores:
    """All that a database keeps for its visitors, by what it is, in the order in which it is to be added."""
    return {LINKS: links, **record_stores(links.database)}


def iterate(source: Stores) -> Iterator[StoredLink | Record]:
    """All that they keep, one in memory at a time. StoreError."""
    for store in source.values():
        yield from store.iterate()


def kind(one: StoredLink | Record) -> str:
    """What it is: which of the stores keeps it."""
    return one.table if isinstance(one, Record) else LINKS


def transfer(
    kept: Iterable[StoredLink | Record], target: Stores, report: Callable[[int], None], write: bool = True
) -> dict[str, AddResult]:
    """Add it to the stores, some at a time; what became of it, by what it is. `report` hears how many are
    done. write=False: only say what would become of them. StoreError.
    """
    results, done = dict.fromkeys(target, AddResult(0, 0)), 0
    for name, group in groupby(kept, kind):
        store: Any = target[name]
        for batch in _batches(group, LINKS_PER_BATCH if name == LINKS else RECORDS_PER_BATCH):
            results[name] = results[name].plus(store.add(batch, write))
            done += len(batch)
            report(done)
    return results


def count_missing(source: Stores, target: Stores) -> dict[str, int]:
    """How many of one database the other does not have, by what they are."""

    def missing(name: str) -> int:
        batches = _batches(source[name].ids(), IDS_PER_QUERY)
        return sum(len(batch) - len(target[name].existing_ids(batch)) for batch in batches)

    return {name: missing(name) for name in source}


def _batches(values: Iterable[T], size: int) -> Iterator[list[T]]:
    remaining = iter(values)
    while batch := list(islice(remaining, size)):
        yield batch
