"""Hadoop's two schedulers with and without preemption and reservations, for applications of any framework."""

from __future__ import annotations

FAIR = (
    "fair",
    "drf",
    "fair(reservations=yes, update_ms=70)",
    "drf(reservations=yes, update_ms=500)",
    "fair(preemption=yes, update_ms=50, wait_before_kill_ms=30, starvation_check_ms=20000, "
    "utilization_threshold=0)",
    "drf(preemption=yes, update_ms=500, wait_before_kill_ms=300, starvation_check_ms=20000, "
    "utilization_threshold=0.3, am_preemption=yes)",
)
CAPACITY = (
    "capacity",
    "capacity(reservations=no, user_limits=no)",
    "capacity(preemption=yes, monitoring_interval_ms=50, max_wait_before_kill_ms=20, "
    "total_preemption_per_round=1, max_ignored_over_capacity=0, natural_termination_factor=1)",
    "capacity(preemption=yes, monitoring_interval_ms=300, max_wait_before_kill_ms=1000)",
)
