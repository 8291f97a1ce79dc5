"""A scenario's configuration as the text of Hadoop's files, so that what was tried can go to the cluster."""

from __future__ import annotations

from typing import Any

from engine.codes import MAX_AM_LIMIT, NO_AM_LIMIT
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, FAIR_XML, SITE_XML
from engine.scenario.configuration.fair_file import fair_text
from engine.scenario.configuration.property_files import capacity_text, kept_value, site_text
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.scheduler_settings import (
    ORDERS,
    PARAMETERS,
    assignment_settings,
    max_containers_per_heartbeat,
    preempts,
)
from engine.scenario.configuration.site_table import CAPACITY_SITE, FAIR_SITE
from engine.scenario.configuration.value_parsing import Size
from engine.scenario.model import Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

KINDS = {FAIR_XML: "fair-scheduler.xml", CAPACITY_XML: "capacity-scheduler.xml", SITE_XML: "yarn-site.xml"}
ASSIGNMENT = {"fair": FAIR_SITE, "capacity": CAPACITY_SITE}
# what Hadoop does without a setting for it
FIXED_PARAMETERS = {
    "resources": "both",
    "reservations": "yes",
    "user_limits": "yes",
    "shares": "all",
}


def write_configuration(
    scenario: Scenario,
    order: str,
    order_parameters: dict[str, Any],
    admission: str,
    limit: float | None,
    kind: str,
) -> str:
    """The file of this kind; order, order_parameters, admission, limit: the scheduler's order with its
    parameters, and its admission rule with its limit.

    FormatError where the kind is none, Hadoop has no such scheduler or setting, or a queue's name can't stand
    in the file.
    """
    if kind not in KINDS:
        raise FormatError(
            msg("scenario.configuration_writer.cant_be_written_choose_one", kind=kind, kinds=", ".join(KINDS))
        )
    draft = _draft(scenario, kind)
    draft.scheduler = _settings(order, order_parameters, admission, limit) | _node_size(scenario)
    family = draft.scheduler["family"]
    if family in ASSIGNMENT:
        draft.scheduler |= _assignment(family, scenario, draft)
    if family == "capacity":
        draft.scheduler |= _preemption(draft)
    _check_names(draft, kind)
    if kind == FAIR_XML:
        if any(name.lower() == f"{ROOT}.{ROOT}" for name in draft.queues):
            draft.queues = {ROOT: draft.queues.get(ROOT, {}), **draft.queues}
        return fair_text(draft)
    if kind == SITE_XML:
        return site_text(draft)
    draft.queues = {ROOT: draft.queues.get(ROOT, {}), **draft.queues}
    return capacity_text(draft)


def _draft(scenario: Scenario, kind: str) -> Draft:
    groups = scenario.cluster.nodes
    draft = Draft(
        Size(*(sum(group.count * getattr(group, key) for group in groups) for key in ("memory_mb", "vcores")))
    )
    draft.cluster = {key: value for key, value in _non_defaults(scenario.cluster).items() if key != "nodes"}
    draft.cluster["containers_per_heartbeat"] = scenario.cluster.containers_per_heartbeat
    draft.scenario = {"users": [_non_defaults(user) for user in getattr(scenario, "users", ())]}
    hadoop = (scenario.model_extra or {}).get("x_hadoop")
    draft.unmodelled = hadoop if isinstance(hadoop, dict) else {}
    values = {
        queue.name: {key: value for key, value in _non_defaults(queue).items() if key != "name"}
        for queue in scenario.queues
    }
    for name in [*values, *([DEFAULT_QUEUE] if _writes_default(scenario, draft, kind) else [])]:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            ancestor = ".".join(parts[:end])
            if ancestor != ROOT or ROOT in values:
                draft.queues.setdefault(ancestor, values.get(ancestor, {}))
    draft.queues = _top_down(draft.queues)
    return draft


def _writes_default(scenario: Scenario, draft: Draft, kind: str) -> bool:
    """Is root.default written though it is not listed? FairScheduler creates it when a job comes to it, where
    the file that was read lists none.
    """
    is_implied = kind != FAIR_XML or KINDS[FAIR_XML] not in draft.unmodelled
    is_used = any(job.queue == DEFAULT_QUEUE and not job.rejected for job in scenario.jobs)
    return is_implied and (is_used or not scenario.queues)


def _non_defaults(part: Any) -> dict[str, Any]:
    """The fields of a part that differ from their defaults, whole."""
    dumped = part.model_dump()
    return {key: dumped[key] for key in part.model_dump(exclude_defaults=True)}


def _top_down(queues: dict[str, Any]) -> dict[str, Any]:
    """Each queue before what is in it, and that before its next sibling, as files have them."""
    children: dict[str, list[str]] = {}
    for name in queues:
        children.setdefault(name.rpartition(".")[0], []).append(name)
    ordered, pending = {}, [*reversed(children.get(ROOT, [])), *children.get("", [])]
    while pending:
        name = pending.pop()
        ordered[name] = queues[name]
        pending += reversed(children.get(name, []) if name != ROOT else [])
    return ordered


def _node_size(scenario: Scenario) -> dict[str, int]:
    """What each node has, where all have the same."""
    sizes = {(group.memory_mb, group.vcores) for group in scenario.cluster.nodes}
    return dict(zip(("node_memory_mb", "node_vcores"), sizes.pop())) if len(sizes) == 1 else {}


def _settings(
    order: str, given_parameters: dict[str, Any], admission: str, limit: float | None
) -> dict[str, Any]:
    family = ORDERS.get(order)
    if family is None:
        raise FormatError(
            msg(
                "scenario.configuration_writer.hadoop_has_no_scheduler_configuration_writte",
                order=order,
                orders=", ".join(ORDERS),
            )
        )
    parameters = PARAMETERS[family]
    for key, value in given_parameters.items():
        if key not in parameters and FIXED_PARAMETERS.get(key, value) != value:
            raise FormatError(
                msg(
                    "scenario.configuration_writer.cant_be_written_hadoop_has_no",
                    order=order,
                    key=key,
                    value=value,
                )
            )
    settings = {
        "family": family,
        **({"order": order} if family == "fair" else {}),
        **{key: given_parameters[key] for key in parameters if key in given_parameters},
    }
    if family == "fair":
        if admission not in ("am-share", "admit-all"):
            raise FormatError(
                msg(
                    "scenario.configuration_writer.cant_be_written_fairscheduler_has_am",
                    order=order,
                    admission=admission,
                )
            )
        return settings | {"am_share": NO_AM_LIMIT if admission == "admit-all" else limit}
    if family == "capacity":
        if admission not in ("am-limit", "admit-all"):
            raise FormatError(
                msg(
                    "scenario.configuration_writer.cant_be_written_capacityscheduler_has_am",
                    order=order,
                    admission=admission,
                )
            )
        return settings | {"am_limit": MAX_AM_LIMIT if admission == "admit-all" else limit}
    return settings


def _assignment(family: str, scenario: Scenario, draft: Draft) -> dict[str, Any]:
    """How many containers a beat gives: as the kept settings say it, where they say it still."""
    limit, table = scenario.cluster.containers_per_heartbeat, ASSIGNMENT[family]
    stored: dict[str, Any] = {}
    for row in table.rows:
        if row.target.startswith("assign_") and (value := kept_value(row, draft)) is not None:
            stored[row.target] = value
    dynamic, off_switch = (
        draft.scheduler.get("dynamic_max_assign") == "yes",
        draft.scheduler.get("maximum_offswitch_assignments"),
    )
    has_blocks = off_switch is not None
    is_unchanged = dynamic == (
        family == "fair" and stored.get("assign_multiple", False) and stored.get("assign_dynamic", True)
    )
    is_unchanged = is_unchanged and (not has_blocks or stored.get("assign_off_switch", 1) == off_switch)
    if (
        stored
        and is_unchanged
        and (dynamic or max_containers_per_heartbeat(family, stored, has_blocks) == limit)
    ):
        return stored
    return assignment_settings(family, limit, dynamic, off_switch)


def _preemption(draft: Draft) -> dict[str, Any]:
    """The monitor as the kept settings have it where it does not preempt, else whether it is there at all."""
    kept = {
        row.target: value
        for row in CAPACITY_SITE.rows
        if row.target in ("preemption", "observes_only", "has_preemption_policy")
        and (value := kept_value(row, draft)) is not None
    }
    if preempts(kept) == (draft.scheduler.get("preemption") == "yes"):
        return kept
    return {"observes_only": False, "has_preemption_policy": True}


def _check_names(draft: Draft, kind: str) -> None:
    """FormatError for a name that would be read as another."""
    for name in draft.queues if kind != SITE_XML else ():
        if any(part != part.strip() or "," in part and kind == CAPACITY_XML for part in name.split(".")):
            raise FormatError(
                msg(
                    "scenario.configuration_writer.queue_cant_be_written_takes_no",
                    name=name,
                    kinds=KINDS[kind],
                    ending=", and no commas in it" if kind == CAPACITY_XML else "",
                )
            )
