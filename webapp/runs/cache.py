"""Values kept by key and shared between server processes: on the file system, or in Redis by REDIS_URL.

A cache that is away makes Gantry slower, never wrong: what can't be read, or was not written by such a server
(signed_cache.py), is made again.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from cachetools import LRUCache
from flask import Flask
from flask_caching import Cache
from redis.exceptions import ConnectionError, TimeoutError

from engine import GantryError, Scenario
from engine.dashboard import CancelToken, RunCancelled, StudyResult
from webapp import settings
from webapp.messages import msg
from webapp.monitoring import counters
from webapp.runs.file_cache import SIZE_FILE

log = logging.getLogger("gantry")
T = TypeVar("T")
WEEK_S = 7 * 24 * 3600
LOCK_COUNT = 4096
REDIS_TIMEOUT_S = 2.0  # for an answer of Redis
RETRY_AFTER_S = 5.0  # a cache that was away is left alone for so long, so that not every look waits for it
MAX_HELD = 4_000_000  # containers of what a process holds ready
BASE_WEIGHT = 10_000  # containers that each value counts as, beside its own
CONTAINER_BYTES, JOB_BYTES = 220, 3_500  # that a run's container and a scenario's job take
PROBE_INTERVAL_S = 10.0  # so long it is believed to keep what it is given
NO_SECRET_KEY = "REDIS_URL without SECRET_KEY: servers on other machines can't read what this one keeps there"
LOCK_POLL_S = (0.01, 0.25)  # between two looks whether a lock is free: at first, at last


class SharedCache:
    """flask-caching with three more rules: failures are misses, equal keys are made once at a time on this
    machine, and what this process has made or read it holds ready, the latest first.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: LRUCache[str, Any]
        self._held_lock = threading.Lock()
        self.hold_at_most(MAX_HELD)
        self._cache: Cache | None = None
        self._writer = ThreadPoolExecutor(1, "cache")
        self._last: Future | None = None
        self._retry_at = 0.0
        self._last_probe = (0.0, False)

    def start(self, server: Flask, version: str) -> None:
        """Bind to the server; values that other code made are never read. version: as code_version has it."""
        url = settings.redis_url()
        config: dict[str, Any] = {"CACHE_DEFAULT_TIMEOUT": WEEK_S, "CACHE_KEY_PREFIX": f"gantry-{version}-"}
        if url:
            if not settings.has_secret_key():
                log.warning(NO_SECRET_KEY)
            config["CACHE_TYPE"] = f"{__package__}.signed_cache.SignedRedis"
            config["CACHE_REDIS_URL"] = url
            waits = {"socket_timeout": REDIS_TIMEOUT_S, "socket_connect_timeout": REDIS_TIMEOUT_S}
            config["CACHE_OPTIONS"] = waits
        else:
            config["CACHE_TYPE"] = f"{__package__}.signed_cache.SignedFiles"
            config["CACHE_DIR"] = str(settings.data_dir() / "cache")
            config["CACHE_BYTES"] = settings.cache_mb() * 2**20
        self._prefix = "" if url else config["CACHE_KEY_PREFIX"]
        self._retry_at, self._last_probe = 0.0, (0.0, False)
        self._cache = None
        self.hold_at_most(int(self._held.maxsize))
        self._server, self._config = server, config
        self._bind()

    def get(self, key: str, changes: bool = False) -> Any:
        """The value, or None. changes: another process may have written another one since, so that what is
        held here does not count.
        """
        value = None if changes else self.held(key)
        if value is None:
            value = self._read(key)
            counters.cache_lookups.labels(key.partition(":")[0], "miss" if value is None else "hit").inc()
            if value is not None and not changes:
                self.hold(key, value)
        return value

    def held(self, key: str) -> Any:
        """The value if this process holds it ready, or None."""
        with self._held_lock:
            return self._held.get(key)

    def hold(self, key: str, value: Any) -> None:
        """Hold a value ready in this process alone."""
        with self._held_lock:
            self._held[key] = value

    def hold_at_most(self, weight: int) -> None:
        """Hold values of this weight (`_weight`) from now on, at least the latest one, and none of before."""
        with self._held_lock:
            self._held = LRUCache(weight, getsizeof=lambda value: min(_weight(value), weight))

    def put(self, key: str, value: Any, seconds: int = WEEK_S, changes: bool = False) -> bool:
        """Keep a value, for this process in any case; False where it could not be kept for others. changes:
        another will follow, so that it is kept for others alone.
        """
        if not changes:
            self.hold(key, value)
        write = lambda cache: cache.set(self._prefix + key, value, timeout=seconds)
        return bool(self._call(key, "kept", write))

    def is_available(self) -> bool:
        """Does it keep what it is given? Where it does not, another process can't hand over what it has
        made.
        """
        if self._clock() > self._last_probe[0]:
            keeps = self.put("probe", secrets.token_hex(8), 60, changes=True) and isinstance(
                self._read("probe"), str
            )
            self._last_probe = (self._clock() + PROBE_INTERVAL_S, keeps)
        return self._last_probe[1]

    def flush(self) -> None:
        """Returns once all that was made is kept, for other processes to find."""
        if self._last:
            self._last.exception()

    def get_or_compute(
        self, key: str, compute: Callable[[], T], cancel_token: CancelToken | None = None
    ) -> T:
        """The value of the key, made by the first who asks while others wait for it; RunCancelled where
        `cancel_token` ends the wait.
        """
        value = self.get(key)
        if value is not None:
            return value
        with contextlib.ExitStack() as lock:
            lock.enter_context(_key_lock(key, cancel_token or CancelToken()))
            value = self._read(key)
            if value is None:
                value = compute()
                self.hold(key, value)
                self._last = self._writer.submit(self._write, key, value, lock.pop_all())
            return value

    def bytes(self) -> int | None:
        """How many it holds; None where that is Redis's to tell, or not known yet."""
        try:
            count_file = settings.data_dir() / "cache" / SIZE_FILE
            return None if settings.redis_url() else int(count_file.read_bytes())
        except (OSError, ValueError, GantryError):
            return None

    def _read(self, key: str) -> Any:
        return self._call(key, "read", lambda cache: cache.get(self._prefix + key))

    def _write(self, key: str, value: Any, lock: contextlib.ExitStack) -> None:
        """Keep a value while its lock is held, so that those who wait for it find it; who made it does not
        wait for the disk.
        """
        with lock:
            self.put(key, value)

    def _bind(self) -> None:
        try:
            self._cache = Cache(self._server, config=self._config)
        except OSError as error:
            self._note_failure(error)

    def _call(self, key: str, verb: str, ask: Callable[[Cache], Any]) -> Any:
        """What the cache answers; None where it is away, which is asked again after a while only."""
        if self._clock() < self._retry_at:
            return None
        if self._cache is None:
            self._bind()
        try:
            return ask(self._cache) if self._cache else None
        except Exception as error:  # whatever the backend or an unreadable value raises
            log.warning("cache: %s was not %s (%s)", key.partition(":")[0], verb, type(error).__name__)
            counters.cache_failures.labels(verb).inc()
            self._note_failure(error)
            return None

    def _note_failure(self, error: Exception) -> None:
        if isinstance(error, (ConnectionError, TimeoutError)):  # of Redis: a file's fault comes at once
            self._retry_at = self._clock() + RETRY_AFTER_S
        if isinstance(error, (OSError, ConnectionError, TimeoutError)):
            self._last_probe = (self._clock() + RETRY_AFTER_S, False)


@contextlib.contextmanager
def _key_lock(key: str, cancel_token: CancelToken) -> Iterator[None]:
    """One of many lock files; flock is released by the kernel even when a process dies. Without a folder for
    them nobody waits.
    """
    number = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=2).digest(), "little") % LOCK_COUNT
    with contextlib.ExitStack() as opened:
        try:
            place = settings.data_dir() / "locks"
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = opened.enter_context((place / str(number)).open("w"))
        except (OSError, GantryError):
            handle = None
        wait = LOCK_POLL_S[0]
        while handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if cancel_token.is_cancelled:
                    raise RunCancelled(msg("runs.cache.run_was_ended_while_waited_for")) from None
                time.sleep(wait)
                wait = min(2 * wait, LOCK_POLL_S[1])
        yield


def _weight(value: Any) -> int:
    """In containers: of the run, a study's numbers or the scenario that a value has; and some for itself."""
    run, scenario = getattr(value, "run", None), getattr(value, "scenario", None)
    if run is not None:
        return BASE_WEIGHT + len(run.containers.job)
    if isinstance(value, StudyResult):
        return BASE_WEIGHT + (value.values.nbytes + value.state.nbytes) // CONTAINER_BYTES
    jobs = len(scenario.jobs) if isinstance(scenario, Scenario) else 0
    return BASE_WEIGHT + jobs * JOB_BYTES // CONTAINER_BYTES


shared_cache = SharedCache()
