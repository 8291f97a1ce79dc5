"""fair-scheduler.xml: its queues, users and defaults into a draft, and a scenario's back into the file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.scenario.configuration.fair_table import DEFAULTS, QUEUE, ROOT, TOP, USER
from engine.scenario.configuration.mapping import OF_ALL, Draft, Row, Table, got, own_text, put, written_text
from engine.scenario.configuration.notes import Where
from engine.scenario.configuration.placement import PLACEMENT, fair_rules
from engine.scenario.configuration.xml_tree import Element, of_plain, text_of
from engine.scenario.queue_validation import ROOT as ROOT_QUEUE

FAIR_FILE = "fair-scheduler.xml"
QUEUES = ("queue", "pool")
Kept = list[list[Any]]  # [tag, element as `Element.plain` has it], an attribute as ["@name", value]


def read_fair(file: str, root: Element, draft: Draft) -> None:
    """Takes what the file says into the draft. FormatError with line and element where Hadoop would refuse the file."""
    queues = [element for element in root.children if element.tag in QUEUES]
    draft.listed_in = file
    kept: Kept = []
    for element in root.children:
        if element.tag in QUEUES:
            continue
        where = Where(file, element.line, element.tag)
        if element.tag == PLACEMENT:
            draft.rules = fair_rules(file, element, draft.told)
        elif element.tag == "user" and any(child.tag in USER.of for child in element.children):
            _user(file, element, draft)
            continue
        elif element.tag == "user" and element.children:
            for child in element.children:
                name = element.attributes.get("name", "").strip()
                draft.told.add(Where(file, child.line, child.tag), f"of user {name} is not modelled; it is kept for writing the file back")
        elif element.tag in TOP.of:
            row = TOP.of[element.tag]
            _take(row, element, where, row.owner, draft.scheduler if row.owner == "scheduler" else draft.cluster, draft, kept)
            continue
        elif element.tag in ROOT.of:
            _take(ROOT.of[element.tag], element, where, ROOT_QUEUE, draft.queue(ROOT_QUEUE), draft, [])
        elif DEFAULTS.get(element.tag):
            _take(DEFAULTS[element.tag], element, where, OF_ALL + element.tag, draft.defaults.setdefault(element.tag, {}), draft, [])
        else:
            draft.told.add(where, "is not modelled; it is kept for writing the file back")
        kept.append([element.tag, element.plain()])
    for element in queues:
        name = element.attributes.get("name", "").strip()
        if name.lower() == ROOT_QUEUE and len(queues) > 1:
            raise Where(file, element.line, element.tag).fault("no other queue can stand beside root; they must stand in it")
        _queue(file, element, "" if name.lower() == ROOT_QUEUE else ROOT_QUEUE, draft)
    if kept:
        draft.kept[FAIR_FILE] = kept
    _fill_in_defaults(draft)


def _queue(file: str, element: Element, parent: str, draft: Draft) -> None:
    short = element.attributes.get("name", "").strip()
    where = Where(file, element.line, element.tag)
    if not short or "." in short:
        raise where.fault(f"a queue's name must not be empty and holds no dot, but is {short[:60]!r}")
    name = f"{parent}.{short}" if parent else ROOT_QUEUE
    if name in draft.listed:
        raise where.fault(f"{name!r} stands in line {draft.listed[name]}, too; a queue is listed once")
    draft.listed[name] = element.line
    values, kept = draft.queue(name), [[f"@{key}", value] for key, value in element.attributes.items() if key != "name"]
    children = [child for child in element.children if child.tag in QUEUES]
    if element.attributes.get("type") == "parent" and not children:
        draft.told.add(where, f"{name} is a parent without queues: here it is a leaf")
    for child in element.children:
        if child.tag in QUEUES:
            continue
        spot = Where(file, child.line, child.tag)
        if child.tag == "maxAMShare" and children:
            raise spot.fault("is of a leaf alone, as in Hadoop")
        if row := QUEUE.of.get(child.tag):
            _take(row, child, spot, name, values, draft, kept)
            continue
        draft.told.add(spot, f"of {name} is not modelled; it is kept for writing the file back")
        kept.append([child.tag, child.plain()])
    if kept:
        values.setdefault("x_hadoop", {})[FAIR_FILE] = kept
    for child in children:
        _queue(file, child, name, draft)


def _user(file: str, element: Element, draft: Draft) -> None:
    name, users = element.attributes.get("name", "").strip(), draft.scenario.setdefault("users", [])
    where = Where(file, element.line, element.tag)
    if not name:
        raise where.fault("a user without a name")
    user = next((one for one in users if one["name"] == name), None)
    if user is None:
        users.append(user := {"name": name})
    kept: Kept = [[f"@{key}", value] for key, value in element.attributes.items() if key != "name"]
    for child in element.children:
        spot = Where(file, child.line, child.tag)
        if row := USER.of.get(child.tag):
            found: dict[str, Any] = {}
            _take(row, child, spot, f"user {name}", found, draft, kept)
            user |= found.get("users", {})
            continue
        draft.told.add(spot, f"of user {name} is not modelled; it is kept for writing the file back")
        kept.append([child.tag, child.plain()])
    if kept:
        user.setdefault("x_hadoop", {})[FAIR_FILE] = kept


def _take(row: Row, element: Element, where: Where, owner: str, values: dict[str, Any], draft: Draft, kept: Kept) -> None:
    """Sets the row's field; what could not be written again from the field alone is kept too."""
    if element.children or not element.text.strip():
        raise where.fault("a value must stand in it")
    if any(tag in row.names for tag, _ in kept):
        draft.told.add(where, "stands twice; the last counts, as in Hadoop")
        kept[:] = [one for one in kept if one[0] not in row.names]
    text = element.text.strip()
    taken = draft.take(row, text, where, owner, values)
    if not taken or row.inherits or row.owner == "scheduler" or own_text(row, got(values, row.target), row.default) != text or element.attributes:
        kept.append([element.tag, {"attributes": element.attributes, "text": text} if element.attributes else text])
    elif element.tag != row.names[0]:
        kept.append([element.tag, text])


def _fill_in_defaults(draft: Draft) -> None:
    """Each queue that has none of its own has the file's default, root as well (AllocationConfiguration.getQueueMaxApps)."""
    for tag, found in draft.defaults.items():
        row = DEFAULTS.get(tag)
        for name in draft.queues if row else ():
            if got(draft.queues[name], row.target) is None:
                put(draft.queues[name], row.target, got(found, row.target))


def fair_text(draft: Draft) -> str:
    """The file for what the draft holds."""
    kept = _pairs(draft.kept.get(FAIR_FILE))
    root = Element("allocations")
    root.children += _user_elements(draft)
    of_root = draft.queues.get(ROOT_QUEUE, {})
    for table, values in ((TOP, {**draft.cluster, **draft.scheduler}), (ROOT, of_root)):
        root.children += _row_elements(table, values, kept, draft, {})
    known = {*TOP.of, *ROOT.of}
    defaults = {}
    for tag, element in kept:
        if tag in known:
            continue
        root.children.append(of_plain(tag, element))
        if row := DEFAULTS.get(tag):
            defaults[row.target] = row.kind.parse(root.children[-1].text, draft.size)
    inside = root
    if ROOT_QUEUE in draft.queues:
        inside = _queue_element(ROOT_QUEUE, of_root, draft, defaults, {row.target for row in ROOT.rows})
        root.children.append(inside)
    made = {ROOT_QUEUE: inside}
    for name, values in draft.queues.items():
        if name != ROOT_QUEUE:
            made[name] = _queue_element(name, values, draft, defaults, ())
            made[name.rpartition(".")[0]].children.append(made[name])
    return text_of(root)


def _queue_element(name: str, values: dict[str, Any], draft: Draft, defaults: dict[str, Any], elsewhere: Iterable[str]) -> Element:
    kept = _pairs(values.get("x_hadoop", {}).get(FAIR_FILE) if isinstance(values.get("x_hadoop"), dict) else None)
    attributes = {"name": name.rpartition(".")[2]} | {tag[1:]: str(text) for tag, text in kept if tag.startswith("@") and tag != "@name"}
    element = Element("queue", attributes=attributes)
    own = {key: value for key, value in values.items() if key not in elsewhere}
    element.children += _row_elements(QUEUE, own, kept, draft, defaults)
    element.children += [of_plain(tag, one) for tag, one in kept if tag not in QUEUE.of and tag not in QUEUES and not tag.startswith("@")]
    return element


def _user_elements(draft: Draft) -> list[Element]:
    found = []
    for user in draft.scenario.get("users", ()):
        kept = _pairs(user.get("x_hadoop", {}).get(FAIR_FILE) if isinstance(user.get("x_hadoop"), dict) else None)
        element = Element("user", attributes={"name": user["name"]} | {tag[1:]: str(text) for tag, text in kept if tag.startswith("@")})
        element.children += _row_elements(USER, {"users": user}, kept, draft, {})
        element.children += [of_plain(tag, one) for tag, one in kept if tag not in USER.of and not tag.startswith("@")]
        found.append(element)
    return found


def _row_elements(table: Table, values: dict[str, Any], kept: Kept, draft: Draft, defaults: dict[str, Any]) -> list[Element]:
    found = []
    for row in table.rows:
        tag, plain = next(((tag, one) for tag, one in kept if tag in row.names), (row.names[0], None))
        one = of_plain(tag, plain)
        before = None if plain is None else (one.text, one.text)
        text = written_text(row, got(values, row.target), defaults.get(row.target, row.default), before, draft.size)
        if text is not None:
            found.append(Element(tag, attributes=one.attributes, text=text))
    return found


def _pairs(kept: Any) -> Kept:
    """What was kept, as far as it is of the form; anybody may edit a scenario."""
    return [one for one in kept if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str)] if isinstance(kept, list) else []
