"""Values as Hadoop's Configuration files write them: numbers, flags."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind

NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,60}(?:\.[0-9]{0,60})?|\.[0-9]{1,60})(?:[eE][+-]?[0-9]{1,3})?[fFdD]?", re.ASCII
)
WHOLE = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
# FairSchedulerUtilities.WHITESPACE_TABLE: what FairScheduler cuts off the name of a queue
AROUND_NAMES = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


class NotModelled(Exception):
    """A value that Hadoop takes and this model has no place for; its text goes on after the property's
    name.
    """


class Taken(NamedTuple):
    """A value that is not quite what is written, and what is told of that."""

    value: Any
    why: str
    kind: NoteKind = NoteKind.NEAR


@dataclass(frozen=True)
class Size:
    """Memory in MB and vcores, such as the whole cluster's."""

    memory_mb: int
    vcores: int


@dataclass(frozen=True)
class Codec:
    """How a value is read, parse(text, size of the cluster), and written. It may be `Taken`. ValueError says
    what the text must be, NotModelled why it is not used.
    """

    parse: Callable[[str, Size], Any]
    format: Callable[[Any], str]

    def value(self, text: str, size: Size) -> Any:
        """What the text is taken for, whatever is told of it."""
        taken = self.parse(text, size)
        return taken.value if isinstance(taken, Taken) else taken


def parse_number(text: str) -> float:
    """A number as Java's Float.parseFloat reads it, but finite. ValueError for anything else."""
    text = text.strip()
    if not NUMBER.fullmatch(text) or abs(value := float(text.rstrip("fFdD"))) == float("inf"):
        raise ValueError(msg("scenario.value_parsing.must_be_number", quoted=quoted(text)))
    return value


def parse_int(text: str) -> int:
    """A whole number. ValueError for anything else."""
    if not WHOLE.fullmatch(text.strip()):
        raise ValueError(msg("scenario.value_parsing.must_be_whole_number", quoted=quoted(text)))
    return int(text)


def parse_bool(text: str) -> bool:
    """true or false. ValueError for anything else, where Hadoop would silently take its default."""
    if text.strip().lower() not in ("true", "false"):
        raise ValueError(msg("scenario.value_parsing.must_be_true_or_false", quoted=quoted(text)))
    return text.strip().lower() == "true"


def format_plain(value: Any) -> str:
    """A number or flag as a file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)


def quoted(text: str) -> str:
    """A value of an untrusted file, quoted and cut for a sentence."""
    text = text.strip()
    return repr(text if len(text) <= 60 else text[:59] + "…")


def other_resources(text: str) -> list[str]:
    """The resources of another kind that a text names, such as yarn.io/gpu in memory-mb=1024, vcores=1,
    yarn.io/gpu=2.
    """
    return [
        name
        for part in text.strip(" []").split(",")
        if "/" in (name := part.partition("=")[0].strip()) and "=" in part
    ]


def is_share(text: str) -> bool:
    """Whether a resource is given as a part of the cluster."""
    return "%" in text


NUMBERS = Codec(lambda text, size: parse_number(text), format_plain)
WHOLES = Codec(lambda text, size: parse_int(text), format_plain)
FLAGS = Codec(lambda text, size: parse_bool(text), format_plain)
# an access list: the space before the groups counts, where no user stands before it too
ACL = Codec(lambda text, size: text, str)
UNIT = Codec(lambda text, size: max(0.0, min(parse_number(text), 1.0)), format_plain)
YES_OR_NO = Codec(
    lambda text, size: "yes" if parse_bool(text) else "no", lambda value: format_plain(value == "yes")
)
