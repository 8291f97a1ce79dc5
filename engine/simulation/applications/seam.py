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

Other applications are asked the same; what only MapReduce has (windows, reduces, second attempts, blocks) is
asked of its jobs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import EXECUTOR, FINISHED, INFINITE, KILLED, MAPREDUCE, MASTER, SPARK, TASK, TEZ
from engine.simulation.applications.application_masters import drawn_startup_ms
from engine.simulation.applications.blocks import Blocks
from engine.simulation.applications.dag.stage_arrays import stage_arrays
from engine.simulation.applications.dag.stage_records import Stages
from engine.simulation.applications.dag.task_log import TaskLog
from engine.simulation.applications.mapreduce.asks import ask_for_reduces, request_retries, timer_rings
from engine.simulation.applications.mapreduce.attempt_durations import AttemptDurations
from engine.simulation.applications.mapreduce.containers import task_due, task_placed
from engine.simulation.applications.mapreduce.fetches import Fetching, update_fetches
from engine.simulation.applications.mapreduce.losses import attempt_lost, map_outputs_lost, restart_job
from engine.simulation.applications.mapreduce.map_blocks import nearest_distance, prefers_nodes
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
from engine.simulation.applications.mapreduce.task_lifecycle import (
    end_failed_job,
    fail_jobs,
    note_retry,
    stop_task,
)
from engine.simulation.applications.spark.arrays import expected_executors, most_slots, spark_arrays
from engine.simulation.applications.spark.driver import driver_looks, finish_application, stop_application
from engine.simulation.applications.spark.executors import executor_due, executor_placed, kill_executor
from engine.simulation.applications.spark.spark_records import (
    Drivers,
    ExecutorRecord,
    Pools,
    SecondAttempts,
    TargetLog,
)
from engine.simulation.applications.spark.stages import node_is_lost
from engine.simulation.applications.spark.states import DOWN
from engine.simulation.applications.spark.task_locality import TaskLocality
from engine.simulation.applications.staged.stage_asks import master_looks
from engine.simulation.applications.staged.staged_records import AskedStages
from engine.simulation.applications.staged.tasks import (
    fail_application,
    restart_application,
    stage_outputs_lost,
    stage_task_due,
    stage_task_lost,
    stage_task_placed,
    stop_stage_task,
)
from engine.simulation.applications.tez.held_containers import held_due, held_placed, kill_held
from engine.simulation.applications.tez.master import finish_tez, restart_tez, tez_looks, tez_outputs_lost
from engine.simulation.applications.tez.tez_arrays import tez_arrays
from engine.simulation.applications.tez.tez_records import Held, Vertices
from engine.simulation.kernel.clock import earliest, set_time

if TYPE_CHECKING:
    from engine.jit import PolicyFunction
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


def make_requests(v: View, s: State, reduce_start: PolicyFunction, table: int, now: int) -> None:
    """All requests that appear at this instant: what is to run again, what jobs ask for whose time has come,
    then reduces.
    """
    if s.retry_job_count > 0:
        request_retries(v, s, now)
    while s.timer_tree[1] == now:
        leaf = earliest(s)
        set_time(s, leaf, INFINITE)
        job = leaf - len(s.awake)
        if s.job_framework[job] == MAPREDUCE:
            timer_rings(v, s, job, now)
        elif s.job_framework[job] == SPARK:
            driver_looks(v, s, job, now)
        elif s.job_framework[job] == TEZ:
            tez_looks(v, s, job, now)
        else:
            master_looks(v, s, job, now)
    ask_for_reduces(v, s, reduce_start, table, now)


def container_placed(v: View, s: State, entry: int, node: int, now: int) -> None:
    """A container that was asked for has come: it stands in an entry of its node's row."""
    kind = v.request_kind[s.row_request[entry]]
    if kind == EXECUTOR and s.job_framework[v.request_job[s.row_request[entry]]] == TEZ:
        held_placed(v, s, entry, now)
    elif kind == EXECUTOR:
        executor_placed(v, s, entry, now)
    elif kind == TASK:
        stage_task_placed(v, s, entry, now)
    else:
        task_placed(v, s, entry, node, now)


def container_due(v: View, s: State, entry: int, node: int, now: int) -> None:
    """The time of an entry of a node's row has come: its container ends, or goes on to what it does next."""
    kind = v.request_kind[s.row_request[entry]]
    job = v.request_job[s.row_request[entry]]
    if kind == EXECUTOR and s.job_framework[job] == TEZ:
        if held_due(s, entry, now):
            finish_tez(v, s, job, FINISHED, now)
    elif kind == EXECUTOR:
        executor_due(s, entry, now)
    elif kind == TASK:
        stage_task_due(v, s, entry, node, now)
    else:
        task_due(v, s, entry, node, now)


def stop_attempt(v: View, s: State, container: int, outcome: int, now: int) -> None:
    """A container that runs is killed, or lost with its node; task_lost follows."""
    kind = s.container_kind[container]
    if kind == EXECUTOR and s.job_framework[s.container_job[container]] == TEZ:
        kill_held(v, s, container, outcome, now)
    elif kind == EXECUTOR:
        kill_executor(v, s, container, outcome, now)
    elif kind == TASK:
        stop_stage_task(v, s, container, outcome, now)
    else:
        stop_task(v, s, container, outcome, now)


def task_lost(v: View, s: State, container: int, now: int) -> None:
    """What ran in a container that has been stopped by others is to run again; of an executor it is known
    already.
    """
    if s.container_kind[container] == TASK:
        stage_task_lost(s, container, now)
    elif s.container_kind[container] != EXECUTOR:
        attempt_lost(v, s, container)


def master_lost(v: View, s: State, job: int, now: int) -> None:
    """All that the job runs goes with its master; a new one takes the work up again."""
    if s.job_framework[job] == MAPREDUCE:
        restart_job(v, s, job, now)
    elif s.job_framework[job] == SPARK:
        s.is_master_down[job] = 1
        stop_application(v, s, job, KILLED, now)
        note_retry(v, s, v.job_first_request[job] + MASTER)
    elif s.job_framework[job] == TEZ:
        restart_tez(v, s, job, now)
    else:
        restart_application(v, s, job, now)


def outputs_lost(v: View, s: State, job: int, node: int, now: int) -> None:
    """A node is lost: finished tasks whose output lay there run again where others need it."""
    if s.job_framework[job] == MAPREDUCE:
        if v.job_finished_reduces[job] < v.job_reduces[job]:
            map_outputs_lost(v, s, job, node, now)
    elif s.job_framework[job] == SPARK:
        if s.driver_state[job] != DOWN and s.outputs_go[job] == 0:
            node_is_lost(s, job, node, now)
    elif s.job_framework[job] == TEZ:
        tez_outputs_lost(s, job, node, now)
    else:
        stage_outputs_lost(s, job, node, now)


def fail_job(v: View, s: State, job: int, now: int) -> None:
    """The job ends without success."""
    if s.job_framework[job] == MAPREDUCE:
        end_failed_job(v, s, job, now)
    elif s.job_framework[job] == SPARK:
        s.job_failed[job] = 1
        finish_application(v, s, job, KILLED, now)
    elif s.job_framework[job] == TEZ:
        s.job_failed[job] = 1
        finish_tez(v, s, job, KILLED, now)
    else:
        fail_application(v, s, job, now)


__all__ = [
    "AskedStages",
    "AttemptDurations",
    "Attempts",
    "Blocks",
    "Drivers",
    "ExecutorRecord",
    "Fetching",
    "Held",
    "Pools",
    "ReducePreemption",
    "ReduceStart",
    "SPECULATION_MS",
    "SecondAttempts",
    "Speculation",
    "Stages",
    "TargetLog",
    "TaskLocality",
    "TaskLog",
    "Tasks",
    "Vertices",
    "container_due",
    "container_placed",
    "drawn_startup_ms",
    "expected_executors",
    "fail_job",
    "fail_jobs",
    "gives_way",
    "kill_blocking_reduces",
    "make_requests",
    "master_lost",
    "most_slots",
    "nearest_distance",
    "next_speculation",
    "outputs_lost",
    "prefers_nodes",
    "reduce_parts",
    "reduce_start_window_ended",
    "send_master_heartbeats",
    "spark_arrays",
    "speculate",
    "stage_arrays",
    "stop_attempt",
    "task_lost",
    "tez_arrays",
    "update_fetches",
    "wake_masters",
]
