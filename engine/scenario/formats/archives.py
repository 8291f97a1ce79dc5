"""Archives (tar, tar.gz, zip) as their files, one after another, each read forward once: nothing is unpacked to a disk, no path or link is followed.

Bounded: MOST_MEMBERS files, `most_bytes` decompressed. What is no plain file is told, as is an archive within one.
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
from typing import BinaryIO

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.stream import GZIP, HEAD_BYTES, Source

MOST_MEMBERS = 250_000
MOST_BYTES = 2**36  # of all files of an archive, decompressed
MOST_INDEX = 64 * 2**20  # of a zip's central directory, which is held as a whole
MOST_HEADER = 2**20  # of a tar's extended header
OF_JOB = re.compile(r"(?:job|application)_[0-9]{1,20}_[0-9]{1,12}", re.ASCII)
IN_MEMORY = 16 * 2**20
ZIP, USTAR, USTAR_AT = (b"PK\x03\x04", b"PK\x05\x06"), b"ustar", 257
DIRECTORY_END, DIRECTORY_END_64 = b"PK\x05\x06", b"PK\x06\x06"
END_BYTES = 22
ARCHIVE = FileFormat("archive", "an archive", (), (".tar", ".tar.gz", ".tgz", ".zip"))


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


def members(name: str, stream: BinaryIO, is_zip: bool, most_bytes: int | None, told: list[str]) -> Iterator[tuple[str, BinaryIO]]:
    """(name, stream) of each plain file, to be read before the next is asked for; `told` gets sentences of what is passed over.

    stream: the archive from its beginning. FormatError where it is broken, TooLarge beyond the bounds.
    """
    most = MOST_BYTES if most_bytes is None else most_bytes
    yield from (_of_zip if is_zip else _of_tar)(name, stream, most, told)


class _Member(tarfile.TarInfo):
    """A tar's header; the extended ones, which tarfile holds as a whole, only up to MOST_HEADER."""

    @classmethod
    def frombuf(cls, buf: bytes, encoding: str, errors: str) -> _Member:
        found = super().frombuf(buf, encoding, errors)
        if found.type in _HEADERS and found.size > MOST_HEADER:
            raise TooLarge(f"a header of the archive holds more than {MOST_HEADER:,} bytes")
        return found


_HEADERS = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)


def _of_tar(name: str, stream: BinaryIO, most: int, told: list[str]) -> Iterator[tuple[str, BinaryIO]]:
    source = Source(stream, most, of_json=False)
    count = links = 0
    try:
        with tarfile.open(fileobj=source, mode="r|", tarinfo=_Member, errorlevel=0) as archive:
            for one in archive:
                archive.members.clear()  # which would keep every header
                count += 1
                _check_count(name, count)
                if one.isreg() and not one.issparse():
                    yield file_name(one.name), _Packed(archive.extractfile(one), most, most)
                else:
                    links += not one.isdir()
    except (tarfile.TarError, FormatError) as error:
        told.append(f"{name}: the archive can't be read on after {count:,} files: {str(error)[:200]}")
    _tell_links(name, links, told)


def _of_zip(name: str, stream: BinaryIO, most: int, told: list[str]) -> Iterator[tuple[str, BinaryIO]]:
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as kept:
        shutil.copyfileobj(Source(stream, most, of_json=False), kept)
        if _directory_bytes(kept) > MOST_INDEX:
            raise TooLarge(f"{name} lists more than {MOST_MEMBERS:,} files, which is the most for an archive")
        links, left = 0, most
        try:
            archive = zipfile.ZipFile(kept)
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError) as error:
            raise FormatError(f"{name}: the zip is broken or cut off: {str(error)[:200]}") from None
        for count, one in enumerate(archive.infolist(), 1):
            _check_count(name, count)
            if one.is_dir():
                continue
            if (one.external_attr >> 16) & 0o170000 not in (0, 0o100000):
                links += 1
                continue
            try:
                member = _Packed(archive.open(one), left, most)
            except (zipfile.BadZipFile, RuntimeError, NotImplementedError, ValueError, OSError) as error:
                told.append(f"{name}: {file_name(one.filename)} can't be unpacked: {str(error)[:200]}")
                continue
            yield file_name(one.filename), member
            left -= member.count
        _tell_links(name, links, told)


class _Packed:
    """A file of an archive as a stream; FormatError where its data is broken, TooLarge beyond `left` bytes of the `most` for all."""

    def __init__(self, stream: BinaryIO, left: int, most: int) -> None:
        self._stream, self._left, self._most, self.count = stream, left, most, 0

    def read(self, size: int = -1) -> bytes:
        try:
            data = self._stream.read(HEAD_BYTES if size < 0 else size)
        except (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise FormatError(f"its data in the archive is broken after {self.count:,} bytes: {str(error)[:200]}") from None
        self.count += len(data)
        if self.count > self._left:
            raise TooLarge(f"the archive holds more than {self._most:,} bytes, which is the limit here")
        return data


def _directory_bytes(kept: BinaryIO) -> int:
    """The length of a zip's central directory, as its end says (APPNOTE 4.3.14, 4.3.16)."""
    kept.seek(0, 2)
    kept.seek(max(0, kept.tell() - 2**16 - 2 * END_BYTES - 100))
    tail = kept.read()
    kept.seek(0)
    at = len(tail) - END_BYTES
    if not tail[at:].startswith(DIRECTORY_END):
        at = tail.rfind(DIRECTORY_END)
    found = struct.unpack_from("<L", tail, at + 12)[0] if 0 <= at <= len(tail) - END_BYTES else 0
    large = tail.rfind(DIRECTORY_END_64)
    return max(found if found != 0xFFFF_FFFF else 0, struct.unpack_from("<Q", tail, large + 40)[0] if 0 <= large <= len(tail) - 48 else 0)


def _check_count(name: str, count: int) -> None:
    if count > MOST_MEMBERS:
        raise TooLarge(f"{name} holds more than {MOST_MEMBERS:,} files, which is the most for an archive")


def _tell_links(name: str, links: int, told: list[str]) -> None:
    if links:
        told.append(f"{name}: {links:,} links or devices in it are not followed" if links > 1 else f"{name}: a link or device in it is not followed")


def file_name(path: str) -> str:
    """The last part of a path; after the folder's name, where that alone tells a job: job_1700000000000_0001/conf.json."""
    place = PurePosixPath(path.replace("\\", "/"))
    if OF_JOB.search(place.parent.name) and not OF_JOB.search(place.name):
        return f"{place.parent.name}/{place.name}"
    return place.name or "a file without a name"
