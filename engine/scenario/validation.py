"""All faults of a scenario at once: what its fields refuse, and the relations between them.

The relations read the plain JSON values and pass over what is malformed, so that a wrong type in one job
does not hide a job that fits no node.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby
from typing import Any

from pydantic import BaseModel, ValidationError

from engine.errors import Fault
from engine.scenario.allocation_validation import allocation_faults
from engine.scenario.bounds import MOST_CONTAINERS, MOST_FAULTS, MOST_NAME, MOST_NODES
from engine.scenario.field_types import DURATION_TAGS, HALF, is_half
from engine.scenario.name_hints import NameHints
from engine.scenario.physics_validation import physics_faults
from engine.scenario.plain_values import LISTS, at, dicts, number, whole
from engine.scenario.queue_validation import queue_faults

OR_DISTRIBUTION = " of seconds or a distribution: normal, lognormal, uniform, exponential or values"
SLOTS = {"maps": "map_slots", "reduces": "reduce_slots"}
SHOWN = 60  # characters of a wrong value


def faults_of(model: type[BaseModel], data: Any, error: ValidationError | None) -> list[Fault]:
    """The faults of `data` read as `model`, in the order of the file, none twice; all of them, or the first MOST_FAULTS and one that says so."""
    plain, hint = _plain(data), NameHints()
    found: dict[Fault, None] = {}
    of_fields: set[str] = set()
    for fault in chain(_structure(model, plain, error, hint), _unknown(model, plain, "", hint), [None], _relations(plain, hint)):
        if fault is None:
            of_fields = {one.path for one in found}
        elif fault.path not in of_fields:
            found[fault] = None
        if len(found) > MOST_FAULTS:
            return [*list(found)[:MOST_FAULTS], Fault("", f"has more than {MOST_FAULTS} faults; the first {MOST_FAULTS} are told")]
    return list(found)


def container_count(data: dict) -> int:
    """Containers a scenario needs if nothing is killed: masters and tasks of all iterations and copies."""
    total = 0
    for job in dicts(data, "jobs"):
        tasks = (whole(job, "maps", "count") or 0) + (whole(job, "reduces", "count") or 0)
        master = 1 if isinstance(job.get("am"), dict) else 0
        total += (whole(job, "count") or 1) * (tasks * (whole(job, "iterations") or 1) + master)
    return total


def _structure(model: type[BaseModel], data: Any, error: ValidationError | None, hint: NameHints) -> Iterator[Fault]:
    """What the fields refuse. A list of the scenario's own ends at its first bad entry (fail_fast), and the others are read one by one here: as many
    faults as are told are made, and not a kilobyte for each that there is."""
    for path, items in groupby(_errors(error), key=lambda item: _list_of(item["loc"])):
        last = -1
        for item in items:
            yield Fault(_path(item["loc"]), _words(item, hint))
            last = item["loc"][len(path)] if path else last
        entry = _model_at(model, path)
        for index, row in enumerate(at(data, path)[last + 1 :] if path else (), start=last + 1):
            try:
                entry.model_validate(row)
            except ValidationError as faulty:
                for item in _errors(faulty):
                    yield Fault(_path((*path, index, *item["loc"])), _words(item, hint))


def _errors(error: ValidationError | None) -> list[Any]:
    return error.errors(include_url=False) if error else []


def _list_of(loc: tuple) -> tuple[str, ...]:
    """The path of the scenario's list that an error's place is in; () for none."""
    return next((path for path in LISTS if loc[: len(path)] == path and len(loc) > len(path)), ())


def _model_at(model: type[BaseModel], path: tuple[str, ...]) -> type[BaseModel]:
    for key in path:
        model = _model_in(model.model_fields[key].annotation, None)
    return model


def _path(loc: tuple) -> str:
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part not in DURATION_TAGS:
            text += f".{part}" if text else str(part)
    return text


def _words(item: Any, hint: NameHints) -> str:
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
        return f"{shown} must be {context['expected']}{hint(value, context['expected'].replace(chr(39), '').replace(' or ', ', ').split(', '))}"
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
        "string_unicode": "text, it holds half of a character (a lone surrogate)",
        "list_type": "a list",
        "model_type": "an object",
        "dict_type": "an object",
        "model_attributes_type": "an object",
    }
    return f"{shown} must be {names.get(kind, item['msg'])}"


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return "an object" if isinstance(value, dict) else "a list"
    text = repr(value[: SHOWN + 1] if isinstance(value, str) else value)
    return {"None": "null", "True": "true", "False": "false"}.get(text, text if len(text) <= SHOWN else text[: SHOWN - 3] + "…")


def _unknown(model: type[BaseModel], data: Any, path: str, hint: NameHints) -> Iterator[Fault]:
    """Fields no part of the scenario knows, unless named x_..."""
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        where = f"{path}.{key}" if path else str(key)
        if key not in model.model_fields:
            if str(key).startswith("x_"):
                if is_half([key, value]):
                    yield Fault(where, HALF)
            else:
                yield Fault(where, f"is not a field here{hint(key, list(model.model_fields))}")
            continue
        inner = _model_in(model.model_fields[key].annotation, value)
        if inner is None:
            continue
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from _unknown(inner, item, f"{where}[{index}]", hint)
        else:
            yield from _unknown(inner, value, where, hint)


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


def _relations(data: Any, hint: NameHints) -> Iterator[Fault]:
    if not isinstance(data, dict):
        return
    yield from _fits(data)
    yield from _distributions(data)
    yield from queue_faults(data, hint)
    yield from allocation_faults(data)
    yield from _names(data, "jobs", "job")
    yield from _users(data)
    cluster = data.get("cluster")
    if isinstance(cluster, dict):
        yield from _names(cluster, "nodes", "node", "cluster.")
        if isinstance(cluster.get("launch_s"), dict):
            yield from _uniform("cluster.launch_s", cluster["launch_s"])
        if sum(whole(group, "count") or 0 for group in dicts(cluster, "nodes")) > MOST_NODES:
            yield Fault("cluster.nodes", f"more than {MOST_NODES:,} nodes in all")
    yield from physics_faults(data, hint)
    total = container_count(data)
    if total > MOST_CONTAINERS:
        yield Fault("jobs", f"{total:,} containers in all, at most {MOST_CONTAINERS:,}")


def _fits(data: dict) -> Iterator[Fault]:
    nodes = dicts(data.get("cluster"), "nodes")
    if not nodes:
        return
    largest = {resource: max(whole(node, resource) or 0 for node in nodes) for resource in ("memory_mb", "vcores")}
    with_slots = {slots: max((whole(node, "memory_mb") or 0 for node in nodes if node.get(slots) != 0), default=-1) for slots in SLOTS.values()}
    for place, job in enumerate(dicts(data, "jobs")):
        for kind in ("am", *SLOTS):
            request = job.get(kind)
            if not isinstance(request, dict) or (kind == "reduces" and request.get("count") == 0):
                continue
            where = f"jobs[{place}].{kind}"
            small = False
            for resource, most in largest.items():
                asked = whole(request, resource)
                if asked and most and asked > most:
                    small = True
                    yield Fault(f"{where}.{resource}", f"{asked} fits no node (largest: {most})")
            if kind in SLOTS and not small and with_slots[SLOTS[kind]] < (whole(request, "memory_mb") or 0):
                yield Fault(where, f"fits no node: where the memory is enough, {SLOTS[kind]} is 0")
        maps = whole(job, "maps", "count")
        if maps is not None and maps < 1:
            yield Fault(f"jobs[{place}].maps.count", f"{maps} must be at least 1")


def _distributions(data: dict) -> Iterator[Fault]:
    for place, job in enumerate(dicts(data, "jobs")):
        copies = whole(job, "count") or 1
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
            path = f"jobs[{place}].{where}"
            yield from _uniform(path, value)
            needed = copies - 1 if key == "interval_s" else whole(owner, "count")
            if what and isinstance(value.get("values"), list) and needed and len(value["values"]) != needed:
                yield Fault(f"{path}.values", f"{len(value['values'])} values for {needed} {what}")


def _uniform(path: str, value: dict) -> Iterator[Fault]:
    low, high = number(value.get("low")), number(value.get("high"))
    if low is not None and high is not None and low > high:
        yield Fault(f"{path}.low", f"{low:g} must be at most high ({high:g})")


def _names(owner: dict, key: str, word: str, prefix: str = "") -> Iterator[Fault]:
    """Names are unique after copying: a-2 may be a group's second copy or another group's own name."""
    copies: dict[str, int] = {}
    single: set[str] = set()
    lowest: dict[str, int] = {}  # of the names that stand alone and end with a number, by what is before it
    for place, group in enumerate(dicts(owner, key)):
        name = group.get("name") or f"{word}{place + 1}"
        count = whole(group, "count") or 1
        if not isinstance(name, str) or len(name) > MOST_NAME:
            continue
        stem, copy = _copy(name) or (name, 0)
        if count > 1:
            clash = name in copies or lowest.get(name, count + 1) <= count
            copies[name] = max(count, copies.get(name, 0))
        else:
            clash = name in single or 1 <= copy <= copies.get(stem, 0)
            single.add(name)
            if copy:
                lowest[stem] = min(copy, lowest.get(stem, copy))
        if clash:
            yield Fault(f"{prefix}{key}[{place}].name", f"{name!r} names more than one {word}; names must be unique after copying")


def _users(data: dict) -> Iterator[Fault]:
    listed: set[str] = set()
    for place, user in enumerate(dicts(data, "users")):
        name = user.get("name")
        if isinstance(name, str) and name in listed:
            yield Fault(f"users[{place}].name", f"{name!r} is listed twice")
        elif isinstance(name, str):
            listed.add(name)


def _copy(name: str) -> tuple[str, int] | None:
    """The stem and the number of a name that a copy could have: a and 2 of a-2."""
    stem, dash, digits = name.rpartition("-")
    return (stem, int(digits)) if dash and len(digits) < 10 and digits.isascii() and digits.isdigit() and digits[0] != "0" else None


def _plain(data: Any) -> Any:
    if isinstance(data, BaseModel):
        return {name: _plain(getattr(data, name)) for name in type(data).model_fields} | (data.model_extra or {})
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_plain(item) if isinstance(item, (BaseModel, dict, list, tuple)) else item for item in data]  # without a call for each of a million numbers
    return data
