"""Lines of text with columns, in a file of any size: a line that can't be read is told with its number, and the others are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.stream import Source

LONGEST = 65_536  # bytes of a line
FIRST_LINES = 200  # in which a format is looked for
WHOLE = re.compile(rb"[+-]?[0-9]{1,15}")
DECIMAL = re.compile(rb"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")


def each_line(source: Source) -> Iterator[tuple[int, bytes, bool]]:
    """Each line's number from 1, its bytes without blanks around them, of one that is too long no more than its beginning, and whether it has an end."""
    number, rest, longer = 1, b"", False
    while part := source.read():
        *lines, last = part.split(b"\n")
        for line in lines:
            yield number, (rest if longer else rest + line).strip(b" \r"), True
            number, rest, longer = number + 1, b"", False
        if not longer:
            rest += last
            longer = len(rest) > LONGEST
            rest = rest[: LONGEST + 1]
    if rest:
        yield number, rest.strip(b" \r"), False


def each_row(source: Source, take: Callable[[bytes], bool], notes: Notes) -> None:
    """Hands every line that is not empty to `take`, which says whether it is a row, or raises FormatError for one that it can't read.

    Those are left out: the first is told with its number and its reason, the others are counted. FormatError where no row could be read;
    TooLarge, from `take`, gets the line's number before it.
    """
    first, wrong, good = "", 0, 0
    for number, line, ended in each_line(source):
        try:
            if not line.strip():
                continue
            if len(line) > LONGEST:
                raise FormatError(f"a line of more than {LONGEST:,} bytes")
            if b"\0" in line:
                raise FormatError("a NUL, which no text holds")
            if take(line):
                good += 1
                if not ended:
                    notes.say(f"line {number} has no end: it may be cut off")
        except FormatError as error:
            first, wrong = first or f"line {number}: {error}", wrong + 1
        except TooLarge as error:
            raise TooLarge(f"line {number}: {error}") from None
    if wrong and not good:
        raise FormatError(first)
    if wrong:
        others = f", and so {'is 1 more line that' if wrong == 2 else f'are {wrong - 1:,} more lines that'} can't be read" if wrong > 1 else ""
        notes.say(f"{first}: it is left out{others}")


def first_lines(head: bytes) -> list[bytes]:
    """The lines that a file begins with, without empty ones; the last may be cut off."""
    return [line for line in head[:LONGEST].split(b"\n", FIRST_LINES)[:FIRST_LINES] if line.strip()]


def whole_of(column: bytes, what: str) -> int:
    """A whole number; FormatError, by `what` it is, for anything else."""
    if not WHOLE.fullmatch(column):
        raise FormatError(f"{what}: {shown(column)} must be a whole number")
    return int(column)


def shown(column: bytes) -> str:
    """A column for a sentence, of a length that fits there."""
    text = column.decode("utf-8", "replace")
    return repr(text if len(text) <= 60 else f"{text[:57]}…")
