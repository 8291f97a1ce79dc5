"""All that the others ask of an application: they import nothing else of it.

What it asks for now          make_requests; at the end of a reduce-start rule's window
                              reduce_start_window_ended, at a master's own heartbeats send_master_heartbeats;
                              speculate asks for second attempts, kill_blocking_reduces takes back;
                              gives_way: another request of the job comes first
What a container does         container_placed when it has come, container_due when its time has come
What is lost                  stop_attempt and task_lost, master_lost, outputs_lost; fail_job, fail_jobs
When it looks again           next_speculation, wake_masters; update_fetches when an instant is over
Where it would rather run     prefers_nodes, nearest_distance
What it draws beforehand      reduce_parts, drawn_startup_ms
What it keeps                 its records, which State lays out beside the kernel's
"""

from __future__ import annotations

from engine.simulation.applications.mapreduce.asks import make_requests
from engine.simulation.applications.mapreduce.attempt_durations import AttemptDurations, drawn_startup_ms
from engine.simulation.applications.mapreduce.blocks import Blocks, nearest_distance, prefers_nodes
from engine.simulation.applications.mapreduce.containers import container_due, container_placed
from engine.simulation.applications.mapreduce.fetches import Fetching, update_fetches
from engine.simulation.applications.mapreduce.losses import master_lost, outputs_lost, task_lost
from engine.simulation.applications.mapreduce.ramping import (
    reduce_start_window_ended,
    send_master_heartbeats,
    wake_masters,
)
from engine.simulation.applications.mapreduce.reduce_partitions import reduce_parts
from engine.simulation.applications.mapreduce.reduce_preemption import ReducePreemption, kill_blocking_reduces
from engine.simulation.applications.mapreduce.slow_start import ReduceStart, gives_way
from engine.simulation.applications.mapreduce.speculation import (
    SPECULATION_MS,
    Speculation,
    next_speculation,
    speculate,
)
from engine.simulation.applications.mapreduce.task_arrays import Attempts, Tasks
from engine.simulation.applications.mapreduce.task_lifecycle import fail_job, fail_jobs, stop_attempt

__all__ = [
    "AttemptDurations",
    "Attempts",
    "Blocks",
    "Fetching",
    "ReducePreemption",
    "ReduceStart",
    "SPECULATION_MS",
    "Speculation",
    "Tasks",
    "container_due",
    "container_placed",
    "drawn_startup_ms",
    "fail_job",
    "fail_jobs",
    "gives_way",
    "kill_blocking_reduces",
    "make_requests",
    "master_lost",
    "nearest_distance",
    "next_speculation",
    "outputs_lost",
    "prefers_nodes",
    "reduce_parts",
    "reduce_start_window_ended",
    "send_master_heartbeats",
    "speculate",
    "stop_attempt",
    "task_lost",
    "update_fetches",
    "wake_masters",
]
