"""Values kept by key and shared between server processes: on the file system, or in Redis by REDIS_URL.

A cache that is away makes Gantry slower, never wrong: what can't be read, or was not written by such a server (signed_cache.py), is made again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from flask import Flask
from flask_caching import Cache

from webapp import settings

log = logging.getLogger("gantry")
T = TypeVar("T")
WEEK_S = 7 * 24 * 3600
MOST_FILES = 200
LOCKS = 64


class Shared:
    """flask-caching with two more rules: failures are misses, and equal keys are made once at a time on this machine."""

    def __init__(self) -> None:
        self._cache: Cache | None = None
        self._writer = ThreadPoolExecutor(1, "cache")

    def start(self, server: Flask, version: str) -> None:
        """Bind to the server; values of another engine version are never read."""
        url = settings.redis_url()
        config: dict[str, Any] = {"CACHE_DEFAULT_TIMEOUT": WEEK_S, "CACHE_KEY_PREFIX": f"gantry-{version}-"}
        if url:
            if not settings.secret_key_given():
                log.warning("REDIS_URL without SECRET_KEY: servers on other machines can't read what this one keeps there")
            config |= {"CACHE_TYPE": "webapp.services.signed_cache.SignedRedis", "CACHE_REDIS_URL": url}
        else:
            config |= {"CACHE_TYPE": "webapp.services.signed_cache.SignedFiles", "CACHE_DIR": str(settings.data_dir() / "cache"), "CACHE_THRESHOLD": MOST_FILES}
        self._prefix = "" if url else config["CACHE_KEY_PREFIX"]
        self._cache = Cache(server, config=config)

    def get(self, key: str) -> Any:
        """The value, or None."""
        try:
            return self._cache.get(self._prefix + key)
        except Exception as error:  # whatever the backend or an unreadable pickle raises
            log.warning("cache: %s was not read (%s)", key.partition(":")[0], type(error).__name__)
            return None

    def put(self, key: str, value: Any, seconds: int = WEEK_S) -> bool:
        """Keep a value; False where it could not be kept."""
        try:
            return bool(self._cache.set(self._prefix + key, value, timeout=seconds))
        except Exception as error:  # as above
            log.warning("cache: %s was not kept (%s)", key.partition(":")[0], type(error).__name__)
            return False

    def remembered(self, key: str, make: Callable[[], T]) -> T:
        """The value of the key, made by the first who asks while others wait for it."""
        found = self.get(key)
        if found is not None:
            return found
        with contextlib.ExitStack() as held:
            held.enter_context(_locked(key))
            found = self.get(key)
            if found is None:
                found = make()
                self._writer.submit(self._write, key, found, held.pop_all())
            return found

    def _write(self, key: str, value: Any, held: contextlib.ExitStack) -> None:
        """Keep a value while its lock is held, so that those who wait for it find it; who made it does not wait for the disk."""
        with held:
            self.put(key, value)


@contextlib.contextmanager
def _locked(key: str) -> Iterator[None]:
    """One of a few lock files; flock is released by the kernel even when a process dies."""
    place = settings.data_dir() / "locks"
    place.mkdir(mode=0o700, exist_ok=True)
    number = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=2).digest(), "little") % LOCKS
    with (place / str(number)).open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


shared = Shared()
