"""What the page knows of a scenario's fields: title, unit, help, default, kind; read from the models, typed
nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from engine import Cluster, Queue
from engine.dashboard import describe_field, hadoop_names
from webapp.messages import msg

OWNERS = {Queue: "queue", Cluster: "cluster"}  # what Hadoop has names for
SHOWN_UNITS = ("MB", "MB/s", "s", "ms", "%")


@dataclass(frozen=True)
class Entry:
    """One field a user can fill. path: its JSON path within the row or the scenario; group: the path of the
    object it stands in.

    kind: text, whole, number, duration, choice, queue, numbers, names, switch (true, or an object that is
    given at all) or rows (a list of objects, each of `fields`). `empty` stands greyed in an empty cell;
    `default` is None without one.
    none: what is written for null where that is not the default, such as "no limit". hadoop: what Hadoop's
    files call it.
    """

    path: str
    title: str
    unit: str
    help: str
    kind: str
    choices: tuple[str, ...]
    required: bool
    default: Any
    empty: str
    none: str
    group: str
    fields: tuple[Entry, ...] = ()
    hadoop: tuple[str, ...] = ()

    @property
    def heading(self) -> str:
        """Title and unit, as a column's head: "Memory (MB)"."""
        return f"{self.title} ({self.unit})" if self.unit in SHOWN_UNITS else self.title


@dataclass(frozen=True)
class Group:
    """An object within a row whose fields stand under one heading, such as a job's maps."""

    path: str
    title: str
    help: str
    empty: str
    required: bool
    hadoop: tuple[str, ...] = ()


def entries(model: type[BaseModel], first: tuple[str, ...] = (), prefix: str = "") -> list[Entry]:
    """All fields that have a sentence of help: those named first, in this order, then the others as the model
    has them, as are those of objects within.
    """
    names = [name for name, field in model.model_fields.items() if field.description]
    result = []
    for name in dict.fromkeys((*first, *names)):
        field = model.model_fields[name]
        inner = nested(field)
        if prefix or not inner:
            result.append(_entry(name, field, prefix, ""))
        if inner:
            result += _entries_within(inner, prefix + name)
    hadoop = _hadoop(model)
    return [replace(entry, hadoop=hadoop.get(entry.path.removeprefix(prefix), ())) for entry in result]


def groups(model: type[BaseModel], prefix: str = "") -> list[Group]:
    """The objects within a model, and those that may be given within these."""
    hadoop, result = _hadoop(model), []
    for name, field in model.model_fields.items():
        inner = nested(field)
        if inner and not (prefix and _is_there(field)):
            words, path, names = describe_field(name, field), prefix + name, hadoop.get(name, ())
            result.append(Group(path, words.heading, words.help, _empty(field), field.is_required(), names))
            result += groups(inner, f"{path}.")
    return result


def _hadoop(model: type[BaseModel]) -> dict[str, tuple[str, ...]]:
    """What Hadoop's files call the fields of a model."""
    return hadoop_names(OWNERS[model]) if model in OWNERS else {}


def nested(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a field that holds one object; None for numbers, texts, durations and lists."""
    types = _types(field.annotation)
    models = [kind for kind in types if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return models[0] if len(models) == 1 and list not in types else None


def _is_there(field: FieldInfo) -> bool:
    """Is its object there by default?"""
    return isinstance(field.default, BaseModel)


def help_text(entry: Entry) -> str:
    """The sentence of help with what holds when nothing is entered."""
    if entry.required:
        return msg("panels.fields.required", help=entry.help)
    if entry.default is None or entry.empty == "":
        return entry.help
    unit = entry.unit
    if entry.empty == "1" and unit not in SHOWN_UNITS:
        unit = unit.removesuffix("s")
    return msg("panels.fields.default", help=entry.help, default=f"{entry.empty} {unit}".rstrip())


def _entries_within(model: type[BaseModel], group: str) -> list[Entry]:
    """Its own fields, then those of objects that may be given within."""
    prefix, result = f"{group}." if group else "", list[Entry]()
    last: list[Entry] = []
    for name, field in model.model_fields.items():
        if _is_there(field):
            result += _nested_entries(name, field, prefix, group)
            continue
        result.append(_entry(name, field, prefix, group))
        if inner := nested(field):
            last += _entries_within(inner, prefix + name)
    return result + last


def _nested_entries(name: str, field: FieldInfo, prefix: str, group: str) -> list[Entry]:
    """The fields of an object two deep that is there by default, such as the least a container may have: each
    with its default, beside those around.
    """
    outer, result = describe_field(name, field), []
    for inner, inner_field in type(field.default).model_fields.items():
        words = outer.nested_name(name, describe_field(inner, inner_field))
        default = getattr(field.default, inner)
        own = {"default": default, "empty": f"{default:g}", "required": False}
        entry = _entry(inner, inner_field, f"{prefix}{name}.", group)
        result.append(replace(entry, title=words[:1].upper() + words[1:], help=outer.help, **own))
    return result


def _entry(name: str, field: FieldInfo, prefix: str, group: str) -> Entry:
    words = describe_field(name, field)
    kind, choices = _kind(name, field)
    default = field.default.model_dump() if isinstance(field.default, BaseModel) else field.default
    none = empty_note(field) if field.default is not None and type(None) in _types(field.annotation) else ""
    return Entry(
        path=prefix + name,
        title=words.heading,
        unit=words.unit,
        help=_help(words.help, kind, none),
        kind=kind,
        choices=choices,
        required=field.is_required(),
        default=None if field.is_required() or kind == "rows" else default,
        empty=_empty(field),
        none=none,
        group=group,
        fields=tuple(_entries_within(_item(field), "")) if kind == "rows" else (),
    )


def _help(text: str, kind: str, none: str) -> str:
    """The sentence of help; what an empty field means is said where one can be written, and of a switch it is
    plain.
    """
    if kind == "switch":
        return text.partition(" Empty:")[0]
    if none == "":
        return text
    return text.replace(msg("panels.fields.empty", none=none), msg("panels.fields.allowed", none=none))


def _item(field: FieldInfo) -> Any:
    """The type of a list's items, None where it is no list."""
    parts = map(_unannotated, (field.annotation, *get_args(field.annotation)))
    return next((get_args(part)[0] for part in parts if get_origin(part) is list), None)


def _unannotated(annotation: Any) -> Any:
    return get_args(annotation)[0] if get_origin(annotation) is Annotated else annotation


def _kind(name: str, field: FieldInfo) -> tuple[str, tuple[str, ...]]:
    types = _types(field.annotation)
    if list in types:
        item = _unannotated(_item(field))
        return ("names" if item is str else "numbers" if item in (int, float) else "rows"), ()
    if bool in types or nested(field):
        return "switch", ()
    choices = tuple(kind for kind in types if isinstance(kind, str))
    if choices:
        return "choice", choices
    if name == "queue":
        return "queue", ()
    if any(isinstance(kind, type) and issubclass(kind, BaseModel) for kind in types):
        return "duration", ()
    return ("number" if float in types else "whole" if int in types else "text"), ()


def _types(annotation: Any) -> list[Any]:
    """The plain types of an annotation; the values of a Literal stand for themselves."""
    annotation = _unannotated(annotation)
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    if get_origin(annotation) is list:
        return [list]
    parts = get_args(annotation)
    return [kind for part in parts for kind in _types(part)] if parts else [annotation]


def _empty(field: FieldInfo) -> str:
    """What an empty cell stands for: the default, or the words after "Empty:" in the sentence of help."""
    if field.is_required() or isinstance(field.default, bool):
        return ""
    if isinstance(field.default, (int, float)):
        return f"{field.default:g}"
    return field.default if isinstance(field.default, str) and field.default else empty_note(field)


def empty_note(field: FieldInfo) -> str:
    """What the sentence of help says of a field without a value."""
    match = re.search(r"Empty: (.*?)\.?$", field.description or "")
    return match[1] if match else ""
