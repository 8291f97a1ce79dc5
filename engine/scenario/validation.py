"""All faults of a scenario at once: what its fields refuse, and the relations between them.

The relations read the plain JSON values and pass over what is malformed, so that a wrong type in one job
does not hide a job that fits no node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, groupby
from typing import Any, get_args, get_origin

from pydantic import BaseModel, ValidationError

from engine.errors import Fault
from engine.messages import msg
from engine.scenario.allocation_validation import allocation_faults
from engine.scenario.application_validation import amount_of_request, application_faults, application_requests
from engine.scenario.field_types import DURATION_TAGS, LONE_SURROGATE, has_lone_surrogate
from engine.scenario.json_values import LISTS, dict_list, int_at, number, value_at
from engine.scenario.name_hints import NameHints
from engine.scenario.physics_validation import physics_faults
from engine.scenario.queue_validation import queue_faults
from engine.scenario.scenario_limits import MAX_CONTAINERS, MAX_FAULTS, MAX_NAME_LENGTH, MAX_NODES

OR_DISTRIBUTION = msg("scenario.validation.seconds_or_distribution_normal_lognormal_uni")
SLOTS = {"maps": "map_slots", "reduces": "reduce_slots"}
MAX_SHOWN_LENGTH = 60  # characters of a wrong value


def find_faults(model: type[BaseModel], data: Any, error: ValidationError | None) -> list[Fault]:
    """The faults of `data` read as `model`, in the order of the file, none twice; all of them, or the first
    MAX_FAULTS and one that says so.
    """
    plain, hint = _to_plain(data), NameHints()
    faults: dict[Fault, None] = {}
    field_paths: set[str] = set()
    for fault in chain(
        _field_faults(model, plain, error, hint),
        _unknown_field_faults(model, plain, "", hint),
        [None],
        _relation_faults(plain, hint),
    ):
        if fault is None:
            field_paths = {known_fault.path for known_fault in faults}
        elif fault.path not in field_paths:
            faults[fault] = None
        if len(faults) > MAX_FAULTS:
            return [
                *list(faults)[:MAX_FAULTS],
                Fault("", msg("scenario.validation.has_more_than_faults_first_told", max_faults=MAX_FAULTS)),
            ]
    return list(faults)


def container_count(data: dict) -> int:
    """Masters and tasks of all iterations, stages and copies: containers, but of Spark's tasks."""
    total = 0
    for job in dict_list(data, "jobs"):
        tasks = (int_at(job, "maps", "count") or 0) + (int_at(job, "reduces", "count") or 0)
        tasks += sum(int_at(stage, "tasks") or 0 for stage in dict_list(job, "stages"))
        master = 1 if isinstance(job.get("am"), dict) else 0
        total += (int_at(job, "count") or 1) * (tasks * (int_at(job, "iterations") or 1) + master)
    return total


def _field_faults(
    model: type[BaseModel], data: Any, error: ValidationError | None, hint: NameHints
) -> Iterator[Fault]:
    """What the fields refuse. A list of the scenario's own ends at its first bad entry (fail_fast), and the
    others are read one by one here: as many faults as are told are made, and not a kilobyte for each that
    there is."""
    for path, field_errors in groupby(
        _errors(error), key=lambda each_error: _containing_list(each_error["loc"])
    ):
        last = -1
        for each_error in field_errors:
            yield Fault(json_path(each_error["loc"]), error_text(each_error, hint))
            last = each_error["loc"][len(path)] if path else last
        entry_model = _model_at(model, path)
        for index, row in enumerate(value_at(data, path)[last + 1 :] if path else (), start=last + 1):
            try:
                entry_model.model_validate(row)
            except ValidationError as entry_error:
                for each_error in _errors(entry_error):
                    yield Fault(json_path((*path, index, *each_error["loc"])), error_text(each_error, hint))


def _errors(error: ValidationError | None) -> list[Any]:
    return error.errors(include_url=False) if error else []


def _containing_list(loc: tuple) -> tuple[str, ...]:
    """The path of the scenario's list that an error's place is in; () for none."""
    return next((path for path in LISTS if loc[: len(path)] == path and len(loc) > len(path)), ())


def _model_at(model: type[BaseModel], path: tuple[str, ...]) -> type[BaseModel]:
    for key in path:
        inner = _model_in(model.model_fields[key].annotation, None)
        assert inner is not None  # LISTS are of models
        model = inner
    return model


def json_path(loc: tuple) -> str:
    """Where a value stands, as faults say it: cluster.nodes[0].count."""
    text = ""
    for part in loc:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part not in DURATION_TAGS:
            text += f".{part}" if text else str(part)
    return text


def error_text(item: Any, hint: NameHints) -> str:
    """What pydantic found, as a part of one of our sentences."""
    kind, context, value = item["type"], item.get("ctx", {}), item["input"]
    value_text = _format_value(value)
    if kind == "missing":
        return msg("scenario.validation.required")
    if kind == "greater_than_equal":
        return msg("scenario.validation.must_be_at_least", value_text=value_text, ge=context["ge"])
    if kind == "greater_than":
        return msg("scenario.validation.must_be_more_than", value_text=value_text, gt=context["gt"])
    if kind in ("less_than_equal", "less_than"):
        return msg(
            "scenario.validation.too_large_maximum",
            value_text=value_text,
            get=context.get("le", context.get("lt")),
        )
    if kind == "finite_number":
        return msg("scenario.validation.must_be_finite_number", value_text=value_text)
    if kind.startswith("int"):
        return msg("scenario.validation.must_be_whole_number", value_text=value_text)
    if kind.startswith("float"):
        return msg(
            "scenario.validation.must_be_number",
            value_text=value_text,
            ending=OR_DISTRIBUTION if item["loc"][-1] == "number" else "",
        )
    if kind == "literal_error":
        return msg(
            "scenario.validation.must_be_2",
            value_text=value_text,
            expected=context["expected"],
            hint=hint(value, context["expected"].replace(chr(39), "").replace(" or ", ", ").split(", ")),
        )
    if kind == "too_short":
        return msg("scenario.validation.must_hold_at_least_one_entry")
    if kind == "too_long" or kind == "string_too_long":
        return msg("scenario.validation.too_long_maximum", max_length=context["max_length"])
    if kind == "value_error":
        return f"{value_text} {context['error']}"
    if kind == "union_tag_invalid":
        return msg("scenario.validation.must_be_number_seconds_or_distribution", value_text=value_text)
    names = {
        "bool_type": msg("scenario.validation.true_or_false"),
        "string_type": "text",
        "string_unicode": msg("scenario.validation.text_holds_half_character_lone_surrogate"),
        "list_type": msg("shared.list"),
        "model_type": msg("shared.object"),
        "dict_type": msg("shared.object"),
        "model_attributes_type": msg("shared.object"),
    }
    return msg("scenario.validation.must_be", value_text=value_text, get=names.get(kind, item["msg"]))


def _format_value(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return msg("shared.object") if isinstance(value, dict) else msg("shared.list")
    text = repr(value[: MAX_SHOWN_LENGTH + 1] if isinstance(value, str) else value)
    return {"None": "null", "True": "true", "False": "false"}.get(
        text, text if len(text) <= MAX_SHOWN_LENGTH else text[: MAX_SHOWN_LENGTH - 3] + "…"
    )


def _unknown_field_faults(model: type[BaseModel], data: Any, path: str, hint: NameHints) -> Iterator[Fault]:
    """Fields no part of the scenario knows, unless named x_..."""
    if not isinstance(data, dict):
        return
    for key, value in data.items():
        field_path = f"{path}.{key}" if path else str(key)
        if key not in model.model_fields:
            if str(key).startswith("x_"):
                if has_lone_surrogate([key, value]):
                    yield Fault(field_path, LONE_SURROGATE)
            else:
                yield Fault(
                    field_path,
                    msg("scenario.validation.not_field_here", hint=hint(key, list(model.model_fields))),
                )
            continue
        annotation = model.model_fields[key].annotation
        inner = _model_in(annotation, value)
        if inner is None or (get_origin(annotation) is list and not isinstance(value, list)):
            continue
        if isinstance(value, list):
            for index, item in enumerate(value):
                yield from _unknown_field_faults(inner, item, f"{field_path}[{index}]", hint)
        else:
            yield from _unknown_field_faults(inner, value, field_path, hint)


def _model_in(annotation: Any, value: Any) -> type[BaseModel] | None:
    """The model that a value of this annotation is read as, also inside lists, unions and Annotated."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    models = [model for part in getattr(annotation, "__args__", ()) if (model := _model_in(part, value))]
    if len(models) > 1 and isinstance(value, dict):
        has_values = "values" in value
        fits = [
            m
            for m in models
            if has_values == ("values" in m.model_fields) and (has_values or _is_dist(m, value.get("dist")))
        ]
        return fits[0] if fits else None
    return models[0] if models else None


def _is_dist(model: type[BaseModel], name: Any) -> bool:
    field = model.model_fields.get("dist")
    return field is not None and name in get_args(field.annotation)


def _relation_faults(data: Any, hint: NameHints) -> Iterator[Fault]:
    if not isinstance(data, dict):
        return
    yield from _node_size_faults(data)
    yield from _map_count_faults(data)
    yield from _distribution_faults(data)
    yield from queue_faults(data, hint)
    yield from allocation_faults(data)
    yield from _name_faults(data, "jobs", "job")
    yield from _user_faults(data)
    cluster = data.get("cluster")
    if isinstance(cluster, dict):
        yield from _name_faults(cluster, "nodes", "node", "cluster.")
        if isinstance(cluster.get("launch_s"), dict):
            yield from _uniform_faults("cluster.launch_s", cluster["launch_s"])
        if sum(int_at(group, "count") or 0 for group in dict_list(cluster, "nodes")) > MAX_NODES:
            yield Fault(
                "cluster.nodes", msg("scenario.validation.more_than_nodes_in_all", max_nodes=MAX_NODES)
            )
    yield from physics_faults(data, hint)
    yield from application_faults(data)
    total = container_count(data)
    if total > MAX_CONTAINERS:
        yield Fault(
            "jobs",
            msg("scenario.validation.containers_in_all_at_most", total=total, max_containers=MAX_CONTAINERS),
        )


def _node_size_faults(data: dict) -> Iterator[Fault]:
    nodes = dict_list(data.get("cluster"), "nodes")
    if not nodes:
        return
    largest = {
        resource: max(int_at(node, resource) or 0 for node in nodes) for resource in ("memory_mb", "vcores")
    }
    with_slots = {
        slots: max((int_at(node, "memory_mb") or 0 for node in nodes if node.get(slots) != 0), default=-1)
        for slots in SLOTS.values()
    }
    for index, job in enumerate(dict_list(data, "jobs")):
        for kind in ("am", *SLOTS):
            request = job.get(kind)
            if not isinstance(request, dict) or (kind == "reduces" and request.get("count") == 0):
                continue
            path = f"jobs[{index}].{kind}"
            too_large = [*_too_large_faults(path, request, largest)]
            yield from too_large
            memory_mb = int_at(request, "memory_mb") or 0
            if kind in SLOTS and not too_large and with_slots[SLOTS[kind]] < memory_mb:
                yield Fault(
                    path, msg("scenario.validation.fits_no_node_where_memory_enough", slots=SLOTS[kind])
                )
        for field, request in application_requests(job):
            words = partial(amount_of_request, job, field)
            yield from _too_large_faults(f"jobs[{index}].{field}", request, largest, words)


def _map_count_faults(data: dict) -> Iterator[Fault]:
    for index, job in enumerate(dict_list(data, "jobs")):
        maps = int_at(job, "maps", "count")
        if maps is not None and maps < 1:
            yield Fault(f"jobs[{index}].maps.count", msg("scenario.validation.must_be_at_least_2", maps=maps))


def _too_large_faults(
    path: str,
    request: dict,
    largest: dict[str, int],
    words: Callable[[str, int], str] = lambda resource, amount: str(amount),
) -> Iterator[Fault]:
    """A fault for each resource of which a request asks for more than the largest node has; words: of an
    amount.
    """
    for resource, maximum in largest.items():
        requested = int_at(request, resource)
        if requested and maximum and requested > maximum:
            yield Fault(
                f"{path}.{resource}",
                msg(
                    "scenario.validation.fits_no_node_largest",
                    requested=words(resource, requested),
                    maximum=maximum,
                ),
            )


def _distribution_faults(data: dict) -> Iterator[Fault]:
    for index, job in enumerate(dict_list(data, "jobs")):
        copies = int_at(job, "count") or 1
        places = [
            ("maps.duration_s", job.get("maps"), "duration_s", "tasks"),
            ("reduces.duration_s", job.get("reduces"), "duration_s", "tasks"),
            ("interval_s", job, "interval_s", msg("scenario.validation.gaps_between_copies")),
            ("am.startup_s", job.get("am"), "startup_s", ""),
            ("executors.launch_s", job.get("executors"), "launch_s", ""),
            *(
                (f"stages[{place}].duration_s", stage, "duration_s", "tasks")
                for place, stage in enumerate(dict_list(job, "stages"))
            ),
        ]
        for field, owner, key, noun in places:
            value = owner.get(key) if isinstance(owner, dict) else None
            if not isinstance(value, dict):
                continue
            path = f"jobs[{index}].{field}"
            yield from _uniform_faults(path, value)
            expected_count = (
                copies - 1 if key == "interval_s" else int_at(owner, "count") or int_at(owner, "tasks")
            )
            if (
                noun
                and isinstance(value.get("values"), list)
                and expected_count
                and len(value["values"]) != expected_count
            ):
                yield Fault(
                    f"{path}.values",
                    msg(
                        "scenario.validation.values_for",
                        values=len(value["values"]),
                        expected_count=expected_count,
                        noun=noun,
                    ),
                )


def _uniform_faults(path: str, value: dict) -> Iterator[Fault]:
    low, high = number(value.get("low")), number(value.get("high"))
    if low is not None and high is not None and low > high:
        yield Fault(f"{path}.low", msg("scenario.validation.must_be_at_most_high", low=low, high=high))


def _name_faults(owner: dict, key: str, noun: str, prefix: str = "") -> Iterator[Fault]:
    """Names are unique after copying: a-2 may be a group's second copy or another group's own name."""
    copies: dict[str, int] = {}
    single: set[str] = set()
    lowest: dict[str, int] = {}  # of the names that stand alone and end with a number, by what is before it
    for index, group in enumerate(dict_list(owner, key)):
        name = group.get("name") or f"{noun}{index + 1}"
        count = int_at(group, "count") or 1
        if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH:
            continue
        stem, copy = _split_copy(name) or (name, 0)
        if count > 1:
            is_duplicate = name in copies or lowest.get(name, count + 1) <= count
            copies[name] = max(count, copies.get(name, 0))
        else:
            is_duplicate = name in single or 1 <= copy <= copies.get(stem, 0)
            single.add(name)
            if copy:
                lowest[stem] = min(copy, lowest.get(stem, copy))
        if is_duplicate:
            yield Fault(
                f"{prefix}{key}[{index}].name",
                msg("scenario.validation.names_more_than_one_names_must", name=name, noun=noun),
            )


def _user_faults(data: dict) -> Iterator[Fault]:
    listed: set[str] = set()
    for index, user in enumerate(dict_list(data, "users")):
        name = user.get("name")
        if isinstance(name, str) and name in listed:
            yield Fault(f"users[{index}].name", msg("shared.listed_twice", name=name))
        elif isinstance(name, str):
            listed.add(name)


def _split_copy(name: str) -> tuple[str, int] | None:
    """The stem and the number of a name that a copy could have: a and 2 of a-2."""
    stem, dash, digits = name.rpartition("-")
    return (
        (stem, int(digits))
        if dash and len(digits) < 10 and digits.isascii() and digits.isdigit() and digits[0] != "0"
        else None
    )


def _to_plain(data: Any) -> Any:
    if isinstance(data, BaseModel):
        return {name: _to_plain(getattr(data, name)) for name in type(data).model_fields} | (
            data.model_extra or {}
        )
    if isinstance(data, dict):
        return {key: _to_plain(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        # without a call for each of a million numbers
        return [
            _to_plain(item) if isinstance(item, (BaseModel, dict, list, tuple)) else item for item in data
        ]
    return data
