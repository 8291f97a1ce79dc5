"""A backup of links: one file of JSON lines, packed where its name ends in .gz. First a line that says what it is, then a line a link, last how many there are.

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
from webapp.store.links import Kept, Link

FORMAT = 1  # of the file; one that is changed so that this Gantry's readers fail gets another number
HEAD, TAIL = "gantry_links", "links"
PRIVATE = 0o600  # it holds what visitors shared
MOST_LINE = 64 * 2**20  # bytes: a scenario is at most GANTRY_MAX_BYTES large
GZIP = b"\x1f\x8b"
ID = re.compile(r"[0-9a-f]{16}")
MOST_VERSION = 40  # characters


class BackupError(GantryError):
    """A backup that can't be written, or a file that is none; the sentence names the file, and the line where one is wrong."""


def write(path: Path, links: Iterable[Kept]) -> int:
    """Write them to a file of this name, or nothing; how many. One that is there is replaced once the new one is whole."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        with contextlib.ExitStack() as stack:
            stream: Any = stack.enter_context(os.fdopen(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb"))
            stack.callback(os.fsync, stream.fileno())
            stack.callback(stream.flush)
            stream = stack.enter_context(gzip.open(stream, "wb", compresslevel=6)) if path.suffix == ".gz" else stream
            stream.write(_line({HEAD: FORMAT, "gantry": VERSION, "made": _text(datetime.now(UTC))}))
            for one in links:
                stream.write(_line(plain(one)))
                count += 1
            stream.write(_line({TAIL: count}))
        part.replace(path)
    except OSError as error:
        raise BackupError(f"{path}: can't be written: {_reason(error)}") from None
    finally:
        part.unlink(missing_ok=True)
    return count


def read(path: Path) -> Iterator[Kept]:
    """The links of a backup, each as its line is read; BackupError where the file is broken, cut off or none, which may be at its end."""
    number = 0
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP)) == GZIP
            file.seek(0)
            lines = _lines(gzip.GzipFile(fileobj=file) if packed else file)
            number = 1
            _check_head(next(lines, None))
            for number, text in enumerate(lines, 2):
                row = _parsed(text)
                if set(row) == {TAIL}:
                    _check_tail(row[TAIL], number - 2, next(lines, None))
                    return
                yield _kept(row)
            number += 1
            raise _Wrong("the file was cut off: its last line must say how many links it holds")
    except _Wrong as error:
        raise BackupError(f"{path}, line {number}: {error}") from None
    except EOFError:
        raise BackupError(f"{path}, line {number + 1}: the file was cut off") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise BackupError(f"{path}, line {number + 1}: it was changed since it was packed ({error})") from None
    except OSError as error:
        raise BackupError(f"{path}: can't be read: {_reason(error)}") from None


def plain(one: Kept) -> dict[str, Any]:
    """A link as JSON values, as a backup has it."""
    link = one.link
    return {
        "id": link.id,
        "title": link.title,
        "version": link.version,
        "created": _text(link.created),
        "opened": _text(one.opened),
        "schedulers": list(link.schedulers),
        "scenario": link.scenario,
        "metrics": link.metrics,
    }


class _Wrong(Exception):
    """What is wrong with a line."""


def _line(values: dict) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat()


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    while text := stream.readline(MOST_LINE + 1):
        if len(text) > MOST_LINE:
            raise _Wrong(f"it is longer than {MOST_LINE:,} bytes, the most a link may have")
        if not text.endswith(b"\n"):
            raise _Wrong("the file was cut off: the line has no end")
        yield text


def _parsed(text: bytes) -> dict:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise _Wrong("it must be one object of JSON")
    return found


def _check_head(text: bytes | None) -> None:
    if text is None:
        raise _Wrong("the file is empty, a backup of links must stand in it")
    try:
        found = _parsed(text).get(HEAD)
    except _Wrong:
        found = None
    if type(found) is not int:
        raise _Wrong(f'this is no backup of links: it must begin with {{"{HEAD}":{FORMAT},…}}')
    if found != FORMAT:
        raise _Wrong(f"the backup is of format {found}, made by another Gantry; this one reads format {FORMAT}")


def _check_tail(says: Any, count: int, more: bytes | None) -> None:
    if says != count:
        raise _Wrong(f"the file must hold {says} links by its last line, and holds {count}")
    if more is not None:
        raise _Wrong("this must be the last line, and more follows")


def _kept(row: dict) -> Kept:
    """A link from its line; _Wrong naming the field."""
    text = lambda value: isinstance(value, str)
    shapes = {
        "id": (lambda value: text(value) and bool(ID.fullmatch(value)), "16 hexadecimal digits"),
        "title": (text, "text"),
        "version": (lambda value: text(value) and 0 < len(value) <= MOST_VERSION and value.isprintable(), f"a version of at most {MOST_VERSION} characters"),
        "created": (_is_time, "a time with its zone, such as 2026-10-01T08:00:00+00:00"),
        "opened": (_is_time, "a time with its zone, such as 2026-10-01T08:00:00+00:00"),
        "schedulers": (lambda value: isinstance(value, list) and bool(value) and all(map(text, value)), "a list of names"),
        "scenario": (lambda value: isinstance(value, dict), "an object"),
        "metrics": (lambda value: isinstance(value, list) and all(isinstance(one, dict) for one in value), "a list of objects"),
    }
    for name, (holds, must) in shapes.items():
        if name not in row:
            raise _Wrong(f"{name} is missing, it must be {must}")
        if not holds(row[name]):
            raise _Wrong(f"{name} must be {must}")
    if unknown := sorted(set(row) - set(shapes)):
        raise _Wrong(f"{unknown[0][:40]!r} is not a field of a link")
    link = Link(row["id"], row["title"], row["scenario"], tuple(row["schedulers"]), row["metrics"], row["version"], _time(row["created"]))
    return Kept(link, _time(row["opened"]))


def _is_time(value: Any) -> bool:
    try:
        return _time(value).tzinfo is not None
    except (TypeError, ValueError, OverflowError):
        return False


def _time(value: Any) -> datetime:
    found = datetime.fromisoformat(value)
    return found.astimezone(UTC) if found.tzinfo else found


def _reason(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
