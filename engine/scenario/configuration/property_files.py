"""capacity-scheduler.xml and yarn-site.xml: properties into a draft, and a scenario's back into the files."""

from __future__ import annotations

import re
from typing import Any

from engine.scenario.configuration import capacity_table
from engine.scenario.configuration.capacities import CAPACITY_FILE, capacity_texts, take_capacities
from engine.scenario.configuration.mapping import OF_ALL, Draft, Row, Table, got, own_text, put, written_text
from engine.scenario.configuration.notes import Where
from engine.scenario.configuration.properties import Property, listed, text_of_plain
from engine.scenario.configuration.quantities import NotModelled, number
from engine.scenario.configuration.quantities import plain as as_written
from engine.scenario.configuration.site_table import CAPACITY, CAPACITY_SITE, FAIR, FAIR_SITE, SITE
from engine.scenario.configuration.xml_tree import Element, text_of
from engine.scenario.queue_validation import ROOT

SITE_FILE = "yarn-site.xml"
USER = re.compile(rf"{re.escape(CAPACITY)}user\.(.+)\.{capacity_table.MOST_APPS}")
CAPACITIES = ("capacity", "maximum-capacity")
PLACING = {f"{CAPACITY}queue-mappings", f"{CAPACITY}queue-mappings-override.enable", f"{FAIR}allow-undeclared-pools", f"{FAIR}user-as-default-queue"}
OF_SCHEDULER = {"fair": FAIR_SITE, "capacity": CAPACITY_SITE}


def read_family(known: dict[str, Property], draft: Draft) -> None:
    """Which scheduler yarn-site.xml names, if it does."""
    row = SITE.of["yarn.resourcemanager.scheduler.class"]
    for name in row.names:
        if name in known:
            draft.take(row, known[name].read, known[name].where, row.owner, draft.scheduler)


def read_properties(known: dict[str, Property], draft: Draft) -> None:
    """Takes what the properties say into the draft; those of queues after those of the whole scheduler."""
    queues = _queue_tree(known, draft) if any(name.startswith(f"{CAPACITY}{ROOT}.") for name in known) else {}
    of_queues: dict[str, dict[str, Property]] = {name: {} for name in queues}
    homes = _homes(known)
    for name, one in known.items():
        owner = _owner(name, queues)
        if owner:
            of_queues[owner][name[len(f"{CAPACITY}{owner}.") :]] = one
        else:
            _take_site(name, one, homes[one.where.file], draft)
    for name, properties in of_queues.items():
        _take_queue(name, properties, draft)
    if queues:
        take_capacities({name: {key: of_queues[name][key] for key in CAPACITIES if key in of_queues[name]} for name in queues}, draft)
    for name, row in capacity_table.DEFAULTS.items():
        found = draft.defaults.get(name)
        for queue in queues if found else ():
            if got(draft.queues[queue], row.target) is None and (queue != ROOT or row.target == "max_running_apps"):
                put(draft.queues[queue], row.target, got(found, row.target))


def _homes(known: dict[str, Property]) -> dict[str, str]:
    """By the name of each file which of Hadoop's it is, by most of its properties: what is unknown goes back to where it stood."""
    of_capacity: dict[str, int] = {}
    for name, one in known.items():
        of_capacity[one.where.file] = of_capacity.get(one.where.file, 0) + (1 if name.startswith(CAPACITY) else -1)
    return {file: CAPACITY_FILE if count > 0 else SITE_FILE for file, count in of_capacity.items()}


def _queue_tree(known: dict[str, Property], draft: Draft) -> dict[str, Where]:
    """The queues by name, parents first, from the `queues` properties. FormatError for one that is listed twice."""
    found: dict[str, Where] = {}
    waiting, seen = [ROOT], {ROOT}
    while waiting:
        name = waiting.pop()
        named = known.get(f"{CAPACITY}{name}.queues")
        found[name] = named.where if named else Where(CAPACITY_FILE)
        draft.queue(name)
        for short in reversed((listed(named.read) or [""]) if named else []):
            child = f"{name}.{short}"
            if not short or "." in short:
                raise named.where.fault(f"{named.read[:60]!r} must be names of queues without dots, with commas between them")
            if child in seen:
                raise named.where.fault(f"{child!r} is listed twice")
            seen.add(child)
            waiting.append(child)
    return found


def _owner(name: str, queues: dict[str, Where]) -> str:
    """The queue that a property belongs to: the longest whose name it begins with."""
    if not name.startswith(f"{CAPACITY}{ROOT}."):
        return ""
    parts = name[len(CAPACITY) :].split(".")[:-1]
    return next((found for end in range(min(len(parts), 110), 0, -1) if (found := ".".join(parts[:end])) in queues), "")


def _take_queue(queue: str, properties: dict[str, Property], draft: Draft) -> None:
    values, kept = draft.queue(queue), {}
    draft.listed.setdefault(queue, 0)
    for suffix, one in properties.items():
        row = capacity_table.QUEUE.of.get(suffix)
        if suffix == "queues":
            if one.more or ",".join(listed(one.read)) != one.text:
                kept[suffix] = one.plain()
        elif suffix in CAPACITIES:
            if one.more or queue == ROOT or not _is_plain_number(one.text):
                kept[suffix] = one.plain()
        elif row is None:
            draft.told.add(one.where, "is not modelled; it is kept for writing the file back")
            kept[suffix] = one.plain()
        elif not draft.take(row, one.read, one.where, queue, values) or _must_be_kept(row, one, values):
            kept[suffix] = one.plain()
    if kept:
        values.setdefault("x_hadoop", {})[CAPACITY_FILE] = kept


def _take_site(name: str, one: Property, stood_in: str, draft: Draft) -> None:
    family = draft.scheduler.get("family")
    row = SITE.of.get(name) or OF_SCHEDULER.get(family, Table(())).of.get(name)
    elsewhere = name.startswith(FAIR) or row
    home = CAPACITY_FILE if name.startswith(CAPACITY) else SITE_FILE if elsewhere else stood_in
    kept = draft.kept.setdefault(home, {})
    default = capacity_table.DEFAULTS.get(name)
    if user := USER.fullmatch(name):
        if not _take_user(user[1], one, draft):
            kept[name] = one.plain()
    elif default:
        draft.take(default, one.read, one.where, OF_ALL + name, draft.defaults.setdefault(name, {}))
        kept[name] = one.plain()
    elif row:
        values = draft.scheduler if row.owner == "scheduler" else draft.cluster
        if not draft.take(row, one.read, one.where, row.owner, values) or row.owner == "scheduler" or _must_be_kept(row, one, values):
            kept[name] = one.plain()
    else:
        if name in PLACING:
            draft.placing[name] = one
        elif any(name in table.of for table in OF_SCHEDULER.values()):
            draft.told.add(one.where, f"is not used, as the scheduler is {family}; it is kept for writing the file back")
        else:
            draft.told.add(one.where, "is not modelled; it is kept for writing the file back")
        kept[name] = one.plain()
    if not kept:
        del draft.kept[home]


def _take_user(user: str, one: Property, draft: Draft) -> bool:
    """Sets how many jobs of a user run at a time; whether that alone would be written as it stood."""
    found: dict[str, Any] = {}
    draft.take(capacity_table.USER_ROW, one.read, one.where, f"user {user}", found)
    users = draft.scenario.setdefault("users", [])
    known = next((known for known in users if known["name"] == user), None)
    if known is None:
        users.append(known := {"name": user})
    known |= found["users"]
    return not _must_be_kept(capacity_table.USER_ROW, one, found)


def _is_plain_number(text: str) -> bool:
    """Whether a percentage would be written as it stands; one that stands for no limit would not be written."""
    try:
        found = number(text)
    except ValueError:
        return False
    return 0 < found <= 100 and as_written(found) == text


def _must_be_kept(row: Row, one: Property, values: dict[str, Any]) -> bool:
    """Whether the field alone would not be written as it stood."""
    return bool(one.more or row.inherits or one.where.name in row.names[1:] or own_text(row, got(values, row.target), row.default) != one.text)


def capacity_text(draft: Draft) -> str:
    """capacity-scheduler.xml for what the draft holds."""
    kept = _records(draft.kept.get(CAPACITY_FILE))
    found = _written(CAPACITY_SITE, {**draft.cluster, **draft.scheduler}, kept, draft, {}, "")
    defaults = {}
    for name, plain in kept.items():
        if name not in CAPACITY_SITE.of and not USER.fullmatch(name):
            found[name] = plain
        if row := capacity_table.DEFAULTS.get(name):
            defaults[row.target] = row.kind.parse(text_of_plain(plain)[1], draft.size)
    for user in draft.scenario.get("users", ()):
        name, row = f"{CAPACITY}user.{user['name']}.{capacity_table.MOST_APPS}", capacity_table.USER_ROW
        text = written_text(row, user["max_running_apps"], None, text_of_plain(kept[name])[:2] if name in kept else None, draft.size)
        found[name] = _with_more(text, kept.get(name))
    children: dict[str, list[str]] = {name: [] for name in draft.queues}
    for name in draft.queues:
        if name != ROOT:
            children[name.rpartition(".")[0]].append(name.rpartition(".")[2])
    shares = capacity_texts(draft)
    for queue, values in draft.queues.items():
        own = _records(values.get("x_hadoop", {}).get(CAPACITY_FILE) if isinstance(values.get("x_hadoop"), dict) else None)
        begin = f"{CAPACITY}{queue}."
        if children[queue]:
            before = own.get("queues")
            same = before is not None and listed(text_of_plain(before)[1]) == children[queue]
            found[f"{begin}queues"] = before if same else ",".join(children[queue])
        found |= {f"{begin}{suffix}": _with_more(text, own.get(suffix)) for suffix, text in shares[queue].items()}
        found |= _written(capacity_table.QUEUE, values, own, draft, defaults, begin)
        found |= {begin + suffix: plain for suffix, plain in own.items() if suffix not in capacity_table.QUEUE.of and suffix not in (*CAPACITIES, "queues")}
    return _file(found)


def site_text(draft: Draft) -> str:
    """yarn-site.xml for what the draft holds."""
    kept = _records(draft.kept.get(SITE_FILE))
    values = {**draft.cluster, **draft.scheduler}
    tables = [SITE, *([FAIR_SITE] if draft.scheduler.get("family") == "fair" else [])]
    found: dict[str, Any] = {}
    for table in tables:
        found |= _written(table, values, kept, draft, {}, "")
    return _file(found | {name: plain for name, plain in kept.items() if not any(name in table.of for table in tables)})


def _written(table: Table, values: dict[str, Any], kept: dict[str, Any], draft: Draft, defaults: dict[str, Any], begin: str) -> dict[str, Any]:
    found = {}
    for row in table.rows:
        name = next((name for name in row.names if name in kept), row.names[0])
        before = text_of_plain(kept[name])[:2] if name in kept else None
        text = written_text(row, got(values, row.target), defaults.get(row.target, row.default), before, draft.size)
        if text is not None:
            found[begin + name] = _with_more(text, kept.get(name))
    return found


def _with_more(text: str, kept: Any) -> Any:
    """The text with the description and whatever else stood beside it."""
    more = text_of_plain(kept)[2]
    return {"text": text, "more": more} if more else text


def kept_value(row: Row, draft: Draft) -> Any:
    """What the kept property of a row says, None where none is kept or it is not modelled."""
    for file in (CAPACITY_FILE, SITE_FILE):
        for name, plain in _records(draft.kept.get(file)).items():
            if name in row.names:
                try:
                    return row.kind.parse(text_of_plain(plain)[1], draft.size)
                except (NotModelled, ValueError):
                    return None
    return None


def _records(kept: Any) -> dict[str, Any]:
    return {str(key): value for key, value in kept.items()} if isinstance(kept, dict) else {}


def _file(found: dict[str, Any]) -> str:
    root = Element("configuration")
    for name, plain in found.items():
        text, _, more = text_of_plain(plain)
        parts = [Element("name", text=name), Element("value", text=text), *(Element(key, text=value) for key, value in more.items())]
        root.children.append(Element("property", children=parts))
    return text_of(root)
