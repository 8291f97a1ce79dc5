"""Archives (tar, tar.gz, zip) as their files, one after another, each read forward once: nothing is unpacked
to a disk, no path or link is followed.

Bounded: MAX_MEMBERS files, `max_bytes` decompressed. What is no plain file is told, as is an archive within
one.
"""

from __future__ import annotations

import re
import shutil
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, Any

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import HEAD_BYTES, ByteStream, Source
from engine.scenario.formats.packed_streams import GZIP

MAX_MEMBERS = 250_000
MAX_BYTES = 2**36  # of all files of an archive, decompressed
MAX_DIRECTORY_BYTES = 64 * 2**20  # of a zip's central directory, which is held as a whole
MAX_HEADER_BYTES = 2**20  # of a tar's extended header
JOB_ID = re.compile(r"(?:job|application)_[0-9]{1,20}_[0-9]{1,12}", re.ASCII)
MAX_IN_MEMORY_BYTES = 16 * 2**20
ZIP, USTAR, USTAR_AT = (b"PK\x03\x04", b"PK\x05\x06"), b"ustar", 257
DIRECTORY_END, DIRECTORY_END_64 = b"PK\x05\x06", b"PK\x06\x06"
END_BYTES = 22
ARCHIVE = FileFormat("archive", msg("scenario.archives.archive"), (), (".tar", ".tar.gz", ".tgz", ".zip"))


def is_archive(head: bytes) -> bool:
    """Whether a file that begins so is a zip or a tar, gzip or plain."""
    if head.startswith(ZIP):
        return True
    if head.startswith(GZIP):
        try:
            head = zlib.decompressobj(wbits=31).decompress(head, HEAD_BYTES)
        except zlib.error:
            return False
    return head[USTAR_AT : USTAR_AT + len(USTAR)] == USTAR


def members(
    name: str, stream: ByteStream, is_zip: bool, max_bytes: int | None, notes: list[str]
) -> Iterator[tuple[str, ByteStream]]:
    """(name, stream) of each plain file, to be read before the next is asked for; `notes` gets sentences of
    what is passed over.

    stream: the archive from its beginning. FormatError where it is broken, TooLarge beyond the bounds.
    """
    limit = MAX_BYTES if max_bytes is None else max_bytes
    yield from (_zip_members if is_zip else _tar_members)(name, stream, limit, notes)


class _Member(tarfile.TarInfo):
    """A tar's header; the extended ones, which tarfile holds as a whole, only up to MAX_HEADER_BYTES."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> _Member:
        header = super().frombuf(buf, encoding, errors)
        if header.type in _HEADERS and header.size > MAX_HEADER_BYTES:
            raise TooLarge(
                msg(
                    "scenario.archives.header_archive_holds_more_than_bytes",
                    max_header_bytes=MAX_HEADER_BYTES,
                )
            )
        return header


_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


def _tar_members(
    name: str, stream: ByteStream, limit: int, notes: list[str]
) -> Iterator[tuple[str, ByteStream]]:
    source: Any = Source(stream, limit, is_json=False)  # of which the mode "r|" asks only to be read
    count = links = 0
    try:
        with tarfile.open(fileobj=source, mode="r|", tarinfo=_Member, errorlevel=0) as archive:
            for entry in archive:
                vars(archive)["members"].clear()  # which would keep every header
                count += 1
                _check_count(name, count)
                content = archive.extractfile(entry) if entry.isreg() and not entry.issparse() else None
                if content is not None:
                    yield file_name(entry.name), _MemberStream(content, limit, limit)
                else:
                    links += not entry.isdir()
    except (tarfile.TarError, FormatError) as error:
        notes.append(
            msg(
                "scenario.archives.archive_cant_be_read_on_after",
                name=name,
                count=count,
                error=str(error)[:200],
            )
        )
    _tell_links(name, links, notes)


def _zip_members(
    name: str, stream: ByteStream, limit: int, notes: list[str]
) -> Iterator[tuple[str, ByteStream]]:
    with tempfile.SpooledTemporaryFile(MAX_IN_MEMORY_BYTES) as buffer:
        shutil.copyfileobj(Source(stream, limit, is_json=False), buffer)
        if _directory_bytes(buffer) > MAX_DIRECTORY_BYTES:
            raise TooLarge(
                msg("scenario.archives.lists_more_than_files_which_most", name=name, max_members=MAX_MEMBERS)
            )
        links, remaining = 0, limit
        try:
            archive = zipfile.ZipFile(buffer)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError) as error:
            raise FormatError(
                msg("scenario.archives.zip_file_damaged_or_truncated", name=name, error=str(error)[:200])
            ) from None
        for count, entry in enumerate(archive.infolist(), 1):
            _check_count(name, count)
            if entry.is_dir():
                continue
            if (entry.external_attr >> 16) & 0o170000 not in (0, 0o100000):
                links += 1
                continue
            try:
                member = _MemberStream(archive.open(entry), remaining, limit)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, OSError) as error:
                notes.append(
                    msg(
                        "scenario.archives.cant_be_unpacked",
                        name=name,
                        file_name=file_name(entry.filename),
                        error=str(error)[:200],
                    )
                )
                continue
            yield file_name(entry.filename), member
            remaining -= member.count
        _tell_links(name, links, notes)


class _MemberStream:
    """A file of an archive as a stream; FormatError where its data is broken, TooLarge beyond `remaining`
    bytes of the `limit` for all.
    """

    def __init__(self, stream: ByteStream, remaining: int, limit: int) -> None:
        self._stream, self._left, self._max_bytes, self.count = stream, remaining, limit, 0

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._stream.read(HEAD_BYTES if size < 0 else size)
        except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise FormatError(
                msg(
                    "scenario.archives.its_data_in_archive_broken_after",
                    count=self.count,
                    error=str(error)[:200],
                )
            ) from None
        self.count += len(data)
        if self.count > self._left:
            raise TooLarge(
                msg("scenario.archives.archive_holds_more_than_bytes_which", max_bytes=self._max_bytes)
            )
        return data


def _directory_bytes(buffer: IO[bytes]) -> int:
    """The length of a zip's central directory, as its end says (APPNOTE 4.3.14, 4.3.16)."""
    buffer.seek(0, 2)
    buffer.seek(max(0, buffer.tell() - 2**16 - 2 * END_BYTES - 100))
    tail = buffer.read()
    buffer.seek(0)
    offset = len(tail) - END_BYTES
    if not tail[offset:].startswith(DIRECTORY_END):
        offset = tail.rfind(DIRECTORY_END)
    size = struct.unpack_from("<L", tail, offset + 12)[0] if 0 <= offset <= len(tail) - END_BYTES else 0
    offset_64 = tail.rfind(DIRECTORY_END_64)
    return max(
        size if size != 0xFFFF_FFFF else 0,
        struct.unpack_from("<Q", tail, offset_64 + 40)[0] if 0 <= offset_64 <= len(tail) - 48 else 0,
    )


def _check_count(name: str, count: int) -> None:
    if count > MAX_MEMBERS:
        raise TooLarge(
            msg("scenario.archives.contains_more_than_files_maximum_for", name=name, max_members=MAX_MEMBERS)
        )


def _tell_links(name: str, links: int, notes: list[str]) -> None:
    if links:
        notes.append(
            msg("scenario.archives.links_or_devices_in_not_followed", name=name, links=links)
            if links > 1
            else msg("scenario.archives.link_or_device_in_not_followed", name=name)
        )


def file_name(path: str) -> str:
    """The last part of a path; after the folder's name, where that alone tells a job:
    job_1700000000000_0001/conf.json.
    """
    parsed = PurePosixPath(path.replace("\\", "/"))
    if JOB_ID.search(parsed.parent.name) and not JOB_ID.search(parsed.name):
        return f"{parsed.parent.name}/{parsed.name}"
    return parsed.name or msg("scenario.archives.file_without_name")
