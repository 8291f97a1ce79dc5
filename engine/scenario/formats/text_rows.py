"""Lines of text with columns, in a file of any size: a line that can't be read is told with its number, and
the others are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.formats.import_notes import LeftOut, Notes
from engine.scenario.formats.json_stream import Source

MAX_LINE_BYTES = 65_536  # bytes of a line
FIRST_LINES = 200  # in which a format is looked for
WHOLE = re.compile(rb"[+-]?[0-9]{1,15}")
DECIMAL = re.compile(rb"[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")
SMALL = re.compile(rb"[0-9](\.[0-9]{1,15})?e-[0-9]{1,2}")  # as floats are written: 9.5e-05


def iter_lines(source: Source) -> Iterator[tuple[int, bytes, bool]]:
    """Each line's number from 1, its bytes without blanks around them, of one that is too long no more than
    its beginning, and whether it has an end.
    """
    number, partial, is_too_long = 1, b"", False
    while part := source.read():
        *lines, tail = part.split(b"\n")
        for line in lines:
            yield number, (partial if is_too_long else partial + line).strip(b" \r"), True
            number, partial, is_too_long = number + 1, b"", False
        if not is_too_long:
            partial += tail
            is_too_long = len(partial) > MAX_LINE_BYTES
            partial = partial[: MAX_LINE_BYTES + 1]
    if partial:
        yield number, partial.strip(b" \r"), False


def for_each_row(source: Source, take: Callable[[bytes], bool], notes: Notes) -> None:
    """Hands every line that is not empty to `take`, which says whether it is a row, or raises FormatError for
    one that it can't read.

    Those are left out: the first is told with its number and its reason, the others are counted. FormatError
    where no row could be read; TooLarge, from `take`, gets the line's number before it.
    """
    left_out, row_count = LeftOut("line"), 0
    for number, line, is_terminated in iter_lines(source):
        try:
            if not line.strip():
                continue
            if len(line) > MAX_LINE_BYTES:
                raise FormatError(
                    msg("scenario.text_rows.line_more_than_bytes", max_line_bytes=MAX_LINE_BYTES)
                )
            if b"\0" in line:
                raise FormatError(msg("scenario.text_rows.nul_which_no_text_holds"))
            if take(line):
                row_count += 1
                if not is_terminated:
                    notes.add(msg("scenario.text_rows.line_has_no_end_may_be", number=number))
        except FormatError as error:
            left_out.add(msg("scenario.text_rows.line", number=number, error=error))
        except TooLarge as error:
            raise TooLarge(msg("scenario.text_rows.line", number=number, error=error)) from None
    if left_out.first_fault and not row_count:
        raise FormatError(left_out.first_fault)
    left_out.tell(notes)


def first_lines(head: bytes) -> list[bytes]:
    """The lines that a file begins with, without empty ones; the last may be cut off."""
    return [line for line in head[:MAX_LINE_BYTES].split(b"\n", FIRST_LINES)[:FIRST_LINES] if line.strip()]


def parse_int(column: bytes, noun: str) -> int:
    """A whole number; FormatError, by `noun` it is, for anything else."""
    if not WHOLE.fullmatch(column):
        raise FormatError(msg("scenario.text_rows.must_be_whole_number", noun=noun, quoted=quoted(column)))
    return int(column)


def quoted(column: bytes) -> str:
    """A column for a sentence, of a length that fits there."""
    text = column.decode("utf-8", "replace")
    return repr(text if len(text) <= 60 else f"{text[:57]}…")


def split_columns(line: bytes, expected: int) -> list[bytes]:
    """The columns between commas; FormatError where they are not so many."""
    columns = line.split(b",", expected)
    if len(columns) != expected:
        raise FormatError(msg("scenario.text_rows.got_columns", columns=len(columns), expected=expected))
    return columns


def amount(column: bytes, noun: str, maximum: float) -> float:
    """A number from 0 on, 0 where the column is empty; FormatError, by `noun` it is, for anything else."""
    is_number = DECIMAL.fullmatch(column) or SMALL.fullmatch(column)
    if column and not (is_number and 0 <= float(column) <= maximum):
        raise FormatError(
            msg("scenario.text_rows.must_be_from_zero", noun=noun, quoted=quoted(column), maximum=maximum)
        )
    return float(column or b"0")
