"""flask-caching's backends with signed values: reading a pickle runs what it says, so that only what a server
with the same SECRET_KEY has written is read.

Without it whoever can write to Redis could run code here. What bears no or another signature counts as not
there.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import pickle
from collections.abc import Iterator
from typing import IO, Any

from flask_caching.backends.rediscache import RedisCache

from webapp import settings
from webapp.runs.file_cache import FileCache

log = logging.getLogger("gantry")
DIGEST = "sha256"
SIGNATURE_BYTES = hashlib.new(DIGEST).digest_size
CHUNK = 2**20


class SignedPickle:
    """Pickles with an HMAC before them, of the pickle's bytes under a key made from SECRET_KEY."""

    @property
    def _key(self) -> bytes:
        """Looked up each time: where the data folder was deleted, all processes follow the key that one of
        them has made anew.
        """
        return hmac.digest(settings.secret_key().encode(), b"gantry cache", DIGEST)

    def dumps(self, value: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> bytes:
        """The signed pickle, which Redis keeps."""
        data = pickle.dumps(value, protocol)
        return hmac.digest(self._key, data, DIGEST) + data

    def loads(self, bvalue: bytes | None) -> Any:
        """Its value; None where there is none or its signature is not ours."""
        if bvalue is None:
            return None
        signature, data = bvalue[:SIGNATURE_BYTES], memoryview(bvalue)[SIGNATURE_BYTES:]
        return pickle.loads(data) if self._ours(signature, iter([data])) else None

    def dump(self, value: Any, f: IO[bytes], protocol: int = pickle.HIGHEST_PROTOCOL) -> None:
        """The same into a file, as it is pickled: a large run never stands in memory twice."""
        begin = f.tell()
        f.write(bytes(SIGNATURE_BYTES))
        signing = _SigningFile(f, self._key)
        pickle.dump(value, signing, protocol)
        end = f.tell()
        f.seek(begin)
        f.write(signing.mac.digest())
        f.seek(end)

    def load(self, f: IO[bytes]) -> Any:
        """Its value, read from where the file stands, as `loads` does. The file is read twice, and nobody
        else may write to its folder.
        """
        signature = f.read(SIGNATURE_BYTES)
        begin = f.tell()
        if not self._ours(signature, iter(lambda: f.read(CHUNK), b"")):
            return None
        f.seek(begin)
        return pickle.load(f)

    def _ours(self, signature: bytes | memoryview, parts: Iterator[bytes | memoryview]) -> bool:
        mac = hmac.new(self._key, digestmod=DIGEST)
        for part in parts:
            mac.update(part)
        if hmac.compare_digest(mac.digest(), signature):
            return True
        log.warning("cache: a value that no server with this SECRET_KEY has signed was not read")
        return False


class _SigningFile:
    """A file that signs what is written to it."""

    def __init__(self, file: IO[bytes], key: bytes) -> None:
        self._file = file
        self.mac = hmac.new(key, digestmod=DIGEST)

    def write(self, data: Any) -> int:
        self.mac.update(data)
        return self._file.write(data)


class SignedFiles(FileCache):
    """Values in files."""

    serializer = SignedPickle()  # type: ignore[assignment]  # cachelib takes any with these methods


class SignedRedis(RedisCache):
    """Values in Redis."""

    serializer = SignedPickle()  # type: ignore[assignment]  # the same
