"""A backup of links: one file of JSON lines, packed where its name ends in .gz. First a line that says what
it is, then a line a link, last how many there are.

Neither writing nor reading holds more than a link in memory.
"""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from engine import VERSION, GantryError
from webapp.store.links import Link, StoredLink

FORMAT = 1  # of the file; one that is changed so that this Gantry's readers fail gets another number
HEAD, TAIL = "gantry_links", "links"
OWNER_ONLY = 0o600  # it holds what visitors shared
MAX_LINE_BYTES = 64 * 2**20  # bytes: a scenario is at most GANTRY_MAX_BYTES large
GZIP_MAGIC = b"\x1f\x8b"
ID_PATTERN = re.compile(r"[0-9a-f]{16}")
MAX_VERSION_CHARS = 40  # characters


class BackupError(GantryError):
    """A backup that can't be written, or a file that is none; the sentence names the file, and the line where
    one is wrong.
    """


def write(path: Path, links: Iterable[StoredLink]) -> int:
    """Write them to a file of this name, or nothing; how many. One that is there is replaced once the new one
    is whole.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        with contextlib.ExitStack() as stack:
            stream: Any = stack.enter_context(
                os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY), "wb")
            )
            stack.callback(os.fsync, stream.fileno())
            stack.callback(stream.flush)
            stream = (
                stack.enter_context(gzip.open(stream, "wb", compresslevel=6))
                if path.suffix == ".gz"
                else stream
            )
            stream.write(
                _encode_line({HEAD: FORMAT, "gantry": VERSION, "made": _format_time(datetime.now(UTC))})
            )
            for link in links:
                stream.write(_encode_line(link_to_json(link)))
                count += 1
            stream.write(_encode_line({TAIL: count}))
        part.replace(path)
    except OSError as error:
        raise BackupError(f"{path}: can't be written: {_os_error_text(error)}") from None
    finally:
        part.unlink(missing_ok=True)
    return count


def read(path: Path) -> Iterator[StoredLink]:
    """The links of a backup, each as its line is read; BackupError where the file is broken, cut off or none,
    which may be at its end.
    """
    number = 0
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            file.seek(0)
            lines = _read_lines(gzip.GzipFile(fileobj=file) if packed else file)
            number = 1
            _check_head(next(lines, None))
            for number, text in enumerate(lines, 2):
                row = _parse_line(text)
                if set(row) == {TAIL}:
                    _check_tail(row[TAIL], number - 2, next(lines, None))
                    return
                yield _parse_link(row)
            number += 1
            raise _LineError("the file was cut off: its last line must say how many links it holds")
    except _LineError as error:
        raise BackupError(f"{path}, line {number}: {error}") from None
    except EOFError:
        raise BackupError(f"{path}, line {number + 1}: the file was cut off") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BackupError(
            f"{path}, line {number + 1}: it was changed since it was packed ({error})"
        ) from None
    except OSError as error:
        raise BackupError(f"{path}: can't be read: {_os_error_text(error)}") from None


def link_to_json(stored: StoredLink) -> dict[str, Any]:
    """A link as JSON values, as a backup has it."""
    link = stored.link
    return {
        "id": link.id,
        "title": link.title,
        "version": link.version,
        "created": _format_time(link.created),
        "opened": _format_time(stored.opened),
        "schedulers": list(link.schedulers),
        "scenario": link.scenario,
        "metrics": link.metrics,
    }


class _LineError(Exception):
    """What is wrong with a line."""


def _encode_line(values: dict) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _format_time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _read_lines(stream: IO[bytes]) -> Iterator[bytes]:
    while text := stream.readline(MAX_LINE_BYTES + 1):
        if len(text) > MAX_LINE_BYTES:
            raise _LineError(f"it is longer than {MAX_LINE_BYTES:,} bytes, the most a link may have")
        if not text.endswith(b"\n"):
            raise _LineError("the file was cut off: the line has no end")
        yield text


def _parse_line(text: bytes) -> dict:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise _LineError("it must be one object of JSON")
    return row


def _check_head(text: bytes | None) -> None:
    if text is None:
        raise _LineError("the file is empty, a backup of links must stand in it")
    try:
        format_number = _parse_line(text).get(HEAD)
    except _LineError:
        format_number = None
    if type(format_number) is not int:
        raise _LineError(f'this is no backup of links: it must begin with {{"{HEAD}":{FORMAT},…}}')
    if format_number != FORMAT:
        raise _LineError(
            f"the backup is of format {format_number}, made by another Gantry; this one reads format {FORMAT}"
        )


def _check_tail(stated_count: Any, count: int, next_line: bytes | None) -> None:
    if stated_count != count:
        raise _LineError(f"the file must hold {stated_count} links by its last line, and holds {count}")
    if next_line is not None:
        raise _LineError("this must be the last line, and more follows")


def _parse_link(row: dict) -> StoredLink:
    """A link from its line; _Wrong naming the field."""
    text = lambda value: isinstance(value, str)
    checks = {
        "id": (lambda value: text(value) and bool(ID_PATTERN.fullmatch(value)), "16 hexadecimal digits"),
        "title": (text, "text"),
        "version": (
            lambda value: text(value) and 0 < len(value) <= MAX_VERSION_CHARS and value.isprintable(),
            f"a version of at most {MAX_VERSION_CHARS} characters",
        ),
        "created": (_is_aware_time, "a time with its zone, such as 2026-10-01T08:00:00+00:00"),
        "opened": (_is_aware_time, "a time with its zone, such as 2026-10-01T08:00:00+00:00"),
        "schedulers": (
            lambda value: isinstance(value, list) and bool(value) and all(map(text, value)),
            "a list of names",
        ),
        "scenario": (lambda value: isinstance(value, dict), "an object"),
        "metrics": (
            lambda value: isinstance(value, list) and all(isinstance(entry, dict) for entry in value),
            "a list of objects",
        ),
    }
    for name, (is_valid, requirement) in checks.items():
        if name not in row:
            raise _LineError(f"{name} is missing, it must be {requirement}")
        if not is_valid(row[name]):
            raise _LineError(f"{name} must be {requirement}")
    if unknown := sorted(set(row) - set(checks)):
        raise _LineError(f"{unknown[0][:40]!r} is not a field of a link")
    link = Link(
        row["id"],
        row["title"],
        row["scenario"],
        tuple(row["schedulers"]),
        row["metrics"],
        row["version"],
        _parse_time(row["created"]),
    )
    return StoredLink(link, _parse_time(row["opened"]))


def _is_aware_time(value: Any) -> bool:
    try:
        return _parse_time(value).tzinfo is not None
    except (TypeError, ValueError, OverflowError):
        return False


def _parse_time(value: Any) -> datetime:
    time = datetime.fromisoformat(value)
    return time.astimezone(UTC) if time.tzinfo else time


def _os_error_text(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
