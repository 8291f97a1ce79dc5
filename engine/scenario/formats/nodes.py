"""The nodes of a trace: its own hosts, or a nodes file of SLS or a topology of Rumen, as node groups of a
scenario.

SLS nodes file: {"rack": "rack1", "nodes": [{"node": "n1", "memory-mb": 8192, "vcores": 8}]}, one object a
rack. Rumen topology: {"name": "<root>", "children": [{"name": rack, "children": [{"name": host}]}]}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import ijson

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import HEAD_BYTES, Source, int_value, raise_json_error, text_value
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.scenario_limits import MAX_NODE_GROUPS

DEFAULT_RACK = "default-rack"
MAX_VALUES = 2_000_000  # of one rack or topology, which is built as a whole: twice what the most nodes need
MAX_DEPTH = 100  # of lists and objects in it: two a level of the topology
UNITS = {"memory_mb": "MB", "vcores": "vcores"}


@dataclass(frozen=True)
class Node:
    """A host; memory in MB and vcores are None where the file does not say."""

    rack: str
    host: str
    memory_mb: int | None = None
    vcores: int | None = None


@dataclass(frozen=True)
class DefaultSize:
    """What a node is given whose size the file does not say, and the words for where that comes from."""

    amount: int
    origin: str


def parse_node(path: str) -> Node:
    """The node of "/rack/host", where the rack may have several parts; a bare host stands in Hadoop's
    default-rack.
    """
    rack, _, host = path.strip("/").rpartition("/")
    return Node(rack or DEFAULT_RACK, host)


def add_bounded(names: set, added: Iterable) -> None:
    """Adds what names nodes to those known. TooLarge when they become too many."""
    names.update(added)
    if len(names) > MAX_NODE_GROUPS:
        raise TooLarge(msg("shared.more_than_different_nodes", max_node_groups=MAX_NODE_GROUPS))


def read_racks(source: Source) -> set[Node]:
    """All nodes of a nodes file of SLS or a topology. FormatError where it is neither."""
    nodes: set[Node] = set()
    number = 1
    try:
        for entry in _entries(source):
            add_bounded(nodes, _nodes_in(entry))
            number += 1
    except FormatError as error:
        raise FormatError(msg("scenario.nodes.nodes_file_object", number=number, error=error)) from None
    except (ijson.JSONError, ValueError, ArithmeticError) as error:
        raise_json_error(error, source, msg("scenario.nodes.nodes_file_object_2", number=number))
    if not nodes:
        raise FormatError(msg("scenario.nodes.nodes_file_names_no_node"))
    return nodes


def _entries(source: Source) -> Iterator[Any]:
    """The file's values, one after another. TooLarge for one of too many parts, FormatError for one that is
    nested too deeply.
    """
    builder, depth, count = ijson.ObjectBuilder(), 0, 0
    for event, value in ijson.basic_parse(source, multiple_values=True, buf_size=HEAD_BYTES):
        builder.event(event, value)
        depth += (event in ("start_map", "start_array")) - (event in ("end_map", "end_array"))
        count += 1
        if depth > MAX_DEPTH:
            raise FormatError(msg("shared.nested_more_than_deep", max_depth=MAX_DEPTH))
        if count > MAX_VALUES:
            raise TooLarge(msg("scenario.nodes.rack_or_topology_nodes_file_holds", max_values=MAX_VALUES))
        if not depth:
            yield builder.value
            builder, count = ijson.ObjectBuilder(), 0


def node_groups(
    nodes: set[Node],
    numbered: tuple[int, int],
    default_sizes: dict[str, DefaultSize],
    largest_request: dict[str, int],
    notes: Notes,
) -> list[dict[str, Any]]:
    """Node groups, hosts by rack and name, then `numbered` = (how many, racks) nodes that have no names of
    their own.

    Where a size is not known `default_sizes` gives it, raised to the largest container `largest_request`,
    since the trace has run it.
    """
    names = UniqueNames()
    groups: list[dict[str, Any]] = []
    for node in sorted(nodes, key=lambda node: (node.rack, node.host, node.memory_mb or 0, node.vcores or 0)):
        name = names.claim(sanitize(node.host))
        groups.append(
            {
                "name": name,
                "count": 1,
                "rack": sanitize(node.rack),
                "memory_mb": node.memory_mb,
                "vcores": node.vcores,
            }
        )
    count, racks = numbered
    for rack in range(racks):
        rack_count = count // racks + (rack < count % racks)
        groups.append(
            {
                "name": names.claim(f"rack{rack}-node", rack_count),
                "count": rack_count,
                "rack": f"rack{rack}",
                "memory_mb": None,
                "vcores": None,
            }
        )
    for key, unit in UNITS.items():
        unsized = [group for group in groups if group[key] is None]
        amount = max(default_sizes[key].amount, largest_request[key])
        raised = (
            ""
            if amount == default_sizes[key].amount
            else msg("scenario.nodes.raised_to_for_largest_container", amount=amount, unit=unit)
        )
        noun = (
            msg("scenario.nodes.name_no", unit=unit)
            if unit == "vcores"
            else msg("scenario.nodes.name_no_memory")
        )
        notes.count(
            "node",
            f"{noun}: {default_sizes[key].amount} {unit}, {default_sizes[key].origin}{raised}",
            sum(group["count"] for group in unsized),
        )
        for group in unsized:
            group[key] = amount
    return groups


def _nodes_in(entry: Any) -> Iterator[Node]:
    if not isinstance(entry, dict) or not ("nodes" in entry or "children" in entry):
        raise FormatError(msg("scenario.nodes.must_be_rack_sls_or_topology"))
    if "nodes" not in entry:
        yield from _leaves(entry)
        return
    rack = text_value(entry.get("rack"), "rack")
    if rack is None:
        raise FormatError(msg("scenario.nodes.rack_required"))
    for index, node in enumerate(_list(entry["nodes"], "nodes")):
        if not isinstance(node, dict):
            raise FormatError(msg("scenario.nodes.nodes_expected_object", index=index))
        host = text_value(node.get("node"), "node")
        if host is None:
            raise FormatError(msg("scenario.nodes.nodes_node_required", index=index))
        memory = node.get("memory-mb", node.get("memory"))
        yield Node(
            rack.strip("/") or DEFAULT_RACK,
            host,
            _size(memory, f"nodes[{index}].memory-mb"),
            _size(node.get("vcores"), f"nodes[{index}].vcores"),
        )


def _leaves(root: dict) -> Iterator[Node]:
    """The hosts of a topology in order, without recursion: what has no children is a host, what is above it
    its rack.
    """
    pending: list[tuple[Any, tuple[str, ...]]] = [(root, ())]
    while pending:
        entry, ancestors = pending.pop()
        if not isinstance(entry, dict):
            raise FormatError(msg("scenario.nodes.children_expected_object"))
        name = text_value(entry.get("name"), "name")
        children = _list(entry.get("children") or [], "children")
        if children:
            path = ancestors if entry is root else (*ancestors, name or "")
            pending += [(child, path) for child in reversed(children)]
        elif entry is not root:
            if name is None:
                raise FormatError(msg("scenario.nodes.host_topology_has_no_name"))
            yield Node("/".join(ancestors).strip("/") or DEFAULT_RACK, name)


def _list(value: Any, key: str) -> list:
    if not isinstance(value, list):
        raise FormatError(msg("shared.must_be_list", key=key))
    return value


def _size(value: Any, key: str) -> int | None:
    number = int_value(value, key)
    if number is not None and number < 1:
        raise FormatError(msg("scenario.nodes.must_be_at_least", key=key, number=number))
    return number
