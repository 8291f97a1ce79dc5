"""capacity-scheduler.xml and yarn-site.xml: properties into a draft, and a scenario's back into the files."""

from __future__ import annotations

import re
from typing import Any

from engine.messages import msg
from engine.scenario.configuration import capacity_table
from engine.scenario.configuration.configuration_notes import NoteKind, Where
from engine.scenario.configuration.hadoop_properties import remark_unmodelled
from engine.scenario.configuration.properties import Property, parse_kept_property, split_list
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
from engine.scenario.configuration.queue_capacities import CAPACITY_FILE, capacity_texts, read_capacities
from engine.scenario.configuration.site_table import CAPACITY, CAPACITY_SITE, FAIR, FAIR_SITE, SITE
from engine.scenario.configuration.value_parsing import NotModelled, format_plain, parse_number
from engine.scenario.configuration.xml_tree import Element, xml_text
from engine.scenario.queue_validation import ROOT

SITE_FILE = "yarn-site.xml"
USER = re.compile(rf"{re.escape(CAPACITY)}user\.(.+)\.{capacity_table.MAX_APPS}")
CAPACITIES = ("capacity", "maximum-capacity")
PLACEMENT_PROPERTIES = {
    f"{CAPACITY}queue-mappings",
    f"{CAPACITY}queue-mappings-override.enable",
    f"{FAIR}allow-undeclared-pools",
    f"{FAIR}user-as-default-queue",
}
SITE_TABLES = {"fair": FAIR_SITE, "capacity": CAPACITY_SITE}


def read_family(properties: dict[str, Property], draft: Draft) -> None:
    """Which scheduler yarn-site.xml names, if it does."""
    row = SITE.by_name["yarn.resourcemanager.scheduler.class"]
    for name in row.names:
        if name in properties:
            draft.set_field(
                row, properties[name].expanded, properties[name].where, row.owner, draft.scheduler
            )


def read_properties(properties: dict[str, Property], draft: Draft) -> None:
    """Takes what the properties say into the draft; those of queues after those of the whole scheduler."""
    queues = (
        _queue_tree(properties, draft)
        if any(name.startswith(f"{CAPACITY}{ROOT}.") for name in properties)
        else {}
    )
    properties_by_queue: dict[str, dict[str, Property]] = {name: {} for name in queues}
    file_kinds = _file_kinds(properties)
    for name, prop in properties.items():
        owner = _owner(name, queues)
        if owner:
            properties_by_queue[owner][name[len(f"{CAPACITY}{owner}.") :]] = prop
        else:
            _read_site_property(name, prop, file_kinds[prop.where.file], draft)
    for name, queue_properties in properties_by_queue.items():
        _read_queue(name, queue_properties, draft)
    if queues:
        read_capacities(
            {
                name: {
                    key: properties_by_queue[name][key]
                    for key in CAPACITIES
                    if key in properties_by_queue[name]
                }
                for name in queues
            },
            draft,
        )
    for name, row in capacity_table.DEFAULTS.items():
        default_values = draft.defaults.get(name) or {}
        for queue in queues if default_values else ():
            if get_path(draft.queues[queue], row.target) is None and (
                queue != ROOT or row.target == "max_running_apps"
            ):
                set_path(draft.queues[queue], row.target, get_path(default_values, row.target))


def _file_kinds(properties: dict[str, Property]) -> dict[str, str]:
    """By the name of each file which of Hadoop's it is, by most of its properties: what is unknown goes back
    to where it stood.
    """
    capacity_votes: dict[str, int] = {}
    for name, prop in properties.items():
        capacity_votes[prop.where.file] = capacity_votes.get(prop.where.file, 0) + (
            1 if name.startswith(CAPACITY) else -1
        )
    return {file: CAPACITY_FILE if count > 0 else SITE_FILE for file, count in capacity_votes.items()}


def _queue_tree(properties: dict[str, Property], draft: Draft) -> dict[str, Where]:
    """The queues by name, parents first, from the `queues` properties. FormatError for one that is listed
    twice.
    """
    queues: dict[str, Where] = {}
    pending, seen = [ROOT], {ROOT}
    while pending:
        name = pending.pop()
        prop = properties.get(f"{CAPACITY}{name}.queues")
        queues[name] = prop.where if prop else Where(CAPACITY_FILE)
        draft.queue(name)
        if prop is None:
            continue
        for short in reversed(split_list(prop.expanded) or [""]):
            child = f"{name}.{short}"
            if not short or "." in short:
                raise prop.where.fault(
                    msg(
                        "scenario.property_files.must_be_names_queues_without_dots",
                        expanded=prop.expanded[:60],
                    )
                )
            if child in seen:
                raise prop.where.fault(msg("scenario.property_files.listed_twice", child=child))
            seen.add(child)
            pending.append(child)
    return queues


def _owner(name: str, queues: dict[str, Where]) -> str:
    """The queue that a property belongs to: the longest whose name it begins with."""
    if not name.startswith(f"{CAPACITY}{ROOT}."):
        return ""
    parts = name[len(CAPACITY) :].split(".")[:-1]
    return next(
        (owner for end in range(min(len(parts), 110), 0, -1) if (owner := ".".join(parts[:end])) in queues),
        "",
    )


def _read_queue(queue: str, properties: dict[str, Property], draft: Draft) -> None:
    values, unmodelled = draft.queue(queue), {}
    draft.queue_lines.setdefault(queue, 0)
    for suffix, prop in properties.items():
        row = capacity_table.QUEUE.by_name.get(suffix)
        if suffix == "queues":
            if prop.extras or ",".join(split_list(prop.expanded)) != prop.text:
                unmodelled[suffix] = prop.plain()
        elif suffix in CAPACITIES:
            if prop.extras or queue == ROOT or not _is_plain_number(prop.text):
                unmodelled[suffix] = prop.plain()
        elif row is None:
            remark_unmodelled(prop.where, prop.expanded, draft.queues, queue, draft.remarks)
            unmodelled[suffix] = prop.plain()
        elif not draft.set_field(row, prop.expanded, prop.where, queue, values) or _must_be_kept(
            row, prop, values
        ):
            unmodelled[suffix] = prop.plain()
    if unmodelled:
        values.setdefault("x_hadoop", {})[CAPACITY_FILE] = unmodelled


def _read_site_property(name: str, prop: Property, source_file: str, draft: Draft) -> None:
    family = draft.scheduler.get("family", "")
    row = SITE.by_name.get(name) or SITE_TABLES.get(family, Table(())).by_name.get(name)
    belongs_in_site = name.startswith(FAIR) or row
    target_file = (
        CAPACITY_FILE if name.startswith(CAPACITY) else SITE_FILE if belongs_in_site else source_file
    )
    unmodelled = draft.unmodelled.setdefault(target_file, {})
    default = capacity_table.DEFAULTS.get(name)
    if user := USER.fullmatch(name):
        if not _read_user(user[1], prop, draft):
            unmodelled[name] = prop.plain()
    elif default:
        draft.set_field(
            default,
            prop.expanded,
            prop.where,
            DEFAULT_OWNER_PREFIX + name,
            draft.defaults.setdefault(name, {}),
        )
        unmodelled[name] = prop.plain()
    elif row:
        values = draft.scheduler if row.owner == "scheduler" else draft.cluster
        if (
            not draft.set_field(row, prop.expanded, prop.where, row.owner, values)
            or row.owner == "scheduler"
            or _must_be_kept(row, prop, values)
        ):
            unmodelled[name] = prop.plain()
    else:
        if name in PLACEMENT_PROPERTIES:
            draft.placement_properties[name] = prop
        elif any(name in table.by_name for table in SITE_TABLES.values()):
            draft.remarks.add(
                prop.where,
                msg("scenario.property_files.not_used_as_scheduler_kept_for", family=family),
                NoteKind.NOT_READ,
            )
        else:
            remark_unmodelled(prop.where, prop.expanded, draft.queues, "", draft.remarks)
        unmodelled[name] = prop.plain()
    if not unmodelled:
        del draft.unmodelled[target_file]


def _read_user(user: str, prop: Property, draft: Draft) -> bool:
    """Sets how many jobs of a user run at a time; whether that alone would be written as it stood."""
    parsed: dict[str, Any] = {}
    draft.set_field(capacity_table.USER_ROW, prop.expanded, prop.where, msg("shared.user", user=user), parsed)
    users = draft.scenario.setdefault("users", [])
    existing = next((existing for existing in users if existing["name"] == user), None)
    if existing is None:
        users.append(existing := {"name": user})
    existing |= parsed["users"]
    return not _must_be_kept(capacity_table.USER_ROW, prop, parsed)


def _is_plain_number(text: str) -> bool:
    """Whether a percentage would be written as it stands; one that stands for no limit would not be
    written.
    """
    try:
        value = parse_number(text)
    except ValueError:
        return False
    return 0 < value <= 100 and format_plain(value) == text


def _must_be_kept(row: Row, prop: Property, values: dict[str, Any]) -> bool:
    """Whether the field alone would not be written as it stood."""
    return bool(
        prop.extras
        or row.default_property
        or prop.where.name in row.names[1:]
        or format_field(row, get_path(values, row.target), row.default) != prop.text
    )


def capacity_text(draft: Draft) -> str:
    """capacity-scheduler.xml for what the draft holds."""
    unmodelled = _valid_records(draft.unmodelled.get(CAPACITY_FILE))
    properties = _table_texts(CAPACITY_SITE, {**draft.cluster, **draft.scheduler}, unmodelled, draft, {}, "")
    defaults = {}
    for name, plain in unmodelled.items():
        if name not in CAPACITY_SITE.by_name and not USER.fullmatch(name):
            properties[name] = plain
        if row := capacity_table.DEFAULTS.get(name):
            defaults[row.target] = row.codec.value(parse_kept_property(plain)[1], draft.size)
    for user in draft.scenario.get("users", ()):
        name, row = f"{CAPACITY}user.{user['name']}.{capacity_table.MAX_APPS}", capacity_table.USER_ROW
        text = field_text(
            row,
            user["max_running_apps"],
            None,
            parse_kept_property(unmodelled[name])[:2] if name in unmodelled else None,
            draft.size,
        )
        assert text is not None  # a value is written
        properties[name] = _with_extras(text, unmodelled.get(name))
    children: dict[str, list[str]] = {name: [] for name in draft.queues}
    for name in draft.queues:
        if name != ROOT:
            children[name.rpartition(".")[0]].append(name.rpartition(".")[2])
    shares = capacity_texts(draft)
    for queue, values in draft.queues.items():
        queue_kept = _valid_records(
            values.get("x_hadoop", {}).get(CAPACITY_FILE)
            if isinstance(values.get("x_hadoop"), dict)
            else None
        )
        begin = f"{CAPACITY}{queue}."
        if children[queue]:
            previous = queue_kept.get("queues")
            is_unchanged = (
                previous is not None and split_list(parse_kept_property(previous)[1]) == children[queue]
            )
            properties[f"{begin}queues"] = previous if is_unchanged else ",".join(children[queue])
        properties |= {
            f"{begin}{suffix}": _with_extras(text, queue_kept.get(suffix))
            for suffix, text in shares[queue].items()
        }
        properties |= _table_texts(capacity_table.QUEUE, values, queue_kept, draft, defaults, begin)
        properties |= {
            begin + suffix: plain
            for suffix, plain in queue_kept.items()
            if suffix not in capacity_table.QUEUE.by_name and suffix not in (*CAPACITIES, "queues")
        }
    return properties_text(properties)


def site_text(draft: Draft) -> str:
    """yarn-site.xml for what the draft holds."""
    unmodelled = _valid_records(draft.unmodelled.get(SITE_FILE))
    values = {**draft.cluster, **draft.scheduler}
    tables = [SITE, *([FAIR_SITE] if draft.scheduler.get("family") == "fair" else [])]
    properties: dict[str, Any] = {}
    for table in tables:
        properties |= _table_texts(table, values, unmodelled, draft, {}, "")
    return properties_text(
        properties
        | {
            name: plain
            for name, plain in unmodelled.items()
            if not any(name in table.by_name for table in tables)
        }
    )


def _table_texts(
    table: Table,
    values: dict[str, Any],
    unmodelled: dict[str, Any],
    draft: Draft,
    defaults: dict[str, Any],
    begin: str,
) -> dict[str, Any]:
    texts = {}
    for row in table.rows:
        name = next((name for name in row.names if name in unmodelled), row.names[0])
        kept_text = parse_kept_property(unmodelled[name])[:2] if name in unmodelled else None
        text = field_text(
            row, get_path(values, row.target), defaults.get(row.target, row.default), kept_text, draft.size
        )
        if text is not None:
            texts[begin + name] = _with_extras(text, unmodelled.get(name))
    return texts


def _with_extras(text: str, unmodelled: Any) -> Any:
    """The text with the description and whatever else stood beside it."""
    extras = parse_kept_property(unmodelled)[2]
    return {"text": text, "more": extras} if extras else text


def kept_value(row: Row, draft: Draft) -> Any:
    """What the kept property of a row says, None where none is kept or it is not modelled."""
    for file in (CAPACITY_FILE, SITE_FILE):
        for name, plain in _valid_records(draft.unmodelled.get(file)).items():
            if name in row.names:
                try:
                    return row.codec.value(parse_kept_property(plain)[1], draft.size)
                except (NotModelled, ValueError):
                    return None
    return None


def _valid_records(unmodelled: Any) -> dict[str, Any]:
    return {str(key): value for key, value in unmodelled.items()} if isinstance(unmodelled, dict) else {}


def properties_text(properties: dict[str, Any]) -> str:
    """A file of these properties, as XML; FormatError for a character that XML can't hold."""
    root = Element("configuration")
    for name, plain in properties.items():
        text, _, extras = parse_kept_property(plain)
        parts = [
            Element("name", text=name),
            Element("value", text=text),
            *(Element(key, text=value) for key, value in extras.items()),
        ]
        root.children.append(Element("property", children=parts))
    return xml_text(root)
