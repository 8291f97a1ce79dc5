"""The record a policy file ends with: its name, what it may be told, and its functions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType

ORDER, REDUCE_START, ADMISSION = "order", "reduce start", "admission"
HOOKS = {ORDER: ("node", "count"), REDUCE_START: ("job", "now"), ADMISSION: ("job", "now")}

# Places of the functions that the kernel is given: the three parts', then the windows' of the first two, then the pre-empting one.
FUNCTIONS = 6
ORDER_AT, REDUCE_START_AT, ADMISSION_AT, ORDER_WINDOW, REDUCE_START_WINDOW, PREEMPT = range(FUNCTIONS)
WINDOW_HOOK = ("window", "now")

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
QUEUE_TERMS = 3  # numbers a queue in queue_keys
NOTES, JOBS, REQUESTS, QUEUES = "notes", "job_notes", "request_notes", "queue_keys"  # where a Term lies
PASS_OVER, NO_OVERTAKING, OVERTAKE_ON_ARRIVAL = range(3)  # how masters that an admission rule holds back stand in line


@dataclass(frozen=True)
class Parameter:
    """One parameter of a policy. Either `choices`, or a number from `low` to `high` but `never`; source is paper, Hadoop or ours.

    default None: not given (the policy reads NaN). words: what may stand for None, such as auto.
    """

    name: str
    default: float | str | None
    meaning: str
    source: str
    choices: tuple[str, ...] = ()
    low: float = float("-inf")
    high: float = float("inf")
    never: float | None = None
    words: str = ""


@dataclass(frozen=True)
class Term:
    """A number that a policy computes on its way to an answer and leaves in its memory, for people.

    where, row: NOTES and the place there; else the row of JOBS, REQUESTS or QUEUES. What lies in REQUESTS is of one decision.
    about: a sentence. unit: "" for a plain number, "share", "ms", "per ms", "MB" or a plural noun.
    sense: -1 when the least of all candidates goes first, 1 the most, 0 when it does not decide by itself.
    shared: a job's in a leaf that shares, which one that is first in, first out does not ask.
    strip: of the curves of those drawn over time, the one it stands in; "" when it is not drawn.
    """

    name: str
    title: str
    where: str
    row: int
    about: str
    unit: str = ""
    sense: int = 0
    shared: bool = False
    strip: str = ""


@dataclass(frozen=True)
class Policy:
    """An order, a reduce-start rule or an admission rule.

    function: named parameters are View fields and the two numbers of its hook (HOOKS):
      order         (node, count) -> position in candidates[:count], or LEAVE
      reduce start  (job, now)    -> ASK, NOT_YET, or how many reduces are to wait
      admission     (job, now)    -> ADMIT or HOLD
    rule: what the chosen request has over the others, to follow "because"; several when the answer has several grounds, and
      then notes[ground] says which it was. masters_first: masters come before all requests, and need no other ground.
    limits: which limits of queues the engine holds for it: "", "max_share" or "max_capacity".
    notes, job_notes, request_notes, node_notes: how many float64 of its own memory it needs, in all and for each of those.
    window, on_window: the parameter that gives a window's seconds, and a function (window in ms, now) -> CALM when this end of
      a window changed nothing, asked at every multiple of it (model 6).
    preempt: of a reduce-start rule that is looked at when its windows end, (job, now) -> how many reduces to kill, or CALM.
    reduces_first: the reduces it asks for go before any map of their job.
    line: PASS_OVER, NO_OVERTAKING or OVERTAKE_ON_ARRIVAL, of an admission rule.
    brings: the reduce-start rule an order is made with.
    terms, facts: what it left of each candidate and of the whole decision.
    """

    name: str
    title: str
    role: str
    function: Callable[..., int]
    source: str
    parameters: tuple[Parameter, ...] = ()
    rule: str | tuple[str, ...] = ""
    ground: int = 0
    masters_first: bool = False
    limits: str = ""
    notes: int = 0
    job_notes: int = 0
    request_notes: int = 0
    node_notes: int = 0
    window: str = ""
    on_window: Callable[..., int] | None = None
    preempt: Callable[..., int] | None = None
    reduces_first: bool = False
    line: int = PASS_OVER
    brings: str = ""
    terms: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = ()

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"the name {self.name!r} must be small letters, digits and hyphens")
        if self.role not in HOOKS:
            raise ValueError(f"the role {self.role!r} must be {', '.join(HOOKS)}")
        if not isinstance(self.function, FunctionType):
            raise ValueError(f"the function must be a plain Python function, not {type(self.function).__name__}")
        rooms = {NOTES: self.notes, JOBS: self.job_notes, REQUESTS: self.request_notes, QUEUES: QUEUE_TERMS}
        for term in (*self.terms, *self.facts):
            if term.row >= rooms[term.where]:
                raise ValueError(f"the term {term.name!r} is row {term.row} of {term.where}, and the policy asks for {rooms[term.where]} of them")


RESOURCES = Parameter(
    "resources",
    "both",
    "what must fit and what capacity counts: both, or memory alone as Hadoop's DefaultResourceCalculator",
    "Hadoop",
    choices=("both", "memory"),
)
