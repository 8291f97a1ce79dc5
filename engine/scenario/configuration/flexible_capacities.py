"""Capacities of any kind beside one another, where yarn.scheduler.capacity.legacy-queue-mode.enabled is
false.

In Hadoop  CapacitySchedulerQueueCapacityHandler, AbsoluteResourceCapacityCalculator,
           PercentageQueueCapacityCalculator, WeightQueueCapacityCalculator
"""

from __future__ import annotations

from engine.scenario.configuration.capacity_values import AMOUNT_OF, PERCENTAGE, WEIGHT, Capacity
from engine.scenario.configuration.java_values import trim
from engine.scenario.configuration.properties import parse_kept_property
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.site_table import CAPACITY

LEGACY_MODE = f"{CAPACITY}legacy-queue-mode.enabled"


def is_flexible(draft: Draft, file: str) -> bool:
    """Whether the properties that are kept of this file say so."""
    kept = draft.unmodelled.get(file)
    plain = kept.get(LEGACY_MODE) if isinstance(kept, dict) else None
    return plain is not None and trim(parse_kept_property(plain)[1]).lower() == "false"


def flexible_percentages(capacities: dict[str, Capacity], parent_mb: int) -> dict[str, float]:
    """The percentage of each queue of a parent that is guaranteed so much memory: resources come first,
    scaled down where they are too much; percentages are of what these leave, as long as there is some; the
    rest goes to the weights.
    """
    parts = dict.fromkeys(capacities, 0.0)
    amounts = {name: one.amount.memory_mb for name, one in capacities.items() if one.kind == AMOUNT_OF}
    whole = max(sum(amounts.values()), parent_mb, 1)
    parts |= {name: 100 * amount / whole for name, amount in amounts.items()}
    left = after_resources = 100 * (whole - sum(amounts.values())) / whole
    for name, one in capacities.items():
        if one.kind == PERCENTAGE:
            parts[name] = min(one.value * after_resources / 100, left)
            left -= parts[name]
    total = sum(one.value for one in capacities.values() if one.kind == WEIGHT)
    weighted = {name: one.value for name, one in capacities.items() if one.kind == WEIGHT and total > 0}
    return parts | {name: left * weight / total for name, weight in weighted.items()}
