"""The properties of Hadoop's Configuration files:
<configuration><property><name>…</name><value>…</value></property></configuration>.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Remarks, Where
from engine.scenario.configuration.java_values import BLANKS, trim
from engine.scenario.configuration.xml_tree import Element

MAX_SUBSTITUTIONS = 20  # Configuration.MAX_SUBST
MAX_EXPANDED_LENGTH = 100_000  # characters
VARIABLE = re.compile(r"\$\{([^}$\s]+)\}")
KNOWN_PARTS = ("name", "value")


@dataclass
class Property:
    """One property. text: as it stands there; expanded: with its ${variables} filled in; extras: its other
    parts, such as description and final, with their texts.
    """

    where: Where
    text: str
    expanded: str
    extras: dict[str, str]

    def plain(self) -> Any:
        """It as a scenario keeps it: its text alone where there is nothing else."""
        expanded = {"read": self.expanded} if self.expanded != self.text else {}
        return (
            {"text": self.text, **expanded, **({"more": self.extras} if self.extras else {})}
            if expanded or self.extras
            else self.text
        )


def split_queues(text: str) -> list[str]:
    """The names of a list of queues with commas between them, as often as they stand there; what is blank
    between two commas is a name too (StringUtils.getStrings).
    """
    return [part.strip(BLANKS) for part in text.split(",") if part]


def parse_kept_property(plain: Any) -> tuple[str, str, dict[str, str]]:
    """(text, text with variables filled in, more) of what `Property.plain` made."""
    if not isinstance(plain, dict):
        return str(plain), str(plain), {}
    text, extras = str(plain.get("text", "")), plain.get("more")
    return (
        text,
        str(plain.get("read", text)),
        {str(key): str(value) for key, value in extras.items()} if isinstance(extras, dict) else {},
    )


def collect_properties(
    file: str,
    root: Element,
    properties: dict[str, Property],
    remarks: Remarks,
    deprecated: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Adds the file's properties to those known, however deep they stand; of two with one name the last
    counts, unless an earlier one is final (Configuration.Parser). deprecated: names by which others are read.
    """
    for element in root.children:
        where, tag = Where(file, element.line), local_name(element.tag)
        if tag == "include":
            remarks.add(
                where,
                msg(
                    "scenario.properties.includes_which_not_read_give_file",
                    get=element.attributes.get("href", "a file"),
                ),
            )
        elif tag == "property":
            _add(file, element, properties, remarks, deprecated)
        elif element.children:
            collect_properties(file, element, properties, remarks, deprecated)
        else:
            remarks.add(where, f"<{element.tag}> is not a <property>, so it is ignored")


def local_name(tag: str) -> str:
    """An element's name without the prefix of its namespace."""
    return tag.rpartition(":")[2]


def _add(
    file: str,
    element: Element,
    properties: dict[str, Property],
    remarks: Remarks,
    deprecated: Mapping[str, str],
) -> None:
    texts = {local_name(child.tag): child.text for child in element.children}
    parts = dict(element.attributes) | texts
    name = trim(texts["name"]) if "name" in texts else parts.get("name", "")
    where = Where(file, element.line, trim(name))
    if not name:
        remarks.add(where, msg("scenario.properties.property_without_name"))
        return
    if name != trim(name):  # Hadoop cuts blanks off an element's text, and of an attribute's keeps them
        remarks.add(where, msg("scenario.properties.name_with_blanks"), NoteKind.NOT_READ)
        return
    if not parts.get("value") and "value" not in element.attributes:  # an empty element is none
        remarks.add(where, msg("scenario.properties.has_no_value_and_not_read"))
        return
    name = deprecated.get(name, name)
    previous = properties.get(name)
    if previous and previous.extras.get("final") == "true":
        remarks.add(
            where,
            msg(
                "scenario.properties.ignored_final_in_line",
                file=previous.where.file,
                line=previous.where.line,
            ),
        )
        return
    if previous:
        properties.pop(name)
        if previous.text.strip() != parts["value"].strip():
            remarks.add(
                where,
                msg(
                    "scenario.properties.stands_in_line_too_last_counts",
                    file=previous.where.file,
                    line=previous.where.line,
                ),
            )
    extras = {key: text for key, text in parts.items() if key not in KNOWN_PARTS}
    if extras.get("final") == "true":
        remarks.add(where, msg("scenario.properties.final_no_later_file_changes_in"))
    properties[name] = Property(where, parts["value"], parts["value"], extras)


def expand_variables(properties: dict[str, Property], remarks: Remarks) -> None:
    """Fills in ${variables} that name other properties, as Configuration.substituteVars does; those that do
    not are told.
    """
    for prop in properties.values():
        if "${" not in prop.text:
            continue
        filled, missing = _expand(prop.text, properties)
        if missing:
            remarks.add(
                prop.where,
                msg("scenario.properties.contains_which_none_these_files_defines", missing=missing),
            )
        elif filled != prop.text:
            remarks.add(
                prop.where,
                msg("scenario.properties.read_as", filled=filled if len(filled) <= 80 else filled[:79] + "…"),
            )
        prop.expanded = filled


def _expand(text: str, properties: dict[str, Property]) -> tuple[str, str]:
    """The text, and the first variable that is nowhere given or can't be filled in."""
    for _ in range(MAX_SUBSTITUTIONS):
        variable = VARIABLE.search(text)
        if not variable:
            return text, ""
        if variable[1] not in properties or len(text) > MAX_EXPANDED_LENGTH:
            return text, variable[1]
        text = text[: variable.start()] + properties[variable[1]].text + text[variable.end() :]
    variable = VARIABLE.search(text)
    return text, variable[1] if variable else ""
