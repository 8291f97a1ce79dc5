"""Jobs that are refused when they arrive (REFUSE-1): they never run, and nothing else hears of them.

In Hadoop  CapacityScheduler.addApplication, AbstractLeafQueue.validateSubmitApplication: the system's limit,
           then the queue's state, its limit, and that of the user in it; what refused_jobs.py finds
           before the run goes before them, but for the state
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.codes import INFINITE, QUEUE_FULL, QUEUE_STOPPED, SYSTEM_FULL, TAKEN, USER_FULL
from engine.run_records import JOB, QUEUE, Flags, Ints, Record, array, number
from engine.simulation.hadoop.queues.usage import count_in_queues

if TYPE_CHECKING:
    from engine.schedulers.view import View
    from engine.simulation.kernel.state import State


class Refusals(Record):
    """Jobs that are refused when they arrive."""

    refuses: int = number("", "1: some job may be refused when it arrives")
    job_refused: Flags = array(JOB, "", "why it is refused: what is known before, then what was found")
    queue_applications: Ints = array(QUEUE, "", "arrived, not refused and not left, in it and below it")
    queue_max_applications: Ints = array(
        QUEUE, "", "of a leaf, and of the system in root's place", initial=INFINITE
    )
    queue_max_user_applications: Ints = array(QUEUE, "", "of one user of a leaf", initial=INFINITE)


SYSTEM = 0  # root, which all jobs are in or below


def refuse(v: View, s: State, job: int, now: int) -> bool:
    """A job has arrived: is it refused? Then it is over."""
    queue, user = v.job_queue[job], v.job_user[job]
    known = s.job_refused[job]
    if known > QUEUE_STOPPED:
        pass
    elif s.queue_applications[SYSTEM] >= s.queue_max_applications[SYSTEM]:
        s.job_refused[job] = SYSTEM_FULL
    elif known == QUEUE_STOPPED:
        pass
    elif s.queue_applications[queue] >= s.queue_max_applications[queue]:
        s.job_refused[job] = QUEUE_FULL
    elif v.user_active_jobs[user] + v.user_held_back_jobs[user] >= s.queue_max_user_applications[queue]:
        s.job_refused[job] = USER_FULL
    if s.job_refused[job] == TAKEN:
        count_in_queues(v, s.queue_applications, job, 1)
        return False
    v.job_finish[job] = now
    s.unfinished_jobs -= 1
    return True
