"""The small types a scenario is made of: numbers with limits, times, distributions.

Limits keep the integer clock and the resource sums far from overflow; they lie well beyond any cluster that
exists.
"""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
)

from engine.codes import NO_AM_LIMIT
from engine.messages import msg
from engine.scenario.scenario_limits import MAX_NAME_LENGTH

MAX_SECONDS = 1e8
MAX_RESOURCE = 10**9
MAX_COUNT = 10**7
MAX_NUMBER = 1e9
LONE_SURROGATE = msg("scenario.field_types.holds_half_character_lone_surrogate_which")


def milliseconds(seconds: float) -> int:
    """The clock's unit: floor(1000 x + 0.5), as the contract says."""
    return math.floor(1000.0 * seconds + 0.5)


class Value(BaseModel):
    """A frozen part of a scenario; fields named x_... are kept untouched, others unknown are faults."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow", allow_inf_nan=False)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def has_lone_surrogate(value: Any) -> bool:
    """Whether a text, or one in a JSON value, can't be written: it holds half of a character."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError:
        return True
    return False


def _text(value: str) -> str:
    if "\0" in value:
        raise ValueError(msg("scenario.field_types.must_hold_no_nul_which_neither"))
    if has_lone_surrogate(value):
        raise ValueError(LONE_SURROGATE)
    return value


def _name(value: str) -> str:
    if not value.strip():
        raise ValueError(msg("scenario.field_types.must_not_be_empty"))
    if "/" in value:
        raise ValueError(msg("scenario.field_types.must_hold_no"))
    return _text(value)


def _unsigned_zero(value: float) -> float:
    return value + 0.0  # -0.0 becomes 0.0, so that equal scenarios have equal bytes


def _master_share(value: float) -> float:
    if value < 0 and value != NO_AM_LIMIT:
        raise ValueError(msg("scenario.field_types.must_be_from_to_or_for"))
    return _unsigned_zero(value)


Whole = Annotated[int, BeforeValidator(_whole)]
Count = Annotated[Whole, Field(ge=1, le=MAX_COUNT)]
CountOrZero = Annotated[Whole, Field(ge=0, le=MAX_COUNT)]
Amount = Annotated[Whole, Field(ge=1, le=MAX_RESOURCE)]
Share = Annotated[Whole, Field(ge=0, le=MAX_RESOURCE)]
Seconds = Annotated[float, Field(ge=0, le=MAX_SECONDS), AfterValidator(_unsigned_zero)]
Milliseconds = Annotated[Whole, Field(ge=0, le=10**9)]
Fraction = Annotated[float, Field(ge=0, le=1), AfterValidator(_unsigned_zero)]
MasterShare = Annotated[float, Field(le=1), AfterValidator(_master_share)]
Percent = Annotated[float, Field(ge=0, le=100), AfterValidator(_unsigned_zero)]
Positive = Annotated[float, Field(gt=0, le=MAX_NUMBER)]
NotNegative = Annotated[float, Field(ge=0, le=MAX_NUMBER), AfterValidator(_unsigned_zero)]
WholePercent = Annotated[Percent, AfterValidator(_whole)]  # one that was whole before it could be a part
Text = Annotated[str, AfterValidator(_text)]
Acl = Annotated[str, Field(max_length=10_000), AfterValidator(_text)]
Name = Annotated[str, Field(max_length=MAX_NAME_LENGTH), AfterValidator(_name)]


class Spread(Value):
    """`normal` or `lognormal`, by the mean and standard deviation of the duration itself, in seconds."""

    dist: Literal["normal", "lognormal"]
    mean: Annotated[float, Field(gt=0, le=MAX_SECONDS)]
    sd: Seconds


class Uniform(Value):
    """Evenly between `low` and `high` seconds."""

    dist: Literal["uniform"]
    low: Seconds
    high: Seconds


class Exponential(Value):
    """Exponential with this mean in seconds."""

    dist: Literal["exponential"]
    mean: Annotated[float, Field(gt=0, le=MAX_SECONDS)]


class Listed(Value):
    """One value a task, in seconds, reused in each iteration and copy."""

    values: Annotated[list[Seconds], Field(min_length=1, fail_fast=True)]


TAG_BY_DISTRIBUTION = {
    "normal": "spread",
    "lognormal": "spread",
    "uniform": "uniform",
    "exponential": "exponential",
}


def _duration_tag(value: Any) -> str:
    if isinstance(value, BaseModel):
        return type(value).__name__.lower()
    if not isinstance(value, dict):
        return "number"
    return "listed" if "values" in value else TAG_BY_DISTRIBUTION.get(str(value.get("dist")), "spread")


Duration = Annotated[
    Annotated[Seconds, Tag("number")]
    | Annotated[Spread, Tag("spread")]
    | Annotated[Uniform, Tag("uniform")]
    | Annotated[Exponential, Tag("exponential")]
    | Annotated[Listed, Tag("listed")],
    Discriminator(_duration_tag),
]
SecondsOrDistribution = Annotated[
    Annotated[Seconds, Tag("number")]
    | Annotated[Spread, Tag("spread")]
    | Annotated[Uniform, Tag("uniform")]
    | Annotated[Exponential, Tag("exponential")],
    Discriminator(_duration_tag),
]
DURATION_TAGS = {"number", "spread", "uniform", "exponential", "listed"}
