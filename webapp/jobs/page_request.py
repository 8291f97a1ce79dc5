"""Records that a page sends as JSON: each field is declared with its type and limits, and whatever else comes
is refused in a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta

from engine import ScenarioError
from engine.dashboard import Fault, Range
from webapp.messages import msg

MAX_CHANGES = 20
MAX_STEPS = 10_000  # of a range
MAX_NUMBER = 1e300
MAX_REASON_CHARS = 200  # characters of why a record can't be read, which may cite it
Number = (
    Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)] | Annotated[float, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]
)
Changes = tuple[tuple[str, float | str], ...]  # paths with their values


class PageRequest(msgspec.Struct, frozen=True):
    """What a page sends."""

    @classmethod
    def of(cls, data: Any) -> Self:
        """From what the page sent, which may be anything; ScenarioError for what is none."""
        return parse(data, cls)

    @classmethod
    def find(cls, data: Any) -> Self | None:
        """The same, None for what is none."""
        try:
            return cls.of(data)
        except ScenarioError:
            return None

    def plain(self) -> dict[str, Any]:
        """As JSON values, which `of` reads again."""
        return msgspec.to_builtins(self)


def parse(data: Any, form: Any) -> Any:
    """JSON values, which may be anything, as this type; ScenarioError with the first fault."""
    try:
        return msgspec.convert(data, form)
    except (msgspec.MsgspecError, ValueError) as error:  # ValueError: text that is no Unicode
        reason, _, place = str(error).replace("`", "").partition(" - at ")
        path = place.rpartition("$")[2].removeprefix(".")
        reason = f"{reason[:1].lower()}{reason[1:MAX_REASON_CHARS]}"
        fault = Fault(path or "request", msg("jobs.page_request.cant_be_read", reason=reason))
        raise ScenarioError([fault]) from None


class Change(PageRequest, frozen=True):
    """A number or choice, by its path, and what it is changed to."""

    path: str
    value: Number | Annotated[str, Meta(max_length=40)]


ChangeList = Annotated[tuple[Change, ...], Meta(max_length=MAX_CHANGES)]


def parse_changes(data: Any) -> Changes:
    """Pairs of a path and a value, from what the page sent, which may be anything; ScenarioError for what is
    none.
    """
    return change_pairs(parse(data, ChangeList))


def change_pairs(changes: Sequence[Change]) -> Changes:
    """Changes as the engine takes them."""
    return tuple((change.path, change.value) for change in changes)


class Axis(PageRequest, frozen=True, kw_only=True):
    """A number by its path that is moved through its range; present: its value now."""

    path: str
    first: Number
    last: Number
    step: Number
    present: Number | None = None

    def __post_init__(self) -> None:
        if self.first > self.last or self.step <= 0:
            raise ScenarioError([Fault("range", msg("jobs.page_request.must_have_two_ends_first_not"))])
        if (self.last - self.first) / self.step > MAX_STEPS:
            raise ScenarioError(
                [Fault("range", msg("jobs.page_request.must_have_at_most_steps", max_steps=MAX_STEPS))]
            )

    @property
    def range(self) -> Range:
        """From first to last in steps."""
        return Range(self.first, self.last, self.step)
