"""FairScheduler's placement rules as CapacityScheduler's mapping rules in JSON.

In Hadoop  QueuePlacementConverter
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.conversion.conversion_rule import Rules
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.queue_placement import NESTED, REJECT, Placement, Rule
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

# what a rule is called, and with a rule for the queue above
POLICIES = {
    "specified": "specified",
    "user": "user",
    NESTED: "user",
    "primaryGroup": "primaryGroup",
    "secondaryGroupExistingQueue": "secondaryGroup",
    "default": "defaultQueue",
    REJECT: "reject",
}
BELOW = {"primaryGroup": "primaryGroupUser", "secondaryGroupExistingQueue": "secondaryGroupUser"}
IN_ROOT = {"user", "primaryGroup", "primaryGroupUser", "secondaryGroup", "secondaryGroupUser"}
GROUPS = {
    "primaryGroup": "root.<primaryGroup>",
    "primaryGroupUser": "root.<primaryGroup>",
    "secondaryGroup": "root.<secondaryGroup>",
    "secondaryGroupUser": "root.<secondaryGroup>",
}


def mapping_rules(
    placement: Placement, children: Mapping[str, Sequence[str]], percentages: bool, rules: Rules
) -> str:
    """The rules as JSON. children: of each queue those that are listed in it. FormatError for a rule that
    fs2cs refuses.
    """
    converted = [_mapping(rule, children, percentages, rules) for rule in placement.rules]
    return json.dumps({"rules": converted}, indent=2) if converted else ""


def _mapping(
    rule: Rule, children: Mapping[str, Sequence[str]], percentages: bool, rules: Rules
) -> dict[str, Any]:
    parent = rule.parent if rule.name in ("user", NESTED) else None
    policy = _policy(rule, parent)
    create = rule.create and rule.name != REJECT
    mapping: dict[str, Any] = {"type": "user", "matches": "*", "policy": policy}
    above = parent.queue if parent and parent.name == "default" else ""
    if above or not percentages and policy in IN_ROOT:
        mapping["parentQueue"] = above or ROOT
    with_parent = bool(parent and parent.create and not percentages)
    mapping |= {"fallbackResult": "skip", "create": create or with_parent}
    if policy == "custom":
        mapping["customPlacement"] = rule.queue
    made_in = GROUPS.get(policy, above)
    why = (
        _without_making(create, parent, made_in, bool(children.get(above)))
        if percentages
        else msg("conversion.mapping_rules.both_are_made")
        if parent and create != parent.create
        else ""
    )
    written = f"mapping rule: {policy}, create {'true' if mapping['create'] else 'false'}"
    if why:
        rules.changed("", _given(rule), written, why)
    else:
        rules.converted("", _given(rule), written)
    return mapping


def _policy(rule: Rule, parent: Rule | None) -> str:
    if parent and parent.name not in (*BELOW, "default"):
        raise FormatError(msg("conversion.mapping_rules.no_such_nesting", rule=_given(rule)))
    if parent:
        return BELOW.get(parent.name, "user")
    return "custom" if rule.name == "default" and rule.queue != DEFAULT_QUEUE else POLICIES[rule.name]


def _without_making(create: bool, parent: Rule | None, made_in: str, has_listed: bool) -> str:
    """What changes where CapacityScheduler has percentages, and so makes no queues by itself; "" for
    nothing.
    """
    if create and parent and has_listed:
        return msg("conversion.mapping_rules.also_has_listed_queues", queue=made_in)
    if parent and parent.create:
        return msg("conversion.mapping_rules.parent_is_not_made", queue=made_in)
    if create and made_in:
        return msg("conversion.mapping_rules.queues_are_not_made", queue=made_in)
    return ""


def _given(rule: Rule) -> str:
    above = f" in {_given(rule.parent)}" if rule.parent else ""
    create = "" if rule.create else " create=false"
    return f"{rule.name}{create}{above}"
