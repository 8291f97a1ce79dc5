"""What is kept of Tez applications, their vertices and held containers."""

from __future__ import annotations

from engine.codes import INFINITE
from engine.run_records import (
    CONTAINER,
    JOB,
    RUNS_TEZ,
    STAGE,
    Flags,
    Floats,
    Ints,
    Ints32,
    Record,
    array,
    given,
)

# NEW: its master has not learnt of it; STARTS: it is launched in no time, when this heartbeat has asked
NEW, STARTS, LAUNCHES, IDLE, BUSY, RELEASED = range(6)


class Vertices(Record):
    """What each application is given, and which of its tasks are scheduled."""

    reuses: Flags = given(JOB, "", "1: its containers run one task after another")
    reuse_delay_ms: Ints = given(JOB, "ms", "how long one is idle while tasks wait that do not fit it")
    idle_minimum_ms: Ints = given(JOB, "ms", "how long one is at least idle while none waits")
    idle_maximum_ms: Ints = given(JOB, "ms", "and at most")
    slow_start_minimum: Floats = given(JOB, "", "share of its sources' tasks, for the first of a vertex")
    slow_start_maximum: Floats = given(JOB, "", "and for all")

    begun_end: Ints = array(
        JOB, "", "stages of the job before this are of DAGs that have begun", when=RUNS_TEZ
    )
    waiting_since: Ints = array(
        JOB,
        "ms",
        "when tasks began to wait without a break, INFINITE: none does",
        initial=INFINITE,
        when=RUNS_TEZ,
    )
    beat_at: Ints = array(JOB, "ms", "the master's last heartbeat", initial=-1, when=RUNS_TEZ)
    stage_scheduled: Ints = array(STAGE, "", "tasks of it that have been scheduled", when=RUNS_TEZ)
    stage_is_blocked: Flags = array(STAGE, "", "1: one that it comes after waits", when=RUNS_TEZ)
    stage_new: Ints = array(STAGE, "", "containers placed for it that are not learnt of", when=RUNS_TEZ)
    stage_launching: Ints = array(STAGE, "", "containers asked for it that are being launched", when=RUNS_TEZ)
    stage_containers: Ints = array(STAGE, "", "placed for it so far", when=RUNS_TEZ)


class Held(Record):
    """Containers, by their number in the log; of each application a list of all in the order of placement,
    and one of those that are idle.
    """

    new_held: Ints = array(JOB, "", "containers that the master has not learnt of", when=RUNS_TEZ)
    released_held: Ints = array(JOB, "", "released, and not ended", when=RUNS_TEZ)
    first_held: Ints = array(JOB, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    last_held: Ints = array(JOB, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    first_idle: Ints = array(JOB, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    next_held: Ints32 = array(CONTAINER, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    previous_held: Ints32 = array(CONTAINER, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    next_idle: Ints32 = array(CONTAINER, "", "-1 for none", initial=-1, when=RUNS_TEZ)
    held_state: Flags = array(CONTAINER, "", "NEW, STARTS, LAUNCHES, IDLE, BUSY or RELEASED", when=RUNS_TEZ)
    idle_since: Ints = array(CONTAINER, "ms", "of one that is idle", when=RUNS_TEZ)
    idle_end: Ints = array(CONTAINER, "ms", "when it is released while none waits", when=RUNS_TEZ)
    released_at: Ints = array(CONTAINER, "ms", "of one that is released", when=RUNS_TEZ)
    tasks_run: Ints32 = array(CONTAINER, "", "how many it has begun", when=RUNS_TEZ)
    held_run: Ints = array(CONTAINER, "", "where its task stands in the log of tasks", when=RUNS_TEZ)
