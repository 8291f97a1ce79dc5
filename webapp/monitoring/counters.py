"""What is counted, by the names under which /metrics tells it. A label has few values, none of them a
visitor's word.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from prometheus_client import Counter, Histogram, values

from engine import Run

# as metric_files has it by now: gunicorn's first process may have loaded the library before
values.ValueClass = values.get_value_class()
TASK_SECONDS = (0.1, 1, 3, 10, 30, 100, 300, 1000)

requests = Counter(
    "gantry_http_requests", "Requests answered, by the rule of their route.", ("method", "route", "status")
)
request_seconds = Histogram(
    "gantry_http_request_duration_seconds",
    "Seconds until an answer began.",
    ("route",),
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30),
)
runs = Counter(
    "gantry_runs", "Runs simulated, by the scheduler's order and how they ended.", ("order", "outcome")
)
containers = Counter("gantry_containers_simulated", "Containers of the runs simulated.", ("order",))
run_seconds = Counter("gantry_simulation_seconds", "Seconds of simulating.", ("order",))
ended_tasks = Counter(
    "gantry_works_ended", "Pieces of work that ended in a process, by kind and state.", ("kind", "state")
)
wait_seconds = Histogram(
    "gantry_work_wait_seconds",
    "Seconds a piece of work waited for a process.",
    ("kind",),
    buckets=TASK_SECONDS,
)
task_seconds = Histogram(
    "gantry_work_duration_seconds", "Seconds a piece of work took.", ("kind",), buckets=TASK_SECONDS
)
cache_lookups = Counter(
    "gantry_cache_lookups",
    "Looks into the cache, by what is looked for and what came of it.",
    ("kind", "result"),
)
cache_failures = Counter(
    "gantry_cache_failures", "Times the cache did not answer, or could not keep what it was given.", ("act",)
)
database_failures = Counter("gantry_database_failures", "Times the database did not answer.", ("error",))


def counted_run(order: str, simulate: Callable[[], Run]) -> Run:
    """What simulate() makes under a scheduler of this order, counted, also where it was halted."""
    started_at, outcome = time.perf_counter(), "halted"
    try:
        run = simulate()
        outcome = run.status
        containers.labels(order).inc(len(run.containers.job))
        return run
    finally:
        runs.labels(order, outcome).inc()
        run_seconds.labels(order).inc(time.perf_counter() - started_at)
