"""Labels for schedulers that are compared: short names that distinguish them, and the rules in which they
differ besides the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.schedulers.measured_policy import MEASURED
from engine.schedulers.scheduler import Part, Scheduler, parse

# An order's parameters that are rules of the cluster and not the order itself, with what an order without
# them does.
CLUSTER_RULES = {"resources": "both", "reservations": "no", "update_ms": "0", "user_limits": "no"}


def measured_first(names: Iterable[str]) -> tuple[str, ...]:
    """Canonical names without duplicates; `measured`, which the simulated ones are compared to, comes
    first.
    """
    return tuple(sorted(dict.fromkeys(names), key=lambda name: name != MEASURED.name))


def simulated(names: Iterable[str]) -> tuple[str, ...]:
    """The canonical names of those that are simulated."""
    return tuple(name for name in names if name != MEASURED.name)


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the rules that all of them have."""
    schedulers = [parse(name) for name in names]
    shared_keys = {
        key for key in CLUSTER_RULES if len({cluster_rule(scheduler, key) for scheduler in schedulers}) == 1
    }
    label_parts = [[str(_with_defaults(scheduler.order, shared_keys))] for scheduler in schedulers]
    for rules in zip(*([rule for _, rule in scheduler.rules] for scheduler in schedulers)):
        if len(set(map(str, rules))) > 1:
            for name, scheduler, rule in zip(label_parts, schedulers, rules):
                name += [] if rule.policy.name == scheduler.order.policy.paired_reduce_start else [str(rule)]
    return tuple("+".join(name) for name in label_parts)


def differing_rules(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Of each rule that is not the same under all of them its value under each: ("ramp-up", "slowstart"),
    ("reservations=yes", "reservations=no").
    """
    schedulers = [parse(name) for name in names]
    rules = [
        list(map(str, values))
        for values in zip(*([rule for _, rule in scheduler.rules] for scheduler in schedulers))
    ]
    rules += [[f"{key}={cluster_rule(scheduler, key)}" for scheduler in schedulers] for key in CLUSTER_RULES]
    return [tuple(values) for values in rules if len(set(values)) > 1]


def cluster_rule(scheduler: Scheduler, key: str) -> str:
    """The value of one of CLUSTER_RULES under this scheduler; text, as it is written."""
    if key == "reservations" and not scheduler.reserves:
        return "no"
    if key == "update_ms":
        return f"{scheduler.update_ms}"
    value = scheduler.order.given.get(key, CLUSTER_RULES[key])
    return value if isinstance(value, str) else f"{value:g}"


def _with_defaults(order: Part, keys: set[str]) -> Part:
    """The order with the defaults of these parameters, which its text then leaves out."""
    values = tuple(
        parameter.default if parameter.name in keys else value
        for parameter, value in zip(order.policy.parameters, order.values, strict=True)
    )
    return replace(order, values=values)
