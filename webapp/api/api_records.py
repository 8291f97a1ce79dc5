"""What the API takes and answers: each record declares its fields and limits, which its OpenAPI document
shows.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from webapp.jobs.page_request import Axis, Number, PageRequest
from webapp.jobs.studies import MAX_VALUES
from webapp.url.links import MAX_SENTENCE_CHARS
from webapp.url.url_state import MAX_SCHEDULERS

SchedulerText = Annotated[str, Meta(max_length=300, examples=["fair"])]
Schedulers = Annotated[tuple[SchedulerText, ...], Meta(min_length=1, max_length=MAX_SCHEDULERS)]
ScenarioValues = Annotated[
    dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/Scenario"})
]  # whose faults the engine tells, all at once
# the length: in Python $ also stands before a line's end
RunId = Annotated[str, Meta(pattern="^[0-9a-f]{16}-[0-9a-f]{16}$", max_length=33)]
SweepId = Annotated[str, Meta(pattern="^[0-9a-f]{32}-[0-9a-f]{16}$", max_length=49)]


class RunBody(PageRequest, frozen=True, forbid_unknown_fields=True):
    """A scenario to run under schedulers, by their names as the command line takes them."""

    scenario: ScenarioValues
    schedulers: Schedulers


class CheckBody(PageRequest, frozen=True, forbid_unknown_fields=True):
    """What is checked: any JSON value, which may be no scenario."""

    scenario: Any
    schedulers: Schedulers = ("fifo",)


class SweepBody(PageRequest, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A study: one or two numbers of a scenario moved through at most `values` of their steps, each point
    over so many seeds. jitter: coefficient of variation of durations that have none.
    """

    scenario: ScenarioValues
    schedulers: Schedulers
    vary: Annotated[tuple[Axis, ...], Meta(min_length=1, max_length=2)]
    seeds: Annotated[int, Meta(ge=1)] = 1
    jitter: Number = 0
    values: Annotated[int, Meta(ge=2, le=MAX_VALUES)] = 100


class LinkBody(PageRequest, frozen=True, forbid_unknown_fields=True):
    """A finished run to share; read_only: it opens without writing over what its reader has."""

    run: RunId
    sentence: Annotated[str, Meta(max_length=MAX_SENTENCE_CHARS)] = ""
    read_only: bool = False


class ExplainQuery(PageRequest, frozen=True):
    """container: JOB/STAGE/KIND/INDEX[/ATTEMPT], as in the result; scheduler: empty is the first."""

    container: Annotated[str, Meta(min_length=1, max_length=400)]
    scheduler: SchedulerText = ""


class ResultQuery(PageRequest, frozen=True):
    """table: which CSV."""

    table: Literal["runs", "jobs", "containers"] = "runs"


class FaultRecord(msgspec.Struct):
    """path: of JSON, $ is the whole; message: what would be right."""

    path: str
    message: str


class Problem(msgspec.Struct):
    """RFC 9457; detail: one sentence; faults: of a scenario, every one."""

    title: str
    status: int
    detail: str
    type: str = "about:blank"
    faults: list[FaultRecord] | UnsetType = UNSET


class Checked(msgspec.Struct):
    """containers: that it asks for, 0 of a faulty one."""

    valid: bool
    containers: int
    faults: list[FaultRecord]


class Status(msgspec.Struct):
    """How far it is: done of total steps, now names the one under way; ahead: how many wait before it;
    remaining_s: about so long it takes, null where nobody knows; because: why it failed or was ended; result:
    the address of what came of it, null until it is there.
    """

    id: str
    state: Literal["queued", "running", "finished", "cancelled", "failed"]
    done: int
    total: int
    now: str
    ahead: int
    remaining_s: float | None
    because: str
    result: str | None


class MadeLink(msgspec.Struct):
    """address: of the page, after this server's own."""

    id: str
    address: str


class ParameterRecord(msgspec.Struct):
    """low, high: null without a bound; choices: empty of a number; default: null where it is not given."""

    name: str
    meaning: str
    default: float | str | None
    choices: tuple[str, ...]
    low: float | None
    high: float | None


class PolicyRecord(msgspec.Struct):
    """role: order, reduce start or admission; a scheduler's name joins one of each by +."""

    role: str
    name: str
    title: str
    source: str
    parameters: list[ParameterRecord]
