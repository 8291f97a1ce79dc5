"""Names of schedulers that stand beside each other: short ones that tell them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.schedulers.names import Part, Scheduler, parse

# An order's parameters that are rules of the cluster and not the order itself, with what an order without them does.
CLUSTER_RULES = {"resources": "both", "reservations": "no"}


def labels(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the rules that all of them have."""
    chosen = [parse(name) for name in names]
    alike = {key for key in CLUSTER_RULES if len({cluster_rule(one, key) for one in chosen}) == 1}
    short = [[str(_without(one.order, alike))] for one in chosen]
    for place in range(len(chosen[0].rules)):
        rules = [one.rules[place][1] for one in chosen]
        if len(set(map(str, rules))) > 1:
            for name, one, rule in zip(short, chosen, rules):
                name += [] if rule.policy.name == one.order.policy.default_reduce_start else [str(rule)]
    return tuple("+".join(name) for name in short)


def cluster_rule(chosen: Scheduler, key: str) -> float | str | None:
    """The value of one of CLUSTER_RULES under this scheduler."""
    return chosen.order.given.get(key, CLUSTER_RULES[key])


def _without(order: Part, keys: set[str]) -> Part:
    """The order with the defaults of these parameters, which its text then leaves out."""
    values = tuple(one.default if one.name in keys else value for one, value in zip(order.policy.parameters, order.values, strict=True))
    return replace(order, values=values)
