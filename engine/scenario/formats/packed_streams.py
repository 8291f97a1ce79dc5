"""Compressed files read forward only, a block at a time: gzip, and what Spark writes its event logs with,
zstd, lz4 (LZ4BlockOutputStream of lz4-java) and snappy (SnappyOutputStream of snappy-java).
"""

from __future__ import annotations

import gzip
import io
import struct
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple, Protocol

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
LZ4 = b"LZ4Block"
SNAPPY = b"\x82SNAPPY\0"
LZ4_HEADER = struct.Struct("<8sBiiI")  # magic, method and level, lengths packed and unpacked, checksum
LZ4_STORED, LZ4_PACKED = 0x10, 0x20
SNAPPY_HEADER_BYTES = 16  # the magic, version and compatible version
MAX_BLOCK_BYTES = 32 * 2**20  # the most that lz4-java writes
CHUNK = 2**16


class ByteStream(Protocol):
    """What bytes are read from, forward only: at most `size` of them, none at the end."""

    def read(self, size: int = ..., /) -> bytes: ...


class Damaged(Exception):
    """What can't be unpacked; EOFError stands for what is cut off."""


class Packing(NamedTuple):
    """How a file is packed: its name for sentences; read_some(size): some bytes unpacked, none at the end."""

    name: str
    read_some: Callable[[int], bytes]


def packing(head: bytes, stream: ByteStream) -> Packing | None:
    """How a file that begins so is packed, None where it is not; `stream`: the file from its beginning."""
    if head.startswith(GZIP):
        forward_only: Any = stream  # a GzipFile that is only read from does not seek
        return Packing("gzip", _damage_told(gzip.GzipFile(fileobj=forward_only, mode="rb").read1))
    for magic, name, blocks in ((ZSTD, "zstd", _zstd), (LZ4, "lz4", _lz4), (SNAPPY, "snappy", _snappy)):
        if head.startswith(magic):
            return Packing(name, _Blocks(blocks(stream)).read_some)
    return None


class Unpacked(NamedTuple):
    """What a file begins with; fault: how it goes on: "", CUT_OFF or DAMAGED."""

    data: bytes
    fault: str


CUT_OFF, DAMAGED = "cut off", "damaged"


def unpacked_head(head: bytes, size: int) -> Unpacked:
    """At most `size` bytes of what a file begins with, as far as its own beginning goes, or until its data is
    damaged.
    """
    found = packing(head, io.BytesIO(head))
    if not found:
        return Unpacked(head, "")
    data = b""
    try:
        while len(data) < size and (part := found.read_some(size - len(data))):
            data += part
    except EOFError:
        return Unpacked(data, CUT_OFF)
    except Damaged:
        return Unpacked(data, DAMAGED)
    return Unpacked(data, "")


def _damage_told(read_some: Callable[[int], bytes]) -> Callable[[int], bytes]:
    def read(size: int) -> bytes:
        try:
            return read_some(size)
        except (gzip.BadGzipFile, zlib.error):
            raise Damaged from None

    return read


class _Blocks:
    """Unpacked blocks as a stream."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._block, self._place = blocks, b"", 0

    def read_some(self, size: int) -> bytes:
        while self._place >= len(self._block):
            block = next(self._blocks, None)
            if block is None:
                return b""
            self._block, self._place = block, 0
        data = self._block[self._place : self._place + size]
        self._place += len(data)
        return data


def _zstd(stream: ByteStream) -> Iterator[bytes]:
    """Frames, one after another."""
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    decompressor = zstd.ZstdDecompressor()
    data, is_within = b"", False
    try:
        while data or not decompressor.needs_input or (data := stream.read(CHUNK)):
            block, is_within = decompressor.decompress(data, CHUNK), not decompressor.eof
            data = b""
            if decompressor.eof:
                data, decompressor = decompressor.unused_data, zstd.ZstdDecompressor()
            yield block
    except zstd.ZstdError:
        raise Damaged from None
    if is_within:
        raise EOFError


def _lz4(stream: ByteStream) -> Iterator[bytes]:
    """Blocks with a header each; one without data ends a stream, which another may follow."""
    import cramjam

    is_ended = False
    while header := _exactly(stream, LZ4_HEADER.size, may_end=is_ended):
        magic, token, packed, size, _ = LZ4_HEADER.unpack(header)
        method = token & 0xF0
        if (
            magic != LZ4
            or method not in (LZ4_STORED, LZ4_PACKED)
            or not 0 <= size <= MAX_BLOCK_BYTES
            or not 0 <= packed <= MAX_BLOCK_BYTES
            or (method == LZ4_STORED and packed != size)
        ):
            raise Damaged
        is_ended = not size
        data = _exactly(stream, packed)
        if method == LZ4_PACKED and size:
            data = bytes(_unpack(partial(cramjam.lz4.decompress_block, data, output_len=size)))
            if len(data) != size:
                raise Damaged
        yield data


def _snappy(stream: ByteStream) -> Iterator[bytes]:
    """Blocks with their length before each, behind a header, which may come again."""
    import cramjam

    _exactly(stream, SNAPPY_HEADER_BYTES)
    while length := _exactly(stream, 4, may_end=True):
        if length == SNAPPY[:4]:
            _exactly(stream, SNAPPY_HEADER_BYTES - 4)
            continue
        packed = int.from_bytes(length, "big")
        if packed > MAX_BLOCK_BYTES:
            raise Damaged
        data = _exactly(stream, packed)
        if not data:
            continue
        if _unpack(partial(cramjam.snappy.decompress_raw_len, data)) > MAX_BLOCK_BYTES:
            raise Damaged
        yield bytes(_unpack(partial(cramjam.snappy.decompress_raw, data)))


def _unpack(unpack: Callable[[], Any]) -> Any:
    import cramjam

    try:
        return unpack()
    except (cramjam.DecompressionError, ValueError, OSError, MemoryError):
        raise Damaged from None


def _exactly(stream: ByteStream, size: int, may_end: bool = False) -> bytes:
    """So many bytes; none at the end where it may end there, else EOFError."""
    parts, remaining = [], size
    while remaining and (part := stream.read(remaining)):
        parts.append(part)
        remaining -= len(part)
    if remaining and (parts or not may_end):
        raise EOFError
    return b"".join(parts)
