"""Files packed as Spark packs its event logs."""

from __future__ import annotations

import gzip
import struct
import sys

import cramjam

from engine.scenario.formats import packed_streams

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BLOCK = 32_768


def lz4(data: bytes) -> bytes:
    """As LZ4BlockOutputStream writes it, with a block that is stored as it is."""
    parts = []
    for start in range(0, len(data), BLOCK):
        block = data[start : start + BLOCK]
        packed = bytes(cramjam.lz4.compress_block(block, store_size=False)) if start else block
        token = packed_streams.LZ4_PACKED if start else packed_streams.LZ4_STORED
        parts += packed_streams.LZ4_HEADER.pack(b"LZ4Block", token | 5, len(packed), len(block), 0), packed
    return b"".join([*parts, packed_streams.LZ4_HEADER.pack(b"LZ4Block", packed_streams.LZ4_STORED, 0, 0, 0)])


def snappy(data: bytes) -> bytes:
    """As SnappyOutputStream writes it."""
    parts = [packed_streams.SNAPPY, struct.pack(">ii", 1, 1)]
    for start in range(0, len(data), BLOCK):
        packed = bytes(cramjam.snappy.compress_raw(data[start : start + BLOCK]))
        parts += struct.pack(">i", len(packed)), packed
    return b"".join(parts)


PACKERS = {"gzip": gzip.compress, "zstd": zstd.compress, "lz4": lz4, "snappy": snappy}
