"""Elements of fair-scheduler.xml that set a field, and what is told of those that set none."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Where
from engine.scenario.configuration.fair_table import HADOOP_1
from engine.scenario.configuration.fair_values import BLANKS
from engine.scenario.configuration.property_table import Draft, Row, format_field, get_path
from engine.scenario.configuration.value_parsing import ACL
from engine.scenario.configuration.xml_tree import Element

FAIR_FILE = "fair-scheduler.xml"
NEAR = 0.7  # how alike two names are, of 1, of which one may be meant for the other
MAX_LENGTH = 60  # of a name that may be meant for another
Unmodelled = list[list[Any]]  # [tag, element as `Element.plain` has it], an attribute as ["@name", value]


def leading_text(element: Element, where: Where) -> str:
    """What Hadoop reads of an element. FormatError where nothing or another element stands first in it, on
    which Hadoop's parser ends.
    """
    if element.leading is None:
        raise where.fault(msg("scenario.fair_elements.must_contain_value"))
    return element.leading


def read_row(
    row: Row,
    element: Element,
    where: Where,
    owner: str,
    values: dict[str, Any],
    draft: Draft,
    unmodelled: Unmodelled,
) -> None:
    """Sets the row's field; what could not be written again from the field alone is kept too."""
    text = leading_text(element, where)
    if row.codec is not ACL:
        text = text.strip(BLANKS)
    unmodelled[:] = [pair for pair in unmodelled if pair[0] not in row.names]
    is_modelled = draft.set_field(row, text, where, owner, values)
    if (
        not is_modelled
        or row.default_property
        or row.owner == "scheduler"
        or format_field(row, get_path(values, row.target), row.default) != text
        or element.attributes
        or element.tag != row.names[0]
    ):
        unmodelled.append(kept_text(element))


def kept_text(element: Element) -> list[Any]:
    """An element as it is kept, with what Hadoop reads of it."""
    leading = element.leading or ""
    text = leading.strip(BLANKS) or leading  # of blanks alone Hadoop reads a text, of nothing none
    return [element.tag, {"attributes": element.attributes, "text": text} if element.attributes else text]


def tell_twice(first: Where | None, where: Where, draft: Draft) -> None:
    """Of what may be set once only."""
    if first:
        draft.remarks.add(where, msg("scenario.fair_elements.stands_twice_last_counts_as_in"))


def tell_unmodelled(where: Where, effects: dict[str, str], known: Iterable[str], draft: Draft) -> None:
    """Of an element that Hadoop reads and nothing here does, what that may change (effects); of one that it
    does not read either, which of those that it knows may be meant.
    """
    if effect := effects.get(where.name):
        text = msg("scenario.hadoop_properties.not_modelled", effect=effect)
        draft.remarks.add(where, text, NoteKind.NOT_MODELLED)
        return
    meant = get_close_matches(where.name, known, 1, NEAR) if len(where.name) <= MAX_LENGTH else []
    if where.name in HADOOP_1:
        text = msg("scenario.hadoop_properties.hadoop_1")
    elif meant:
        text = msg("scenario.hadoop_properties.not_read_meant", meant=meant[0])
    else:
        text = msg("scenario.hadoop_properties.not_read")
    draft.remarks.add(where, text, NoteKind.NOT_READ)
