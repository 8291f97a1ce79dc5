"""A draft as lines: what stands for a job, a node group or a queue while its form is closed, and for a whole
section.

A draft may hold anything where a number should be, so what can't be read is shown as a question mark and
faulted elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any

from engine import quantities
from engine.dashboard import container_count
from webapp.figures.short_names import short_names
from webapp.messages import msg
from webapp.panels.editor.queue_lines import DEFAULT_QUEUE, bars, in_tree_order

PHYSICS = {
    "launch_s": "launch",
    "stragglers": "stragglers",
    "failures": "failures",
    "outages": msg("panels.lines.lost_nodes"),
    "locality": "locality",
}
LARGEST = 10**18  # what is beyond is malformed; sums of such numbers may be longer than Python writes
MAX_LINES = 200  # a section of more says so; its table has them all


def summaries(scenario: Any) -> dict[str, str]:
    """What each section holds, to be read while it is closed, by its key."""
    nodes, queues, jobs = entries(scenario, "nodes"), entries(scenario, "queues"), entries(scenario, "jobs")
    total = {
        key: sum(_whole(node.get("count")) * _whole(node.get(key)) for node in nodes)
        for key in ("memory_mb", "vcores")
    }
    hosts = sum(_whole(node.get("count")) for node in nodes)
    copies = sum(_whole(job.get("count", 1)) for job in jobs)
    cluster = scenario.get("cluster") if isinstance(scenario, dict) else None
    heartbeat = cluster.get("heartbeat_ms", 1000) if isinstance(cluster, dict) else 1000
    seed = scenario.get("seed", 0) if isinstance(scenario, dict) else 0
    containers = container_count(scenario) if isinstance(scenario, dict) else 0
    return {
        "nodes": (
            f"{quantities.count(hosts, 'nodes')}, {_memory(total['memory_mb'])}, "
            f"{quantities.vcores(total['vcores'])}"
        ),
        "queues": quantities.count(len(queues), "queues")
        if queues
        else msg("panels.lines.only", default_queue=DEFAULT_QUEUE),
        "jobs": f"{quantities.count(copies, 'jobs')}, {quantities.count(containers, 'containers')}",
        "settings": ", ".join(
            [
                msg("panels.lines.heartbeat_every_ms_seed", number=_number(heartbeat), seed=seed),
                *_physics(cluster),
            ]
        ),
    }


def _physics(cluster: Any) -> list[str]:
    """What of the physics of a cluster is on."""
    return [words for key, words in PHYSICS.items() if isinstance(cluster, dict) and cluster.get(key)]


def lines(scenario: Any) -> dict[str, list[dict]]:
    """The lines of each table, at most MAX_LINES.

    A line: rows, the first and last index it stands for; name; aside, what stands at the right; parts, pairs
    of phase and text; names, where it is of many.
    """
    makers: dict[str, Callable[[dict], tuple[str, list]]] = {"nodes": _node, "jobs": _job}
    entries_by_table = {table: entries(scenario, table) for table in makers}
    lines_by_table = {
        table: [
            _line(entries_by_table[table], table, rows, make)
            for rows in islice(_groups(entries_by_table[table], table), MAX_LINES)
        ]
        for table, make in makers.items()
    }
    return lines_by_table | {"queues": list(islice(_tree(scenario), MAX_LINES))}


def _tree(scenario: Any) -> Iterator[dict]:
    """The queues as a tree: beside what every line has, path, depth and bars; rows is None for a queue that
    the names of others imply.
    """
    queues = entries(scenario, "queues")
    indices_by_path: dict[str, list[int | None]] = {}
    for row, queue in enumerate(queues):
        indices_by_path.setdefault(_name(queue, "queues", row), []).append(row)
    bars_by_path = bars(scenario)
    for path, depth in in_tree_order(list(indices_by_path)):
        for index in indices_by_path.get(path, [None]):
            parts = [] if index is None else _queue(queues[index])
            rows = None if index is None else (index, index)
            yield {
                "rows": rows,
                "name": path.rpartition(".")[2],
                "aside": "",
                "parts": parts,
                "path": path,
                "depth": depth,
                "bars": bars_by_path.get(path, {}),
            }


def leaf_queues(scenario: Any) -> list[str]:
    """Names jobs may be submitted to: listed queues and root.default that have none below them."""
    names = [
        queue["name"]
        for queue in entries(scenario, "queues")
        if isinstance(queue.get("name"), str) and queue["name"].startswith("root.")
    ]
    names = list(dict.fromkeys([DEFAULT_QUEUE, *names]))
    parents = {name.rpartition(".")[0] for name in names}
    return [name for name in names if name not in parents]


def entries(scenario: Any, table: str) -> list[dict]:
    """The rows of a table; what is no object stands as an empty one, so that indices stay those of the
    draft.
    """
    return [row if isinstance(row, dict) else {} for row in as_written(scenario, table)]


def as_written(scenario: Any, table: str) -> list[Any]:
    """The rows of a table as they stand in the draft, whatever they are."""
    owner = scenario.get("cluster") if isinstance(scenario, dict) and table == "nodes" else scenario
    rows = owner.get(table) if isinstance(owner, dict) else None
    return rows if isinstance(rows, list) else []


def _groups(rows: list[dict], table: str) -> Iterator[tuple[int, int]]:
    """First and last row of each line: hosts that differ by name only, as a trace has them, are one; names
    stay in the scenario.
    """
    identical_runs = groupby(
        range(len(rows)),
        key=lambda index: (
            {key: value for key, value in rows[index].items() if key != "name"} if table == "nodes" else index
        ),
    )
    for _, indices in identical_runs:
        run = list(indices)
        yield run[0], run[-1]


def _line(
    entries: list[dict], table: str, rows: tuple[int, int], make: Callable[[dict], tuple[str, list]]
) -> dict:
    first, last = rows
    aside, parts = make(entries[first])
    names = [_name(entries[index], table, index) for index in range(first, last + 1)]
    if first == last:
        return {"rows": rows, "name": names[0], "aside": aside, "parts": parts}
    hosts = sum(_whole(entries[index].get("count")) for index in range(first, last + 1))
    return {
        "rows": rows,
        "name": msg("panels.lines.hosts_like", hosts=hosts, short_names=short_names(names)[0]),
        "aside": "",
        "parts": _node({**entries[first], "count": 1})[1],
        "names": names,
    }


def _name(entry: dict, table: str, index: int) -> str:
    name = entry.get("name")
    return name if isinstance(name, str) and name else f"{table[:-1]}{index + 1}"


def _job(job: dict) -> tuple[str, list]:
    arrival, count = job.get("arrival_s", 0), job.get("count", 1)
    copies = f"× {_number(count)}, " if count != 1 else ""
    parts = [
        [kind, _stage(job[key])]
        for key, kind in (("maps", "map"), ("reduces", "reduce"))
        if isinstance(job.get(key), dict)
    ]
    if (iterations := _whole(job.get("iterations", 1))) > 1:
        parts.append(["", msg("panels.lines.times", iterations=iterations)])
    if job.get("speculation", "none") != "none":
        parts.append(["", "speculation"])
    return msg("panels.lines.at_s", copies=copies, number=_number(arrival)), parts


def _node(node: dict) -> tuple[str, list]:
    each = f"{_memory(node.get('memory_mb'))}, {_vcores(node)}"
    limits = [
        f"{key.removesuffix('_slots')}s ≤ {_number(node[key])}"
        for key in ("map_slots", "reduce_slots")
        if node.get(key) is not None
    ]
    if node.get("speed", 1) != 1:
        limits.append(msg("panels.lines.speed", number=_number(node["speed"])))
    count = node.get("count")
    return str(node.get("rack") or ""), [
        ["", ", ".join([f"{_number(count)} × {each}" if count != 1 else each, *limits])]
    ]


def _queue(queue: dict) -> list:
    texts = (
        [msg("panels.lines.weight", number=_number(queue["weight"]))] if queue.get("weight", 1) != 1 else []
    )
    texts += [
        f"{word} {_number(queue[key])} %"
        for key, word in (("capacity_pct", "capacity"), ("max_capacity_pct", msg("shared.at_most")))
        if key in queue
    ]
    texts += [
        f"{word} {queue[key]}"
        for key, word in (("policy", "policy"), ("ordering", "ordering"))
        if isinstance(queue.get(key), str)
    ]
    return [["", ", ".join(texts)]] if texts else []


def _stage(stage: dict) -> str:
    return (
        f"{_number(stage.get('count'))} × {_memory(stage.get('memory_mb'))}, {_vcores(stage)} · "
        f"{_duration(stage.get('duration_s'))}"
    )


def _duration(value: Any) -> str:
    """Seconds; of a distribution its mean, with a tilde."""
    if isinstance(value, dict):
        means = [_float(part) for part in _means(value)]
        numbers = [number for number in means if number is not None]
        return f"~{sum(numbers) / len(numbers):.3g} s" if 0 < len(numbers) == len(means) else "?"
    return f"{_number(value)} s"


def _means(value: dict) -> Iterator[Any]:
    if isinstance(value.get("values"), list):
        yield from value["values"]
    else:
        yield from ([value["mean"]] if "mean" in value else [value.get("low"), value.get("high")])


def _memory(mb: Any) -> str:
    return "?" if (number := _float(mb)) is None else quantities.memory(number, exact=True)


def _vcores(owner: dict) -> str:
    return f"{_number(owner.get('vcores'))} vc"


def _number(value: Any) -> str:
    return "?" if (number := _float(value)) is None else quantities.number(number, exact=True)


def _float(value: Any) -> float | None:
    return (
        float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
        else None
    )


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < LARGEST else 0
