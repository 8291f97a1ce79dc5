"""Schedulers that stand beside each other: short names that tell them apart, and the rules in which they differ beside the order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.names import Part, Scheduler, parse

# An order's parameters that are rules of the cluster and not the order itself, with what an order without them does.
CLUSTER_RULES = {"resources": "both", "reservations": "no", "update_ms": "0", "user_limits": "no"}


def measured_first(names: Iterable[str]) -> tuple[str, ...]:
    """Canonical names without repeats, and before all that are simulated what was measured, which they are compared to."""
    return tuple(sorted(dict.fromkeys(names), key=lambda name: name != MEASURED.name))


def simulated(names: Iterable[str]) -> tuple[str, ...]:
    """The canonical names of those that are simulated."""
    return tuple(name for name in names if name != MEASURED.name)


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the rules that all of them have."""
    chosen = [parse(name) for name in names]
    alike = {key for key in CLUSTER_RULES if len({cluster_rule(one, key) for one in chosen}) == 1}
    short = [[str(_without(one.order, alike))] for one in chosen]
    for rules in zip(*([rule for _, rule in one.rules] for one in chosen)):
        if len(set(map(str, rules))) > 1:
            for name, one, rule in zip(short, chosen, rules):
                name += [] if rule.policy.name == one.order.policy.made_with else [str(rule)]
    return tuple("+".join(name) for name in short)


def differing_rules(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Of each rule that is not the same under all of them its value under each: ("ramp-up", "slowstart"), ("reservations=yes", "reservations=no")."""
    chosen = [parse(name) for name in names]
    rules = [list(map(str, values)) for values in zip(*([rule for _, rule in one.rules] for one in chosen))]
    rules += [[f"{key}={cluster_rule(one, key)}" for one in chosen] for key in CLUSTER_RULES]
    return [tuple(values) for values in rules if len(set(values)) > 1]


def cluster_rule(chosen: Scheduler, key: str) -> str:
    """The value of one of CLUSTER_RULES under this scheduler; text, as it is written."""
    if key == "reservations" and not chosen.reserves:
        return "no"
    if key == "update_ms":
        return f"{chosen.update_ms}"
    value = chosen.order.given.get(key, CLUSTER_RULES[key])
    return value if isinstance(value, str) else f"{value:g}"


def _without(order: Part, keys: set[str]) -> Part:
    """The order with the defaults of these parameters, which its text then leaves out."""
    values = tuple(one.default if one.name in keys else value for one, value in zip(order.policy.parameters, order.values, strict=True))
    return replace(order, values=values)
