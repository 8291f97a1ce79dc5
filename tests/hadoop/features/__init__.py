"""What the referee's scripts exercise, a feature at a time: each is a row of the table."""

from tests.hadoop.features import (
    allocation,
    assigning,
    capacity_leaves,
    capacity_preemption,
    core,
    fair_preemption,
    growing,
    localities,
    running_apps,
)
from tests.hadoop.features.feature import CAPACITY, EVERY, MEMORY_ONLY, NAMES, SHARING, Feature

__all__ = ["CAPACITY", "EVERY", "FEATURES", "MEMORY_ONLY", "NAMES", "SHARING", "Feature"]

FEATURES = (
    *core.FEATURES,
    *assigning.FEATURES,
    *capacity_leaves.FEATURES,
    *localities.FEATURES,
    *running_apps.FEATURES,
    *allocation.FEATURES,
    *capacity_preemption.FEATURES,
    *fair_preemption.FEATURES,
    *growing.FEATURES,
)
