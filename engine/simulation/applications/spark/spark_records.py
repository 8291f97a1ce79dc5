"""What is kept of Spark applications, their executors and slots."""

from __future__ import annotations

from engine.codes import INFINITE
from engine.run_records import (
    CONTAINER,
    DRAW,
    EXCLUSION,
    JOB,
    POOL,
    RUNS_SPARK,
    SLOT,
    SPARK_SPECULATES,
    STAGE,
    TARGET,
    Flags,
    Floats,
    Ints,
    Ints32,
    Record,
    Size,
    array,
    given,
    number,
)
from engine.simulation.durations import LAW_SIZE


class Drivers(Record):
    """What each application is given, and where its driver stands."""

    first_target: Ints = given(JOB, "", "executors that the driver asks for first")
    needed_to_begin: Floats = given(JOB, "", "executors that must have registered before the first stage")
    registered_wait_ms: Ints = given(JOB, "ms", "it waits for them at most so long")
    is_dynamic: Flags = given(JOB, "", "1: executors are allocated dynamically")
    min_executors: Ints = given(JOB, "", "minimum number of executors")
    max_executors: Ints = given(JOB, "", "maximum number, INFINITE: none")
    executor_slots: Ints = given(JOB, "", "tasks at once in an executor")
    executor_ratio: Floats = given(JOB, "", "executor allocation ratio")
    backlog_ms: Ints = given(JOB, "ms", "how long tasks wait before executors are asked for")
    sustained_backlog_ms: Ints = given(JOB, "ms", "between later steps")
    idle_ms: Ints = given(JOB, "ms", "how long an executor has no task before it is removed")
    outputs_go: Flags = given(JOB, "", "1: an executor's output goes with it; 0: with its node alone")
    speculation_interval_ms: Ints = given(JOB, "ms", "between two looks for slow tasks, 0: no speculation")
    speculation_quantile: Floats = given(JOB, "", "part of a stage's tasks that must have finished")
    speculation_multiplier: Floats = given(JOB, "", "how many times their median a slow task has run")
    speculation_minimum_ms: Ints = given(JOB, "ms", "no task is slow that has run no longer")
    executor_launch_law: Floats = given(Size(JOB, LAW_SIZE), "", "law of an executor's launch")
    first_exclusion: Ints = given(JOB, "", "where in `exclusion_ms` the times of its executors begin")
    end_of_exclusions: Ints = given(JOB, "", "and where they end")
    exclusion_ms: Ints = given(
        EXCLUSION, "ms", "after a job's arrival, when an executor gets no more task, by placement; 0: never"
    )

    driver_state: Flags = array(JOB, "", "DOWN, WAITS or WORKS", when=RUNS_SPARK)
    target: Ints = array(JOB, "", "executors that there are to be", when=RUNS_SPARK)
    target_step: Ints = array(JOB, "", "by so many the target grows next", when=RUNS_SPARK)
    step_at: Ints = array(JOB, "ms", "when it may grow next, INFINITE: not", when=RUNS_SPARK)
    target_may_change: Flags = array(
        JOB, "", "1: a stage was submitted, or an executor idle for long", when=RUNS_SPARK
    )
    target_checked_at: Ints = array(JOB, "ms", "when it was last looked at", when=RUNS_SPARK)
    next_beat: Ints = array(JOB, "ms", "the driver's next heartbeat to the ResourceManager", when=RUNS_SPARK)
    beat_interval: Ints = array(JOB, "ms", "until the next while containers are pending", when=RUNS_SPARK)
    lost_executors: Ints = array(JOB, "", "since its last heartbeat", when=RUNS_SPARK)
    waiting_tasks: Ints = array(JOB, "", "of stages whose sources have finished", when=RUNS_SPARK)
    marked_tasks: Ints = array(JOB, "", "of these stages, that wait for a second attempt", when=RUNS_SPARK)
    may_finish_stage: Flags = array(JOB, "", "1: all tasks of a stage are done", when=RUNS_SPARK)
    running_tasks_of_job: Ints = array(JOB, "", "in slots", when=RUNS_SPARK)


class Pools(Record):
    """The pools of applications that have some, job by job."""

    job_first_pool: Ints = given(Size(JOB), "", "where its pools begin, in the order of names, and the end")
    pool_weight: Floats = given(POOL, "", "its weight")
    pool_minimum_share: Ints = given(POOL, "", "its minimum share, in tasks")
    pool_is_fair: Flags = given(POOL, "", "1: its stages share alike, 0: they stand in their order")
    stage_pool: Ints = given(STAGE, "", "the pool of a stage, -1 of an application without pools")

    stage_running: Ints = array(STAGE, "", "tasks of it in slots", when=RUNS_SPARK)
    offers_all: Flags = array(JOB, "", "1: all free slots are offered together next", when=RUNS_SPARK)
    sorted_stage_running: Ints = array(
        STAGE, "", "`stage_running` when stages were last sorted", when=RUNS_SPARK
    )
    sorted_pool_running: Ints = array(
        POOL, "", "tasks of its stages in slots when they were last sorted", when=RUNS_SPARK
    )


class SecondAttempts(Record):
    """Attempts of tasks that may get a second one, and those that have it. Two lists of each stage: the tasks
    that are watched, in the order in which their attempts began, and those marked, in that of marking.
    """

    attempt_start: Ints = array(
        DRAW, "ms", "when the attempt began that runs or has finished", when=SPARK_SPECULATES
    )
    attempt_run: Ints = array(DRAW, "", "its entry in the log of tasks", when=SPARK_SPECULATES)
    second_container: Ints32 = array(
        DRAW, "", "where a second attempt runs beside it, -1: none does", initial=-1, when=SPARK_SPECULATES
    )
    second_start: Ints = array(DRAW, "ms", "when that began", when=SPARK_SPECULATES)
    second_run: Ints = array(DRAW, "", "its entry in the log of tasks", when=SPARK_SPECULATES)
    first_of_list: Ints = array(Size(STAGE, 2), "", "of each list", initial=-1, when=SPARK_SPECULATES)
    last_of_list: Ints = array(Size(STAGE, 2), "", "of each list", initial=-1, when=SPARK_SPECULATES)
    next_in_list: Ints = array(DRAW, "", "in its list, -1 for none", when=SPARK_SPECULATES)
    previous_in_list: Ints = array(DRAW, "", "in its list, -1 for none", when=SPARK_SPECULATES)
    list_of_task: Flags = array(
        DRAW, "", "WATCHED, MARKED or in no list, -1", initial=-1, when=SPARK_SPECULATES
    )
    stage_marked: Ints = array(STAGE, "", "tasks that are marked", when=SPARK_SPECULATES)
    slow_checked_at: Ints = array(JOB, "ms", "when slow tasks were last looked for", when=SPARK_SPECULATES)
    finished_ms: Ints = array(
        DRAW,
        "ms",
        "how long the tasks of a stage took that have finished: the shorter half, negative, as a heap from "
        "the front, the longer from the back",
        when=SPARK_SPECULATES,
    )
    shorter_half: Ints = array(STAGE, "", "how many are in the one", when=SPARK_SPECULATES)
    longer_half: Ints = array(STAGE, "", "how many are in the other", when=SPARK_SPECULATES)


class ExecutorRecord(Record):
    """Executors, by their container; two lists of each application: those that have registered, in that
    order, and the others, in the order of placement.
    """

    job_executors: Ints = array(JOB, "", "placed so far", when=RUNS_SPARK)
    live_executors: Ints = array(JOB, "", "placed, and not ended", when=RUNS_SPARK)
    registered_executors: Ints = array(JOB, "", "of these, registered", when=RUNS_SPARK)
    removed_executors: Ints = array(JOB, "", "of these, removed by the driver", when=RUNS_SPARK)
    timed_out_executors: Ints = array(JOB, "", "of these, idle for too long and not removed", when=RUNS_SPARK)
    new_executors: Ints = array(JOB, "", "that the driver has not learnt of", when=RUNS_SPARK)
    first_executor: Ints = array(Size(JOB, 2), "", "of each list", initial=-1, when=RUNS_SPARK)
    last_executor: Ints = array(Size(JOB, 2), "", "of each list", initial=-1, when=RUNS_SPARK)
    next_executor: Ints32 = array(CONTAINER, "", "in its list, -1 for none", initial=-1, when=RUNS_SPARK)
    previous_executor: Ints32 = array(CONTAINER, "", "in its list, -1 for none", initial=-1, when=RUNS_SPARK)
    executor_state: Flags = array(CONTAINER, "", "NEW, LAUNCHES or REGISTERED", when=RUNS_SPARK)
    launch_remaining_ms: Floats = array(
        CONTAINER, "ms", "under contention: of its launch alone on its node what is left", when=RUNS_SPARK
    )
    executor_running: Ints32 = array(CONTAINER, "", "tasks in its slots", when=RUNS_SPARK)
    executor_removed_at: Ints = array(
        CONTAINER, "ms", "when the driver removed it, INFINITE: not", initial=INFINITE, when=RUNS_SPARK
    )
    executor_idle_end: Ints = array(
        CONTAINER,
        "ms",
        "when it has been idle for too long, INFINITE: never",
        initial=INFINITE,
        when=RUNS_SPARK,
    )
    is_timed_out: Flags = array(CONTAINER, "", "1: it has been idle for too long", when=RUNS_SPARK)
    executor_excluded_at: Ints = array(
        CONTAINER, "ms", "when it is excluded, INFINITE: never, or it is", initial=INFINITE, when=RUNS_SPARK
    )
    is_excluded: Flags = array(CONTAINER, "", "1: it gets no more task", when=RUNS_SPARK)
    has_output: Flags = array(CONTAINER, "", "1: output that a stage reads", when=RUNS_SPARK)
    first_free: Ints = array(
        JOB, "", "of the executors with a free slot, -1 for none", initial=-1, when=RUNS_SPARK
    )
    free_executors: Ints = array(JOB, "", "how many have", when=RUNS_SPARK)
    next_free: Ints32 = array(CONTAINER, "", "with a free slot, -1 for none", initial=-1, when=RUNS_SPARK)
    is_free: Flags = array(CONTAINER, "", "1: it is among these", when=RUNS_SPARK)
    first_slot: Ints = array(CONTAINER, "", "where its slots begin", when=RUNS_SPARK)
    slot_count: int = number("", "slots of all executors so far")
    slot_task: Ints = array(
        SLOT,
        "",
        "the task that runs in it, by its place in `draws`, -1 for none",
        initial=-1,
        when=RUNS_SPARK,
    )
    slot_stage: Ints32 = array(SLOT, "", "the stage of that task", when=RUNS_SPARK)
    slot_end: Ints = array(SLOT, "ms", "when it ends", initial=INFINITE, when=RUNS_SPARK)
    slot_remaining_ms: Floats = array(
        SLOT, "ms", "under contention: of its work at k = 1 what is left", when=RUNS_SPARK
    )
    slot_updated_at: Ints = array(SLOT, "ms", "when slot_remaining_ms was true", when=RUNS_SPARK)
    slot_run: Ints = array(SLOT, "", "its entry in the log of tasks", when=RUNS_SPARK)


class TargetLog(Record):
    """How many executors drivers wanted, a line a change."""

    target_job: Ints32 = array(TARGET, "", "its job", when=RUNS_SPARK)
    target_time: Ints = array(TARGET, "ms", "when it changed", when=RUNS_SPARK)
    target_executors: Ints = array(TARGET, "", "how many from then on", when=RUNS_SPARK)
    target_waiting: Ints = array(TARGET, "", "tasks that waited then", when=RUNS_SPARK)
    target_running: Ints = array(TARGET, "", "tasks that ran then", when=RUNS_SPARK)
    target_count: int = number("", "written so far, and what found no room")
