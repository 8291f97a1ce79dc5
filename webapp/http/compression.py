"""How answers travel: compressed, and assets kept by the browser for a while."""

from __future__ import annotations

from flask import Flask
from flask_compress import Compress


class BundleCache(dict[str, bytes]):
    """Compressed files of bundle.py, which never change; what else is answered is compressed each time."""

    def set(self, key: str, value: bytes) -> None:
        """As flask-compress calls it, with "ALGORITHM;PATH"."""
        if "/bundle/" in key:
            self[key] = value


# zstd first: of what browsers unpack it is the quickest to pack, and an answer is packed each time
CONFIG = {
    "COMPRESS_CACHE_BACKEND": BundleCache,
    "COMPRESS_CACHE_KEY": lambda request: request.path,
    "COMPRESS_ALGORITHM": ["zstd", "br", "gzip"],
    "COMPRESS_LEVEL": 6,
    "COMPRESS_MIMETYPES": [
        "text/html",
        "text/css",
        "text/plain",
        "text/javascript",
        "application/javascript",
        "application/json",
        "image/svg+xml",
    ],
    "COMPRESS_MIN_SIZE": 1_000,  # bytes, below which the headers are most of it
    "COMPRESS_STREAMS": False,
    "SEND_FILE_MAX_AGE_DEFAULT": 3_600,  # s
}


def start(server: Flask) -> None:
    """From now on the server's answers are packed, and its assets say how long they keep."""
    server.config.update(CONFIG)
    Compress(server)
