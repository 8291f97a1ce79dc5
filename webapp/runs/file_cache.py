"""Values in files of one folder, bounded by their bytes: what a server without Redis keeps its runs in.

The sum of the bytes stands in one file, under whose lock every process adds to it; it is counted anew
whenever something has to go. What has expired goes first, then what nobody has read for longest, however long
it was to be kept. Half-written files of processes that have gone are swept.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import struct
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flask import Flask
from flask_caching.backends.filesystemcache import FileSystemCache

EXPIRY_HEADER = struct.Struct("<d")  # until when: s since 1970, 0 for ever
KEPT_SHARE = 0.8  # of the room, once something had to go: so that it is not counted again at each value
DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
PART_AGE_S = 60.0
PART_SUFFIX = ".part"
SIZE_FILE = "bytes.lock"  # the file that has it


class FileCache(FileSystemCache):
    """flask-caching's files by the same keys and in the same form of values; raises OSError where the folder
    can't be read or written.
    """

    def __init__(self, place: str, max_bytes: int, default_timeout: int = 300, **more: Any) -> None:
        self._place, self._most = Path(place), max_bytes
        with contextlib.suppress(OSError):  # told when something is kept
            self._place.mkdir(mode=0o700, parents=True, exist_ok=True)
        super().__init__(place, threshold=0, default_timeout=default_timeout, **more)

    @classmethod
    def factory(cls, app: Flask, config: dict[str, Any], args: list, kwargs: dict[str, Any]) -> FileCache:
        """As flask-caching makes it; CACHE_BYTES is the bound."""
        return cls(config["CACHE_DIR"], config["CACHE_BYTES"], **kwargs)

    def get(self, key: str) -> Any:
        """The value, or None. That it was read is noted."""
        path = self._path_of(key)
        try:
            with path.open("rb") as file:
                until = EXPIRY_HEADER.unpack(file.read(EXPIRY_HEADER.size))[0]
                value = self.serializer.load(file) if until == 0 or until >= time.time() else None
        except (FileNotFoundError, struct.error):  # an empty file, of a disk that was full
            return None
        with contextlib.suppress(OSError):
            os.utime(path)
        return value

    def set(self, key: str, value: Any, timeout: Any = None, mgmt_element: bool = False) -> bool:
        """Keep a value; False for one that is larger than all the room. A disk that is full before the room
        is gets the oldest fifth of it back.
        """
        try:
            return self._set(key, value, timeout)
        except OSError as error:
            if error.errno not in DISK_FULL:
                raise
        with self._counted() as count:
            count.bytes = self._make_room(max_bytes=int(self._make_room() * KEPT_SHARE))
        return self._set(key, value, timeout)

    def _set(self, key: str, value: Any, timeout: Any) -> bool:
        seconds = self.default_timeout if timeout is None else timeout
        until = time.time() + seconds if seconds else 0.0
        self._place.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(suffix=PART_SUFFIX, dir=self._place)  # mode 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(EXPIRY_HEADER.pack(until))
                self.serializer.dump(value, file)
                size = file.tell()
            if size > self._most:
                return False
            with self._counted() as count:
                path = self._path_of(key)
                with contextlib.suppress(FileNotFoundError):
                    count.bytes -= path.stat().st_size
                os.replace(part, path)
                count.bytes += size
                if count.bytes > self._most:
                    count.bytes = self._make_room(path)
            return True
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(part)

    def delete(self, key: str, mgmt_element: bool = False) -> bool:
        """Forget a value."""
        with self._counted() as count, contextlib.suppress(FileNotFoundError):
            path = self._path_of(key)
            count.bytes -= path.stat().st_size
            path.unlink()
        return True

    def sweep(self) -> int:
        """Delete what has expired or was left half-written, count what is left, and make room where it is too
        much; the bytes left.
        """
        with self._counted() as count:
            count.bytes = self._make_room()
            return count.bytes

    def _path_of(self, key: str) -> Path:
        return Path(self._get_filename(key))

    @contextlib.contextmanager
    def _counted(self) -> Iterator[_ByteCount]:
        """The sum of all bytes, ours alone until it is written back; a sum that can't be read is counted
        anew.
        """
        handle = os.open(self._place / SIZE_FILE, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with os.fdopen(handle, "a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.seek(0)
            text = file.read(40)
            count = _ByteCount(int(text) if text.isdigit() else self._make_room())
            yield count
            file.truncate(0)
            file.write(b"%d" % max(count.bytes, 0))

    def _make_room(self, spared: Path | None = None, max_bytes: int | None = None) -> int:
        """Called by whoever has the lock: the bytes left, at most LEFT of the bound where it was passed, or
        `most`. spared: what was just written.
        """
        now, entries = time.time(), []
        for entry in os.scandir(self._place):
            try:
                facts = entry.stat()
                if entry.name.endswith(PART_SUFFIX):
                    if facts.st_mtime < now - PART_AGE_S:
                        os.unlink(entry.path)
                elif entry.name != SIZE_FILE:
                    with open(entry.path, "rb") as file:
                        head = file.read(EXPIRY_HEADER.size)
                    until = EXPIRY_HEADER.unpack(head)[0] if len(head) == EXPIRY_HEADER.size else 1.0
                    if 0 < until < now:
                        os.unlink(entry.path)
                    else:
                        entries.append((facts.st_mtime, facts.st_size, entry.path))
            except FileNotFoundError:
                continue
        total = sum(size for _, size, _ in entries)
        if total <= (self._most if max_bytes is None else max_bytes):
            return total
        for _, size, path in sorted(entries):
            if total <= (self._most * KEPT_SHARE if max_bytes is None else max_bytes):
                break
            if path != str(spared):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(path)
                total -= size
        return total


@dataclass
class _ByteCount:
    """The mutable sum of bytes, valid while its lock is held."""

    bytes: int
