"""A draft as lines: what stands for a job, a node group or a queue while its form is closed, and for a whole section.

A draft may hold anything where a number should be, so what can't be read is shown as a question mark and faulted elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, islice
from typing import Any

from engine import container_count
from webapp import theme
from webapp.figures.short_names import short_names
from webapp.panels.editor.queue_lines import DEFAULT_QUEUE, bars, in_order

PHYSICS = {"launch_s": "launch", "stragglers": "stragglers", "failures": "failures", "outages": "lost nodes", "locality": "locality"}
LARGEST = 10**18  # what is beyond is malformed; sums of such numbers may be longer than Python writes
MOST_LINES = 200  # a section of more says so; its table has them all


def summaries(scenario: Any) -> dict[str, str]:
    """What each section holds, to be read while it is closed, by its key."""
    nodes, queues, jobs = entries(scenario, "nodes"), entries(scenario, "queues"), entries(scenario, "jobs")
    total = {key: sum(_whole(node.get("count")) * _whole(node.get(key)) for node in nodes) for key in ("memory_mb", "vcores")}
    hosts = sum(_whole(node.get("count")) for node in nodes)
    copies = sum(_whole(job.get("count", 1)) for job in jobs)
    cluster = scenario.get("cluster") if isinstance(scenario, dict) else None
    beat = cluster.get("heartbeat_ms", 1000) if isinstance(cluster, dict) else 1000
    seed = scenario.get("seed", 0) if isinstance(scenario, dict) else 0
    containers = container_count(scenario) if isinstance(scenario, dict) else 0
    return {
        "nodes": f"{_counted(hosts, 'node')}, {_memory(total['memory_mb'])}, {_counted(total['vcores'], 'vcore')}",
        "queues": _counted(len(queues), "queue") if queues else f"{DEFAULT_QUEUE} only",
        "jobs": f"{_counted(copies, 'job')}, {_counted(containers, 'container')}",
        "settings": ", ".join([f"heartbeat every {_number(beat)} ms, seed {seed}", *_physics(cluster)]),
    }


def _physics(cluster: Any) -> list[str]:
    """What of the physics of a cluster is on."""
    return [words for key, words in PHYSICS.items() if isinstance(cluster, dict) and cluster.get(key)]


def lines(scenario: Any) -> dict[str, list[dict]]:
    """The lines of each table, at most MOST_LINES.

    A line: rows, the first and last index it stands for; name; aside, what stands at the right; parts, pairs of phase and text; names, where it is of many.
    """
    makers: dict[str, Callable[[dict], tuple[str, list]]] = {"nodes": _node, "jobs": _job}
    found = {table: entries(scenario, table) for table in makers}
    made = {table: [_line(found[table], table, rows, made) for rows in islice(_groups(found[table], table), MOST_LINES)] for table, made in makers.items()}
    return made | {"queues": list(islice(_tree(scenario), MOST_LINES))}


def _tree(scenario: Any) -> Iterator[dict]:
    """The queues as a tree: beside what every line has, path, depth and bars; rows is None for a queue that the names of others imply."""
    listed = entries(scenario, "queues")
    places: dict[str, list[int]] = {}
    for index in range(len(listed)):
        places.setdefault(_name(listed[index], "queues", index), []).append(index)
    drawn = bars(scenario)
    for path, depth in in_order(list(places)):
        for index in places.get(path, [None]):
            parts = [] if index is None else _queue(listed[index])
            rows = None if index is None else (index, index)
            yield {"rows": rows, "name": path.rpartition(".")[2], "aside": "", "parts": parts, "path": path, "depth": depth, "bars": drawn.get(path, {})}


def leaf_queues(scenario: Any) -> list[str]:
    """Names jobs may be submitted to: listed queues and root.default that have none below them."""
    names = [queue["name"] for queue in entries(scenario, "queues") if isinstance(queue.get("name"), str) and queue["name"].startswith("root.")]
    names = list(dict.fromkeys([DEFAULT_QUEUE, *names]))
    parents = {name.rpartition(".")[0] for name in names}
    return [name for name in names if name not in parents]


def entries(scenario: Any, table: str) -> list[dict]:
    """The rows of a table; what is no object stands as an empty one, so that indices stay those of the draft."""
    return [row if isinstance(row, dict) else {} for row in as_written(scenario, table)]


def as_written(scenario: Any, table: str) -> list[Any]:
    """The rows of a table as they stand in the draft, whatever they are."""
    owner = scenario.get("cluster") if isinstance(scenario, dict) and table == "nodes" else scenario
    found = owner.get(table) if isinstance(owner, dict) else None
    return found if isinstance(found, list) else []


def _groups(every: list[dict], table: str) -> Iterator[tuple[int, int]]:
    """First and last row of each line: hosts that differ by name only, as a trace has them, are one; names stay in the scenario."""
    alike = groupby(range(len(every)), key=lambda index: {key: value for key, value in every[index].items() if key != "name"} if table == "nodes" else index)
    for _, indices in alike:
        run = list(indices)
        yield run[0], run[-1]


def _line(every: list[dict], table: str, rows: tuple[int, int], made: Callable[[dict], tuple[str, list]]) -> dict:
    first, last = rows
    aside, parts = made(every[first])
    names = [_name(every[index], table, index) for index in range(first, last + 1)]
    if first == last:
        return {"rows": rows, "name": names[0], "aside": aside, "parts": parts}
    hosts = sum(_whole(every[index].get("count")) for index in range(first, last + 1))
    return {"rows": rows, "name": f"{hosts:,} hosts like {short_names(names)[0]}", "aside": "", "parts": _node({**every[first], "count": 1})[1], "names": names}


def _name(entry: dict, table: str, index: int) -> str:
    name = entry.get("name")
    return name if isinstance(name, str) and name else f"{table[:-1]}{index + 1}"


def _job(job: dict) -> tuple[str, list]:
    arrival, count = job.get("arrival_s", 0), job.get("count", 1)
    copies = f"× {_number(count)}, " if count != 1 else ""
    parts = [[kind, _stage(job[key])] for key, kind in (("maps", "map"), ("reduces", "reduce")) if isinstance(job.get(key), dict)]
    if (iterations := _whole(job.get("iterations", 1))) > 1:
        parts.append(["", f"{iterations:,} times"])
    if job.get("speculation", "none") != "none":
        parts.append(["", "speculation"])
    return f"{copies}at {_number(arrival)} s", parts


def _node(node: dict) -> tuple[str, list]:
    each = f"{_memory(node.get('memory_mb'))}, {_vcores(node)}"
    limits = [f"{key.removesuffix('_slots')}s ≤ {_number(node[key])}" for key in ("map_slots", "reduce_slots") if node.get(key) is not None]
    if node.get("speed", 1) != 1:
        limits.append(f"{_number(node['speed'])} × speed")
    count = node.get("count")
    return str(node.get("rack") or ""), [["", ", ".join([f"{_number(count)} × {each}" if count != 1 else each, *limits])]]


def _queue(queue: dict) -> list:
    given = [f"weight {_number(queue['weight'])}"] if queue.get("weight", 1) != 1 else []
    given += [f"{word} {_number(queue[key])} %" for key, word in (("capacity_pct", "capacity"), ("max_capacity_pct", "at most")) if key in queue]
    given += [f"{word} {queue[key]}" for key, word in (("policy", "policy"), ("ordering", "ordering")) if isinstance(queue.get(key), str)]
    return [["", ", ".join(given)]] if given else []


def _stage(stage: dict) -> str:
    return f"{_number(stage.get('count'))} × {_memory(stage.get('memory_mb'))}, {_vcores(stage)} · {_duration(stage.get('duration_s'))}"


def _duration(value: Any) -> str:
    """Seconds; of a distribution its mean, with a tilde."""
    if isinstance(value, dict):
        found = [_float(part) for part in _means(value)]
        return f"~{sum(found) / len(found):.3g} s" if found and None not in found else "?"
    return f"{_number(value)} s"


def _means(value: dict) -> Iterator[Any]:
    if isinstance(value.get("values"), list):
        yield from value["values"]
    else:
        yield from ([value["mean"]] if "mean" in value else [value.get("low"), value.get("high")])


def _memory(mb: Any) -> str:
    if (number := _float(mb)) is None:
        return "?"
    if number >= 2**20:
        return theme.memory(number)
    return f"{number / 1024:,.4g} GB" if number >= 1024 and number % 128 == 0 or number >= 102_400 else f"{number:,.10g} MB"


def _vcores(owner: dict) -> str:
    return f"{_number(owner.get('vcores'))} vc"


def _number(value: Any) -> str:
    return "?" if (number := _float(value)) is None else f"{number:,.10g}"


def _float(value: Any) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300 else None


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < LARGEST else 0


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
