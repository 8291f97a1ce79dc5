"""The properties of Hadoop's Configuration files: <configuration><property><name>…</name><value>…</value></property></configuration>."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.scenario.configuration.notes import Told, Where
from engine.scenario.configuration.xml_tree import Element

MOST_SUBSTITUTIONS = 20  # Configuration.MAX_SUBST
MOST_EXPANDED = 100_000  # characters
VARIABLE = re.compile(r"\$\{([^}$\s]+)\}")
KNOWN_PARTS = ("name", "value")


@dataclass
class Property:
    """One property. text: as it stands there; read: with its ${variables} filled in; more: its other parts, such as description and final, with their texts."""

    where: Where
    text: str
    read: str
    more: dict[str, str]

    def plain(self) -> Any:
        """It as a scenario keeps it: its text alone where there is nothing else."""
        read = {"read": self.read} if self.read != self.text else {}
        return {"text": self.text, **read, **({"more": self.more} if self.more else {})} if read or self.more else self.text


def listed(text: str) -> list[str]:
    """The names of a list with commas, or lines, between them (StringUtils.getTrimmedStrings); none after the last comma is none."""
    found = [part.strip() for part in re.split("[,\n]", text.strip())]
    while found and not found[-1]:
        found.pop()
    return found


def text_of_plain(plain: Any) -> tuple[str, str, dict[str, str]]:
    """(text, text with variables filled in, more) of what `Property.plain` made."""
    if not isinstance(plain, dict):
        return str(plain), str(plain), {}
    text, more = str(plain.get("text", "")), plain.get("more")
    return text, str(plain.get("read", text)), {str(key): str(value) for key, value in more.items()} if isinstance(more, dict) else {}


def properties_of(file: str, root: Element, known: dict[str, Property], told: Told) -> None:
    """Adds the file's properties to those known; of two with one name the last counts, unless an earlier one is final, as in Hadoop."""
    for element in root.children:
        where = Where(file, element.line)
        if element.tag.rpartition(":")[2] == "include":
            told.add(where, f"includes {element.attributes.get('href', 'a file')!r}, which is not read: give that file too")
        elif element.tag == "configuration":
            properties_of(file, element, known, told)
        elif element.tag != "property":
            told.add(where, f"<{element.tag}> is no <property>, and is not read")
        else:
            _add(file, element, known, told)


def _add(file: str, element: Element, known: dict[str, Property], told: Told) -> None:
    parts = dict(element.attributes) | {child.tag: child.text for child in element.children}
    name = parts.get("name", "").strip()
    where = Where(file, element.line, name)
    if not name:
        raise Where(file, element.line).fault("a property without a name")
    if "value" not in parts:
        told.add(where, "has no value, and is not read, as in Hadoop")
        return
    before = known.get(name)
    if before and before.more.get("final", "").strip() == "true":
        told.add(where, f"is not read: it is final in {before.where.file}, line {before.where.line}")
        return
    if before:
        known.pop(name)
        if before.text.strip() != parts["value"].strip():
            told.add(where, f"stands in {before.where.file}, line {before.where.line}, too; the last counts, as in Hadoop")
    more = {key: text for key, text in parts.items() if key not in KNOWN_PARTS}
    if more.get("final", "").strip() == "true":
        told.add(where, "is final: no later file changes it in Hadoop; here too")
    known[name] = Property(where, parts["value"], parts["value"], more)


def fill_in(known: dict[str, Property], told: Told) -> None:
    """Fills in ${variables} that name other properties, as Configuration.substituteVars does; those that do not are told."""
    for one in known.values():
        if "${" not in one.text:
            continue
        found, missing = _expanded(one.text, known)
        if missing:
            told.add(one.where, f"holds ${{{missing}}}, which no file here gives")
        elif found != one.text:
            told.add(one.where, f"is read as {found if len(found) <= 80 else found[:79] + '…'}")
        one.read = found


def _expanded(text: str, known: dict[str, Property]) -> tuple[str, str]:
    """The text, and the first variable that is nowhere given or can't be filled in."""
    for _ in range(MOST_SUBSTITUTIONS):
        variable = VARIABLE.search(text)
        if not variable:
            return text, ""
        if variable[1] not in known or len(text) > MOST_EXPANDED:
            return text, variable[1]
        text = text[: variable.start()] + known[variable[1]].text + text[variable.end() :]
    variable = VARIABLE.search(text)
    return text, variable[1] if variable else ""
