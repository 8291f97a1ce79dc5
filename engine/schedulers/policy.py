"""The record a policy file ends with: its name, what it may know, and its functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

# Modes of what a policy is capable of; a policy imports them from here.
from engine.codes import (  # noqa: F401
    ACTIVATE,
    ALWAYS,
    BY_CAPACITY,
    BY_WEIGHT,
    COUNTED,
    DRF,
    FAIR,
    FAIR_SHARE,
    FITTING,
    FREE,
    NEVER,
    NO_OVERTAKING,
    OVERTAKE_ON_ARRIVAL,
    PASS_OVER,
    QUEUE_LIMIT,
    RELAXED,
    STARVED,
    UNSERVED,
    WALKED,
)
from engine.messages import msg
from engine.run_records import AMOUNTS
from engine.schedulers.capabilities import (  # noqa: F401
    NOBODY,
    QUEUE_SHARE,
    Assignment,
    Defaults,
    Masters,
    Queues,
    Ranked,
    Windows,
)
from engine.schedulers.view import View

ORDER, REDUCE_START, ADMISSION = "order", "reduce start", "admission"
HOOKS = {ORDER: ("node", "count"), REDUCE_START: ("job", "now"), ADMISSION: ("job", "now")}
WINDOW_HOOK = ("window", "now")
JOBS_HOOK = ("job", "now")
INDEX_HOOK = ("node", "now")

# Places of the functions that the kernel is given: the three parts', the windows' of the first two, the
# preempting one, the one that follows jobs, the one that finds an order's choice without a list.
FUNCTIONS = 8
(
    ORDER_AT,
    REDUCE_START_AT,
    ADMISSION_AT,
    ORDER_WINDOW,
    REDUCE_START_WINDOW,
    PREEMPT,
    ORDER_JOBS,
    ORDER_UNLISTED,
) = range(FUNCTIONS)

RESERVED = {"view", *(name for hook in (*HOOKS.values(), WINDOW_HOOK) for name in hook)}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
# what a named array has an entry for
RUN, JOB, REQUEST, NODE, QUEUE = (
    "run",
    "job",
    "request",
    "node",
    "queue",
)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a policy. Either `choices`, or a number from `low` to `high` but `excluded`; source is
    paper, Hadoop or ours.

    default None: not given (the policy reads NaN). none_word: what may stand for None, such as auto.
    """

    name: str
    default: float | str | None
    meaning: str
    source: str
    choices: tuple[str, ...] = ()
    low: float = float("-inf")
    high: float = float("inf")
    excluded: float | None = None
    none_word: str = ""


@dataclass(frozen=True)
class StateArray:
    """A named array that a policy keeps from one decision to the next: `view.NAME`, zeros at the start of a
    run.

    per: what it has `size` entries for, RUN, JOB, REQUEST, NODE or QUEUE. kind: "float64", "int64" or
    AMOUNTS, "int64" with a row for each resource.
    """

    name: str
    per: str
    kind: str = "float64"
    size: int = 1


@dataclass(frozen=True)
class Term:
    """A number that a policy computes on its way to an answer, for people; its array is `view.NAME`, float64,
    as of a StateArray.

    per: RUN, JOB, REQUEST or QUEUE. What lies in REQUEST is of one decision.
    about: a sentence. unit: "" for a plain number, "share", "ms", "per ms", "MB" or a plural noun.
    direction: -1 when the least of all candidates goes first, 1 the most, 0 when it does not decide by
    itself.
    shared: a job's in a leaf that shares, which one that is first in, first out does not ask.
    strip: of the curves of those drawn over time, the one it stands in; "" when it is not drawn.
    """

    name: str
    title: str
    per: str
    about: str
    unit: str = ""
    direction: int = 0
    shared: bool = False
    strip: str = ""

    @property
    def memory(self) -> StateArray:
        """The array it lies in."""
        return StateArray(self.name, self.per)


@dataclass(frozen=True)
class Index:
    """How the engine finds an order's choice among all that waits without a list of it, where only room
    decides what may be placed. It answers as the order would.

    find: as the order's function, but (node, now) -> the request, LEAVE, or UNDECIDED: candidates are listed
      then, and the order is asked.
    memory: the arrays it needs beside the order's.
    keeps_scores: from one decision to the next; `changed` then has every job whose tasks or requests have
      changed since it was last asked, at first all. Used where every master may start.
    """

    find: Callable[..., int]
    memory: tuple[StateArray, ...] = ()
    keeps_scores: bool = False


@dataclass(frozen=True)
class Policy:
    """An order, a reduce-start rule or an admission rule.

    function: its parameters are, by name, View fields, arrays of its own (memory, terms, facts), its
      parameters as numbers (a choice is its index, NaN what is not given), `view` for all arrays together,
      and the two numbers of its hook (HOOKS):
      order         (node, count) -> position in candidates[:count], or LEAVE
      reduce start  (job, now)    -> ASK, NOT_YET, or how many reduces are to wait
      admission     (job, now)    -> ADMIT or HOLD
    rule: what the chosen request has over the others, to follow "because"; several when there are several
      possible reasons, and then the array named `ground` has the index of the one that applied.
    masters_first: masters come before all requests, and need no other reason.
    terms, facts: what it records of each candidate and of the whole decision; memory: its internal state.
    The rest is what it is capable of (capabilities.py), and, of an order:
    serves_first: it serves the first candidate whatever the others are; the engine then need not find them.
    index: how its choice is found without a list of candidates.
    on_jobs: (job, now), called after a job's first container has started, and with -1 after jobs have
      finished.
    Of a reduce-start rule:
    preempt: (job, now) -> how many reduces to kill, or NO_CHANGE, which it is while a map of the job runs or
      none waits; asked when its windows end. Asked for reduces, such a rule is no sooner than slowstart, nor
      when none is left to ask for.
    reduces_first: the reduces it asks for go before any map of their job.
    """

    name: str
    title: str
    role: str
    function: Callable[..., int]
    source: str
    parameters: tuple[Parameter, ...] = ()
    rule: str | tuple[str, ...] = ""
    ground: str = ""
    masters_first: bool = False
    terms: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = ()
    memory: tuple[StateArray, ...] = ()
    queues: Queues = Queues()
    assignment: Assignment = Assignment()
    defaults: Defaults = Defaults()
    windows: Windows | None = None
    ranked: Ranked | None = None
    masters: Masters = Masters()
    serves_first: bool = False
    index: Index | None = None
    on_jobs: Callable[..., int] | None = None
    preempt: Callable[..., int] | None = None
    reduces_first: bool = False

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(msg("schedulers.policy.name_must_be_small_letters_digits", name=self.name))
        if self.role not in HOOKS:
            raise ValueError(msg("schedulers.policy.role_must_be", role=self.role, hooks=", ".join(HOOKS)))
        if not isinstance(self.function, FunctionType):
            raise ValueError(
                f"the function must be a plain Python function, not {type(self.function).__name__}"
            )
        for array in self.arrays.values():
            _check(array)
        if isinstance(self.rule, tuple) and self.ground not in self.arrays:
            raise ValueError(msg("schedulers.policy.ground_must_name_array_policy_for", ground=self.ground))

    @property
    def arrays(self) -> dict[str, StateArray]:
        """All its arrays by name. ValueError when two of one name differ."""
        arrays_by_name: dict[str, StateArray] = {}
        of_index = self.index.memory if self.index else ()
        for array in (*self.memory, *of_index, *(term.memory for term in (*self.terms, *self.facts))):
            if arrays_by_name.setdefault(array.name, array) != array:
                raise ValueError(
                    msg(
                        "schedulers.policy.array_declared_twice_and",
                        name=array.name,
                        arrays_by_name=arrays_by_name[array.name],
                        array=array,
                    )
                )
        return arrays_by_name


def _check(array: StateArray) -> None:
    if not array.name.isidentifier() or array.name in View.layout.places or array.name in RESERVED:
        raise ValueError(msg("schedulers.policy.array_must_have_name_its_own", name=array.name))
    if array.per not in (RUN, JOB, REQUEST, NODE, QUEUE):
        raise ValueError(
            msg("schedulers.policy.array_must_be_run_job_request", name=array.name, per=array.per)
        )
    if array.kind not in ("float64", "int64", AMOUNTS):
        raise ValueError(
            msg("schedulers.policy.array_must_be_float_or_int", name=array.name, kind=array.kind)
        )


RESOURCES = Parameter(
    "resources",
    "both",
    "which resources must fit and count as capacity: both, or memory as in Hadoop's "
    "DefaultResourceCalculator",
    "Hadoop",
    choices=("both", "memory"),
)
UPDATE_MS = Parameter(
    "update_ms",
    500.0,
    "milliseconds between updates of demand and fair shares, 0: at each heartbeat",
    "Hadoop, yarn.scheduler.fair.update-interval-ms",
    low=0,
    high=1e9,
)
DYNAMIC_MAX_ASSIGN = Parameter(
    "dynamic_max_assign",
    "no",
    "yes: on a heartbeat a node gets containers until they exceed half of what it had available, "
    "regardless of the cluster's containers per heartbeat",
    "Hadoop, yarn.scheduler.fair.dynamic.max.assign with yarn.scheduler.fair.assignmultiple",
    choices=("no", "yes"),
)
LOCALITY_NODE = Parameter(
    "locality_node",
    -1.0,
    "a job with waiting maps skips this part of the nodes before it accepts one that is only on the rack "
    "of a block, -1: none",
    "Hadoop, yarn.scheduler.fair.locality.threshold.node",
    low=-1,
    high=1,
)
LOCALITY_RACK = Parameter(
    "locality_rack",
    -1.0,
    "then it skips this part of the nodes before it accepts one on another rack; -1: none, and no node is "
    "skipped at all",
    "Hadoop, yarn.scheduler.fair.locality.threshold.rack",
    low=-1,
    high=1,
)
NODE_LOCALITY_DELAY = Parameter(
    "node_locality_delay",
    40.0,
    "a job with waiting maps skips this many nodes, at most all of them, before it accepts one that is "
    "only on the rack of a block; -1: it never waits",
    "Hadoop, yarn.scheduler.capacity.node-locality-delay",
    low=-1,
    high=1e6,
)
OFF_SWITCH = Parameter(
    "maximum_offswitch_assignments",
    None,
    "maximum number of containers that a node gets on one heartbeat away from their maps' blocks, or "
    "without blocks; off: no limit",
    "Hadoop, yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments",
    low=1,
    high=1e6,
    none_word="off",
)
RACK_LOCALITY_DELAY = Parameter(
    "rack_locality_additional_delay",
    -1.0,
    "then it skips this many more before it accepts one on another rack; -1: as many as its waiting maps, "
    "fewer if their blocks are on few nodes",
    "Hadoop, yarn.scheduler.capacity.rack-locality-additional-delay",
    low=-1,
    high=1e6,
)
USER_LIMITS = Parameter(
    "user_limits",
    "yes",
    "whether the users of a queue are limited by user-limit-factor and minimum-user-limit-percent",
    "Hadoop, user-limit-factor, minimum-user-limit-percent",
    choices=("no", "yes"),
)
MONITOR = "Hadoop, yarn.resourcemanager.monitor.capacity.preemption."
CAPACITY_PREEMPTION = (
    Parameter(
        "preemption",
        "no",
        "whether the preemption monitor kills containers of queues above their guarantees for queues below "
        "theirs",
        "Hadoop, yarn.resourcemanager.scheduler.monitor.enable",
        choices=("no", "yes"),
    ),
    Parameter(
        "monitoring_interval_ms",
        3000.0,
        "milliseconds between rounds of the preemption monitor",
        f"{MONITOR}monitoring_interval",
        low=1,
        high=1e9,
    ),
    Parameter(
        "max_wait_before_kill_ms",
        15000.0,
        "milliseconds between the round that first chooses a container and the one that may kill it",
        f"{MONITOR}max_wait_before_kill",
        low=0,
        high=1e9,
    ),
    Parameter(
        "total_preemption_per_round",
        0.1,
        "maximum part of the cluster that one round may choose",
        f"{MONITOR}total_preemption_per_round",
        low=0,
        high=1,
    ),
    Parameter(
        "max_ignored_over_capacity",
        0.1,
        "dead zone: a queue above its guarantee by at most this part of it loses nothing",
        f"{MONITOR}max_ignored_over_capacity",
        low=0,
        high=1e6,
    ),
    Parameter(
        "natural_termination_factor",
        0.2,
        "part of what a queue must return that one round chooses, because containers also end by themselves",
        f"{MONITOR}natural_termination_factor",
        low=0,
        high=1,
    ),
)
RESERVATIONS = Parameter(
    "reservations",
    "yes",
    "whether a request that does not fit reserves the node, which then accepts nothing else until it fits",
    "Hadoop",
    choices=("no", "yes"),
)
PREEMPTION = Parameter(
    "preemption",
    "no",
    "whether containers of jobs above their fair share are killed for starved ones",
    "Hadoop, yarn.scheduler.fair.preemption",
    choices=("no", "yes"),
)
UTILIZATION_THRESHOLD = Parameter(
    "utilization_threshold",
    0.8,
    "part of the cluster's memory or vcores that must be in use before containers are killed",
    "Hadoop, yarn.scheduler.fair.preemption.cluster-utilization-threshold",
    low=0,
    high=1,
)
WAIT_BEFORE_KILL_MS = Parameter(
    "wait_before_kill_ms",
    15000.0,
    "milliseconds from the warning of a container to its kill",
    "Hadoop, yarn.scheduler.fair.waitTimeBeforeKill",
    low=1,
    high=1e9,
)
STARVATION_CHECK_MS = Parameter(
    "starvation_check_ms",
    10000.0,
    "milliseconds, in addition to the warning, until a job that got containers may count as starved again",
    "Hadoop, yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck",
    low=0,
    high=1e9,
)
AM_PREEMPTION = Parameter(
    "am_preemption",
    "yes",
    "whether ApplicationMasters may be killed too, when nothing else is enough",
    "Hadoop, yarn.scheduler.fair.am.preemption",
    choices=("no", "yes"),
)
FAIR_PREEMPTION = (PREEMPTION, UTILIZATION_THRESHOLD, WAIT_BEFORE_KILL_MS, STARVATION_CHECK_MS, AM_PREEMPTION)
