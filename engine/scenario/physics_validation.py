"""What must hold between the fields of physics.py and the nodes and tasks they speak of, read from the plain JSON values."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice

from engine.errors import Fault
from engine.scenario.bounds import MOST_KNOWN, MOST_NAME, MOST_NODES
from engine.scenario.field_types import milliseconds
from engine.scenario.name_hints import NameHints
from engine.scenario.plain_values import dicts, number, whole


def physics_faults(data: dict, hint: NameHints) -> Iterator[Fault]:
    cluster = data.get("cluster")
    if isinstance(cluster, dict) and cluster.get("outages"):
        yield from _outages(cluster, hint)
    for place, job in enumerate(dicts(data, "jobs")):
        yield from _partitions(job, f"jobs[{place}].partitions")


def _partitions(job: dict, where: str) -> Iterator[Fault]:
    given, reduces = job.get("partitions"), job.get("reduces")
    if not isinstance(given, dict):
        return
    sizes = given.get("sizes")
    if (given.get("zipf") is None) == (sizes is None):
        yield Fault(where, "must have either zipf or sizes")
    count = reduces.get("count") if isinstance(reduces, dict) else 0
    if isinstance(sizes, list) and all(number(size) is not None for size in sizes):
        if isinstance(count, int) and len(sizes) != count:
            yield Fault(f"{where}.sizes", f"{len(sizes)} sizes for {count} reduces")
        elif not sum(sizes) > 0:
            yield Fault(f"{where}.sizes", "must not all be 0")


def _outages(cluster: dict, hint: NameHints) -> Iterator[Fault]:
    groups = dicts(cluster, "nodes")
    if sum(whole(group, "count") or 0 for group in groups) > MOST_NODES:  # a fault of its own
        return
    names = dict.fromkeys(_node_names(groups))
    ahead: dict[str, list[tuple[float, float, int]]] = {}
    for place, outage in enumerate(dicts(cluster, "outages")):
        where, node = f"cluster.outages[{place}]", outage.get("node")
        if isinstance(node, str) and node not in names:
            yield Fault(f"{where}.node", f"{node[:MOST_NAME]!r} is no node of the cluster{hint(node, list(islice(names, MOST_KNOWN)))}")
            continue
        lost, back = number(outage.get("lost_s")), number(outage.get("back_s"))
        if lost is None or (back is None and outage.get("back_s") is not None):
            continue
        if back is not None and milliseconds(back) <= milliseconds(lost):
            yield Fault(f"{where}.back_s", f"{back:g} must be after lost_s ({lost:g})")
            continue
        ahead.setdefault(str(node), []).append((lost, float("inf") if back is None else back, place))
    for node, outages in ahead.items():
        outages.sort()
        for (_, before, _), (lost, _, place) in zip(outages, outages[1:], strict=False):
            if lost <= before:
                yield Fault(f"cluster.outages[{place}].lost_s", f"{node} is lost already at {lost:g} s")
    yield from _some_node_up(len(names), {node: outages for node, outages in ahead.items() if node in names})


def _some_node_up(nodes: int, ahead: dict[str, list[tuple[float, float, int]]]) -> Iterator[Fault]:
    """A cluster without any node has no shares. The changes are gone through in time, what is back at an instant before what is lost at it."""
    if not nodes or len(ahead) < nodes:
        return
    changes = [(lost, 1, place, node) for node, outages in ahead.items() for lost, _, place in outages]
    changes += [(back, -1, place, node) for node, outages in ahead.items() for _, back, place in outages]
    depth = dict.fromkeys(ahead, 0)  # outages of one node that overlap are told above
    down = 0
    for time, at_time in groupby(sorted(changes), key=lambda change: change[0]):
        places = []
        for _, by, place, node in at_time:
            before, depth[node] = depth[node], depth[node] + by
            down += bool(depth[node]) - bool(before)
            places += [place] if by > 0 else []
        if places and down == nodes:
            yield Fault(f"cluster.outages[{min(places)}].lost_s", f"no node is left at {time:g} s; one at least must be up at any time")
            return


def _node_names(groups: list[dict]) -> Iterator[str]:
    for place, group in enumerate(groups, start=1):
        name, count = group.get("name") or f"node{place}", whole(group, "count")
        if count is not None and isinstance(name, str) and len(name) <= MOST_NAME:
            yield from [name] if count == 1 else (f"{name}-{copy}" for copy in range(1, count + 1))
