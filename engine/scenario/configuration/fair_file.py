"""fair-scheduler.xml: its queues, users and defaults into a draft, and a scenario's back into the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Where
from engine.scenario.configuration.fair_elements import (
    FAIR_FILE,
    Unmodelled,
    kept_text,
    leading_text,
    read_row,
    tell_twice,
    tell_unmodelled,
)
from engine.scenario.configuration.fair_queues import INNER_QUEUES, TOP_QUEUES, FairQueues
from engine.scenario.configuration.fair_table import DEFAULTS, QUEUE, ROOT, TOP, UNMODELLED_OF_TOP, USER
from engine.scenario.configuration.property_table import (
    DEFAULT_OWNER_PREFIX,
    Draft,
    Row,
    Table,
    field_text,
    get_path,
    set_path,
)
from engine.scenario.configuration.queue_placement import PLACEMENT, fair_rules
from engine.scenario.configuration.value_parsing import AROUND_NAMES
from engine.scenario.configuration.xml_tree import Element, element_from_plain, xml_text
from engine.scenario.queue_validation import ROOT as ROOT_QUEUE

USER_ELEMENT = "user"
ORDER = TOP.by_name["defaultQueueSchedulingPolicy"]
KNOWN = (*TOP.by_name, *ROOT.by_name, *DEFAULTS, *UNMODELLED_OF_TOP, PLACEMENT, USER_ELEMENT, *TOP_QUEUES)


def read_fair(file: str, root: Element, draft: Draft) -> None:
    """Takes what the file says into the draft. FormatError with line and element where Hadoop would refuse
    the file (AllocationFileLoaderService.reloadAllocations, in its order).
    """
    draft.queue_file = file
    unmodelled: Unmodelled = []
    last: dict[str, Element] = {}
    for element in root.children:
        _read_top_element(file, element, last, draft, unmodelled)
    FairQueues(file, draft).read([element for element in root.children if element.tag in TOP_QUEUES])
    if PLACEMENT in last:
        draft.placement = fair_rules(file, last[PLACEMENT], draft.remarks)
    _read_defaults(file, last, draft, unmodelled)
    if unmodelled or not draft.queues:
        draft.unmodelled.setdefault(FAIR_FILE, []).extend(unmodelled)
    fill_in_defaults(draft)


def _read_top_element(
    file: str, element: Element, last: dict[str, Element], draft: Draft, unmodelled: Unmodelled
) -> None:
    """Takes an element beside the queues into the draft, or as the last of its name: Hadoop reads the text of
    most of them only when all are known.
    """
    where, tag = Where(file, element.line, element.tag), element.tag
    if tag in TOP_QUEUES:
        return
    if tag == USER_ELEMENT:
        _user(file, element, draft, unmodelled)
    elif tag not in KNOWN:
        tell_unmodelled(where, {}, KNOWN, draft)
        unmodelled.append([tag, element.plain()])
    elif tag in ORDER.names:
        tell_twice(draft.origins.get((ORDER.owner, ORDER.target)), where, draft)
        read_row(ORDER, element, where, ORDER.owner, draft.scheduler, draft, unmodelled)
    else:
        if tag != PLACEMENT:
            leading_text(element, where)
        tell_twice(Where(file, last[tag].line, tag) if tag in last else None, where, draft)
        last[tag] = element


def _read_defaults(file: str, last: dict[str, Element], draft: Draft, unmodelled: Unmodelled) -> None:
    """What the last element of each name says of the scheduler, of root and of all queues."""
    for tag, element in last.items():
        where = Where(file, element.line, tag)
        row = ROOT.by_name.get(tag)
        if row and _is_overridden(row, tag, last, draft):
            draft.remarks.add(where, msg("scenario.fair_file.overridden"), NoteKind.NOT_READ)
        elif row:
            read_row(row, element, where, ROOT_QUEUE, draft.queue(ROOT_QUEUE), draft, [])
        elif row := TOP.by_name.get(tag):
            values = draft.scheduler if row.owner == "scheduler" else draft.cluster
            read_row(row, element, where, row.owner, values, draft, unmodelled)
            continue
        elif row := DEFAULTS.get(tag):
            values = draft.defaults.setdefault(tag, {})
            read_row(row, element, where, DEFAULT_OWNER_PREFIX + tag, values, draft, [])
        elif tag != PLACEMENT:
            tell_unmodelled(where, UNMODELLED_OF_TOP, KNOWN, draft)
        unmodelled.append([tag, element.plain()] if tag == PLACEMENT else kept_text(element))


def _is_overridden(row: Row, tag: str, last: dict[str, Element], draft: Draft) -> bool:
    """Whether root says it itself, or the name that goes before this one."""
    is_own = row.target in draft.queues.get(ROOT_QUEUE, {})
    return is_own or tag != row.names[0] and row.names[0] in last


def _user(file: str, element: Element, draft: Draft, unmodelled_above: Unmodelled) -> None:
    name, users = element.attributes.get("name", ""), draft.scenario.setdefault("users", [])
    where = Where(file, element.line, element.tag)
    parsed: dict[str, Any] = {}
    unmodelled: Unmodelled = [
        [f"@{key}", value] for key, value in element.attributes.items() if key != "name"
    ]
    for child in element.children:
        child_where = Where(file, child.line, child.tag)
        if row := USER.by_name.get(child.tag):
            read_row(row, child, child_where, msg("shared.user_2", name=name), parsed, draft, unmodelled)
            continue
        tell_unmodelled(child_where, {}, USER.by_name, draft)
        unmodelled.append([child.tag, child.plain()])
    if not parsed or not name.strip():
        if not name.strip():
            draft.remarks.add(where, msg("scenario.fair_file.user_without_name"), NoteKind.NOT_READ)
        unmodelled_above.append([element.tag, element.plain()])
        return
    user = next((existing for existing in users if existing["name"] == name), None)
    if user is None:
        users.append(user := {"name": name})
    user |= parsed["users"]
    if unmodelled:
        user.setdefault("x_hadoop", {})[FAIR_FILE] = unmodelled


def fill_in_defaults(draft: Draft) -> None:
    """Each queue that has none of its own has the file's default, root as well
    (AllocationConfiguration.getQueueMaxApps, getMaxResources).
    """
    for tag, default_values in draft.defaults.items():
        row = DEFAULTS.get(tag)
        if row is None:
            continue
        if ROOT_QUEUE not in draft.queues:
            draft.queues = {ROOT_QUEUE: {}, **draft.queues}
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
    modelled_tags = {*TOP.by_name, *ROOT.by_name, *TOP_QUEUES}
    defaults = {}
    for tag, element in unmodelled:
        if tag in modelled_tags:
            continue
        root.children.append(element_from_plain(tag, element))
        if row := DEFAULTS.get(tag):
            defaults[row.target] = row.codec.value(root.children[-1].text, draft.size)
    parent = root
    if ROOT_QUEUE in draft.queues:
        parent = _queue_element(ROOT_QUEUE, root_values, draft, defaults, {row.target for row in ROOT.rows})
        root.children.append(parent)
    parent.children += _kept_queues(ROOT_QUEUE, unmodelled, draft)
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
        if tag not in QUEUE.by_name and tag not in INNER_QUEUES and not tag.startswith("@")
    ]
    element.children += _kept_queues(name, unmodelled, draft)
    return element


def _kept_queues(parent: str, unmodelled: Unmodelled, draft: Draft) -> Iterator[Element]:
    """Elements of queues in the parent that FairScheduler did not create, but for those that the scenario
    has.
    """
    for tag, plain in unmodelled:
        element = element_from_plain(tag, plain)
        name = f"{parent}.{element.attributes.get('name', '').strip(AROUND_NAMES)}"
        if tag in INNER_QUEUES and not draft.queues.get(name):
            yield element


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
