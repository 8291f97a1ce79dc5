"""A palette PNG from an array of indices (PNG specification, 3rd edition: chunks 11.2 and 11.3.1)."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np


def png(pixels: np.ndarray, palette: np.ndarray) -> bytes:
    """pixels: uint8[height, width], indices; palette: uint8[colours, 4], red, green, blue, alpha; at most 256
    colours.
    """
    height, width = pixels.shape
    lines = np.zeros((height, width + 1), np.uint8)  # each line begins with filter type 0
    lines[:, 1:] = pixels
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    packed = zlib.compress(lines.tobytes(), 1)
    chunks = (
        (b"IHDR", header),
        (b"PLTE", palette[:, :3].tobytes()),
        (b"tRNS", palette[:, 3].tobytes()),
        (b"IDAT", packed),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def data_url(image: bytes) -> str:
    """The image as an address that needs no request."""
    return "data:image/png;base64," + base64.b64encode(image).decode("ascii")
