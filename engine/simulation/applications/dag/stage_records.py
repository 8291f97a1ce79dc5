"""What is kept of applications' stages and their tasks."""

from __future__ import annotations

from engine.run_records import (
    CONTAINER,
    DRAW,
    HAS_STAGES,
    JOB,
    SOURCE,
    STAGE,
    Flags,
    Floats,
    Ints,
    Ints32,
    Record,
    Size,
    array,
    given,
)


class Stages(Record):
    """The stages of all applications, job by job."""

    job_framework: Ints = given(JOB, "", "which of FRAMEWORKS it is of")
    job_first_stage: Ints = given(Size(JOB), "", "where its stages begin, and the end")
    stage_tasks: Ints = given(STAGE, "", "how many tasks it has")
    stage_draw: Ints = given(STAGE, "", "where its tasks begin in `draws`")
    stage_first_source: Ints = given(STAGE, "", "where its sources begin in `stage_source`, and the end")
    stage_source: Ints = given(SOURCE, "", "stages whose output it reads")
    source_needed: Ints = given(
        SOURCE, "", "so many of its tasks have finished before the stage is asked for"
    )
    source_fetch_ms: Floats = given(SOURCE, "ms", "in which a task fetches the output of one of its tasks")
    stage_start_ms: Ints = given(STAGE, "ms", "after the start of the master: when it is asked for")
    stage_is_read: Flags = given(STAGE, "", "1: another reads its output, which stays where it ran")

    begun_at: Ints = array(JOB, "ms", "when its first master had started up", initial=-1, when=HAS_STAGES)
    unfinished_stages: Ints = array(JOB, "", "stages that have not finished", when=HAS_STAGES)
    first_open_stage: Ints = array(JOB, "", "no task waits of those before it", when=HAS_STAGES)
    stage_waiting: Ints = array(STAGE, "", "tasks that wait", when=HAS_STAGES)
    stage_next: Ints = array(STAGE, "", "no task below it waits", when=HAS_STAGES)
    stage_done: Ints = array(STAGE, "", "tasks that have finished", when=HAS_STAGES)
    stage_missing: Ints = array(STAGE, "", "sources that have not finished", when=HAS_STAGES)
    stage_is_finished: Flags = array(STAGE, "", "1: all its tasks have finished", when=HAS_STAGES)
    stage_is_asked: Flags = array(STAGE, "", "1: asked for by the master that runs", when=HAS_STAGES)
    stage_latest_output: Floats = array(
        STAGE,
        "ms",
        "the latest that it could have all its input, once its sources have finished",
        when=HAS_STAGES,
    )
    running_task: Ints = array(
        CONTAINER, "", "what a container of one task at a time runs, by its place in `draws`", when=HAS_STAGES
    )
    running_stage: Ints32 = array(CONTAINER, "", "the stage of that task", when=HAS_STAGES)
    running_since: Ints = array(CONTAINER, "ms", "when that task begins", when=HAS_STAGES)
    task_container: Ints32 = array(
        DRAW, "", "where it runs or has finished, -1: it waits", initial=-1, when=HAS_STAGES
    )
    task_end: Ints = array(DRAW, "ms", "when it finished, of what runs one at a time", when=HAS_STAGES)
    task_state: Flags = array(DRAW, "", "NOT_DONE, DONE or GONE", when=HAS_STAGES)
    task_attempt: Ints32 = array(DRAW, "", "its last attempt", when=HAS_STAGES)
