"""What must hold between the fields of physics.py and the nodes and tasks they speak of, read from the plain JSON values."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from engine.errors import Fault


def physics_faults(data: dict) -> Iterator[Fault]:
    cluster = data.get("cluster")
    yield from _outages(cluster if isinstance(cluster, dict) else {})
    for number, job in enumerate(_dicts(data.get("jobs"))):
        yield from _partitions(job, f"jobs[{number}].partitions")


def _partitions(job: dict, where: str) -> Iterator[Fault]:
    given, reduces = job.get("partitions"), job.get("reduces")
    if not isinstance(given, dict):
        return
    sizes = given.get("sizes")
    if (given.get("zipf") is None) == (sizes is None):
        yield Fault(where, "must have either zipf or sizes")
    count = reduces.get("count") if isinstance(reduces, dict) else 0
    if isinstance(sizes, list) and all(_is_number(size) for size in sizes):
        if isinstance(count, int) and len(sizes) != count:
            yield Fault(f"{where}.sizes", f"{len(sizes)} sizes for {count} reduces")
        elif not sum(sizes) > 0:
            yield Fault(f"{where}.sizes", "must not all be 0")


def _outages(cluster: dict) -> Iterator[Fault]:
    names = list(_node_names(_dicts(cluster.get("nodes"))))
    known = set(names)
    ahead: dict[str, list[tuple[float, float, int]]] = {}
    for number, outage in enumerate(_dicts(cluster.get("outages"))):
        where, node, lost, back = f"cluster.outages[{number}]", outage.get("node"), outage.get("lost_s"), outage.get("back_s")
        if isinstance(node, str) and node not in known:
            close = difflib.get_close_matches(node, names[:1000], n=1, cutoff=0.5)
            yield Fault(f"{where}.node", f"{node!r} is no node of the cluster{f' (did you mean {close[0]}?)' if close else ''}")
            continue
        if not _is_number(lost) or not (back is None or _is_number(back)):
            continue
        if back is not None and round(1000 * back) <= round(1000 * lost):
            yield Fault(f"{where}.back_s", f"{back:g} must be after lost_s ({lost:g})")
            continue
        ahead.setdefault(str(node), []).append((lost, float("inf") if back is None else back, number))
    for node, outages in ahead.items():
        outages.sort()
        for (_, before, _), (lost, _, number) in zip(outages, outages[1:], strict=False):
            if lost <= before:
                yield Fault(f"cluster.outages[{number}].lost_s", f"{node} is lost already at {lost:g} s")
    yield from _some_node_up(known, ahead)


def _some_node_up(names: set[str], ahead: dict[str, list[tuple[float, float, int]]]) -> Iterator[Fault]:
    """A cluster without any node has no shares."""
    if not names or len(ahead) < len(names):
        return
    for lost, number in sorted((lost, number) for outages in ahead.values() for lost, _, number in outages):
        if all(any(begin <= lost < end for begin, end, _ in ahead[name]) for name in names):
            yield Fault(f"cluster.outages[{number}].lost_s", f"no node is left at {lost:g} s; one at least must be up at any time")
            return


def _node_names(groups: list[dict]) -> Iterator[str]:
    for number, group in enumerate(groups, start=1):
        name, count = group.get("name") or f"node{number}", group.get("count")
        if isinstance(count, int) and count <= 1_000_000:
            yield from [name] if count == 1 else (f"{name}-{copy}" for copy in range(1, count + 1))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _dicts(items: Any) -> list[dict]:
    return [item if isinstance(item, dict) else {} for item in items] if isinstance(items, list) else []
