"""JSON objects one after another in a file of any size, packed or plain: only what a shape names is kept.

A shape is a dict: a key with LEAF keeps a number or text, a key with a shape keeps an object, a key with
`ListOf` hands a list's objects one by one to a fold. Whatever the shape does not name is passed over without
being built, so memory stays with what the folds keep, however long the lists are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NoReturn

import ijson

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.formats.import_notes import LeftOut, Notes
from engine.scenario.formats.packed_streams import (
    CUT_OFF,
    DAMAGED,
    ByteStream,
    Damaged,
    packing,
    unpacked_head,
)
from engine.scenario.formats.time_window import ALL_JOBS, Part

LEAF = object()
HEAD_BYTES = 65_536
MAX_INTEGER = 10**15
MAX_DIGITS = 500
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WHOLE = re.compile(r"[+-]?[0-9]{1,16}", re.ASCII)


@dataclass(frozen=True)
class ListOf:
    """A list of objects of `shape`; stands for `fold()` after its `add` has been given every one of them.

    is_part: those that can't be read are left out of it; else what it stands in can't be read.
    """

    shape: dict[str, Any]
    fold: Callable[[], Any]
    is_part: bool = False


def leaf_fields(*keys: str) -> dict[str, Any]:
    """A shape that keeps numbers and texts under these keys."""
    return dict.fromkeys(keys, LEAF)


class BrokenFile(FormatError):
    """A file of which nothing can be read on from here."""


class Source:
    """The decompressed bytes of a file, read forward only; `head` is its beginning as it lies in the file.

    TooLarge when more than `max_bytes` come out, FormatError when packed data is broken or cut off, or at a
    number of thousands of digits: ijson's C parser does not check that int() took them, and the process would
    die.
    max_tasks: how many of them a batch may be given, for a line of text may stand for millions; part:
    which of its jobs are read; is_json: whether ijson reads it; job_settings: what its jobs have
    that say nothing themselves.
    """

    def __init__(
        self,
        stream: ByteStream,
        max_bytes: int | None = None,
        max_tasks: int | None = None,
        is_json: bool = True,
        part: Part = ALL_JOBS,
        job_settings: JobSettings | None = None,
    ) -> None:
        self.head = _read_fully(stream, HEAD_BYTES)
        self.count = 0
        self.is_ended = False
        self.max_tasks, self.part = max_tasks, part
        self.job_settings = job_settings or JobSettings()
        self._of_json = is_json
        self._max_bytes = max_bytes
        prefixed = PrefixedStream(self.head, stream)
        found = packing(self.head, prefixed)
        self._packing = found.name if found else ""
        self._read_some: Callable[[int], bytes] = found.read_some if found else prefixed.read
        self._fault: BrokenFile | None = None

    def read(self, size: int = HEAD_BYTES) -> bytes:
        """`size` bytes, fewer only at the end, where none are left, or before the place where the data is
        broken.
        """
        data = self._read_unpacked(size)
        if not self.count and data.startswith(BYTE_ORDER_MARK):
            data = data[len(BYTE_ORDER_MARK) :] or self._read_unpacked(size)
        if self._of_json and has_long_number(data):
            raise BrokenFile(
                msg(
                    "scenario.json_stream.number_more_than_digits_after_bytes",
                    max_digits=MAX_DIGITS,
                    count=self.count,
                )
            )
        self.count += len(data)
        self.is_ended = not data
        if self._max_bytes is not None and self.count > self._max_bytes:
            raise TooLarge(
                msg("scenario.json_stream.file_holds_more_than_bytes_text", max_bytes=self._max_bytes)
            )
        return data

    def _read_unpacked(self, size: int) -> bytes:
        """What can be unpacked of so many bytes; FormatError where that is nothing, as the rest is cut off or
        broken.
        """
        parts, remaining = [], size
        while remaining and not self._fault:
            try:
                part = self._read_some(remaining)
            except EOFError:
                self._fault = BrokenFile(
                    msg("scenario.json_stream.packed_file_truncated", packing=self._packing)
                )
            except Damaged:
                self._fault = BrokenFile(
                    msg("scenario.json_stream.packed_data_broken", packing=self._packing)
                )
            else:
                if not part:
                    break
                parts.append(part)
                remaining -= len(part)
        if self._fault and not parts:
            raise BrokenFile(
                msg("scenario.json_stream.after_bytes_text", fault=self._fault, count=self.count)
            )
        return b"".join(parts)


def unpacked(head: bytes) -> bytes:
    """What a file begins with, packed or plain, as far as the packed data is whole."""
    return unpacked_head(head, HEAD_BYTES).data.removeprefix(BYTE_ORDER_MARK)


def is_broken_at_once(head: bytes) -> bool:
    """Whether nothing of a packed file can be unpacked, as it is damaged or cut off there; head: HEAD_BYTES
    of it, fewer of a shorter file.
    """
    data, fault = unpacked_head(head, HEAD_BYTES)
    return not data and (fault == DAMAGED or (fault == CUT_OFF and len(head) < HEAD_BYTES))


def has_long_number(data: bytes) -> bool:
    """Whether digits fill an aligned block: true for any 1,000 in a row, as fast as the blocks can be cut."""
    return any(
        data[start : start + MAX_DIGITS].isdigit()
        for start in range(0, len(data) - MAX_DIGITS + 1, MAX_DIGITS)
    )


def for_each_object(
    source: Source, shape: dict[str, Any], take: Callable[[dict], bool], notes: Notes, noun: str = "job"
) -> None:
    """Hands every object of the file, a job (or another noun) read as `shape`, to `take`, which says whether
    it has made one of it, or raises FormatError for one that it can't read.

    Those are left out, as are such elements of lists that are parts: the first is told with its place and its
    reason, the others are counted. FormatError, with the number of the job, where none could be read, and
    where the file is broken.
    """
    reader, taken, number = _ObjectReader(), 0, 0
    left_out = LeftOut(noun)
    try:
        events = ijson.basic_parse(source, multiple_values=True, buf_size=HEAD_BYTES)
        for event, _ in events:
            number += 1
            reader.position = f"{noun} {number}"
            if event != "start_map":
                raise BrokenFile(msg("scenario.json_stream.expected_object_file_has_objects_one"))
            try:
                taken += take(reader.fields(events, shape))
            except BrokenFile:
                raise
            except FormatError as error:
                left_out.add(f"{reader.position}: {error}")
    except BrokenFile as error:
        raise FormatError(f"{noun} {max(number, 1)}: {error}") from None
    except (ijson.JSONError, ValueError, ArithmeticError) as error:
        raise_json_error(error, source, f"{noun} {max(number, 1)}")
    if not taken and (fault := left_out.first_fault or reader.parts.first_fault):
        raise FormatError(fault)
    reader.parts.tell(notes)
    left_out.tell(notes)


def int_value(value: Any, key: str) -> int | None:
    """A whole number, also when written as text, as Hadoop reads it; None for null or nothing. FormatError
    for all else.
    """
    if type(value) is int and -MAX_INTEGER <= value <= MAX_INTEGER:
        return value
    if value is None:
        return None
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value)
    if (
        isinstance(value, Decimal)
        and -MAX_INTEGER <= value <= MAX_INTEGER
        and value == value.to_integral_value()
    ):
        return int(value)
    raise FormatError(msg("scenario.json_stream.must_be_whole_number", key=key, quoted=_quoted(value)))


def text_value(value: Any, key: str) -> str | None:
    """A text without blanks around it, a number as text; None for null, nothing or blanks. FormatError for
    all else.
    """
    if isinstance(value, (bool, dict, list)):
        raise FormatError(msg("scenario.json_stream.must_be_text", key=key, quoted=_quoted(value)))
    return None if value is None else str(value).strip() or None


class _ObjectReader:
    """Reads objects by their shapes; `parts`: elements of lists that can't be read; position: of the object,
    for sentences.
    """

    def __init__(self) -> None:
        self.parts = LeftOut("task")
        self.position = ""

    def fields(self, events: Iterator, shape: dict[str, Any]) -> dict[str, Any]:
        """The values of the object that has begun. FormatError after all of it, with the first fault."""
        fields, fault = {}, None
        for event, key in events:
            if event == "end_map":
                break
            inner = shape.get(key)
            if inner is None:
                _skip_value(events)
                continue
            try:
                fields[key] = self._value(events, inner, key)
            except BrokenFile:
                raise
            except FormatError as error:
                fault = fault or error
        if fault:
            raise fault
        return fields

    def _value(self, events: Iterator, shape: Any, key: str) -> Any:
        event, value = next(events)
        if event == "null":
            return None
        if isinstance(shape, ListOf) and event == "start_array":
            return self._each(events, shape, key)
        if isinstance(shape, dict) and event == "start_map":
            return self.fields(events, shape)
        if event in ("start_map", "start_array"):
            _skip_container(events)
        elif shape is LEAF:
            return value
        if shape is LEAF:
            raise FormatError(
                msg(
                    "scenario.json_stream.got_expected_number_or_text",
                    key=key,
                    value="an object" if event == "start_map" else "a list",
                )
            )
        if isinstance(shape, ListOf):
            raise FormatError(msg("shared.must_be_list", key=key))
        raise FormatError(msg("scenario.json_stream.must_be_object", key=key))

    def _each(self, events: Iterator, each: ListOf, key: str) -> Any:
        fold, fault = each.fold(), None
        for index, (event, _) in enumerate(events):
            if event == "end_array":
                break
            try:
                if event == "start_map":
                    fold.add(self.fields(events, each.shape))
                    continue
                if event == "start_array":
                    _skip_container(events)
                raise FormatError(msg("scenario.json_stream.expected_object"))
            except BrokenFile:
                raise
            except FormatError as error:
                fault = fault or FormatError(f"{key}[{index}]: {error}")
                if each.is_part:
                    self.parts.add(f"{self.position}: {key}[{index}]: {error}")
        if fault and not each.is_part:
            raise fault
        return fold


def _skip_value(events: Iterator) -> None:
    if next(events)[0] in ("start_map", "start_array"):
        _skip_container(events)


def _skip_container(events: Iterator) -> None:
    """Past the object or list that has begun."""
    depth = 1
    for event, _ in events:
        if event in ("start_map", "start_array"):
            depth += 1
        elif event in ("end_map", "end_array"):
            depth -= 1
        if not depth:
            return


def raise_json_error(error: Exception, source: Source, position: str) -> NoReturn:
    if source.is_ended:
        raise FormatError(
            msg("scenario.json_stream.file_cut_off_ends_in_middle", position=position, count=source.count)
        ) from None
    message = error.args[0] if error.args else ""
    lines = (
        (message.decode("ascii", "replace") if isinstance(message, bytes) else str(message))
        .strip()
        .splitlines()
    )
    reason = lines[0].rstrip(" .") if lines else msg("scenario.json_stream.value_cant_be_read")
    raise FormatError(
        msg(
            "scenario.json_stream.not_json_within_first_bytes",
            position=position,
            count=source.count,
            reason=reason,
        )
    ) from None


def _quoted(value: Any) -> str:
    if isinstance(value, (dict, list)):
        return msg("shared.object") if isinstance(value, dict) else msg("shared.list")
    quoted = repr(value) if isinstance(value, str) else str(value).lower()
    return quoted if len(quoted) <= 60 else quoted[:57] + "…"


def _read_fully(stream: ByteStream, size: int) -> bytes:
    parts, remaining = [], size
    while remaining and (part := stream.read(remaining)):
        parts.append(part)
        remaining -= len(part)
    return b"".join(parts)


class PrefixedStream:
    """A stream whose first bytes have been read already."""

    def __init__(self, head: bytes, stream: ByteStream) -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        if not self._head:
            return self._stream.read(size)
        length = len(self._head) if size < 0 else size
        data, self._head = self._head[:length], self._head[length:]
        return data
