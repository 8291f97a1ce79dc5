"""A configuration put on a scenario: its queues, its settings, its jobs placed; or made into a scenario of its own with stand-ins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.errors import Fault, FormatError, ScenarioError
from engine.scenario.configuration.mapping import Draft
from engine.scenario.configuration.notes import ConfigurationNote, Where
from engine.scenario.configuration.placement import place_all
from engine.scenario.configuration.quantities import Size
from engine.scenario.configuration.reading import STAND_IN_NODES, STAND_IN_SIZE, Configuration, draft_of
from engine.scenario.configuration.scheduler_settings import completed, containers_per_beat, scheduler_name
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

HADOOP = "x_hadoop"
WHOLE = "the configuration"
JOB = {"maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 20.0}, "am": {"memory_mb": 1024, "vcores": 1}}
HAPPENED = {
    "moved": "are placed in {} by the rules",
    "created": "are placed in {}, which the rules create",
    "refused": "are refused by Hadoop, as the rules place them nowhere: they stand in {}",
}


@dataclass(frozen=True)
class Configured:
    """A scenario with a configuration put on it, its scheduler's name, and what is to be told."""

    scenario: Scenario
    scheduler: str
    notes: tuple[ConfigurationNote, ...]


def configured(scenario: Scenario, configuration: Configuration, placing: bool = True, answered: str | None = None) -> Configured:
    """The scenario with the cluster's queues and settings; its jobs come to the queues that the placement rules give, or stay where they were placed.

    answered: the scheduler's name as the ResourceManager says it, which holds where the files don't tell queues.

    Nodes stay, unless yarn-site.xml gives them a size. FormatError, with file and line, where what the files say makes no scenario.
    """
    return _put_on(scenario.plain(), configuration, placing, answered)


def stand_in(configuration: Configuration, title: str) -> Configured:
    """The configuration alone: ten nodes of Hadoop's default size or yarn-site.xml's, and one small job in each leaf. FormatError as `configured`."""
    nodes = [{"count": STAND_IN_NODES, "memory_mb": STAND_IN_SIZE.memory_mb, "vcores": STAND_IN_SIZE.vcores}]
    names = [queue["name"] for queue in configuration.queues]
    parents = {name.rpartition(".")[0] for name in names} | {ROOT}
    leaves = [name for name in names if name not in parents] or [DEFAULT_QUEUE]
    jobs = [{"name": f"{leaf.replace('/', '_')[:150]}-stand-in", "queue": leaf, **JOB} for leaf in leaves]
    made = _put_on({"version": VERSION, "name": title[:500], "cluster": {"nodes": nodes}, "jobs": jobs}, configuration, placing=False)
    told = (
        f"no nodes are in it: {STAND_IN_NODES} stand in" + ("" if "of all nodes" in " ".join(map(str, made.notes)) else " of Hadoop's default size"),
        f"no jobs are in it: {len(leaves):,} of 4 maps stand in, one in each leaf",
    )
    return Configured(made.scenario, made.scheduler, (*(ConfigurationNote(WHOLE, 0, "", text) for text in told), *made.notes))


def _put_on(data: dict[str, Any], configuration: Configuration, placing: bool, answered: str | None = None) -> Configured:
    cluster, groups = data["cluster"], data["cluster"]["nodes"]
    size = _size(groups)
    draft = draft_of(configuration.documents, size)
    if _sized(draft, groups):
        draft = draft_of(configuration.documents, _size(groups))
        _sized(draft, groups)
    family = draft.scheduler["family"]
    if any(key.startswith("assign_") for key in draft.scheduler):
        draft.cluster["containers_per_heartbeat"] = containers_per_beat(family, draft.scheduler, cluster.get("locality") is not None)
    _merge(cluster, draft.cluster)
    if draft.queues:
        if placing:
            _place(data["jobs"], draft)
        for name in {job.get("queue", DEFAULT_QUEUE): None for job in data["jobs"]} if not placing else ():
            draft.queue(name)
        data["queues"] = [{"name": name, **values} for name, values in draft.queues.items()]
    data |= draft.scenario
    kept = data.get(HADOOP) if isinstance(data.get(HADOOP), dict) else {}
    name = scheduler_name(family, draft.scheduler, cluster.get("locality") is not None)
    name = name if draft.queues else completed(name, answered)
    data[HADOOP] = {**kept, **draft.kept, "scheduler": name}
    try:
        return Configured(Scenario.of(data), name, draft.told.notes())
    except ScenarioError as error:
        raise _located(error.faults, data, draft) from None


def _size(groups: list[dict[str, Any]]) -> Size:
    return Size(*(sum(group["count"] * group[key] for group in groups) for key in ("memory_mb", "vcores")))


def _sized(draft: Draft, groups: list[dict[str, Any]]) -> bool:
    """Gives all nodes the size that yarn-site.xml gives them; whether it does."""
    found = False
    for key, unit in (("memory_mb", "MB"), ("vcores", "vcores")):
        if amount := draft.scheduler.get(f"node_{key}"):
            found = True
            draft.told.add(draft.origin["scheduler", f"node_{key}"], f"is the size of all nodes: {amount:,} {unit}")
            for group in groups:
                group[key] = amount
    return found


def _place(jobs: list[dict[str, Any]], draft: Draft) -> None:
    for what, name, count in place_all(draft.rules, jobs, list(draft.queues), lambda queue: draft.queue(queue)):
        one = "job" if count == 1 else "jobs"
        words = HAPPENED[what].format(name)
        draft.told.add(Where(WHOLE), f"{count:,} {one} {words.replace('are', 'is', 1) if count == 1 else words}")


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _located(faults: list[Fault], data: dict[str, Any], draft: Draft) -> FormatError:
    """The first fault that a line of the files makes, with that line."""
    for fault in faults:
        match = re.match(r"(?:queues\[(\d+)\]|cluster|(users)\[(\d+)\])\.?((\w*)[\w.]*)", fault.path)
        if not match:
            continue
        owner = data["queues"][int(match[1])]["name"] if match[1] else f"user {data['users'][int(match[3])]['name']}" if match[2] else "cluster"
        where = draft.origin.get((owner, "users" if match[2] else match[4])) or draft.origin.get((owner, match[5]))
        if not where and match[1] and match[4] == "name" and draft.listed.get(owner):
            return Where(draft.listed_in, draft.listed[owner], "queue").fault(f"its whole name {fault.message}")
        if where:
            return where.fault(f"{fault.message}{f' (of {owner})' if match[1] else ''}")
    more = f" (and {len(faults) - 1:,} more)" if len(faults) > 1 else ""
    return FormatError(f"what the configuration says makes no scenario: {faults[0]}{more}")
