"""A draft as lines: what stands for a job, a node group or a queue while its form is closed, and for a whole
section.

A draft may hold anything where a number should be, so what can't be read is shown as a question mark and
faulted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, islice
from statistics import fmean
from typing import Any

from engine import quantities
from engine.dashboard import DEFAULT_EXECUTORS, container_count
from webapp.figures.demand_skyline import Held, draw_demand
from webapp.figures.short_names import short_names
from webapp.figures.stage_graph import draw_stages
from webapp.messages import msg
from webapp.panels.editor.queue_lines import DEFAULT_QUEUE, bars, in_tree_order

PHYSICS = {
    "launch_s": "launch",
    "stragglers": "stragglers",
    "failures": "failures",
    "outages": msg("panels.lines.lost_nodes"),
    "locality": "locality",
}
PERCENTAGES = {"capacity_pct": "capacity", "max_capacity_pct": msg("shared.at_most")}
LARGEST = 10**18  # what is beyond is malformed; sums of such numbers may be longer than Python writes
SHARED = ("spark", "tez")  # frameworks of which a container runs several tasks
MAX_HELD = 3  # stages of a demand that its line tells
MAX_LINES = 200  # a section of more says so; its table has them all


def summaries(scenario: Any) -> dict[str, str]:
    """What each section holds, to be read while it is closed, by its key."""
    nodes, queues, jobs = entries(scenario, "nodes"), entries(scenario, "queues"), entries(scenario, "jobs")
    root = scenario if isinstance(scenario, dict) else {}
    cluster = root["cluster"] if isinstance(root.get("cluster"), dict) else {}
    hosts = sum(_whole(node.get("count")) for node in nodes)
    memory_mb, vcores = (
        sum(_whole(node.get("count")) * _whole(node.get(key)) for node in nodes)
        for key in ("memory_mb", "vcores")
    )
    copies = sum(_whole(job.get("count", 1)) for job in jobs)
    heartbeat = msg(
        "panels.lines.heartbeat_every_ms_seed",
        number=_number(cluster.get("heartbeat_ms", 1000)),
        seed=root.get("seed", 0),
    )
    physics = [words for key, words in PHYSICS.items() if cluster.get(key)]
    no_queue = msg("panels.lines.only", default_queue=DEFAULT_QUEUE)
    return {
        "nodes": f"{quantities.count(hosts, 'nodes')}, {_memory(memory_mb)}, {quantities.vcores(vcores)}",
        "queues": quantities.count(len(queues), "queues") if queues else no_queue,
        "jobs": f"{quantities.count(copies, 'jobs')}, {_containers(root, jobs)}",
        "settings": ", ".join([heartbeat, *physics]),
    }


def _containers(root: dict, jobs: list[dict]) -> str:
    """How many containers all jobs have, and how many tasks share some: Spark's and Tez's, which are none."""
    in_containers = [{**job, "stages": []} if job.get("framework") in SHARED else job for job in jobs]
    count = container_count({**root, "jobs": in_containers})
    containers, tasks = quantities.count(count, "containers"), container_count(root) - count
    if not tasks:
        return containers
    sharing = quantities.count(tasks, "tasks")
    return msg("panels.lines.containers_and_tasks", containers=containers, tasks=sharing)


def lines(scenario: Any) -> dict[str, list[dict]]:
    """The lines of each table, at most MAX_LINES.

    A line: rows, the first and last index it stands for; name; aside, what stands at the right; parts, pairs
    of phase and text; names, where it is of many; graph, of an application's stages, as SVG text.
    """
    nodes, jobs = entries(scenario, "nodes"), entries(scenario, "jobs")
    return {
        "nodes": [_node_line(nodes, rows) for rows in islice(_groups(nodes), MAX_LINES)],
        "jobs": [_job_line(job, index) for index, job in enumerate(jobs[:MAX_LINES])],
        "queues": list(islice(_tree(scenario), MAX_LINES)),
    }


def _tree(scenario: Any) -> Iterator[dict]:
    """The queues as a tree: beside what every line has, path, depth and bars; rows is None for a queue that
    the names of others imply.
    """
    queues = entries(scenario, "queues")
    indices_by_path: dict[str, list[int]] = {}
    for row, queue in enumerate(queues):
        indices_by_path.setdefault(_name(queue, "queues", row), []).append(row)
    bars_by_path = bars(scenario)
    for path, depth in in_tree_order(list(indices_by_path)):
        name = path.rpartition(".")[2]
        of_tree = {"path": path, "depth": depth, "bars": bars_by_path.get(path, {})}
        if path not in indices_by_path:
            yield _line(None, name, []) | of_tree
        for index in indices_by_path.get(path, []):
            yield _line((index, index), name, _queue(queues[index])) | of_tree


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


def _groups(nodes: list[dict]) -> Iterator[tuple[int, int]]:
    """First and last row of each line: hosts that differ by name only, as a trace has them, are one; names
    stay in the scenario.
    """
    without_names = [{key: value for key, value in node.items() if key != "name"} for node in nodes]
    for _, indices in groupby(range(len(nodes)), key=without_names.__getitem__):
        run = list(indices)
        yield run[0], run[-1]


def _line(rows: tuple[int, int] | None, name: str, parts: list, aside: str = "") -> dict[str, Any]:
    return {"rows": rows, "name": name, "aside": aside, "parts": parts}


def _node_line(nodes: list[dict], rows: tuple[int, int]) -> dict:
    first, last = rows
    node, names = nodes[first], [_name(nodes[row], "nodes", row) for row in range(first, last + 1)]
    if first == last:
        return _line(rows, names[0], _node(node), str(node.get("rack") or ""))
    hosts = sum(_whole(one.get("count")) for one in nodes[first : last + 1])
    name = msg("panels.lines.hosts_like", hosts=hosts, name=short_names(names)[0])
    return _line(rows, name, _node({**node, "count": 1})) | {"names": names}


def _name(entry: dict, table: str, index: int) -> str:
    name = entry.get("name")
    return name if isinstance(name, str) and name else f"{table[:-1]}{index + 1}"


def _job_line(job: dict, index: int) -> dict:
    arrival, count = job.get("arrival_s", 0), job.get("count", 1)
    copies = f"× {_number(count)}, " if count != 1 else ""
    parts = _application(job) + [
        [kind, _stage(job[key])]
        for key, kind in (("maps", "map"), ("reduces", "reduce"))
        if isinstance(job.get(key), dict)
    ]
    if (iterations := _whole(job.get("iterations", 1))) > 1:
        parts.append(["", msg("panels.lines.times", iterations=iterations)])
    executors = job.get("executors")
    of_spark = executors.get("speculation") if isinstance(executors, dict) else None
    if of_spark is not None or job.get("speculation", "none") != "none":
        parts.append(["", "speculation"])
    aside = msg("panels.lines.at_s", copies=copies, number=_number(arrival))
    line = _line((index, index), _name(job, "jobs", index), parts, aside)
    if not _stages(job):
        return line
    stages = _stages(job)
    is_demand = job.get("framework") == "demand"
    return line | {"graph": draw_demand(_all_held(stages)) if is_demand else draw_stages(stages)}


def _application(job: dict) -> list[list[str]]:
    """What an application has beside MapReduce's: the executors of Spark, "4" or "0 to 10"; its stages and
    tasks; or what a demand holds.
    """
    parts, stages, executors = [], _stages(job), job.get("executors")
    if isinstance(executors, dict):
        each = f"{_memory(executors.get('memory_mb'))}, {_vcores(executors)}"
        parts.append(msg("panels.lines.executors", count=_executor_count(executors), each=each))
    if job.get("framework") == "demand" and stages:
        first, *others = map(_held, stages[:MAX_HELD])
        parts += [msg("panels.lines.demand", held=first), *others]
        if len(stages) > MAX_HELD:
            more = quantities.count(len(stages) - MAX_HELD, "stages")
            parts.append(msg("panels.lines.more_stages", more=more))
    elif stages:
        words = {
            "stages": quantities.count(len(stages), "stages"),
            "tasks": quantities.count(sum(_whole(stage.get("tasks")) for stage in stages), "tasks"),
        }
        if job.get("framework") == "stages":
            parts.append(msg("panels.lines.dag", each=_sizes(stages), **words))
        elif job.get("framework") == "tez":
            parts.append(msg("panels.lines.tez", each=_sizes(stages), **words))
        else:
            parts.append(msg("panels.lines.stages", **words))
    return [["", part] for part in parts]


def _held(stage: dict) -> str:
    """What a stage of a demand holds, and from when."""
    held = _stage({**stage, "count": stage.get("tasks")})
    start = stage.get("start_s", 0)
    return msg("panels.lines.held_from", held=held, start=_number(start)) if start != 0 else held


def _all_held(stages: list[dict]) -> list[Held]:
    """What each stage holds that can be read, over its mean duration."""
    read = []
    for stage in stages:
        start, mean = _float(stage.get("start_s", 0)), _mean(stage.get("duration_s"))
        if start is not None and mean is not None and start >= 0 and mean > 0:
            memory_mb = _whole(stage.get("tasks")) * _whole(stage.get("memory_mb"))
            read.append(Held(start, start + mean, memory_mb))
    return read


def _sizes(stages: list[dict]) -> str:
    """The size of a task's container, "1 GB, 1 vc", or the smallest and the largest in each resource."""
    parts = []
    for key, words in (("memory_mb", _memory), ("vcores", _number)):
        known = {value for stage in stages if (value := _float(stage.get(key))) is not None}
        least, most = words(min(known, default=None)), words(max(known, default=None))
        parts.append(least if least == most else msg("panels.lines.from_to", minimum=least, maximum=most))
    return f"{parts[0]}, {parts[1]} vc"


def _executor_count(executors: dict) -> str:
    dynamic = executors.get("dynamic")
    if not isinstance(dynamic, dict):
        return _number(executors.get("count", DEFAULT_EXECUTORS))
    minimum, maximum = _number(dynamic.get("minimum", 0)), dynamic.get("maximum")
    if maximum is None:
        return msg("panels.lines.or_more", minimum=minimum)
    return msg("panels.lines.from_to", minimum=minimum, maximum=_number(maximum))


def _stages(job: dict) -> list[dict]:
    stages = job.get("stages")
    return [stage for stage in stages if isinstance(stage, dict)] if isinstance(stages, list) else []


def _node(node: dict) -> list:
    count, each = node.get("count"), f"{_memory(node.get('memory_mb'))}, {_vcores(node)}"
    texts = [f"{_number(count)} × {each}" if count != 1 else each]
    texts += [
        f"{key.removesuffix('_slots')}s ≤ {_number(node[key])}"
        for key in ("map_slots", "reduce_slots")
        if node.get(key) is not None
    ]
    if node.get("speed", 1) != 1:
        texts.append(msg("panels.lines.speed", number=_number(node["speed"])))
    if node.get("joins_s"):
        texts.append(msg("panels.lines.joins_at_s", number=_number(node["joins_s"])))
    return [["", ", ".join(texts)]]


def _queue(queue: dict) -> list:
    texts = []
    if queue.get("weight", 1) != 1:
        texts.append(msg("panels.lines.weight", number=_number(queue["weight"])))
    texts += [f"{word} {_number(queue[key])} %" for key, word in PERCENTAGES.items() if key in queue]
    texts += [f"{key} {queue[key]}" for key in ("policy", "ordering") if isinstance(queue.get(key), str)]
    return [["", ", ".join(texts)]] if texts else []


def _stage(stage: dict) -> str:
    each = f"{_memory(stage.get('memory_mb'))}, {_vcores(stage)}"
    return f"{_number(stage.get('count'))} × {each} · {_duration(stage.get('duration_s'))}"


def _duration(value: Any) -> str:
    """Seconds; of a distribution its mean, with a tilde."""
    if not isinstance(value, dict):
        return f"{_number(value)} s"
    return "?" if (mean := _mean(value)) is None else f"~{mean:.3g} s"


def _mean(value: Any) -> float | None:
    """The mean of a duration, None where it can't be read."""
    if not isinstance(value, dict):
        return _float(value)
    means = _means(value)
    numbers = [number for part in means if (number := _float(part)) is not None]
    return fmean(numbers) if 0 < len(numbers) == len(means) else None


def _means(value: dict) -> list:
    if isinstance(value.get("values"), list):
        return value["values"]
    return [value["mean"]] if "mean" in value else [value.get("low"), value.get("high")]


def _memory(mb: Any) -> str:
    return "?" if (number := _float(mb)) is None else quantities.memory(number, exact=True)


def _vcores(owner: dict) -> str:
    return f"{_number(owner.get('vcores'))} vc"


def _number(value: Any) -> str:
    return "?" if (number := _float(value)) is None else quantities.number(number, exact=True)


def _float(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
    return float(value) if is_number else None


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < LARGEST else 0
