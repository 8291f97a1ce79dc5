"""What the referee's scripts exercise, a feature at a time: each is a row of the table."""

from tests.hadoop.features import capacity_preemption, core
from tests.hadoop.features.feature import CAPACITY, EVERY, MEMORY_ONLY, NAMES, SHARING, Feature

__all__ = ["CAPACITY", "EVERY", "FEATURES", "MEMORY_ONLY", "NAMES", "SHARING", "Feature"]

FEATURES = (*core.FEATURES, *capacity_preemption.FEATURES)
