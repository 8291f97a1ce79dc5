"""A backup of links and of what else the database keeps: one file of JSON lines, packed where its name ends
in .gz. First a line that says what it is, then a line a link, then a line a row of the other tables, by its
table, last how many there are.

Neither writing nor reading holds more than a link or a class in memory.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine import VERSION, GantryError
from webapp.messages import msg
from webapp.store.kept_records import (
    ID_PATTERN,
    Record,
    RowError,
    add_row,
    format_time,
    is_row,
    parse_time,
    rows_to_json,
)
from webapp.url.links import MAX_SENTENCE_CHARS, Link, StoredLink

# of the file; one that is changed so that this Gantry's readers fail gets another number
FORMAT = 3  # 2 has links alone
NOT_IN_FORMAT_1 = {"sentence": "", "read_only": False}
HEAD, TAIL, TAIL_OF_LINKS = "gantry_links", "rows", "links"
OWNER_ONLY = 0o600  # it holds what visitors shared
MAX_LINE_BYTES = 64 * 2**20  # bytes: a scenario is at most GANTRY_MAX_BYTES large
GZIP_MAGIC = b"\x1f\x8b"
MAX_VERSION_CHARS = 40  # characters


class BackupError(GantryError):
    """A backup that can't be written, or a file that is none; the sentence names the file, and the line where
    one is wrong.
    """


def write(path: Path, kept: Iterable[StoredLink | Record]) -> None:
    """Write links, and then records, to a file of this name, or nothing. One that is there is replaced once
    the new one is whole.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}")
    count = 0
    try:
        with contextlib.ExitStack() as stack:
            handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY)
            stream: Any = stack.enter_context(os.fdopen(handle, "wb"))
            stack.callback(os.fsync, handle)
            stack.callback(stream.flush)
            if path.suffix == ".gz":
                stream = stack.enter_context(gzip.open(stream, "wb", compresslevel=6))
            made = format_time(datetime.now(UTC))
            stream.write(_encode_line({HEAD: FORMAT, "gantry": VERSION, "made": made}))
            for one in kept:
                for row in rows_to_json(one) if isinstance(one, Record) else [link_to_json(one)]:
                    stream.write(_encode_line(row))
                    count += 1
            stream.write(_encode_line({TAIL: count}))
        part.replace(path)
    except OSError as error:
        fault = msg("url.link_backup.cant_be_written", path=path, why=_os_error_text(error))
        raise BackupError(fault) from None
    finally:
        part.unlink(missing_ok=True)


def read(path: Path) -> Iterator[StoredLink | Record]:
    """The links and records of a backup, each as its lines are read; BackupError where the file is broken,
    cut off or none, which may be at its end.
    """
    number, record = 0, None
    try:
        with path.open("rb") as file:
            packed = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
            file.seek(0)
            lines = _read_lines(gzip.GzipFile(fileobj=file) if packed else file)
            number = 1
            _check_head(next(lines, None))
            for number, text in enumerate(lines, 2):
                row = _parse_line(text)
                if set(row) in ({TAIL}, {TAIL_OF_LINKS}):
                    _check_tail(next(iter(row.values())), number - 2, next(lines, None))
                    if record:
                        yield record
                    return
                if not is_row(row):
                    yield _parse_link(row)
                elif begun := add_row(row, record):
                    if record:
                        yield record
                    record = begun
            number += 1
            raise RowError(msg("url.link_backup.file_truncated_its_last_line_must"))
    except RowError as error:
        raise BackupError(msg("url.link_backup.line", path=path, number=number, error=error)) from None
    except EOFError:
        raise BackupError(msg("url.link_backup.line_file_truncated", path=path, number=number + 1)) from None
    except (gzip.BadGzipFile, zlib.error) as error:
        place = {"path": path, "number": number + 1}
        raise BackupError(msg("url.link_backup.line_was_changed", **place, error=error)) from None
    except OSError as error:
        fault = msg("url.link_backup.cant_be_read", path=path, why=_os_error_text(error))
        raise BackupError(fault) from None


def link_to_json(stored: StoredLink) -> dict[str, Any]:
    """A link as JSON values, as a backup has it."""
    link = stored.link
    return {
        "id": link.id,
        "title": link.title,
        "sentence": link.sentence,
        "read_only": link.read_only,
        "version": link.version,
        "created": format_time(link.created),
        "opened": format_time(stored.opened),
        "schedulers": list(link.schedulers),
        "scenario": link.scenario,
        "metrics": link.metrics,
    }


def _encode_line(values: dict) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode() + b"\n"


def _read_lines(stream: io.BufferedIOBase) -> Iterator[bytes]:
    while text := stream.readline(MAX_LINE_BYTES + 1):
        if len(text) > MAX_LINE_BYTES:
            raise RowError(msg("url.link_backup.longer_than_bytes_most_link_may", most=MAX_LINE_BYTES))
        if not text.endswith(b"\n"):
            raise RowError(msg("url.link_backup.file_truncated_line_has_no_end"))
        yield text


def _parse_line(text: bytes) -> dict:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise RowError(msg("url.link_backup.must_be_one_object_json"))
    return row


def _check_head(text: bytes | None) -> None:
    if text is None:
        raise RowError(msg("url.link_backup.file_empty_backup_links_must_stand"))
    try:
        format_number = _parse_line(text).get(HEAD)
    except RowError:
        format_number = None
    if type(format_number) is not int:
        raise RowError(msg("url.link_backup.no_backup_links_must_begin_with", head=HEAD, format=FORMAT))
    if not 1 <= format_number <= FORMAT:
        formats = {"format_number": format_number, "format": FORMAT}
        raise RowError(msg("url.link_backup.backup_format_made_by_another_gantry", **formats))


def _check_tail(stated_count: Any, count: int, next_line: bytes | None) -> None:
    if stated_count != count:
        raise RowError(msg("url.link_backup.last_line_says_file_has_links", stated=stated_count, count=count))
    if next_line is not None:
        raise RowError(msg("url.link_backup.must_be_last_line_and_more"))


def _parse_link(row: dict) -> StoredLink:
    """A link from its line; RowError naming the field."""
    row = NOT_IN_FORMAT_1 | row
    is_text = lambda value: isinstance(value, str)
    is_sentence = lambda value: is_text(value) and len(value) <= MAX_SENTENCE_CHARS
    is_id = lambda value: is_text(value) and bool(ID_PATTERN.fullmatch(value))
    is_version = lambda value: is_text(value) and 0 < len(value) <= MAX_VERSION_CHARS and value.isprintable()
    is_object = lambda value: isinstance(value, dict)
    is_time = lambda value: parse_time(value) is not None
    are_names = lambda value: isinstance(value, list) and bool(value) and all(map(is_text, value))
    are_objects = lambda value: isinstance(value, list) and all(map(is_object, value))
    version = msg("url.link_backup.version_at_most_characters", max_version_chars=MAX_VERSION_CHARS)
    time = msg("store.kept_records.time")
    checks: dict[str, tuple[Callable[[Any], bool], str]] = {
        "id": (is_id, msg("shared.hexadecimal_digits")),
        "title": (is_text, "text"),
        "sentence": (is_sentence, msg("url.link_backup.text_at_most_characters", most=MAX_SENTENCE_CHARS)),
        "read_only": (lambda value: isinstance(value, bool), msg("store.kept_records.true_or_false")),
        "version": (is_version, version),
        "created": (is_time, time),
        "opened": (is_time, time),
        "schedulers": (are_names, msg("url.link_backup.list_names")),
        "scenario": (is_object, msg("url.link_backup.object")),
        "metrics": (are_objects, msg("url.link_backup.list_objects")),
    }
    for name, (is_valid, requirement) in checks.items():
        if name not in row:
            raise RowError(msg("url.link_backup.missing_must_be", name=name, requirement=requirement))
        if not is_valid(row[name]):
            raise RowError(msg("url.link_backup.must_be", name=name, requirement=requirement))
    if unknown := sorted(set(row) - set(checks)):
        raise RowError(msg("url.link_backup.not_field_link", unknown=unknown[0][:40]))
    opened, created = (
        datetime.fromisoformat(row.pop(name)).astimezone(UTC) for name in ("opened", "created")
    )
    return StoredLink(Link(**row | {"schedulers": tuple(row["schedulers"]), "created": created}), opened)


def _os_error_text(error: OSError) -> str:
    reason = error.strerror or str(error)
    return reason[:1].lower() + reason[1:]
