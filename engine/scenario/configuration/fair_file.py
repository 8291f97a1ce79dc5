"""fair-scheduler.xml: its queues, users and defaults into a draft, and a scenario's back into the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import Where
from engine.scenario.configuration.fair_table import DEFAULTS, QUEUE, ROOT, TOP, USER
from engine.scenario.configuration.property_table import (
    DEFAULT_OWNER_PREFIX,
    Draft,
    Row,
    Table,
    field_text,
    format_field,
    get_path,
    set_path,
)
from engine.scenario.configuration.queue_placement import PLACEMENT, fair_rules
from engine.scenario.configuration.xml_tree import Element, element_from_plain, xml_text
from engine.scenario.queue_validation import ROOT as ROOT_QUEUE

FAIR_FILE = "fair-scheduler.xml"
QUEUES = ("queue", "pool")
Unmodelled = list[list[Any]]  # [tag, element as `Element.plain` has it], an attribute as ["@name", value]


def read_fair(file: str, root: Element, draft: Draft) -> None:
    """Takes what the file says into the draft. FormatError with line and element where Hadoop would refuse
    the file.
    """
    queues = [element for element in root.children if element.tag in QUEUES]
    draft.queue_file = file
    unmodelled: Unmodelled = []
    for element in root.children:
        if element.tag not in QUEUES and not _read_top_element(file, element, draft, unmodelled):
            unmodelled.append([element.tag, element.plain()])
    for element in queues:
        name = element.attributes.get("name", "").strip()
        if name.lower() == ROOT_QUEUE and len(queues) > 1:
            raise Where(file, element.line, element.tag).fault(
                msg("scenario.fair_file.root_must_be_only_top_level")
            )
        _queue(file, element, "" if name.lower() == ROOT_QUEUE else ROOT_QUEUE, draft)
    if unmodelled:
        draft.unmodelled[FAIR_FILE] = unmodelled
    _fill_in_defaults(draft)


def _read_top_element(file: str, element: Element, draft: Draft, unmodelled: Unmodelled) -> bool:
    """Takes an element beside the queues into the draft. Whether all of it is there: in fields, or in what
    the fields' reader added to `unmodelled`; else the element is kept as a whole.
    """
    where = Where(file, element.line, element.tag)
    is_user = element.tag == "user"
    if element.tag == PLACEMENT:
        draft.placement = fair_rules(file, element, draft.remarks)
    elif is_user and any(child.tag in USER.by_name for child in element.children):
        _user(file, element, draft)
        return True
    elif is_user and element.children:
        _remark_unmodelled_user(file, element, draft)
    elif row := TOP.by_name.get(element.tag):
        values = draft.scheduler if row.owner == "scheduler" else draft.cluster
        _read_row(row, element, where, row.owner, values, draft, unmodelled)
        return True
    elif row := ROOT.by_name.get(element.tag):
        _read_row(row, element, where, ROOT_QUEUE, draft.queue(ROOT_QUEUE), draft, [])
    elif default_row := DEFAULTS.get(element.tag):
        values = draft.defaults.setdefault(element.tag, {})
        _read_row(default_row, element, where, DEFAULT_OWNER_PREFIX + element.tag, values, draft, [])
    else:
        draft.remarks.add(where, msg("shared.not_modelled_kept_for_writing_file"))
    return False


def _remark_unmodelled_user(file: str, element: Element, draft: Draft) -> None:
    name = element.attributes.get("name", "").strip()
    for child in element.children:
        draft.remarks.add(
            Where(file, child.line, child.tag),
            msg("scenario.fair_file.user_not_modelled_kept_for_writing", name=name),
        )


def _queue(file: str, element: Element, parent: str, draft: Draft) -> None:
    short = element.attributes.get("name", "").strip()
    where = Where(file, element.line, element.tag)
    if not short or "." in short:
        raise where.fault(msg("scenario.fair_file.queues_name_must_not_be_empty", short=short[:60]))
    name = f"{parent}.{short}" if parent else ROOT_QUEUE
    if name in draft.queue_lines:
        raise where.fault(
            msg(
                "scenario.fair_file.also_in_line_list_queue_once",
                name=name,
                queue_lines=draft.queue_lines[name],
            )
        )
    draft.queue_lines[name] = element.line
    values, unmodelled = (
        draft.queue(name),
        [[f"@{key}", value] for key, value in element.attributes.items() if key != "name"],
    )
    children = [child for child in element.children if child.tag in QUEUES]
    if element.attributes.get("type") == "parent" and not children:
        draft.remarks.add(where, msg("scenario.fair_file.parent_without_queues_here_leaf", name=name))
    for child in element.children:
        if child.tag in QUEUES:
            continue
        child_where = Where(file, child.line, child.tag)
        if child.tag == "maxAMShare" and children:
            raise child_where.fault(msg("scenario.fair_file.leaf_alone_as_in_hadoop"))
        if row := QUEUE.by_name.get(child.tag):
            _read_row(row, child, child_where, name, values, draft, unmodelled)
            continue
        draft.remarks.add(
            child_where, msg("scenario.fair_file.not_modelled_kept_for_writing_file", name=name)
        )
        unmodelled.append([child.tag, child.plain()])
    if unmodelled:
        values.setdefault("x_hadoop", {})[FAIR_FILE] = unmodelled
    for child in children:
        _queue(file, child, name, draft)


def _user(file: str, element: Element, draft: Draft) -> None:
    name, users = element.attributes.get("name", "").strip(), draft.scenario.setdefault("users", [])
    where = Where(file, element.line, element.tag)
    if not name:
        raise where.fault(msg("scenario.fair_file.user_without_name"))
    user = next((existing for existing in users if existing["name"] == name), None)
    if user is None:
        users.append(user := {"name": name})
    unmodelled: Unmodelled = [
        [f"@{key}", value] for key, value in element.attributes.items() if key != "name"
    ]
    for child in element.children:
        child_where = Where(file, child.line, child.tag)
        if row := USER.by_name.get(child.tag):
            parsed: dict[str, Any] = {}
            _read_row(row, child, child_where, msg("shared.user_2", name=name), parsed, draft, unmodelled)
            user |= parsed.get("users", {})
            continue
        draft.remarks.add(
            child_where, msg("scenario.fair_file.user_not_modelled_kept_for_writing", name=name)
        )
        unmodelled.append([child.tag, child.plain()])
    if unmodelled:
        user.setdefault("x_hadoop", {})[FAIR_FILE] = unmodelled


def _read_row(
    row: Row,
    element: Element,
    where: Where,
    owner: str,
    values: dict[str, Any],
    draft: Draft,
    unmodelled: Unmodelled,
) -> None:
    """Sets the row's field; what could not be written again from the field alone is kept too."""
    if element.children or not element.text.strip():
        raise where.fault(msg("scenario.fair_file.must_contain_value"))
    if any(tag in row.names for tag, _ in unmodelled):
        draft.remarks.add(where, msg("scenario.fair_file.stands_twice_last_counts_as_in"))
        unmodelled[:] = [pair for pair in unmodelled if pair[0] not in row.names]
    text = element.text.strip()
    is_modelled = draft.set_field(row, text, where, owner, values)
    if (
        not is_modelled
        or row.default_property
        or row.owner == "scheduler"
        or format_field(row, get_path(values, row.target), row.default) != text
        or element.attributes
    ):
        unmodelled.append(
            [element.tag, {"attributes": element.attributes, "text": text} if element.attributes else text]
        )
    elif element.tag != row.names[0]:
        unmodelled.append([element.tag, text])


def _fill_in_defaults(draft: Draft) -> None:
    """Each queue that has none of its own has the file's default, root as well
    (AllocationConfiguration.getQueueMaxApps).
    """
    for tag, default_values in draft.defaults.items():
        row = DEFAULTS.get(tag)
        if row is None:
            continue
        for queue in draft.queues.values():
            if get_path(queue, row.target) is None:
                set_path(queue, row.target, get_path(default_values, row.target))


def fair_text(draft: Draft) -> str:
    """The file for what the draft holds."""
    unmodelled = _valid_pairs(draft.unmodelled.get(FAIR_FILE))
    root = Element("allocations")
    root.children += _user_elements(draft)
    root_values = draft.queues.get(ROOT_QUEUE, {})
    for table, values in ((TOP, {**draft.cluster, **draft.scheduler}), (ROOT, root_values)):
        root.children += _row_elements(table, values, unmodelled, draft, {})
    modelled_tags = {*TOP.by_name, *ROOT.by_name}
    defaults = {}
    for tag, element in unmodelled:
        if tag in modelled_tags:
            continue
        root.children.append(element_from_plain(tag, element))
        if row := DEFAULTS.get(tag):
            defaults[row.target] = row.codec.parse(root.children[-1].text, draft.size)
    parent = root
    if ROOT_QUEUE in draft.queues:
        parent = _queue_element(ROOT_QUEUE, root_values, draft, defaults, {row.target for row in ROOT.rows})
        root.children.append(parent)
    elements = {ROOT_QUEUE: parent}
    for name, values in draft.queues.items():
        if name != ROOT_QUEUE:
            elements[name] = _queue_element(name, values, draft, defaults, ())
            elements[name.rpartition(".")[0]].children.append(elements[name])
    return xml_text(root)


def _queue_element(
    name: str, values: dict[str, Any], draft: Draft, defaults: dict[str, Any], elsewhere: Iterable[str]
) -> Element:
    unmodelled = _valid_pairs(
        values.get("x_hadoop", {}).get(FAIR_FILE) if isinstance(values.get("x_hadoop"), dict) else None
    )
    attributes = {"name": name.rpartition(".")[2]} | {
        tag[1:]: str(text) for tag, text in unmodelled if tag.startswith("@") and tag != "@name"
    }
    element = Element("queue", attributes=attributes)
    remaining = {key: value for key, value in values.items() if key not in elsewhere}
    element.children += _row_elements(QUEUE, remaining, unmodelled, draft, defaults)
    element.children += [
        element_from_plain(tag, plain)
        for tag, plain in unmodelled
        if tag not in QUEUE.by_name and tag not in QUEUES and not tag.startswith("@")
    ]
    return element


def _user_elements(draft: Draft) -> list[Element]:
    elements = []
    for user in draft.scenario.get("users", ()):
        unmodelled = _valid_pairs(
            user.get("x_hadoop", {}).get(FAIR_FILE) if isinstance(user.get("x_hadoop"), dict) else None
        )
        element = Element(
            "user",
            attributes={"name": user["name"]}
            | {tag[1:]: str(text) for tag, text in unmodelled if tag.startswith("@")},
        )
        element.children += _row_elements(USER, {"users": user}, unmodelled, draft, {})
        element.children += [
            element_from_plain(tag, plain)
            for tag, plain in unmodelled
            if tag not in USER.by_name and not tag.startswith("@")
        ]
        elements.append(element)
    return elements


def _row_elements(
    table: Table, values: dict[str, Any], unmodelled: Unmodelled, draft: Draft, defaults: dict[str, Any]
) -> list[Element]:
    elements = []
    for row in table.rows:
        tag, plain = next(
            ((tag, stored) for tag, stored in unmodelled if tag in row.names), (row.names[0], None)
        )
        stored = element_from_plain(tag, plain)
        kept_text = None if plain is None else (stored.text, stored.text)
        text = field_text(
            row, get_path(values, row.target), defaults.get(row.target, row.default), kept_text, draft.size
        )
        if text is not None:
            elements.append(Element(tag, attributes=stored.attributes, text=text))
    return elements


def _valid_pairs(stored: Any) -> Unmodelled:
    """What was kept, as far as it is of the form; anybody may edit a scenario."""
    return (
        [pair for pair in stored if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)]
        if isinstance(stored, list)
        else []
    )
