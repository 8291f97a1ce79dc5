"""The descriptions of a scenario's field, kept with the field: help, unit and names. The page's forms, tables
and sliders read it here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import Field
from pydantic.fields import FieldInfo

UNITS_IN_NAMES = {"mb": "MB", "s": "s", "ms": "ms", "pct": "%"}
INNER_NAME = "{}"  # in `within`: the inner field's own name
OWNER_NAME = "{owner}"  # in `name`: the field that holds the object it stands in


@dataclass(frozen=True)
class FieldDescription:
    """help: a sentence; unit: "" for a plain number; heading: of a column or a form's row; name: within a
    sentence, "memory of a node".

    within: of a field that holds an object, the name of the fields inside, such as "{} of a map".
    """

    help: str
    unit: str
    heading: str
    name: str
    within: str

    def nested_name(self, key: str, inner: FieldDescription) -> str:
        """The name in a sentence of a field of the object that stands in the field `key`, which these words
        are of; what it says by itself is not added.
        """
        if OWNER_NAME in inner.name:
            return inner.name.replace(OWNER_NAME, key)
        template = self.within or INNER_NAME
        return (
            inner.name
            if inner.name.endswith(template.removeprefix(INNER_NAME))
            else template.replace(INNER_NAME, inner.name)
        )


def described(
    help: str, unit: str = "", default: Any = ..., *, heading: str = "", name: str = "", within: str = ""
) -> Any:
    """A field with its words, as in FieldDescription; heading and name are made of the field's own name where
    they are not given.
    """
    return Field(
        default,
        description=help,
        json_schema_extra={"unit": unit, "heading": heading, "name": name, "within": within},
    )


def describe_field(key: str, field: FieldInfo) -> FieldDescription:
    """The words of the field `key` of a model: `memory_mb` is "Memory" and "memory", its unit stands
    elsewhere.
    """
    metadata = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    default_name, _ = name_and_unit(key)
    heading, name = (
        metadata.get("heading") or default_name[:1].upper() + default_name[1:],
        metadata.get("name") or default_name,
    )
    return FieldDescription(
        field.description or "",
        str(metadata.get("unit", "")),
        str(heading),
        str(name),
        str(metadata.get("within", "")),
    )


def name_and_unit(key: str) -> tuple[str, str]:
    """What the name in the code says: `window_s` is "window" in "s", `vcores` are counted in themselves."""
    words = key.split("_")
    unit = UNITS_IN_NAMES.get(words[-1], key if key == "vcores" else "")
    return " ".join(word for word in words if word not in UNITS_IN_NAMES), unit
