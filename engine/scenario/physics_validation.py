"""What must hold between the fields of physics.py and the nodes and tasks they speak of, read from the plain
JSON values.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.field_types import milliseconds
from engine.scenario.json_values import dict_list, int_at, number
from engine.scenario.name_hints import NameHints
from engine.scenario.scenario_limits import MAX_HINT_CANDIDATES, MAX_NAME_LENGTH, MAX_NODES

INFINITY = float("inf")


def physics_faults(data: dict, hint: NameHints) -> Iterator[Fault]:
    cluster = data.get("cluster")
    if isinstance(cluster, dict) and cluster.get("outages"):
        yield from _outages(cluster, hint)
    for index, job in enumerate(dict_list(data, "jobs")):
        yield from _partitions(job, f"jobs[{index}].partitions")


def _partitions(job: dict, path: str) -> Iterator[Fault]:
    partitions, reduces = job.get("partitions"), job.get("reduces")
    if not isinstance(partitions, dict):
        return
    sizes = partitions.get("sizes")
    if (partitions.get("zipf") is None) == (sizes is None):
        yield Fault(path, msg("scenario.physics_validation.must_have_either_zipf_or_sizes"))
    count = reduces.get("count") if isinstance(reduces, dict) else 0
    if isinstance(sizes, list) and all(number(size) is not None for size in sizes):
        if isinstance(count, int) and len(sizes) != count:
            yield Fault(
                f"{path}.sizes",
                msg("scenario.physics_validation.sizes_for_reduces", sizes=len(sizes), count=count),
            )
        elif not sum(sizes) > 0:
            yield Fault(f"{path}.sizes", msg("scenario.physics_validation.must_not_all_be"))


def _outages(cluster: dict, hint: NameHints) -> Iterator[Fault]:
    groups = dict_list(cluster, "nodes")
    if sum(int_at(group, "count") or 0 for group in groups) > MAX_NODES:  # a fault of its own
        return
    names = dict(_node_joins(groups))
    outages_by_node: dict[str, list[tuple[float, float, int]]] = {}
    for index, outage in enumerate(dict_list(cluster, "outages")):
        path, node = f"cluster.outages[{index}]", outage.get("node")
        if isinstance(node, str) and node not in names:
            yield Fault(
                f"{path}.node",
                msg(
                    "scenario.physics_validation.no_node_cluster",
                    node=node[:MAX_NAME_LENGTH],
                    hint=hint(node, list(islice(names, MAX_HINT_CANDIDATES))),
                ),
            )
            continue
        lost, back = number(outage.get("lost_s")), number(outage.get("back_s"))
        if lost is None or (back is None and outage.get("back_s") is not None):
            continue
        if back is not None and milliseconds(back) <= milliseconds(lost):
            yield Fault(
                f"{path}.back_s",
                msg("scenario.physics_validation.must_be_after_lost_s", back=back, lost=lost),
            )
            continue
        outages_by_node.setdefault(str(node), []).append((lost, INFINITY if back is None else back, index))
    for node, outages in outages_by_node.items():
        outages.sort()
        lost, _, index = outages[0]
        if (joins := names.get(node, 0.0)) > 0 and milliseconds(lost) <= milliseconds(joins):
            yield Fault(
                f"cluster.outages[{index}].lost_s",
                msg("scenario.physics_validation.not_there_yet", node=node, lost=lost, joins=joins),
            )
        for (_, previous_back, _), (lost, _, index) in zip(outages, outages[1:], strict=False):
            if lost <= previous_back:
                yield Fault(
                    f"cluster.outages[{index}].lost_s",
                    msg("scenario.physics_validation.lost_already_at_s", node=node, lost=lost),
                )
    yield from _none_comes_back([outages_by_node.get(node, []) for node in names])


def _none_comes_back(outages_of_nodes: list[list[tuple[float, float, int]]]) -> Iterator[Fault]:
    """A cluster may be empty for a while, for Hadoop waits; one that stays so would for ever."""
    last = [
        max((lost, index) for lost, back, index in outages if back == INFINITY)
        for outages in outages_of_nodes
        if any(back == INFINITY for _, back, _ in outages)
    ]
    if outages_of_nodes and len(last) == len(outages_of_nodes):
        time, index = max(last)
        yield Fault(
            f"cluster.outages[{index}].lost_s",
            msg("scenario.physics_validation.no_node_left_and_none_comes", time=time),
        )


def _node_joins(groups: list[dict]) -> Iterator[tuple[str, float]]:
    """Each node's name, and when it joins."""
    for position, group in enumerate(groups, start=1):
        name, count = group.get("name") or f"node{position}", int_at(group, "count")
        joins = number(group.get("joins_s")) or 0.0
        if count is not None and isinstance(name, str) and len(name) <= MAX_NAME_LENGTH:
            names = [name] if count == 1 else (f"{name}-{copy}" for copy in range(1, count + 1))
            yield from ((one, joins) for one in names)
