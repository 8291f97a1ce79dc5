"""What FairScheduler's files say as properties of CapacityScheduler, as Hadoop's own fs2cs gives them.

In Hadoop  FSConfigToCSConfigConverter, FSQueueConverter, WeightToWeightConverter, WeightToPercentConverter,
FSYarnSiteConverter
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from engine.codes import NO_AM_LIMIT
from engine.conversion.conversion_rule import Rules
from engine.conversion.mapping_rules import mapping_rules
from engine.java_hash import listed_order
from engine.messages import msg
from engine.scenario.configuration import fair_table
from engine.scenario.configuration.capacity_table import AM_SHARE, MAX_APPS, ORDERING, SIZE_BASED
from engine.scenario.configuration.fair_elements import FAIR_FILE
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.queue_capacities import ALLOW_ZERO
from engine.scenario.configuration.queue_placement import MAPPINGS_FORMAT, MAPPINGS_OVERRIDE
from engine.scenario.configuration.site_table import (
    CAPACITY,
    CAPACITY_SITE,
    FAIR,
    FAIR_SITE,
    MONITOR,
    MONITORS,
    OTHER_POLICIES,
    PREEMPTION_POLICY,
    SCHEDULER_CLASS,
    SITE,
)
from engine.scenario.queue_validation import ROOT

DELETES_QUEUES, REFRESHES = OTHER_POLICIES[:2]
ASYNCHRONOUS = f"{CAPACITY}schedule-asynchronously"
HEARTBEAT = f"{CAPACITY}per-node-heartbeat."
CALCULATOR = f"{CAPACITY}resource-calculator"
SIZE_BASED_WEIGHT = f"{FAIR}sizebasedweight"
MAKES_QUEUES = "auto-queue-creation-v2"
NO_USER_LIMIT = "-1.0"
SLEEP_MS = "5"  # FairSchedulerConfiguration.DEFAULT_CONTINUOUS_SCHEDULING_SLEEP_MS
PLACES = Decimal("0.00001")  # WeightToPercentConverter divides to so many
# of a queue, for which CapacityScheduler has nothing
WITHOUT_COUNTERPART = {
    "minSharePreemptionTimeout": msg("conversion.fair_to_capacity.no_timeouts"),
    "fairSharePreemptionTimeout": msg("conversion.fair_to_capacity.no_timeouts"),
    "fairSharePreemptionThreshold": msg("conversion.fair_to_capacity.no_timeouts"),
    "minResources": msg("conversion.fair_to_capacity.no_minimum"),
    "maxResources": msg("conversion.fair_to_capacity.no_maximum"),
}


@dataclass
class CapacityProperties:
    """What is written: of capacity-scheduler.xml and of yarn-site.xml by name, and the rules that gave it."""

    capacity: dict[str, str] = field(default_factory=dict)
    site: dict[str, str] = field(default_factory=dict)
    rules: Rules = field(default_factory=Rules)

    def of_queue(self, queue: str, suffix: str, text: str) -> str:
        """Writes a queue's property; "suffix = text"."""
        self.capacity[f"{CAPACITY}{queue}.{suffix}"] = text
        return f"{suffix} = {text}"

    def of_scheduler(self, suffix: str, text: str) -> str:
        """Writes a property of the whole scheduler; "suffix = text"."""
        self.capacity[f"{CAPACITY}{suffix}"] = text
        return f"{suffix} = {text}"


def float_text(value: float) -> str:
    """As Float.toString writes it."""
    single = np.float32(value)
    if single == 0 or 1e-3 <= abs(single) < 1e7:
        return np.format_float_positional(single, trim="0")
    return np.format_float_scientific(single, trim="0", exp_digits=1).replace("e+", "E").replace("e", "E")


def capacity_properties(
    draft: Draft, given_site: Mapping[str, str], nodes: int, percentages: bool
) -> CapacityProperties:
    """Of the files that the draft was read from, with yarn-site.xml's properties (variables filled in).

    nodes: how many the cluster has; percentages: weights become percentages of the parent (fs2cs
    --percentage), not weights.
    """
    out = CapacityProperties()
    queues = _as_created(draft)
    uses_drf = "drf" in {draft.scheduler.get("order"), *(values.get("policy") for values in queues.values())}
    _Site(draft, given_site, nodes, out).write(percentages, uses_drf)
    _write_defaults(draft, out)
    children: dict[str, list[str]] = {name: [] for name in queues}
    for name in queues:
        if name != ROOT:
            children[name.rpartition(".")[0]].append(name)
    for name, values in queues.items():
        is_leaf = not children[name] and name not in draft.parents and name != ROOT
        _Queue(draft, name, values, out).write(is_leaf, children[name], uses_drf)
        if _is_on(given_site, SIZE_BASED_WEIGHT):
            out.of_queue(name, SIZE_BASED, "true")
        if percentages:
            _write_percentages(name, {child: queues[child] for child in children[name]}, out)
        elif not is_leaf:
            _write_weights(name, {child: queues[child] for child in children[name]}, values, out)
        if not children[name] and (is_leaf or percentages):
            out.of_queue(name, "user-limit-factor", NO_USER_LIMIT)
    rules = mapping_rules(draft.placement, children, percentages, out.rules)
    if rules:
        out.of_scheduler("mapping-rule-json", rules)
        out.capacity |= {MAPPINGS_FORMAT: "json", MAPPINGS_OVERRIDE: "true"}
    return out


def _as_created(draft: Draft) -> dict[str, dict[str, Any]]:
    """The queues in the order in which FairScheduler creates them: leaves with what is above them, then
    parents (QueueManager.updateAllocationConfiguration).
    """
    above = {name.rpartition(".")[0] for name in draft.queues} | draft.parents | {ROOT}
    leaves = listed_order([name for name in draft.queues if name not in above])
    created = {ROOT: draft.queues.get(ROOT, {})}
    for name in [*leaves, *listed_order([name for name in draft.queues if name in above])]:
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            queue = ".".join(parts[:end])
            created.setdefault(queue, draft.queues.get(queue, {}))
    return created


def _is_on(site: Mapping[str, str], name: str) -> bool:
    return site.get(name, "").strip().lower() == "true"


def _write_defaults(draft: Draft, out: CapacityProperties) -> None:
    """What stands in where a queue or user has none of its own."""
    default = draft.defaults.get(fair_table.MAX_APPS_DEFAULT, {}).get("max_running_apps")
    if default is not None:
        out.rules.converted(
            "", f"{fair_table.MAX_APPS_DEFAULT} {default}", out.of_scheduler(MAX_APPS, f"{default}")
        )
    most = draft.cluster.get("user_max_running_apps")
    if most is not None:
        written = out.of_scheduler(f"user.{MAX_APPS}", f"{most}")
        out.rules.converted("", f"userMaxAppsDefault {most}", written)
    for user in draft.scenario.get("users", ()):
        name, most = user["name"], user["max_running_apps"]
        written = out.of_scheduler(f"user.{name}.{MAX_APPS}", f"{most}")
        out.rules.converted("", f"user {name}: maxRunningApps {most}", written)
    share = _am_share_default(draft)
    written = out.of_scheduler(AM_SHARE, float_text(1.0 if share == NO_AM_LIMIT else share))
    given = f"queueMaxAMShareDefault {float_text(share)}"
    out.rules.changed("", given, written, msg("conversion.fair_to_capacity.share_of_masters"))


def _am_share_default(draft: Draft) -> float:
    return float(draft.scheduler.get("am_share", 0.5))


class _Queue:
    """One queue's own properties, but what its siblings bear on."""

    def __init__(self, draft: Draft, name: str, values: dict[str, Any], out: CapacityProperties) -> None:
        self._draft, self._name, self._values, self._out = draft, name, values, out

    def write(self, is_leaf: bool, children: Sequence[str], uses_drf: bool) -> None:
        """Writes and tells them (FSQueueConverter.convertQueueHierarchy)."""
        out, name, values = self._out, self._name, self._values
        if children:
            out.of_queue(name, "queues", ",".join(child.rpartition(".")[2] for child in children))
        self._am_share()
        most = values.get("max_running_apps")
        if most is not None and most != self._draft.defaults.get(fair_table.MAX_APPS_DEFAULT, {}).get(
            "max_running_apps"
        ):
            out.rules.converted(name, f"maxRunningApps {most}", out.of_queue(name, MAX_APPS, f"{most}"))
        self._largest_container()
        if values.get("allow_preemption_from") is False and self._draft.scheduler.get("preemption") == "yes":
            written = out.of_queue(name, "disable_preemption", "true")
            out.rules.converted(name, "allowPreemptionFrom false", written)
        out.of_queue(name, "maximum-capacity", "100.0")
        if is_leaf:
            self._ordering(uses_drf)
        self._access()
        self._tell_lost()

    def _am_share(self) -> None:
        share, default = self._values.get("max_am_share"), _am_share_default(self._draft)
        if share is None or share == default:
            return
        given = f"maxAMShare {float_text(share)}"
        if share == 0:  # fs2cs takes it for none of its own
            self._out.rules.lost(self._name, given, msg("conversion.fair_to_capacity.no_masters"))
            return
        text = float_text(1.0 if share == NO_AM_LIMIT else share)
        written = self._out.of_queue(self._name, AM_SHARE, text)
        self._out.rules.changed(
            self._name, given, written, msg("conversion.fair_to_capacity.share_of_masters")
        )

    def _largest_container(self) -> None:
        largest = self._values.get("max_container")
        above = self._name.rpartition(".")[0]
        while above and not (inherited := self._draft.queues.get(above, {}).get("max_container")):
            above = above.rpartition(".")[0]
        if largest is None or above and largest == inherited:
            return
        memory = self._out.of_queue(self._name, "maximum-allocation-mb", f"{largest['memory_mb']}")
        vcores = self._out.of_queue(self._name, "maximum-allocation-vcores", f"{largest['vcores']}")
        self._out.rules.converted(
            self._name, _given("maxContainerAllocation", largest), f"{memory}, {vcores}"
        )

    def _ordering(self, uses_drf: bool) -> None:
        policy = self._values.get("policy") or self._draft.scheduler.get("order", "fair")
        written = self._out.of_queue(self._name, f"{ORDERING}", "fifo" if policy == "fifo" else "fair")
        if policy == "fifo":
            self._out.rules.converted(self._name, f"schedulingPolicy {policy}", written)
            return
        why = (
            msg("conversion.fair_to_capacity.fair_as_drf")
            if policy == "fair" and uses_drf
            else msg("conversion.fair_to_capacity.least_memory_first")
        )
        self._out.rules.changed(self._name, f"schedulingPolicy {policy}", written, why)

    def _access(self) -> None:
        """Access lists; of root, where it is listed, everybody's (AllocationFileQueueParser.loadQueue)."""
        for tag, target, suffix in (
            ("aclSubmitApps", "submit_acl", "acl_submit_applications"),
            ("aclAdministerApps", "administer_acl", "acl_administer_queue"),
        ):
            is_listed = self._name == ROOT and ROOT in self._draft.queue_lines
            text = self._values.get(target)
            text = "*" if text is None and is_listed else text
            if text is not None and text.strip():
                users, _, groups = text.partition(" ")
                own = "*" if text.strip() == "*" else f"{users.strip()} {groups.strip()}"
                written = self._out.of_queue(self._name, suffix, own)
                self._out.rules.converted(self._name, f"{tag} {text}", written)

    def _tell_lost(self) -> None:
        for row in fair_table.QUEUE.rows:
            tag, value = row.names[0], self._values.get(row.target)
            if tag in WITHOUT_COUNTERPART and value is not None and value != row.default:
                self._out.rules.lost(self._name, f"{tag} {row.codec.format(value)}", WITHOUT_COUNTERPART[tag])
        kept = (self._values.get("x_hadoop") or {}).get(FAIR_FILE, ())
        for tag, plain in kept:
            if tag in fair_table.UNMODELLED_OF_QUEUE:
                why = msg("conversion.fair_to_capacity.nothing_for_it")
                self._out.rules.lost(self._name, f"{tag} {plain if isinstance(plain, str) else ''}", why)


def _given(tag: str, value: Any) -> str:
    return f"{tag} {fair_table.QUEUE.by_name[tag].codec.format(value)}"


def _weight(values: Mapping[str, Any]) -> float:
    return float(np.float32(values.get("weight", 1.0)))


def _write_weights(
    parent: str, children: Mapping[str, dict[str, Any]], own: dict[str, Any], out: CapacityProperties
) -> None:
    if parent == ROOT:
        out.of_queue(ROOT, "capacity", f"{float_text(_weight(own))}w")
    total = sum(map(_weight, children.values()))
    for child, values in children.items():
        weight = _weight(values)
        written = out.of_queue(child, "capacity", f"{float_text(weight)}w")
        part = f" ({100 * weight / total:.4g} %)" if total else ""
        out.rules.converted(child, _weight_of(weight, total), f"{written}{part}")
    out.of_queue(parent, f"{MAKES_QUEUES}.enabled", "true")


def _weight_of(weight: float, total: float) -> str:
    return msg("conversion.fair_to_capacity.weight_of", weight=f"{weight:.6g}", total=f"{total:.6g}")


def _write_percentages(parent: str, children: Mapping[str, dict[str, Any]], out: CapacityProperties) -> None:
    """WeightToPercentConverter divides by the whole part of the sum of the weights, and gives what is
    missing to 100 % to the largest.
    """
    weights = {child: _weight(values) for child, values in children.items()}
    total = sum(weights.values())
    capacities = {child: _percentage(weight, int(total)) for child, weight in weights.items()}
    if len(capacities) == 1:
        capacities = dict.fromkeys(capacities, Decimal("100.000"))
    missing = 100 - sum(capacities.values())
    if capacities and missing:
        largest = max(listed_order(capacities), key=lambda child: capacities[child])
        if not capacities[largest]:
            out.of_queue(parent, ALLOW_ZERO, "true")
        else:
            capacities[largest] += missing
    for child, percentage in capacities.items():
        written = out.of_queue(child, "capacity", f"{percentage}")
        given = _weight_of(weights[child], total)
        if total and abs(float(percentage) - 100 * weights[child] / total) > 0.01:
            why = msg("conversion.fair_to_capacity.whole_part_of_sum", total=f"{total:.6g}")
            out.rules.changed(child, given, written, why)
        else:
            out.rules.converted(child, given, written)


def _percentage(weight: float, total: int) -> Decimal:
    if not total:
        return Decimal("0.000")
    part = (Decimal(weight) / total).quantize(PLACES, ROUND_HALF_UP)
    return (100 * part).quantize(Decimal("0.001"))


class _Site:
    """yarn-site.xml's properties (FSYarnSiteConverter.convertSiteProperties)."""

    def __init__(self, draft: Draft, given: Mapping[str, str], nodes: int, out: CapacityProperties) -> None:
        self._settings, self._given, self._nodes, self._out = draft.scheduler, given, nodes, out

    def write(self, percentages: bool, uses_drf: bool) -> None:
        """Writes and tells them."""
        out, settings = self._out, self._settings
        written = self._set(SCHEDULER_CLASS, SITE.by_name[SCHEDULER_CLASS].codec.format("capacity"))
        out.rules.converted("", "FairScheduler", written)
        if self._is_on(f"{FAIR}continuous-scheduling-enabled"):
            every = self._given.get(f"{FAIR}continuous-scheduling-sleep-ms", SLEEP_MS)
            written = self._set(f"{ASYNCHRONOUS}.enable", "true")
            self._set(f"{ASYNCHRONOUS}.scheduling-interval-ms", every)
            out.rules.converted("", f"continuous-scheduling-enabled true, each {every} ms", written)
        self._set(f"{MONITORS}enable", "true")
        policies = [*([] if percentages else [DELETES_QUEUES]), REFRESHES]
        if settings.get("preemption") == "yes":
            policies.insert(0, PREEMPTION_POLICY)
            wait = self._set(f"{MONITOR}max_wait_before_kill", self._number("wait_before_kill_ms", 15000))
            check = self._number("starvation_check_ms", 10000)
            why = msg("conversion.fair_to_capacity.preemption_by_capacity")
            every = self._set(f"{MONITOR}monitoring_interval", check)
            out.rules.changed("", "yarn.scheduler.fair.preemption true", f"{wait}, {every}", why)
        self._set(f"{MONITORS}policies", ",".join(policies))
        if not percentages:
            self._set(f"{CAPACITY}{MAKES_QUEUES}.queue-expiration-time", "10")
        is_multiple = bool(settings.get("assign_multiple", False))
        flag = "true" if is_multiple else "false"
        written = self._set(f"{HEARTBEAT}multiple-assignments-enabled", flag)
        if is_multiple:
            why = msg("conversion.fair_to_capacity.one_off_switch")
            out.rules.changed("", "assignmultiple true", written, why)
        else:
            out.rules.converted("", "assignmultiple false", written)
        most = settings.get("assign_most", -1)
        if most != -1:
            written = self._set(f"{HEARTBEAT}maximum-container-assignments", f"{most}")
            out.rules.converted("", f"max.assign {most}", written)
        if is_multiple and settings.get("assign_dynamic", True):
            out.rules.lost("", "dynamic.max.assign true", msg("conversion.fair_to_capacity.no_half_of_node"))
        for name, key in (("node", "node-locality-delay"), ("rack", "rack-locality-additional-delay")):
            self._locality(name, key)
        if self._is_on(SIZE_BASED_WEIGHT):
            out.rules.converted("", "sizebasedweight true", f"{SIZE_BASED} = true")
        if uses_drf:
            written = self._set(CALCULATOR, CAPACITY_SITE.by_name[CALCULATOR].codec.format("both"))
            out.rules.converted("", "schedulingPolicy drf", written)
        self._tell_lost()

    def _locality(self, name: str, key: str) -> None:
        """A part of the cluster's nodes becomes a number of them; fs2cs writes the part, with which
        CapacityScheduler does not start.
        """
        part = self._settings.get(f"locality_{name}", -1.0)
        if part == -1:
            return
        written = self._set(f"{CAPACITY}{key}", f"{max(0, round(part * self._nodes))}")
        why = msg("conversion.fair_to_capacity.part_of_nodes", part=float_text(part))
        self._out.rules.changed("", f"locality.threshold.{name} {part:g}", written, why)

    def _tell_lost(self) -> None:
        if self._is_on("yarn.resourcemanager.reservation-system.enable"):
            why = msg("conversion.fair_to_capacity.nothing_for_it")
            self._out.rules.lost("", "reservation-system.enable true", why)
        for row in FAIR_SITE.rows[:2]:
            for name in row.names:
                if name in self._given:
                    why = msg("conversion.fair_to_capacity.no_increment")
                    self._out.rules.lost("", f"{name} {self._given[name]}", why)

    def _set(self, name: str, text: str) -> str:
        self._out.site[name] = text
        return f"{name} = {text}"

    def _number(self, key: str, default: int) -> str:
        return f"{int(self._settings.get(key, default))}"

    def _is_on(self, name: str) -> bool:
        return _is_on(self._given, name)
