"""A picture's pixels."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from webapp import theme


def unpacked(image: bytes) -> tuple[np.ndarray, np.ndarray]:
    """(pixels, palette) of a palette PNG without filters; checks its signature and check sums."""
    assert image[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(image):
        (length,) = struct.unpack(">I", image[at : at + 4])
        name, data = image[at + 4 : at + 8], image[at + 8 : at + 8 + length]
        assert struct.unpack(">I", image[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + data)
        chunks[name] = data
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not lines[:, 0].any()
    colours = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
    return lines[:, 1:], np.column_stack([colours, np.frombuffer(chunks[b"tRNS"], np.uint8)])


def is_phase(pixel: np.ndarray, key: str) -> bool:
    return tuple(pixel[:3].tolist()) == theme.rgb(theme.colour(key, False)) and pixel[3] > 0
