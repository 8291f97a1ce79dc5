"""A configuration put on a scenario: its queues, its settings, its jobs placed; or made into a scenario of
its own with stand-ins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

from engine import quantities
from engine.errors import Fault, FormatError, ScenarioError
from engine.messages import msg
from engine.scenario.allocation import Allocation
from engine.scenario.allocation_validation import allocation_faults
from engine.scenario.applications import noun
from engine.scenario.configuration.configuration_notes import ConfigurationNote, NoteKind, Where
from engine.scenario.configuration.configuration_reader import (
    MAPRED_XML,
    STAND_IN_NODES,
    STAND_IN_SIZE,
    Configuration,
    build_draft,
)
from engine.scenario.configuration.fair_file import fill_in_defaults
from engine.scenario.configuration.mapreduce_settings import PARTS, JobSettings
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.queue_placement import place_all, refusal_sentence
from engine.scenario.configuration.refused_requests import reject_larger_requests
from engine.scenario.configuration.scheduler_settings import (
    complete_name,
    max_containers_per_heartbeat,
    scheduler_name,
)
from engine.scenario.configuration.site_table import DEFAULT_MAX_APPLICATIONS
from engine.scenario.configuration.value_parsing import Size
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

HADOOP_FIELD = "x_hadoop"
CONFIGURATION = msg("shared.configuration")
MAX_LISTED_QUEUES = 5
STAND_IN_JOB: dict[str, Any] = {
    "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 20.0},
    "am": {"memory_mb": 1024, "vcores": 1},
}
PLACEMENT_NOTES = {
    "moved": msg("scenario.configured_scenario.placed_in_by_rules"),
    "created": msg("scenario.configured_scenario.placed_in_which_rules_create"),
    "refused": msg("scenario.configured_scenario.refused_because_no_placement"),
}


@dataclass(frozen=True)
class ConfiguredScenario:
    """A scenario with a configuration put on it, its scheduler's name, and what is to be told; overruled:
    what it says itself, of memory_mb and vcores of nodes, and queues.
    """

    scenario: Scenario
    scheduler: str
    notes: tuple[ConfigurationNote, ...]
    overruled: frozenset[str] = frozenset()


def configure_scenario(
    scenario: Scenario,
    configuration: Configuration,
    place_jobs: bool | None = None,
    reported_scheduler: str | None = None,
) -> ConfiguredScenario:
    """The scenario with the cluster's queues and settings; its jobs come to the queues that the placement
    rules give, or stay where they were placed.

    place_jobs: None where they stay if the scenario has a record, which tells where they were placed;
    reported_scheduler: the scheduler's name as the ResourceManager reports it, which holds where the files
    don't tell queues.

    Nodes stay, unless yarn-site.xml gives them a size; mapred-site.xml alone changes nothing, and its
    scheduler is "". FormatError, with file and line, where what the files say makes no scenario.
    """
    if all(document.kind == MAPRED_XML for document in configuration.documents):
        applied = ConfiguredScenario(scenario, "", configuration.notes)
    else:
        is_placed = scenario.measured is None if place_jobs is None else place_jobs
        applied = _apply(scenario.plain(), configuration, is_placed, reported_scheduler)
    unused = configuration.job_settings.unused_notes()
    return replace(applied, notes=(*applied.notes, *unused))


def standalone_scenario(configuration: Configuration, title: str) -> ConfiguredScenario:
    """The configuration alone: ten nodes of Hadoop's default size or yarn-site.xml's, and one small job in
    each leaf. FormatError as `configure_scenario`.
    """
    stand_in = _stand_in_job(configuration.job_settings)
    nodes = [{"count": STAND_IN_NODES, **_stand_in_node(stand_in)}]
    names = [queue["name"] for queue in configuration.queues]
    parents = {name.rpartition(".")[0] for name in names} | {ROOT} | configuration.parents
    leaves = [name for name in names if name not in parents]
    jobs = [
        {"name": f"{leaf.replace('/', '_')[:150]}-stand-in", "queue": leaf, **stand_in}
        for leaf in leaves or [*sorted(configuration.parents - {ROOT}), DEFAULT_QUEUE][:1]
    ]
    if not leaves and names:  # which no queue takes
        jobs[0]["rejected"] = refusal_sentence("unknown", jobs[0], 1, DEFAULT_QUEUE)
    lowered = _limit_to_queues(jobs, configuration.queues)
    queues = quantities.count(lowered, "queues")
    applied = _apply(
        {"version": VERSION, "name": title[:500], "cluster": {"nodes": nodes}, "jobs": jobs},
        configuration,
        place_jobs=False,
    )
    reduces = quantities.count(stand_in["reduces"]["count"], "reduces") if "reduces" in stand_in else ""
    stand_in_notes = (
        msg("scenario.configured_scenario.contains_no_nodes_assumed", stand_in_nodes=STAND_IN_NODES)
        + (
            ""
            if msg("scenario.configured_scenario.all_nodes") in " ".join(map(str, applied.notes))
            else msg("scenario.configured_scenario.hadoops_default_size")
            if _stand_in_node(STAND_IN_JOB) == _stand_in_node(stand_in)
            else msg("scenario.configured_scenario.as_large_as_containers")
        ),
        msg(
            "scenario.configured_scenario.no_jobs_in_maps_stand_in",
            and_reduces=msg("scenario.configured_scenario.and_reduces", reduces=reduces) if reduces else "",
            jobs=quantities.count(len(jobs), "jobs"),
        ),
        *([msg("scenario.configured_scenario.lowered", lowered=queues)] if lowered else []),
    )
    return ConfiguredScenario(
        applied.scenario,
        applied.scheduler,
        (
            *(ConfigurationNote(CONFIGURATION, 0, "", text) for text in stand_in_notes),
            *configuration.job_settings.taken_notes(),
            *applied.notes,
        ),
    )


def _stand_in_job(settings: JobSettings) -> dict[str, Any]:
    """A small job in each leaf: with what mapred-site.xml says, and Hadoop's defaults, where there is one."""
    if not settings.properties:
        return STAND_IN_JOB
    job: dict[str, Any] = {"am": settings.master(), "slowstart": settings.slowstart().value}
    counts = {"maps": STAND_IN_JOB["maps"]["count"], "reduces": settings.reduces()}
    for part, count in counts.items():
        size = {key: setting.value for key, setting in settings.size(part).items()}
        job |= {part: {**STAND_IN_JOB["maps"], "count": count, **size}} if count else {}
    return job | settings.fields()


def _stand_in_node(job: dict[str, Any]) -> dict[str, int]:
    """A node of Hadoop's default size, or of the least multiple of it that holds any container of the job."""
    parts = [job[part] for part in PARTS if part in job]
    default = {"memory_mb": STAND_IN_SIZE.memory_mb, "vcores": STAND_IN_SIZE.vcores}
    return {key: amount * max(-(-part[key] // amount) for part in parts) for key, amount in default.items()}


def _limit_to_queues(jobs: list[dict[str, Any]], queues: list[dict[str, Any]]) -> int:
    """Makes containers no larger than the queues of the jobs allow; how many jobs had larger ones."""
    allowed = {queue["name"]: queue["max_container"] for queue in queues if queue.get("max_container")}
    lowered = set()
    for job in jobs:
        parts = job["queue"].split(".")
        names = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
        limit: dict[str, int] = next((allowed[name] for name in names if name in allowed), {})
        for part in PARTS:
            size = {key: min(job[part][key], most) for key, most in limit.items()} if part in job else {}
            if size and size != {key: job[part][key] for key in size}:
                job[part] = {**job[part], **size}
                lowered.add(job["name"])
    return len(lowered)


def _apply(
    data: dict[str, Any],
    configuration: Configuration,
    place_jobs: bool,
    reported_scheduler: str | None = None,
) -> ConfiguredScenario:
    cluster, groups = data["cluster"], data["cluster"]["nodes"]
    size = _total_size(groups)
    draft = build_draft(configuration.documents, size)
    if _resize_nodes(draft, groups):
        draft = build_draft(configuration.documents, _total_size(groups))
        _resize_nodes(draft, groups)
    family = draft.scheduler["family"]
    if any(key.startswith("assign_") for key in draft.scheduler):
        draft.cluster["containers_per_heartbeat"] = max_containers_per_heartbeat(
            family, draft.scheduler, cluster.get("locality") is not None
        )
    if family == "capacity" and draft.queues:
        draft.cluster.setdefault("max_applications", DEFAULT_MAX_APPLICATIONS)
    _merge(cluster, draft.cluster)
    if draft.tells_queues:
        if place_jobs:
            _place_jobs(data["jobs"], draft)
        else:
            _keep_queues(data["jobs"], draft)
        data["queues"] = [{"name": name, **values} for name, values in draft.queues.items()]
    _default_allocation(data)
    data |= draft.scenario
    reject_larger_requests(data, draft.remarks, Where(CONFIGURATION))
    stored = data.get(HADOOP_FIELD)
    previous = stored if isinstance(stored, dict) else {}
    scheduler = scheduler_name(family, draft.scheduler, cluster.get("locality") is not None)
    scheduler = scheduler if draft.tells_queues else complete_name(scheduler, reported_scheduler)
    data[HADOOP_FIELD] = {**previous, **draft.unmodelled, "scheduler": scheduler}
    try:
        sized = {key for key in ("memory_mb", "vcores") if draft.scheduler.get(f"node_{key}")}
        overruled = frozenset({*sized, *(["queues"] if draft.tells_queues else [])})
        return ConfiguredScenario(Scenario.of(data), scheduler, draft.remarks.notes(), overruled)
    except ScenarioError as error:
        raise _locate_fault(error.faults, data, draft) from None


def _keep_queues(jobs: list[dict[str, Any]], draft: Draft) -> None:
    """Jobs stay where they are: a queue that is not listed is added, but FairScheduler creates root.default
    by itself. Those of a queue that is a parent now go to its first leaf, those below a leaf to that leaf.
    """
    parents = {name.rpartition(".")[0] for name in draft.queues} | draft.parents
    leaves = [name for name in draft.queues if name not in parents]
    stayed: dict[str, list[dict[str, Any]]] = {}
    for job in jobs:
        if not job.get("rejected"):
            stayed.setdefault(job.get("queue", DEFAULT_QUEUE), []).append(job)
    added = []
    for name, group in stayed.items():
        leaf = next((leaf for leaf in leaves if _is_below(leaf, name) or _is_below(name, leaf)), None)
        if leaf is not None:
            text = msg(
                "scenario.configured_scenario.ran_in_no_leaf", jobs=_job_count(group), queue=name, leaf=leaf
            )
            draft.remarks.add(Where(CONFIGURATION), text, NoteKind.NEAR)
            for job in group:
                job["queue"] = leaf
        elif name not in draft.queues and (name != DEFAULT_QUEUE or not draft.queue_file):
            draft.queue(name)
            added.append(name)
    if added and leaves and draft.scheduler["family"] == "capacity":
        _note_added(added, [job for name in added for job in stayed[name]], draft)


def _note_added(queues: list[str], jobs: list[dict[str, Any]], draft: Draft) -> None:
    more = len(queues) - MAX_LISTED_QUEUES
    text = msg(
        "scenario.configured_scenario.ran_in_unlisted",
        jobs=_job_count(jobs),
        queues=", ".join(queues[:MAX_LISTED_QUEUES]),
        more=msg("shared.and_more", faults=more) if more > 0 else "",
    )
    draft.remarks.add(Where(CONFIGURATION), text, NoteKind.NEAR)


def _is_below(queue: str, above: str) -> bool:
    return queue.startswith(f"{above}.")


def _job_count(jobs: list[dict[str, Any]]) -> str:
    kinds = noun(job.get("framework", "mapreduce") for job in jobs)
    return quantities.count(sum(job.get("count", 1) for job in jobs), kinds)


def _default_allocation(data: dict[str, Any]) -> None:
    """Gives the cluster Hadoop's default allocation, where neither it nor the files say one and the scenario
    has no fault by it, such as a job that asks for more.
    """
    cluster = data["cluster"]
    if cluster.get("allocation") is None:
        with_default = {**cluster, "allocation": Allocation().model_dump()}
        if not any(allocation_faults({**data, "cluster": with_default})):
            data["cluster"] = with_default


def _total_size(groups: list[dict[str, Any]]) -> Size:
    return Size(*(sum(group["count"] * group[key] for group in groups) for key in ("memory_mb", "vcores")))


def _resize_nodes(draft: Draft, groups: list[dict[str, Any]]) -> bool:
    """Gives all nodes the size that yarn-site.xml gives them; whether it does."""
    is_sized = False
    for key, unit in (("memory_mb", "MB"), ("vcores", "vcores")):
        if amount := draft.scheduler.get(f"node_{key}"):
            is_sized = True
            draft.remarks.add(
                draft.origins["scheduler", f"node_{key}"],
                msg("scenario.configured_scenario.size_all_nodes", amount=amount, unit=unit),
            )
            for group in groups:
                group[key] = amount
    return is_sized


def _place_jobs(jobs: list[dict[str, Any]], draft: Draft) -> None:
    for outcome, name, count in place_all(
        draft.placement, jobs, list(draft.queues), draft.parents, lambda queue: draft.queue(queue)
    ):
        noun = "job" if count == 1 else "jobs"
        sentence = PLACEMENT_NOTES[outcome].format(name)
        draft.remarks.add(
            Where(CONFIGURATION),
            f"{count:,} {noun} {sentence.replace('are', 'is', 1) if count == 1 else sentence}",
            NoteKind.REFUSED if outcome == "refused" else NoteKind.READ,
        )
    fill_in_defaults(draft)


def _merge(target: dict[str, Any], source: dict[str, Any]) -> None:
    for key, value in source.items():
        if isinstance(value, dict) and isinstance(target.get(key), dict):
            _merge(target[key], value)
        else:
            target[key] = value


def _locate_fault(faults: list[Fault], data: dict[str, Any], draft: Draft) -> FormatError:
    """The first fault that a line of the files makes, with that line."""
    for fault in faults:
        path_match = re.match(r"(?:queues\[(\d+)\]|cluster|(users)\[(\d+)\])\.?((\w*)[\w.]*)", fault.path)
        if not path_match:
            continue
        owner = (
            data["queues"][int(path_match[1])]["name"]
            if path_match[1]
            else msg("shared.user_2", name=data["users"][int(path_match[3])]["name"])
            if path_match[2]
            else "cluster"
        )
        where = draft.origins.get((owner, "users" if path_match[2] else path_match[4])) or draft.origins.get(
            (owner, path_match[5])
        )
        if not where and path_match[1] and path_match[4] == "name" and draft.queue_lines.get(owner):
            return Where(draft.queue_file, draft.queue_lines[owner], "queue").fault(
                msg("scenario.configured_scenario.its_whole_name", message=fault.message)
            )
        if where:
            return where.fault(f"{fault.message}{f' (of {owner})' if path_match[1] else ''}")
    others = msg("shared.and_more", faults=len(faults) - 1) if len(faults) > 1 else ""
    return FormatError(
        msg(
            "scenario.configured_scenario.configuration_does_not_give_valid_scenario",
            faults=faults[0],
            others=others,
        )
    )
