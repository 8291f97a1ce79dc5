"""Where a driver and an executor stand."""

from __future__ import annotations

DOWN, WAITS, WORKS = range(3)  # a driver: it has not started up, waits for its executors, runs stages
NEW, LAUNCHES, REGISTERED = range(3)  # an executor: not learnt of yet, not ready yet
OTHERS, IN_ORDER = range(2)  # lists of executors: that have not registered, that have
FIRST_BEAT_MS = 200  # spark.yarn.scheduler.initial-allocation.interval
TICK_MS = 100  # between two looks at the target: ExecutorAllocationManager.intervalMillis
