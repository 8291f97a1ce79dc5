"""All faults of a scenario at once: what its fields refuse, and the relations between them.

The relations read the plain JSON values and pass over what is malformed, so that a wrong type in one job
does not hide a job that fits no node.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.errors import Fault
from engine.scenario.field_types import DURATION_TAGS
from engine.scenario.physics_validation import physics_faults

MOST_CONTAINERS = 100_000_000
ROOT = "root"
DEFAULT_QUEUE = "root.default"
OR_DISTRIBUTION = " of seconds or a distribution: normal, lognormal, uniform, exponential or values"


def faults_of(model: type[BaseModel], data: Any, error: ValidationError | None) -> list[Fault]:
    """Every fault of `data` read as `model`, in the order of the file, none twice."""
    plain = _plain(data)
    found = list(_structure(error)) + list(_unknown(model, plain, ""))
    if isinstance(plain, dict):
        seen = {fault.path for fault in found}
        found += [fault for fault in _relations(plain) if fault.path not in seen]
    return list(dict.fromkeys(found))


def container_count(data: dict) -> int:
    """Containers a scenario needs if nothing is killed: masters and tasks of all iterations and copies."""
    total = 0
    for job in _dicts(data, "jobs"):
        tasks = (_int(job, "maps", "count") or 0) + (_int(job, "reduces", "count") or 0)
        master = 1 if isinstance(job.get("am"), dict) else 0
        total += (_int(job, "count") or 1) * (tasks * (_int(job, "iterations") or 1) + master)
    return total


def _structure(error: ValidationError | None) -> Iterator[Fault]:
    for item in error.errors() if error else ():
        yield Fault(_path(item["loc"]), _words(item))


def _path(loc: tuple) -> str:
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part not in DURATION_TAGS:
            text += f".{part}" if text else str(part)
    return text


def _words(item: dict) -> str:
    kind, context, value = item["type"], item.get("ctx", {}), item["input"]
    shown = _shown(value)
    if kind == "missing":
        return "is required"
    if kind == "greater_than_equal":
        return f"{shown} must be at least {context['ge']:g}"
    if kind == "greater_than":
        return f"{shown} must be more than {context['gt']:g}"
    if kind in ("less_than_equal", "less_than"):
        return f"{shown} is too large: at most {context.get('le', context.get('lt')):,.15g}"
    if kind == "finite_number":
        return f"{shown} must be a finite number"
    if kind.startswith("int"):
        return f"{shown} must be a whole number"
    if kind.startswith("float"):
        return f"{shown} must be a number{OR_DISTRIBUTION if item['loc'][-1] == 'number' else ''}"
    if kind == "literal_error":
        return f"{shown} must be {context['expected']}{_did_you_mean(value, context['expected'].replace(chr(39), '').replace(' or ', ', ').split(', '))}"
    if kind == "too_short":
        return "must hold at least one entry"
    if kind == "too_long" or kind == "string_too_long":
        return f"is too long: at most {context['max_length']}"
    if kind == "value_error":
        return f"{shown} {context['error']}"
    if kind == "union_tag_invalid":
        return f"{shown} must be a number of seconds or a distribution: normal, lognormal, uniform or exponential"
    names = {
        "bool_type": "true or false",
        "string_type": "text",
        "list_type": "a list",
        "model_type": "an object",
        "dict_type": "an object",
        "model_attributes_type": "an object",
    }
    return f"{shown} must be {names.get(kind, item['msg'])}"


def _shown(value: Any) -> str:
    text = repr(value) if not isinstance(value, (dict, list)) else ("an object" if isinstance(value, dict) else "a list")
    return {"None": "null", "True": "true", "False": "false"}.get(text, text if len(text) <= 60 else text[:57] + "…")


def _did_you_mean(word: Any, known: list[str]) -> str:
    close = difflib.get_close_matches(str(word), known, n=1, cutoff=0.5)
    return f" (did you mean {close[0]}?)" if close else ""


def _unknown(model: type[BaseModel], data: Any, path: str) -> Iterator[Fault]:
    """Fields no part of the scenario knows, unless named x_..."""
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        where = f"{path}.{key}" if path else str(key)
        if key not in model.model_fields:
            if not str(key).startswith("x_"):
                yield Fault(where, f"is not a field here{_did_you_mean(key, list(model.model_fields))}")
            continue
        inner = _model_in(model.model_fields[key].annotation, value)
        if inner is None:
            continue
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from _unknown(inner, item, f"{where}[{index}]")
        else:
            yield from _unknown(inner, value, where)


def _model_in(annotation: Any, value: Any) -> type[BaseModel] | None:
    """The model that a value of this annotation is read as, also inside lists, unions and Annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = [model for part in getattr(annotation, "__args__", ()) if (model := _model_in(part, value))]
    if len(models) > 1 and isinstance(value, dict):
        listed = "values" in value
        fits = [m for m in models if listed == ("values" in m.model_fields) and (listed or _is_dist(m, value.get("dist")))]
        return fits[0] if fits else None
    return models[0] if models else None


def _is_dist(model: type[BaseModel], name: Any) -> bool:
    field = model.model_fields.get("dist")
    return field is not None and name in field.annotation.__args__


def _relations(data: dict) -> Iterator[Fault]:
    yield from _fits(data)
    yield from _distributions(data)
    yield from _queues(data)
    yield from _names(data, "jobs", "job")
    cluster = data.get("cluster")
    if isinstance(cluster, dict):
        yield from _names(cluster, "nodes", "node", "cluster.")
        if isinstance(cluster.get("launch_s"), dict):
            yield from _uniform("cluster.launch_s", cluster["launch_s"])
        if sum(_int(group, "count") or 0 for group in _dicts(cluster, "nodes")) > 1_000_000:
            yield Fault("cluster.nodes", "more than 1,000,000 nodes in all")
    yield from physics_faults(data)
    total = container_count(data)
    if total > MOST_CONTAINERS:
        yield Fault("jobs", f"{total:,} containers in all, at most {MOST_CONTAINERS:,}")


def _fits(data: dict) -> Iterator[Fault]:
    nodes = _dicts(data.get("cluster"), "nodes")
    if not nodes:
        return
    for number, job in enumerate(_dicts(data, "jobs")):
        for kind, slots in (("am", None), ("maps", "map_slots"), ("reduces", "reduce_slots")):
            request = job.get(kind)
            if not isinstance(request, dict) or (kind == "reduces" and request.get("count") == 0):
                continue
            where = f"jobs[{number}].{kind}"
            small = False
            for resource in ("memory_mb", "vcores"):
                asked, largest = _int(request, resource), max(_int(node, resource) or 0 for node in nodes)
                if asked and largest and asked > largest:
                    small = True
                    yield Fault(f"{where}.{resource}", f"{asked} fits no node (largest: {largest})")
            if slots and not small:
                asked = _int(request, "memory_mb") or 0
                if not any(node.get(slots) != 0 for node in nodes if (_int(node, "memory_mb") or 0) >= asked):
                    yield Fault(where, f"fits no node: where the memory is enough, {slots} is 0")
        maps = _int(job, "maps", "count")
        if maps is not None and maps < 1:
            yield Fault(f"jobs[{number}].maps.count", f"{maps} must be at least 1")


def _distributions(data: dict) -> Iterator[Fault]:
    for number, job in enumerate(_dicts(data, "jobs")):
        copies = _int(job, "count") or 1
        places = [
            ("maps.duration_s", job.get("maps"), "duration_s", "tasks"),
            ("reduces.duration_s", job.get("reduces"), "duration_s", "tasks"),
            ("interval_s", job, "interval_s", "gaps between copies"),
            ("am.startup_s", job.get("am"), "startup_s", ""),
        ]
        for where, owner, key, what in places:
            value = owner.get(key) if isinstance(owner, dict) else None
            if not isinstance(value, dict):
                continue
            path = f"jobs[{number}].{where}"
            yield from _uniform(path, value)
            needed = copies - 1 if key == "interval_s" else _int(owner, "count")
            if what and isinstance(value.get("values"), list) and needed and len(value["values"]) != needed:
                yield Fault(f"{path}.values", f"{len(value['values'])} values for {needed} {what}")


def _uniform(path: str, value: dict) -> Iterator[Fault]:
    low, high = value.get("low"), value.get("high")
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and low > high:
        yield Fault(f"{path}.low", f"{low:g} must be at most high ({high:g})")


def _queues(data: dict) -> Iterator[Fault]:
    listed = [queue.get("name") for queue in _dicts(data, "queues")]
    known = {DEFAULT_QUEUE, ROOT}
    for number, name in enumerate(listed):
        if not isinstance(name, str):
            continue
        where = f"queues[{number}].name"
        parts = name.split(".")
        if parts[0] != ROOT or not all(part.strip() for part in parts) or "/" in name:
            yield Fault(where, f"{name!r} must be a dotted name under root, such as root.production")
        elif name in listed[:number]:
            yield Fault(where, f"{name!r} is listed twice")
        known.update(".".join(parts[:depth]) for depth in range(1, len(parts) + 1))
    parents = {name.rpartition(".")[0] for name in known}
    leaves = sorted(known - parents)
    for number, job in enumerate(_dicts(data, "jobs")):
        queue = job.get("queue", DEFAULT_QUEUE)
        if isinstance(queue, str) and queue not in leaves:
            why = "is a parent queue; jobs name leaves" if queue in known else "is not listed in queues"
            yield Fault(f"jobs[{number}].queue", f"{queue!r} {why}{_did_you_mean(queue, leaves)}")
    yield from _policies(data, parents)
    yield from _capacities(data)


def _policies(data: dict, parents: set[str]) -> Iterator[Fault]:
    policy_of = {queue.get("name"): queue.get("policy") for queue in _dicts(data, "queues")}
    for number, queue in enumerate(_dicts(data, "queues")):
        name, policy = queue.get("name"), queue.get("policy")
        if policy == "fifo" and name in parents:
            yield Fault(f"queues[{number}].policy", "fifo orders jobs, and only leaf queues hold jobs")
        above = policy_of.get(str(name).rpartition(".")[0])
        if policy == "drf" and above == "fair":
            yield Fault(f"queues[{number}].policy", "drf can't stand under a fair parent, as in Hadoop")


def _capacities(data: dict) -> Iterator[Fault]:
    children: dict[str, list[tuple[int, float | None]]] = {}
    names = set()
    for number, queue in enumerate(_dicts(data, "queues")):
        name, share = queue.get("name"), queue.get("capacity_pct")
        most = queue.get("max_capacity_pct")
        if isinstance(share, (int, float)) and isinstance(most, (int, float)) and most < share:
            yield Fault(f"queues[{number}].max_capacity_pct", f"{most:g} must be at least capacity_pct ({share:g})")
        if isinstance(name, str) and name != ROOT and (share is None or isinstance(share, (int, float))):
            children.setdefault(name.rpartition(".")[0], []).append((number, share))
            names.update(".".join(name.split(".")[:depth]) for depth in range(2, name.count(".") + 2))
    listed = {queue.get("name") for queue in _dicts(data, "queues")}
    for implied in (names | {DEFAULT_QUEUE}) - listed:
        children.setdefault(implied.rpartition(".")[0], []).append((-1, None))
    for parent, group in children.items():
        given = [share for _, share in group if share is not None]
        total, some_empty = sum(given), len(given) < len(group)
        if total > 100 + 1e-6 or (given and not some_empty and abs(total - 100) > 1e-6):
            last = max(number for number, share in group if share is not None)
            yield Fault(f"queues[{last}].capacity_pct", f"the queues under {parent} sum to {total:g} %, they must sum to 100")


def _names(owner: dict, key: str, word: str, prefix: str = "") -> Iterator[Fault]:
    """Names are unique after copying: a-2 may be a group's second copy or another group's own name."""
    ranges: dict[str, int] = {}
    plain: dict[str, int] = {}
    for number, group in enumerate(_dicts(owner, key)):
        name = group.get("name") or f"{word}{number + 1}"
        count = _int(group, "count") or 1
        path = f"{prefix}{key}[{number}].name"
        if not isinstance(name, str):
            continue
        table = plain if count == 1 else ranges
        stem, _, copy = name.rpartition("-")
        numbered = copy.isascii() and copy.isdigit() and str(int(copy or 0)) == copy and 1 <= int(copy) <= ranges.get(stem, 0)
        clash = name in table or (count == 1 and numbered)
        if count > 1:
            clash = clash or any(_copy_of(other, name, count) for other in plain)
        if clash:
            yield Fault(path, f"{name!r} names more than one {word}; names must be unique after copying")
        table[name] = max(count, table.get(name, 0))


def _copy_of(other: str, stem: str, count: int) -> bool:
    head, _, copy = other.rpartition("-")
    return head == stem and copy.isascii() and copy.isdigit() and not copy.startswith("0") and len(copy) < 10 and int(copy) <= count


def _plain(data: Any) -> Any:
    if isinstance(data, BaseModel):
        return {name: _plain(getattr(data, name)) for name in type(data).model_fields} | (data.model_extra or {})
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(item) for item in data] if isinstance(data, (list, tuple)) else data


def _dicts(owner: Any, key: str) -> list[dict]:
    """The entries of a list; a malformed entry stands as {} so that indices stay those of the file."""
    items = owner.get(key) if isinstance(owner, dict) else None
    return [item if isinstance(item, dict) else {} for item in items] if isinstance(items, list) else []


def _int(owner: Any, *keys: str) -> int | None:
    for key in keys:
        owner = owner.get(key) if isinstance(owner, dict) else None
    if isinstance(owner, float) and owner.is_integer():
        return int(owner)
    return owner if isinstance(owner, int) and not isinstance(owner, bool) else None
