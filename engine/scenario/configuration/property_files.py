"""capacity-scheduler.xml and yarn-site.xml: properties into a draft, and a scenario's back into the files."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from engine.messages import msg
from engine.scenario.configuration import capacity_table
from engine.scenario.configuration.capacity_values import AMOUNT_OF
from engine.scenario.configuration.configuration_notes import NoteKind, Where
from engine.scenario.configuration.flexible_capacities import LEGACY_MODE, is_flexible
from engine.scenario.configuration.hadoop_properties import is_read, remark_unmodelled
from engine.scenario.configuration.java_values import java_float, java_int, java_long, trim
from engine.scenario.configuration.mapreduce_settings import DEPRECATED, USED_PROPERTIES
from engine.scenario.configuration.properties import Property, parse_kept_property, split_queues
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
from engine.scenario.configuration.queue_capacities import (
    ALLOW_ZERO,
    CAPACITY_FILE,
    capacity_texts,
    read_capacities,
)
from engine.scenario.configuration.queue_placement import MAPPINGS, MAPPINGS_FORMAT, MAPPINGS_OVERRIDE
from engine.scenario.configuration.site_table import (
    CAPACITY,
    CAPACITY_SITE,
    DEFAULT_MAX_APPLICATIONS,
    DEFAULT_MAXIMUM,
    DEFAULT_MINIMUM,
    FAIR,
    FAIR_SITE,
    MONITOR,
    MONITOR_SITE,
    MONITORS,
    SCHEDULER_CLASS,
    SITE,
)
from engine.scenario.configuration.value_parsing import NotModelled, format_plain
from engine.scenario.configuration.xml_tree import Element, xml_text
from engine.scenario.queue_validation import ROOT
from engine.scenario.scenario_limits import MAX_NAME_LENGTH

SITE_FILE = "yarn-site.xml"
USER = re.compile(rf"{re.escape(CAPACITY)}user\.(.+)\.{capacity_table.MAX_APPS}")
CAPACITIES = ("capacity", "maximum-capacity")
ORDER = "ordering"
ALLOCATION_FILE = f"{FAIR}allocation.file"
LIFETIMES = ("maximum-application-lifetime", "default-application-lifetime")
# flags of a parent in which Hadoop creates queues
MAKES_QUEUES = ("auto-create-child-queue.enabled", "auto-queue-creation-v2.enabled")
PLACEMENT_PROPERTIES = {
    "capacity": (MAPPINGS, MAPPINGS_OVERRIDE, MAPPINGS_FORMAT),
    "fair": (f"{FAIR}allow-undeclared-pools", f"{FAIR}user-as-default-queue"),
}
PREEMPTS = {"capacity": f"{MONITORS}enable", "fair": f"{FAIR}preemption"}
# begin the names of those that are read where there is preemption alone
PREEMPTION_NUMBERS = (f"{MONITOR}", f"{MONITORS}policies", f"{FAIR}waitTime", f"{FAIR}preemption.")
SITE_TABLES = {"fair": FAIR_SITE, "capacity": CAPACITY_SITE}


def read_family(properties: dict[str, Property], draft: Draft) -> None:
    """Which scheduler yarn-site.xml names, if it does."""
    row = SITE.by_name[SCHEDULER_CLASS]
    for name in row.names:
        if name in properties:
            draft.set_field(
                row, properties[name].expanded, properties[name].where, row.owner, draft.scheduler
            )


def read_properties(properties: dict[str, Property], draft: Draft) -> None:
    """Takes what the properties say into the draft; those of queues after those of the whole scheduler."""
    _check_sizes(properties, draft)
    family = draft.scheduler["family"]
    queues = _queue_tree(properties, draft) if family == "capacity" and _has_queues(properties) else {}
    properties_by_queue: dict[str, dict[str, Property]] = {name: {} for name in queues}
    file_kinds = _file_kinds(properties)
    preempts = _is_true(properties.get(PREEMPTS.get(family, "")))
    for name, prop in properties.items():
        owner = _owner(name, queues)
        if owner:
            properties_by_queue[owner][name[len(f"{CAPACITY}{owner}.") :]] = prop
        else:
            _read_site_property(name, prop, file_kinds[prop.where.file], preempts, draft)
    lifetimes: dict[str, int] = {}
    for name, queue_properties in properties_by_queue.items():
        _read_queue(name, queue_properties, draft)
        _check_largest_container(name, draft)
        lifetimes[name] = _longest_lifetime(queue_properties, lifetimes.get(name.rpartition(".")[0], -1))
    levels = read_capacities(_stated_capacities(properties_by_queue), draft) if queues else {}
    for name, row in capacity_table.DEFAULTS.items():
        default = _default_of_queues(name, get_path(draft.defaults.get(name) or {}, row.target), draft)
        for queue in queues if default is not None else ():
            if get_path(draft.queues[queue], row.target) is None and (
                queue != ROOT or row.target == "max_running_apps"
            ):
                is_part = row.target == "max_applications" and levels[queue].stated.kind == AMOUNT_OF
                own = int(np.float32(default) * np.float32(levels[queue].part)) if is_part else default
                set_path(draft.queues[queue], row.target, own)


def _stated_capacities(properties_by_queue: dict[str, dict[str, Property]]) -> dict[str, dict[str, Property]]:
    """Of each queue what it says of its capacities."""
    return {
        name: {key: own[key] for key in (*CAPACITIES, ALLOW_ZERO) if key in own}
        for name, own in properties_by_queue.items()
    }


def _default_of_queues(name: str, value: Any, draft: Draft) -> Any:
    """What a queue without its own has by a property of the whole file. Of applications 0 and less is none,
    and no more than the system's (AbstractLeafQueue.updateMaximumApplications); a queue of resources has its
    part of them (AbstractParentQueue.deriveCapacityFromAbsoluteConfigurations).
    """
    if not name.endswith(capacity_table.GLOBAL_MAX_APPLICATIONS):
        return value
    system = draft.cluster.get("max_applications")
    return min(value, DEFAULT_MAX_APPLICATIONS if system is None else system) if value else None


def _has_queues(properties: dict[str, Property]) -> bool:
    """Whether the properties are a capacity-scheduler.xml's, and not yarn-site.xml's alone."""
    kinds = _file_kinds(properties).values()
    return CAPACITY_FILE in kinds or any(name.startswith(f"{CAPACITY}{ROOT}.") for name in properties)


def _check_sizes(properties: dict[str, Property], draft: Draft) -> None:
    """FormatError where Hadoop does not start with the smallest and largest container
    (CapacityScheduler.validateConf, FairScheduler.validateConf).
    """
    smallest_minimum = 0 if draft.scheduler["family"] == "fair" else 1
    for resource, minimum, maximum in zip(("mb", "vcores"), DEFAULT_MINIMUM, DEFAULT_MAXIMUM):
        names = [f"yarn.scheduler.{end}-allocation-{resource}" for end in ("minimum", "maximum")]
        given = [properties[name] for name in names if name in properties]
        amounts = {names[0]: minimum, names[1]: maximum}
        for prop in given:
            try:
                amounts[prop.where.name] = java_int(prop.expanded)
            except ValueError as fault:
                raise prop.where.fault(str(fault)) from None
        if given and not smallest_minimum <= amounts[names[0]] <= amounts[names[1]]:
            # what is below the least is the minimum itself, whatever the maximum
            wrong = given[0] if amounts[names[0]] < smallest_minimum else given[-1]
            raise wrong.where.fault(
                msg(
                    "scenario.property_files.smallest_and_largest",
                    smallest=smallest_minimum,
                    minimum=amounts[names[0]],
                    maximum=amounts[names[1]],
                )
            )


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
    """The queues by name, parents first, from the `queues` properties. FormatError where root has none and
    makes none, or for a name with a dot or that is too long.
    """
    queues: dict[str, Where] = {}
    pending = [ROOT]
    while pending:
        name = pending.pop()
        prop = properties.get(f"{CAPACITY}{name}.queues")
        names = split_queues(prop.expanded) if prop else []
        draft.queue_origins[name] = queues[name] = prop.where if prop else Where(CAPACITY_FILE)
        draft.queue(name)
        makes_queues = any(_is_true(properties.get(f"{CAPACITY}{name}.{flag}")) for flag in MAKES_QUEUES)
        if name == ROOT and not names and not makes_queues:
            first = next(one for key, one in properties.items() if key.startswith(CAPACITY))
            raise Where((prop or first).where.file, 0, f"{CAPACITY}{ROOT}.queues").fault(
                msg("scenario.property_files.root_has_no_queues")
            )
        if prop is None:
            continue
        children = _listed_children(name, names, prop)
        if names and not children:  # its only one has no name, and takes no job
            draft.nameless.add(name)
        draft.queue_counts[name] = children
        if len(children) < len(names):
            draft.remarks.add(
                prop.where,
                msg("scenario.property_files.listed_more_than_once", expanded=prop.expanded[:60]),
            )
        pending += reversed(children)
    return queues


def _listed_children(parent: str, names: list[str], prop: Property) -> Counter[str]:
    """The queues of a list by their full names, and how often each is in it."""
    if any("." in short for short in names):
        raise prop.where.fault(
            msg("scenario.property_files.must_be_names_queues_without_dots", expanded=prop.expanded[:60])
        )
    children = Counter(f"{parent}.{short}" for short in names if short)
    if too_long := next((child for child in children if len(child) > MAX_NAME_LENGTH), ""):
        raise Where(prop.where.file, prop.where.line).fault(
            msg(
                "scenario.property_files.name_too_long",
                name=f"{too_long[:59]}…",
                length=len(too_long),
                maximum=MAX_NAME_LENGTH,
            )
        )
    return children


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
    makes_queues, is_parent = _parenthood(queue, properties, draft)
    for suffix, prop in properties.items():
        row = capacity_table.QUEUE.by_name.get(suffix)
        if suffix == capacity_table.ORDERING and is_parent:
            row = capacity_table.PARENT_ORDERING
        if suffix in ("queues", *CAPACITIES):
            is_kept = _must_keep_list(queue, suffix, prop, draft)
        elif prop is makes_queues and queue in draft.parents:
            is_kept = True
        elif row is None:
            remark_unmodelled(prop.where, prop.expanded, draft.queues, queue, draft.remarks)
            is_kept = True
        elif (
            suffix in capacity_table.OF_LEAVES and is_parent or row.target == ORDER and queue in draft.parents
        ):
            _check_parent(queue, row, prop, draft)
            is_kept = True
        else:
            is_set = draft.set_field(row, prop.expanded, prop.where, queue, values)
            is_kept = not is_set or _must_be_kept(row, prop, values)
        if is_kept:
            unmodelled[suffix] = prop.plain()
    if unmodelled:
        values.setdefault("x_hadoop", {})[CAPACITY_FILE] = unmodelled


def _parenthood(queue: str, properties: dict[str, Property], draft: Draft) -> tuple[Property | None, bool]:
    """(the property by which Hadoop creates queues in it, is it a parent); notes those without children."""
    makes_queues = next((properties[flag] for flag in MAKES_QUEUES if _is_true(properties.get(flag))), None)
    if queue in draft.nameless:
        draft.parents.add(queue)
    elif makes_queues and not draft.queue_counts[queue]:
        draft.parents.add(queue)
        text = msg("scenario.property_files.makes_queues", queue=queue)
        draft.remarks.add(makes_queues.where, text, NoteKind.NOT_MODELLED)
    is_parent = bool(draft.queue_counts[queue] or makes_queues or queue in draft.nameless)
    return makes_queues, is_parent


def _must_keep_list(queue: str, suffix: str, prop: Property, draft: Draft) -> bool:
    """Whether a queue's list of queues, or its capacity, would not be written as it stood."""
    if prop.extras or queue == ROOT and suffix != "queues":
        return True
    if suffix == "queues":
        return ",".join(name.rpartition(".")[2] for name in draft.queue_counts[queue]) != prop.text
    siblings = draft.queue_counts[queue.rpartition(".")[0]]
    is_kept = siblings.total() > len(siblings) or not _is_plain_number(prop.text)
    return is_kept or is_flexible(draft, CAPACITY_FILE)


def _check_parent(queue: str, row: Row, prop: Property, draft: Draft) -> None:
    """Tells that a parent's property is a leaf's. FormatError where Hadoop does not start with the value all
    the same.
    """
    if row.target in (ORDER, "max_am_share"):
        try:
            row.codec.parse(prop.expanded, draft.size)
        except ValueError as fault:
            raise prop.where.fault(str(fault)) from None
    if row.target != ORDER:
        text = msg("scenario.property_files.of_leaves_alone", queue=queue)
        draft.remarks.add(prop.where, text, NoteKind.NOT_READ)


def _check_largest_container(queue: str, draft: Draft) -> None:
    """FormatError where a queue's largest container is larger than the cluster's."""
    largest = get_path(draft.cluster, "allocation.maximum")
    largest = largest or dict(zip(("memory_mb", "vcores"), DEFAULT_MAXIMUM))
    for key, amount in draft.queue(queue).get("max_container", {}).items():
        where = draft.origins.get((queue, f"max_container.{key}"))
        if where and amount > largest[key]:
            raise where.fault(
                msg("scenario.property_files.above_cluster_s_largest", amount=amount, maximum=largest[key])
            )


def _longest_lifetime(properties: dict[str, Property], inherited: int) -> int:
    """Of applications in a queue, its parent's where its own is below 0. FormatError where Hadoop does not
    start with its lifetimes (AbstractCSQueue.setupMaximumLifetime).
    """
    given = {}
    for suffix in LIFETIMES:
        if prop := properties.get(suffix):
            try:
                given[suffix] = java_long(prop.expanded)
            except ValueError as fault:
                raise prop.where.fault(str(fault)) from None
    longest = inherited if given.get(LIFETIMES[0], -1) < 0 else given[LIFETIMES[0]]
    if 0 < longest < given.get(LIFETIMES[1], 0):
        where = properties[LIFETIMES[1]].where
        raise where.fault(msg("scenario.property_files.above_longest_lifetime", longest=longest))
    return longest


def _is_true(prop: Property | None) -> bool:
    return prop is not None and trim(prop.expanded).lower() == "true"


def _target_file(name: str, is_known: bool, source_file: str) -> str:
    """Into which file a property is written back."""
    if name.startswith(CAPACITY):
        return CAPACITY_FILE
    return SITE_FILE if name.startswith(FAIR) or is_known else source_file


def _read_site_property(name: str, prop: Property, source_file: str, preempts: bool, draft: Draft) -> None:
    family = draft.scheduler.get("family", "")
    row = SITE.by_name.get(name) or SITE_TABLES.get(family, Table(())).by_name.get(name)
    target_file = _target_file(name, row is not None, source_file)
    unmodelled = draft.unmodelled.setdefault(target_file, {})
    is_of_capacity = family == "capacity"
    user, default = USER.fullmatch(name), capacity_table.DEFAULTS.get(name)
    is_kept = True
    if is_of_capacity and user:
        is_kept = not _read_user(user[1], prop, draft)
    elif is_of_capacity and default:
        values, owner = draft.defaults.setdefault(name, {}), DEFAULT_OWNER_PREFIX + name
        draft.set_field(default, prop.expanded, prop.where, owner, values)
    elif row:
        values = draft.scheduler if row.owner == "scheduler" else draft.cluster
        is_set = _set_site_field(row, prop, values, preempts, draft)
        is_kept = not is_set or row.owner == "scheduler" or _must_be_kept(row, prop, values)
    elif name in PLACEMENT_PROPERTIES.get(family, ()):
        draft.placement_properties[name] = prop
    elif _is_of_another(name, family):
        draft.remarks.add(
            prop.where,
            msg("scenario.property_files.not_used_as_scheduler_kept_for", family=family),
            NoteKind.NOT_READ,
        )
    elif (name == LEGACY_MODE and is_of_capacity) or (name == ALLOCATION_FILE and draft.queue_file):
        pass  # kept; read with the capacities, or itself among the files
    elif source_file != SITE_FILE or DEPRECATED.get(name, name) not in USED_PROPERTIES:  # of jobs
        remark_unmodelled(prop.where, prop.expanded, draft.queues, "", draft.remarks)
    if is_kept:
        unmodelled[name] = prop.plain()
    if not unmodelled:
        del draft.unmodelled[target_file]


def _is_of_another(name: str, family: str) -> bool:
    """Whether a property is one that the scheduler in use does not read and another does."""
    begins = {"fair": FAIR, "capacity": CAPACITY}
    return is_read(name) and any(
        name.startswith(begin) or name in SITE_TABLES[other].by_name
        for other, begin in begins.items()
        if other != family
    )


def _set_site_field(row: Row, prop: Property, values: dict[str, Any], preempts: bool, draft: Draft) -> bool:
    """`Draft.set_field`; numbers of preemption are read where there is preemption, and what is no number
    does no harm elsewhere.
    """
    if prop.where.name.startswith(PREEMPTION_NUMBERS) and not preempts:
        try:
            row.codec.parse(prop.expanded, draft.size)
        except ValueError:
            draft.remarks.add(
                prop.where, msg("scenario.property_files.not_read_without_preemption"), NoteKind.NOT_READ
            )
            return False
    return draft.set_field(row, prop.expanded, prop.where, row.owner, values)


def _read_user(user: str, prop: Property, draft: Draft) -> bool:
    """Sets how many jobs of a user run at a time; whether that alone would be written as it stood."""
    parsed: dict[str, Any] = {}
    draft.set_field(capacity_table.USER_ROW, prop.expanded, prop.where, msg("shared.user", user=user), parsed)
    if "users" not in parsed:
        return False
    users = draft.scenario.setdefault("users", [])
    existing = next((existing for existing in users if existing["name"] == user), None)
    if existing is None:
        users.append(existing := {"name": user})
    existing |= parsed["users"]
    return not _must_be_kept(capacity_table.USER_ROW, prop, parsed)


def _is_plain_number(text: str) -> bool:
    """Whether a percentage would be written as it stands."""
    try:
        value = java_float(text)
    except ValueError:
        return False
    return 0 <= value <= 100 and format_plain(value) == text


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
    values = {**draft.cluster, **draft.scheduler}
    properties = _table_texts(CAPACITY_SITE, values, unmodelled, draft, {}, "")
    properties = {name: plain for name, plain in properties.items() if name not in MONITOR_SITE.by_name}
    defaults = {}
    for name, plain in unmodelled.items():
        if name not in CAPACITY_SITE.by_name and not USER.fullmatch(name):
            properties[name] = plain
        if row := capacity_table.DEFAULTS.get(name):
            value = row.codec.value(parse_kept_property(plain)[1], draft.size)
            defaults[row.target] = _default_of_queues(name, value, draft)
    for user in draft.scenario.get("users", ()):
        name, row = f"{CAPACITY}user.{user['name']}.{capacity_table.MAX_APPS}", capacity_table.USER_ROW
        text = field_text(
            row,
            user.get("max_running_apps"),
            None,
            parse_kept_property(unmodelled[name])[:2] if name in unmodelled else None,
            draft.size,
        )
        if text is not None:
            properties[name] = _with_extras(text, unmodelled.get(name))
    shares = capacity_texts(draft)
    children = _children(draft)
    for queue, values in draft.queues.items():
        hadoop = values.get("x_hadoop")
        kept = _valid_records(hadoop.get(CAPACITY_FILE) if isinstance(hadoop, dict) else None)
        texts: dict[str, Any] = _list_of_queues(children[queue], kept)
        texts |= {suffix: _with_extras(text, kept.get(suffix)) for suffix, text in shares[queue].items()}
        texts |= _table_texts(capacity_table.QUEUE, values, kept, draft, defaults, "")
        of_leaves = capacity_table.OF_LEAVES if children[queue] or _kept_to_make_queues(kept) else ()
        written = {*capacity_table.QUEUE.by_name, *CAPACITIES, "queues"} - set(of_leaves)
        texts |= {suffix: plain for suffix, plain in kept.items() if suffix not in written}
        properties |= {f"{CAPACITY}{queue}.{suffix}": plain for suffix, plain in texts.items()}
    return properties_text(properties)


def _children(draft: Draft) -> dict[str, list[str]]:
    """Of each queue the last parts of the names of those in it."""
    children: dict[str, list[str]] = {name: [] for name in draft.queues}
    for name in draft.queues:
        if name != ROOT:
            children[name.rpartition(".")[0]].append(name.rpartition(".")[2])
    return children


def _list_of_queues(names: list[str], kept: dict[str, Any]) -> dict[str, Any]:
    """The list of the queues in one: as it was read where it still says the same, nothing for none."""
    previous = kept.get("queues")
    if previous is not None:
        listed = split_queues(parse_kept_property(previous)[1])
        if listed and list(dict.fromkeys(filter(None, listed))) == names:
            return {"queues": previous}
    return {"queues": ",".join(names)} if names else {}


def _kept_to_make_queues(kept: dict[str, Any]) -> bool:
    return any(trim(parse_kept_property(kept.get(flag, ""))[1]).lower() == "true" for flag in MAKES_QUEUES)


def site_text(draft: Draft) -> str:
    """yarn-site.xml for what the draft holds."""
    unmodelled = _valid_records(draft.unmodelled.get(SITE_FILE))
    values = {**draft.cluster, **draft.scheduler}
    family = draft.scheduler.get("family", "")
    tables = [SITE, *{"fair": [FAIR_SITE], "capacity": [MONITOR_SITE]}.get(family, [])]
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
