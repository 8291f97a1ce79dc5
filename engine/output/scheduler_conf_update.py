"""What was changed of a CapacityScheduler's configuration, as its ResourceManager takes it: the body of PUT
/ws/v1/cluster/scheduler-conf (SchedConfUpdateInfo), and as a diff of capacity-scheduler.xml.
"""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from engine.errors import FormatError
from engine.messages import msg
from engine.output.hadoop_files import configuration_text
from engine.scenario.configuration.configuration_reader import AS_READ, CAPACITY_XML, read_configuration
from engine.scenario.configuration.configured_scenario import HADOOP_FIELD, STAND_IN_JOB, configure_scenario
from engine.scenario.configuration.properties import parse_kept_property, split_queues
from engine.scenario.configuration.property_files import properties_text
from engine.scenario.configuration.queue_capacities import CAPACITY_FILE
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.configuration.xml_tree import Element, xml_text
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import ROOT
from engine.schedulers.scheduler import Scheduler, as_scheduler

XML, JSON, STOP, DIFF = "scheduler-conf-xml", "scheduler-conf-json", "scheduler-conf-stop", "capacity-diff"
SCHEDULER_CONF_UPDATES = {
    XML: "scheduler-conf.xml",
    JSON: "scheduler-conf.json",
    STOP: "scheduler-conf-stop.json",
    DIFF: "capacity-scheduler.xml.diff",
}
STATE, STOPPED = "state", "STOPPED"
COMMENT_OR_PROPERTY = re.compile(r"<!--.*?-->|[ \t]*<property\b[^>]*>.*?</property>[ \t]*\n?", re.DOTALL)
NAME_IN_PROPERTY = re.compile(r"<name>\s*([^<\s]+)\s*</name>")
VALUE_IN_PROPERTY = re.compile(r"<value>[^<]*</value>")
END = "</configuration>"

Properties = dict[str, str]  # of capacity-scheduler.xml by their names
Parameters = dict[str, str | None]  # by their names, below a queue's; None: taken away


@dataclass(frozen=True)
class SchedulerConfUpdate:
    """SchedConfUpdateInfo. The ResourceManager removes, adds, updates, in this order, and then checks the
    whole, so that capacities of siblings may go together (ConfigurationUpdateAssembler).
    """

    remove: list[str] = field(default_factory=list)
    add: dict[str, Parameters] = field(default_factory=dict)
    update: dict[str, Parameters] = field(default_factory=dict)
    global_updates: Parameters = field(default_factory=dict)

    def apply(self, properties: Properties) -> Properties:
        """The properties as the ResourceManager has them afterwards."""
        result = dict(properties)
        for queue in self.remove:
            parent, _, name = queue.rpartition(".")
            listed = [other for other in _listed(result, parent) if other != name]
            _list_queues(result, parent, listed)
            pattern = re.compile(
                rf"{queue}\..*" if re.fullmatch(r"[\w.-]+", queue) else re.escape(f"{queue}.")
            )
            result = {key: value for key, value in result.items() if not pattern.search(key)}
            if not listed:
                result.pop(f"{CAPACITY}{parent}.ordering-policy", None)
        for queue, parameters in self.add.items():
            parent, _, name = queue.rpartition(".")
            listed = [*_listed(result, parent), name]
            _list_queues(result, parent, listed)
            _set(result, f"{CAPACITY}{queue}.", parameters)
            if len(listed) == 1:
                result.pop(f"{CAPACITY}{parent}.ordering-policy", None)
        for queue, parameters in self.update.items():
            _set(result, f"{CAPACITY}{queue}.", parameters)
        _set(result, "", self.global_updates)
        return result

    def plain(self) -> dict[str, Any]:
        """It as the JSON that the ResourceManager reads."""
        parts = {
            "remove-queue": self.remove,
            "add-queue": [_queue_plain(*item) for item in self.add.items()],
            "update-queue": [_queue_plain(*item) for item in self.update.items()],
            "global-updates": [_entries(self.global_updates)] if self.global_updates else [],
        }
        return {key: part for key, part in parts.items() if part}

    def xml(self) -> str:
        """It as the XML that the ResourceManager reads; a parameter that is taken away has no value."""
        parts = [Element("remove-queue", text=queue) for queue in self.remove]
        for tag, queues in (("add-queue", self.add), ("update-queue", self.update)):
            for queue, parameters in queues.items():
                name = Element("queue-name", text=queue)
                parts.append(Element(tag, children=[name, _entries_tree("params", parameters)]))
        if self.global_updates:
            parts.append(_entries_tree("global-updates", self.global_updates))
        return xml_text(Element("sched-conf", children=parts))


def scheduler_conf_text(
    scenario: Scenario, scheduler: Scheduler | str, kind: str, read: tuple[str, bytes] | None = None
) -> str:
    """What makes the cluster's configuration the scenario's under a scheduler, as the file of this kind.

    read: (name, bytes) of the cluster's, capacity-scheduler.xml or its answer to scheduler-conf; without it
    what the scenario was made of. FormatError where there is none, nothing was changed, or, of the kind
    "scheduler-conf-stop", no queue has to be stopped before.
    """
    read = read or configuration_as_read(scenario)
    before, base = _properties_before(scenario, read)
    after = _parse(configuration_text(scenario, scheduler, CAPACITY_XML).encode())
    changed = {key for key in {*base, *after} if base.get(key) != after.get(key)}
    wanted = {key: value for key, value in before.items() if key not in changed}
    wanted |= {key: after[key] for key in after if key in changed}
    stop, update = find_update(before, wanted)
    if kind == STOP and not stop.update:
        raise FormatError(msg("output.scheduler_conf_update.nothing_to_stop"))
    if kind != STOP and update == SchedulerConfUpdate():
        raise FormatError(msg("output.scheduler_conf_update.nothing_changed"))
    if kind == DIFF:
        return _diff(read[1], before, update.apply(before))
    if kind == XML:
        return update.xml()
    return json.dumps((stop if kind == STOP else update).plain(), ensure_ascii=False, indent=1) + "\n"


def configuration_as_read(scenario: Scenario) -> tuple[str, bytes]:
    """(name, bytes) of the capacity-scheduler.xml that the scenario was made of; FormatError of another."""
    kept = (scenario.model_extra or {}).get(HADOOP_FIELD)
    kept = kept.get(AS_READ) if isinstance(kept, dict) else None
    if not isinstance(kept, dict) or not kept:
        raise FormatError(msg("output.scheduler_conf_update.nothing_read"))
    return CAPACITY_FILE, properties_text(kept).encode()


def find_update(before: Properties, wanted: Properties) -> tuple[SchedulerConfUpdate, SchedulerConfUpdate]:
    """(what stops the leaf queues that go or get queues of their own, which the ResourceManager demands; what
    makes the properties before those wanted, whose removed queues lose all of theirs).
    """
    old, new = _queues(before), _queues(wanted)
    remove = [queue for queue in old if queue not in new and queue.rpartition(".")[0] in new]
    add: dict[str, Parameters] = {
        queue: {key: value for key, value in _own(wanted, queue, new).items() if key != "queues"}
        for queue in new
        if queue not in old
    }
    update: dict[str, Parameters] = {}
    global_updates: Parameters = {}
    after = SchedulerConfUpdate(remove, add).apply(before)
    gone = tuple(f"{CAPACITY}{queue}." for queue in remove)
    for key in dict.fromkeys([*wanted, *after]):
        value = None if key.startswith(gone) else wanted.get(key)
        if after.get(key) == value:
            continue
        queue = _owner(key, new)
        if queue:
            update.setdefault(queue, {})[key[len(f"{CAPACITY}{queue}.") :]] = value
        else:
            global_updates[key] = value
    stop = _to_stop(before, old, new)
    for queue in stop:
        if queue in new:  # it gets queues, and its state back
            update.setdefault(queue, {}).setdefault(STATE, wanted.get(f"{CAPACITY}{queue}.{STATE}"))
    return (
        SchedulerConfUpdate(update={queue: {STATE: STOPPED} for queue in stop}),
        SchedulerConfUpdate(remove, add, update, global_updates),
    )


def _to_stop(before: Properties, old: list[str], new: list[str]) -> list[str]:
    """The leaves that go or get queues, and are not stopped (CapacitySchedulerQueueManager)."""
    parents, new_parents = ({queue.rpartition(".")[0] for queue in queues} for queues in (old, new))
    return [
        queue
        for queue in old
        if queue not in parents
        and (queue not in new or queue in new_parents)
        and before.get(f"{CAPACITY}{queue}.{STATE}") != STOPPED
    ]


def _properties_before(scenario: Scenario, read: tuple[str, bytes]) -> tuple[Properties, Properties]:
    """(what was read, that as it would be written of these nodes, from which a change is told)."""
    configuration = read_configuration([read])
    nodes = scenario.plain()["cluster"]["nodes"]
    job = {**STAND_IN_JOB, "name": "stand-in", "rejected": "stand-in"}  # a scenario has one, its queue none
    stand_in = Scenario.of({"version": VERSION, "cluster": {"nodes": nodes}, "jobs": [job]})
    made = configure_scenario(stand_in, configuration, place_jobs=False)
    if as_scheduler(made.scheduler).order.policy.name != "capacity":
        raise FormatError(msg("output.scheduler_conf_update.not_capacity", name=read[0]))
    kept = (made.scenario.model_extra or {})[HADOOP_FIELD][AS_READ]
    texts = {name: parse_kept_property(plain)[0] for name, plain in kept.items()}
    return texts, _parse(configuration_text(made.scenario, made.scheduler, CAPACITY_XML).encode())


def _parse(data: bytes) -> Properties:
    """The properties of a capacity-scheduler.xml."""
    (document,) = read_configuration([(CAPACITY_FILE, data)]).documents
    return {
        parts["name"]: parts.get("value", "")
        for element in document.root.children
        if (parts := {child.tag: child.text for child in element.children}).get("name")
    }


def _queues(properties: Properties) -> list[str]:
    """All queues, parents first."""
    found, pending = [], [ROOT]
    while pending:
        queue = pending.pop()
        found.append(queue)
        pending += reversed([f"{queue}.{name}" for name in _listed(properties, queue)])
    return found


def _listed(properties: Properties, queue: str) -> list[str]:
    names = split_queues(properties.get(f"{CAPACITY}{queue}.queues", ""))
    return list(dict.fromkeys(filter(None, names)))


def _list_queues(properties: Properties, queue: str, names: list[str]) -> None:
    _set(properties, "", {f"{CAPACITY}{queue}.queues": ",".join(names) or None})


def _set(properties: Properties, begin: str, parameters: Parameters) -> None:
    for key, value in parameters.items():
        if value:
            properties[begin + key] = value
        else:
            properties.pop(begin + key, None)


def _owner(key: str, queues: list[str]) -> str:
    """The queue that a property belongs to: the one with the longest name that it begins with."""
    owners = [queue for queue in queues if key.startswith(f"{CAPACITY}{queue}.")]
    return max(owners, key=len, default="")


def _own(properties: Properties, queue: str, queues: list[str]) -> Parameters:
    begin = f"{CAPACITY}{queue}."
    return {
        key[len(begin) :]: value
        for key, value in properties.items()
        if key.startswith(begin) and _owner(key, queues) == queue
    }


def _entries(parameters: Parameters) -> dict[str, Any]:
    return {"entry": [{"key": key, "value": value} for key, value in parameters.items()]}


def _queue_plain(queue: str, parameters: Parameters) -> dict[str, Any]:
    return {"queue-name": queue, "params": _entries(parameters)}


def _entries_tree(tag: str, parameters: Parameters) -> Element:
    entries = []
    for key, value in parameters.items():
        parts = [Element("key", text=key), *([Element("value", text=value)] if value else [])]
        entries.append(Element("entry", children=parts))
    return Element(tag, children=entries)


def _diff(data: bytes, before: Properties, wanted: Properties) -> str:
    """The unified diff of the file as it stands there, comments and all, and as it is to be; of one that is
    not written so that its values can be put into it, as Gantry writes it.
    """
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    edited = _edited(text, before, wanted)
    try:
        is_right = _parse(edited.encode()) == wanted
    except FormatError:
        is_right = False
    if not is_right:
        text, edited = properties_text(dict(before)), properties_text(dict(wanted))
    lines, edited_lines = text.splitlines(keepends=True), edited.splitlines(keepends=True)
    return "".join(difflib.unified_diff(lines, edited_lines, CAPACITY_FILE, CAPACITY_FILE))


def _edited(text: str, before: Properties, wanted: Properties) -> str:
    """The file's text with the properties that are wanted."""

    def replace(match: re.Match[str]) -> str:
        name = NAME_IN_PROPERTY.search(match[0])
        if match[0].startswith("<!--") or not name or before.get(name[1]) == wanted.get(name[1]):
            return match[0]
        if name[1] not in wanted:
            return ""
        value = f"<value>{escape(wanted[name[1]])}</value>"
        return VALUE_IN_PROPERTY.sub(lambda _: value, match[0], count=1)

    added = {name: value for name, value in wanted.items() if name not in before}
    new = properties_text(dict(added)).partition("<configuration>\n")[2].rpartition(END)[0]
    begin, end, after = COMMENT_OR_PROPERTY.sub(replace, text).rpartition(END)
    return f"{begin}{new}{end}{after}"
