"""CapacityScheduler's scenario as FairScheduler's. Hadoop has no tool for it, so these rules are our own:
what a queue is guaranteed becomes its weight, the most that it may hold its maxResources.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from engine.codes import MAX_USER_LIMIT_FACTOR
from engine.conversion.conversion_rule import ConversionRule, Rules
from engine.messages import msg
from engine.scenario.configuration.capacity_table import AM_SHARE
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, FAIR_XML, SITE_XML
from engine.scenario.configuration.configuration_writer import KINDS
from engine.scenario.configuration.fair_values import format_resources
from engine.scenario.configuration.properties import parse_kept_property
from engine.scenario.configuration.queue_placement import MAPPINGS, PLACEMENT
from engine.scenario.configuration.scheduler_settings import PARAMETERS
from engine.scenario.configuration.site_table import CAPACITY_SITE, FAIR_SITE
from engine.scenario.configuration.value_parsing import format_plain
from engine.scenario.model import Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT
from engine.schedulers.scheduler import Scheduler
from engine.simulation.queues import QueueTree, queue_tree

DIGITS = 7  # significant ones of a weight: those of the float that a capacity is
# the same field under both schedulers
SAME = {
    "max_running_apps": ("max-parallel-apps", "maxRunningApps"),
    "max_container": ("maximum-allocation", "maxContainerAllocation"),
    "submit_acl": ("acl_submit_applications", "aclSubmitApps"),
    "administer_acl": ("acl_administer_queue", "aclAdministerApps"),
}
LEAST_AM_SHARE = 0.5  # FairScheduler's default
SHARE_OF_MASTERS = msg("conversion.capacity_to_fair.share_of_masters")
LOST = {
    "user_limit_factor": ("user-limit-factor", msg("conversion.capacity_to_fair.no_user_limits")),
    "min_user_limit_pct": ("minimum-user-limit-percent", msg("conversion.capacity_to_fair.no_user_limits")),
    "max_applications": ("maximum-applications", msg("conversion.capacity_to_fair.none_refused")),
    "state": ("state", msg("conversion.capacity_to_fair.no_state")),
    "size_based_weight": (
        "ordering-policy.fair.enable-size-based-weight",
        msg("conversion.capacity_to_fair.of_all_queues"),
    ),
    "priority": ("priority", msg("conversion.capacity_to_fair.no_priority")),
}
# specified where it is listed, else root.default
RULES = [
    PLACEMENT,
    {
        "elements": [
            ["rule", {"attributes": {"name": "specified", "create": "false"}}],
            ["rule", {"attributes": {"name": "default"}}],
        ]
    },
]


def fair_scenario(
    scenario: Scenario, scheduler: Scheduler
) -> tuple[Scenario, str, tuple[ConversionRule, ...]]:
    """The scenario, its scheduler's name, and what became of each setting."""
    rules, tree, plain = Rules(), queue_tree(scenario), scenario.plain()
    name, timeout_s = _scheduler(scenario, scheduler, rules)
    order = name.partition("(")[0].partition("+")[0]
    listed = {queue.name: queue for queue in scenario.queues}
    used = {*listed, *(job.queue for job in scenario.jobs)}
    used |= {above for name in used for above in accumulate(name.split("."), "{}.{}".format)}
    parents, total, queues = set(tree.parent.tolist()), _total(scenario), []
    for place, queue in enumerate(tree.names):
        if queue not in used:
            continue
        values = listed[queue].model_dump(exclude_defaults=True) if queue in listed else {}
        fields = {key: value for key, value in values.items() if key in SAME or key.startswith("x_")}
        fields |= _fair_fields(queue, place, tree, values, total, order, place not in parents, rules)
        if queue == ROOT and timeout_s is not None:
            fields |= {"fair_share_preemption_timeout_s": timeout_s, "fair_share_preemption_threshold": 1.0}
        if (kept := fields.get("x_hadoop")) and isinstance(kept, dict):
            fields["x_hadoop"] = {file: part for file, part in kept.items() if file != KINDS[CAPACITY_XML]}
        if fields or queue != ROOT:
            queues.append({"name": queue, **fields})
    plain["queues"] = queues
    most = plain["cluster"].pop("max_applications", None)
    if most is not None:
        why = msg("conversion.capacity_to_fair.none_refused")
        rules.lost("", f"maximum-applications {most}", why)
    plain["x_hadoop"] = _kept(plain.get("x_hadoop"), name, rules)
    return Scenario.of(plain), name, rules.sorted()


def _total(scenario: Scenario) -> tuple[int, int]:
    groups = scenario.cluster.nodes
    return (
        sum(group.count * group.memory_mb for group in groups),
        sum(group.count * group.vcores for group in groups),
    )


def _fair_fields(
    queue: str,
    place: int,
    tree: QueueTree,
    values: dict[str, Any],
    total: tuple[int, int],
    order: str,
    is_leaf: bool,
    rules: Rules,
) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    capacity, most = float(tree.capacity[place]), float(tree.max_capacity[place])
    if queue != ROOT:
        fields["weight"] = float(f"{100 * capacity:.{DIGITS}g}")
        percent = msg("conversion.capacity_to_fair.of_the_cluster", percent=f"{100 * capacity:.4g}")
        rules.converted(queue, percent, f"weight {fields['weight']:g}")
    if most < 1:
        fields["max_share"] = {"memory_mb": int(total[0] * most), "vcores": int(total[1] * most)}
        written = f"maxResources {format_resources(fields['max_share'])}"
        given = msg("conversion.capacity_to_fair.at_most", percent=f"{100 * most:.4g}")
        rules.changed(queue, given, written, msg("conversion.capacity_to_fair.both_resources"))
    if is_leaf:
        fields |= _leaf_policy(queue, values.get("ordering") or values.get("policy") or "fifo", order, rules)
    elif values.get("ordering") == "priority-utilization":
        rules.lost(queue, "ordering-policy priority-utilization", LOST["priority"][1])
    if values.get("disable_preemption") == "yes":
        fields["allow_preemption_from"] = False
        rules.converted(queue, "disable_preemption true", "allowPreemptionFrom false")
    if (share := values.get("max_am_share")) is not None:
        fields["max_am_share"] = max(share, LEAST_AM_SHARE)
        written = f"maxAMShare {fields['max_am_share']:g}"
        rules.changed(queue, f"{AM_SHARE} {share:g}", written, SHARE_OF_MASTERS)
    for key, (given, written) in SAME.items():
        if (value := values.get(key)) is not None:
            text = format_resources(value) if isinstance(value, dict) else format_plain(value)
            rules.converted(queue, f"{given} {text}", f"{written} {text}")
    for key, (given, why) in LOST.items():
        value = values.get(key)
        is_none = key == "user_limit_factor" and value == MAX_USER_LIMIT_FACTOR
        if value not in (None, False) and not is_none and (key, value) != ("state", "running"):
            rules.lost(queue, f"{given} {format_plain(value)}", why)
    return fields


def _leaf_policy(queue: str, ordering: str, order: str, rules: Rules) -> dict[str, Any]:
    if ordering == "fifo":
        rules.converted(queue, "ordering-policy fifo", "schedulingPolicy fifo")
        return {"policy": "fifo"}
    why = msg("conversion.capacity_to_fair.farthest_below_share")
    rules.changed(queue, "ordering-policy fair", f"schedulingPolicy {order}", why)
    return {"policy": order}


def _scheduler(scenario: Scenario, scheduler: Scheduler, rules: Rules) -> tuple[str, float | None]:
    """Its name, and after how many seconds below its share root preempts, None for never."""
    admission = scheduler.admission
    is_both = scheduler.order.given.get("resources", "both") == "both"
    order = "drf" if is_both else "fair"
    calculator = "DominantResourceCalculator" if is_both else "DefaultResourceCalculator"
    rules.converted("", f"resource-calculator {calculator}", f"defaultQueueSchedulingPolicy {order}")
    values, timeout_s = {}, None
    nodes = sum(group.count for group in scenario.cluster.nodes)
    delay = _number(scheduler, "node_locality_delay")
    part = min(1.0, round(delay / nodes, 3)) if delay > 0 else -1.0
    if part > 0:
        values["locality_node"] = f"{part:g}"
        why = msg("conversion.capacity_to_fair.number_of_nodes")
        rules.changed("", f"node-locality-delay {delay:g}", f"locality.threshold.node {part:g}", why)
    if scheduler.preempts:
        wait_ms = _number(scheduler, "max_wait_before_kill_ms")
        timeout_s = max(1.0, float(int(_number(scheduler, "monitoring_interval_ms") / 1000)))
        values |= {"preemption": "yes", "wait_before_kill_ms": f"{wait_ms:g}"}
        written = f"preemption true, waitTimeBeforeKill {wait_ms:g}, fairSharePreemptionTimeout {timeout_s:g}"
        rules.changed(
            "", "monitor.enable true", written, msg("conversion.capacity_to_fair.preempts_for_jobs")
        )
    name = order + (f"({', '.join(f'{key}={value}' for key, value in values.items())})" if values else "")
    if admission.policy.name == "admit-all":
        rules.changed("", AM_SHARE, "queueMaxAMShareDefault -1", SHARE_OF_MASTERS)
        return f"{name}+admit-all", timeout_s
    limit = admission.number("limit")
    share = max(limit, LEAST_AM_SHARE)
    rules.changed("", f"{AM_SHARE} {limit:g}", f"queueMaxAMShareDefault {share:g}", SHARE_OF_MASTERS)
    return f"{name}+am-share(limit={share:g})", timeout_s


def _number(scheduler: Scheduler, key: str) -> float:
    return scheduler.order.number(key, PARAMETERS["capacity"][key])


def _kept(stored: Any, name: str, rules: Rules) -> dict[str, Any]:
    """What the files say that is not modelled, without what CapacityScheduler alone reads."""
    kept = stored if isinstance(stored, dict) else {}
    site, capacity = kept.get(KINDS[SITE_XML]), kept.get(KINDS[CAPACITY_XML])
    if isinstance(capacity, dict) and MAPPINGS in capacity:
        text, why = parse_kept_property(capacity[MAPPINGS])[1], msg("conversion.capacity_to_fair.no_mappings")
        rules.lost("", f"queue-mappings {text}", why)
    of_scheduler = {*CAPACITY_SITE.by_name, *FAIR_SITE.by_name}
    own = (
        {key: value for key, value in site.items() if key not in of_scheduler}
        if isinstance(site, dict)
        else {}
    )
    rules.converted(
        "",
        msg("conversion.capacity_to_fair.jobs_name_a_leaf"),
        msg("conversion.capacity_to_fair.specified_else_default", default=DEFAULT_QUEUE),
    )
    return {KINDS[SITE_XML]: own, KINDS[FAIR_XML]: [RULES], "scheduler": name}
