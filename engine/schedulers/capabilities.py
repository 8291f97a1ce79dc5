"""What a policy may be capable of beside its decision. A Policy has a record of each kind, and a run
reads them once (simulation/run_plan.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.codes import FAIR, FREE, NEVER, NO_DELAYS, NO_QUEUES, NO_RESERVATIONS, PASS_OVER

# Who may keep a master from starting, of Masters.
NOBODY, QUEUE_SHARE, RULE = range(3)


@dataclass(frozen=True)
class Queues:
    """How an order treats queues.

    scheme: NO_QUEUES, BY_WEIGHT (FairScheduler's weights and maximum shares) or BY_CAPACITY
      (CapacityScheduler's capacities and maximum capacities).
    job_policy: FAIR or DRF, of the queues that name no policy (defaultQueueSchedulingPolicy).
    headroom: what masters are told: FREE in the cluster, no more than the queue's FAIR_SHARE
      (FSAppAttempt.getHeadroom), or than the QUEUE_LIMIT and its user's (AbstractLeafQueue.getHeadroom).
    """

    scheme: int = NO_QUEUES
    job_policy: int = FAIR
    headroom: int = FREE


@dataclass(frozen=True)
class Assignment:
    """How an order's scheduler assigns containers on a node's heartbeat.

    stops_job: may what does not fit keep the later requests of its job from the node: NEVER, UNSERVED (unless
      it was given a container on this heartbeat, FifoScheduler.assignContainers), FITTING (if it could fit
      the empty node and its queue's limits allow it, FSAppAttempt.assignContainer) or ALWAYS
      (RegularContainerAllocator.assignContainers).
    reserves: under reservations=yes, STARVED: those of jobs below their fair share
      (FSAppAttempt.isReservable), or WALKED: what the order itself decides (RegularContainerAllocator); what
      is chosen and does not fit then reserves the node.
    delays: where maps have blocks, RELAXED: a job takes nearer nodes alone until it has missed too many
      (FSAppAttempt.getAllowedLocalityLevel), or COUNTED: what the order itself decides
      (RegularContainerAllocator.canAssign).
    spreads_load: of an order of typed slots: a node takes no more tasks of a kind than its part of those
      there are (CapBasedLoadManager).
    weighs_tasks: it compares jobs by their maps and reduces, and so refuses applications of stages (SPARK-10,
        STAGES-7).
    """

    stops_job: int = NEVER
    reserves: int = NO_RESERVATIONS
    delays: int = NO_DELAYS
    spreads_load: bool = False
    weighs_tasks: bool = False


@dataclass(frozen=True)
class Windows:
    """A policy that looks at what happened since it last did.

    seconds: the parameter that says how long a window is.
    on_end: (window in ms, now) -> NO_CHANGE when this end of a window changed nothing, or the time from which
      on one may though nothing happens; asked at every multiple of the length (WINDOW-1, WINDOW-2).
    """

    seconds: str
    on_end: Callable[..., int]


@dataclass(frozen=True)
class Ranked:
    """An order that goes by a rank of the job alone in its leaf: the engine need list only the first
    `compares` jobs of each leaf and size that fit.

    by: FAIR or DRF.
    """

    by: int
    compares: int = 1


@dataclass(frozen=True)
class Defaults:
    """The rules of an order that is named without them.

    is_paired: the reduce-start rule is the only one that the order can be combined with, and the order has
      its parameters.
    """

    reduce_start: str = "ramp-up"
    admission: str = "admit-all"
    is_paired: bool = False


@dataclass(frozen=True)
class Masters:
    """How an admission rule keeps masters from starting.

    held_by: NOBODY; QUEUE_SHARE: a part of the queue's fair share, whichever master it is
      (FSLeafQueue.canRunAppAM); RULE: what the rule answers.
    overtaking: PASS_OVER, NO_OVERTAKING, OVERTAKE_ON_ARRIVAL or ACTIVATE (a leaf's jobs are looked at when
      one of them comes or leaves, AbstractLeafQueue.activateApplications).
    """

    held_by: int = RULE
    overtaking: int = PASS_OVER
