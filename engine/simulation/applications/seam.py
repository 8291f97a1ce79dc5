"""All that the others ask of an application: they import nothing else of it.

What it asks for now          make_requests; at the end of a reduce-start rule's window
                              reduce_start_window_ended, at a master's own heartbeats send_master_heartbeats;
                              speculate asks for second attempts, kill_blocking_reduces takes back;
                              gives_way: another request of the job comes first
What a container does         container_placed when it has come, container_due when its time has come
What is lost                  stop_attempt and task_lost, master_lost, outputs_lost; stop_work,
                              fail_job, fail_jobs
When it looks again           next_speculation, wake_masters; update_fetches when an instant is over
What slows with its node      runs_slots: executors, whose tasks settle_slots moves
Where it would rather run     prefers_nodes, nearest_distance
What it draws beforehand      reduce_parts, drawn_startup_ms
What it keeps                 its records, which State lays out beside the kernel's

Other applications are asked the same; what only MapReduce has (windows, reduces, second attempts, blocks) is
asked of its jobs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import DEMAND, EXECUTOR, FINISHED, INFINITE, KILLED, MAPREDUCE, MASTER, SPARK, TASK, TEZ
from engine.simulation.applications.application_masters import drawn_startup_ms, next_heartbeat, wake_at
from engine.simulation.applications.blocks import Blocks
from engine.simulation.applications.dag.single_tasks import wait_for_output
from engine.simulation.applications.dag.stage_arrays import stage_arrays
from engine.simulation.applications.dag.stage_progress import outputs_are_lost
from engine.simulation.applications.dag.stage_records import Stages
from engine.simulation.applications.dag.task_log import TaskLog
from engine.simulation.applications.mapreduce.asks import ask_for_reduces, request_retries, timer_rings
from engine.simulation.applications.mapreduce.attempt_durations import AttemptDurations
from engine.simulation.applications.mapreduce.containers import task_due, task_placed
from engine.simulation.applications.mapreduce.fetches import Fetching, update_fetches
from engine.simulation.applications.mapreduce.losses import attempt_lost, forget_reduces, map_outputs_lost
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
    fail_jobs,
    note_retry,
    stop_task,
    stop_tasks,
)
from engine.simulation.applications.spark.arrays import expected_executors, most_slots, spark_arrays
from engine.simulation.applications.spark.driver import driver_looks, stop_application
from engine.simulation.applications.spark.executors import executor_due, executor_placed, kill_executor
from engine.simulation.applications.spark.slot_speed import runs_slots, settle_slots
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
from engine.simulation.applications.staged.tasks import (
    stage_task_due,
    stage_task_lost,
    stage_task_placed,
    stop_stage_task,
    stop_stage_tasks,
)
from engine.simulation.applications.tez.held_containers import held_due, held_placed, kill_held
from engine.simulation.applications.tez.master import stop_tez, tez_looks
from engine.simulation.applications.tez.tez_arrays import tez_arrays
from engine.simulation.applications.tez.tez_records import Held, Vertices
from engine.simulation.kernel.clock import earliest, set_time
from engine.simulation.kernel.job_end import finish_job

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
            stop_tez(v, s, job, FINISHED, now)
            finish_job(v, s, job, now)
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
    s.is_master_down[job] = 1
    stop_work(v, s, job, KILLED, now)
    if s.job_framework[job] == MAPREDUCE:
        forget_reduces(s, job)
    note_retry(v, s, v.job_first_request[job] + MASTER)


def stop_work(v: View, s: State, job: int, outcome: int, now: int) -> None:
    """All that the job runs ends, and it asks for nothing any more."""
    if s.job_framework[job] == MAPREDUCE:
        stop_tasks(v, s, job, outcome, now)
    elif s.job_framework[job] == SPARK:
        stop_application(v, s, job, outcome, now)
    elif s.job_framework[job] == TEZ:
        stop_tez(v, s, job, outcome, now)
    else:
        stop_stage_tasks(v, s, job, outcome, now)


def outputs_lost(v: View, s: State, job: int, node: int, now: int) -> None:
    """A node is lost: finished tasks whose output lay there run again where others need it."""
    framework = s.job_framework[job]
    if framework == MAPREDUCE:
        if v.job_finished_reduces[job] < v.job_reduces[job]:
            map_outputs_lost(v, s, job, node, now)
    elif framework == SPARK:
        if s.driver_state[job] != DOWN and s.outputs_go[job] == 0:
            node_is_lost(s, job, node, now)
    elif framework != DEMAND and s.begun_at[job] >= 0:
        outputs_are_lost(s, job, -1, node)
        wait_for_output(s, job, now)
        wake_at(s, job, now if framework == TEZ else next_heartbeat(s, job, now))


def fail_job(v: View, s: State, job: int, now: int) -> None:
    """The job ends without success."""
    stop_work(v, s, job, KILLED, now)
    s.job_failed[job] = 1
    finish_job(v, s, job, now)


__all__ = [
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
    "runs_slots",
    "send_master_heartbeats",
    "settle_slots",
    "spark_arrays",
    "speculate",
    "stage_arrays",
    "stop_attempt",
    "task_lost",
    "tez_arrays",
    "update_fetches",
    "wake_masters",
]
