"""Codes: infinities, kinds, answers, modes and states that several modules know by number.

It imports nothing of the engine, so that all of it may import this. What compiled code reads is a plain int,
which numba takes as a constant (an enum costs time to compile); what only Python reads is an enum. A literal
in place of one of these, or one of these names with a number of its own elsewhere, fails tests/test_house.py.
Users' policies import what they need of this from schedulers/view.py and schedulers/policy.py.
"""

from __future__ import annotations

from enum import IntEnum

# Without end. INFINITE is a time that never comes and a limit that is none; int64, with room to add to it.
INFINITE = 2**62
ENDED = INFINITE + 1  # row_end of a container that has ended and was not reported yet
RETURNED = INFINITE + 2  # of one that was preempted: its room alone waits to be seen

NOISE_MS = 1e-6  # of float arithmetic: what exceeds a whole ms by less is not rounded up

# The values of a scenario's fields that stand for "no limit"; what is computed with them is a float.
NO_AM_LIMIT = -1.0  # maxAMShare of FairScheduler
MAX_AM_LIMIT = 100.0  # am_limit of CapacityScheduler: its masters never hold so many times the guarantee
MAX_USER_LIMIT_FACTOR = 1e6  # user_limit_factor, in Hadoop -1

# Absent.
NONE = -1  # no index, no time, no ApplicationMaster
UNKNOWN = -1  # of a record of a job history, which does not tell it
UNDECIDED = -2  # what is cached does not tell the next request: the candidates are to be listed
# excluded_container: its choice was changed, or none is to be; no other job was a candidate.
EXCLUDED, NO_ALTERNATIVE = -1, -2

# Kinds of requests.
KINDS = ("am", "reduce", "map", "executor", "task")
MASTER, REDUCE, MAP, EXECUTOR, TASK = range(5)

# What a job is.
FRAMEWORKS = ("mapreduce", "spark", "stages", "demand", "tez")
MAPREDUCE, SPARK, STAGES, DEMAND, TEZ = range(5)

# Outcomes of a container.
OUTCOMES = ("finished", "killed", "running", "failed", "lost")
FINISHED, KILLED, RUNNING, FAILED, LOST = range(5)
WASTED = (KILLED, FAILED, LOST)  # those whose work is of no use

# Why a job is refused when it arrives, TAKEN: it is not. Known before the run: QUEUE_STOPPED, which the
# system's limit goes before as in Hadoop, and those from PLACEMENT_REJECTED on.
TAKEN, QUEUE_STOPPED, SYSTEM_FULL, QUEUE_FULL, USER_FULL, PLACEMENT_REJECTED, NO_PERMISSION, QUEUE_CLOSED = (
    range(8)
)

# Outcomes of a job that is over.
JOB_OUTCOMES = ("finished", "failed", "refused")

# Answers of policies.
LEAVE = -1  # an order: give this node nothing until something changes
ASK, NOT_YET = 2**31, -1  # a reduce-start rule: all reduces, or no more than wait; else how many are to wait
NO_CHANGE = -1  # a reduce-start rule that preempts: no reduce has to go
ADMIT, HOLD = 0, -1  # an admission rule
# A count of candidates: they are not listed; the order finds its choice among all waiting requests and writes
# it to candidates[0].
UNLISTED = -1

# Modes of queues, as the View has them.
ORDER_DEFAULT, FIFO, FAIR, DRF, CAPACITY = range(5)  # queue_policy
# queue_ordering: how a leaf orders jobs, how a parent queues.
AS_POLICY, BY_ARRIVAL, BY_MEMORY, BY_MEMORY_SIZE_WEIGHTED, BY_UTILIZATION, BY_PRIORITY = range(6)
NO_QUEUES, BY_WEIGHT, BY_CAPACITY = range(3)  # queue_scheme
IN_PLACE, REORDER, REORDER_LATER = range(3)  # job_reorder: REORDER_LATER, when its master next asks

# Modes of what policies are capable of (schedulers/capabilities.py).
# May later masters overtake one that an admission rule holds back?
PASS_OVER, NO_OVERTAKING, OVERTAKE_ON_ARRIVAL, ACTIVATE = range(4)
# When a request that does not fit keeps the later ones of its job from the node.
NEVER, UNSERVED, FITTING, ALWAYS = range(4)
NO_RESERVATIONS, STARVED, WALKED = range(3)  # which requests that do not fit may reserve a node
NO_DELAYS, RELAXED, COUNTED = range(3)  # how maps wait for nodes near their blocks
FREE, FAIR_SHARE, QUEUE_LIMIT = range(3)  # which headroom masters are told
NO_LIMITS, MAX_SHARES, MAX_CAPACITIES = range(3)  # which limits of queues hold
# When a reduce-start rule is asked: a map of the job has ended; anything it can read has changed; its window
# ends.
ON_ENDS, ON_CHANGES, ON_WINDOWS = range(3)

# How far a map is from its block; DELAYED: its job waits for a nearer node.
NODE_LOCAL, RACK_LOCAL, OFF_SWITCH, DELAYED = range(4)

# How the kernel returns: from a heartbeat, and from a run.
PLACED, BAD_ANSWER, OUT_OF_CONTAINERS, OUT_OF_WIDTH = range(4)
ALL_FINISHED, DEADLOCK, TOO_LONG, OUT_OF_SPANS, CANCELLED, PAUSED, OUT_OF_TASK_RUNS = range(-1, -8, -1)


class RunState(IntEnum):
    """What became of a run of a study; stored, in this order."""

    NOT_RUN = 0
    FINISHED = 1
    DEADLOCK = 2
    REFUSED = 3


def job_of(view, request):
    """The job that a request belongs to; view: the View, or the Workload, which numbers requests."""
    return view.request_job[request]


def kind_of(view, request):
    """MASTER, REDUCE, MAP, EXECUTOR or TASK."""
    return view.request_kind[request]


def kind_name(work, request):
    """Of KINDS what a request's containers are, but "container" of those that Tez holds; work: the
    Workload.
    """
    kind = work.request_kind[request]
    is_held = kind == EXECUTOR and work.job_framework[work.request_job[request]] == TEZ
    return "container" if is_held else KINDS[kind]


def container_request(view, state, container):
    """The request that a container was placed for."""
    kind = state.container_kind[container]
    stage = state.container_stage[container] - 1 if kind >= EXECUTOR else 0
    return view.job_first_request[state.container_job[container]] + kind + stage


def requests_of(work, containers, rows=slice(None)):
    """The requests that containers of a run were placed for, or those of some rows; also of its Waiting."""
    kind = containers.kind[rows]
    stage = (kind >= EXECUTOR) * (containers.stage[rows] - 1)
    return work.job_first_request[containers.job[rows]] + kind + stage


def request_of(view, job, kind):
    """The request of a job for containers of a kind, a task's of the first stage."""
    return view.job_first_request[job] + kind
