"""The cache shared between processes: kept by value, made once, and never in the way when it is away."""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import socket
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import redis as redis_client
from flask import Flask
from flask_caching.backends.filesystemcache import FileSystemCache

from engine.dashboard import CancelToken, RunCancelled
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.fake_clock import Clock
from webapp.monitoring import counters
from webapp.runs import cache as module
from webapp.runs.cache import SharedCache
from webapp.runs.file_cache import EXPIRY_HEADER
from webapp.runs.signed_cache import SignedPickle


def started(version: str = "1", **more: Any) -> SharedCache:
    made = SharedCache(**more)
    made.start(Flask("test"), version)
    return made


@pytest.fixture(params=["files", "redis"])
def where(request: pytest.FixtureRequest, data: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "redis":
        monkeypatch.setenv("REDIS_URL", request.getfixturevalue("redis"))
    return request.param


def test_another_process_reads_what_one_has_kept(where: str) -> None:
    assert started().put("key", {"a": (1, 2)})
    assert started().get("key") == {"a": (1, 2)}


def test_values_of_another_engine_version_are_not_read(where: str) -> None:
    started("1").put("other", 5)
    assert started("2").get("other") is None


def test_a_value_is_made_once(where: str) -> None:
    made = []
    assert [started().get_or_compute("once", lambda: made.append(1) or "value") for _ in range(3)] == [
        "value"
    ] * 3
    assert made == [1]


def test_many_who_ask_at_once_wait_for_the_first(data: Path) -> None:
    made, result, looks = [], [], counters.cache_lookups.labels("stampede", "miss")
    before = looks._value.get()

    def make() -> str:
        made.append(1)
        until(lambda: looks._value.get() - before == len(caches))
        return "value"

    # one after another: Python 3.11 can't parse in several threads, which Flask does as it starts
    caches = [started() for _ in range(6)]
    askers = [
        threading.Thread(target=lambda cache=cache: result.append(cache.get_or_compute("stampede", make)))
        for cache in caches
    ]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert (len(made), result) == (1, ["value"] * 6)


def test_a_failed_making_is_tried_again(data: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        started().get_or_compute("key", lambda: 1 / 0)
    assert started().get_or_compute("key", lambda: 7) == 7


def test_a_cache_that_is_away_is_only_slower(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1:9/0")
    away = started()
    assert not away.put("key", 1)
    assert away.get("key") == 1 and away.get("key", changes=True) is None
    assert away.get_or_compute("another", lambda: 7) == 7


class Runs:
    """A pickle of it, once read, touches a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return Path.touch, (self.path,)


def planted(where: str, data: Path, value: bytes) -> None:
    """Puts bytes where the value of the key "key" lies, as one does who can write there."""
    if where == "redis":
        client = redis_client.from_url(os.environ["REDIS_URL"])
        (name,) = [name for name in client.scan_iter() if name.endswith(b"key")]
        client.set(name, value)
    else:
        (path,) = [path for path in (data / "cache").iterdir() if b"planted here" in path.read_bytes()]
        path.write_bytes(path.read_bytes()[: EXPIRY_HEADER.size] + value)


@pytest.mark.parametrize("how", ["plain", "another key", "changed", "cut", "ascii"])
def test_a_value_that_this_server_did_not_sign_is_a_miss_and_runs_nothing(
    where: str,
    how: str,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    cache, mark = started(), tmp_path / "ran"
    assert cache.put("key", "planted here")
    evil = pickle.dumps(Runs(mark))
    with monkeypatch.context() as other:
        other.setenv("SECRET_KEY", "another")
        signed = SignedPickle().dumps(Runs(mark))
    own = SignedPickle().dumps("ours")
    values = {
        "plain": evil,
        "another key": signed,
        "changed": own[:32] + evil,
        "cut": own[:40],
        "ascii": b"!" + evil,
    }
    planted(where, data, values[how])
    assert cache.get("key", changes=True) is None
    assert not mark.exists()
    assert phrase("services.has_signed_was_not_read") in caplog.text
    assert cache.put("key", 2) and started().get("key") == 2


def test_values_of_all_kinds_come_back_signed(where: str) -> None:
    cache = started()
    for value in (5, "text", True, {"a": np.arange(100_000)}, [None]):
        assert cache.put("kind", value)
        assert repr(cache.get("kind")) == repr(value)


def test_a_cache_of_unsigned_files_is_used_on(data: Path) -> None:
    """It is what an earlier version leaves behind, its count of files too."""
    FileSystemCache(str(data / "cache"), threshold=200).set("gantry-1-key", 5)
    assert started().get("key", changes=True) is None
    assert started().put("key", 6) and started().get("key") == 6


def test_a_broken_file_is_a_miss(data: Path) -> None:
    cache = started()
    cache.put("key", list(range(1000)))
    for path in (data / "cache").iterdir():
        path.write_bytes(path.read_bytes()[:40])
    assert cache.get("key", changes=True) is None


def test_only_the_owner_may_read_the_cache(data: Path) -> None:
    started().put("key", 1)
    assert data.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o077 for path in (data / "cache").iterdir()} == {0}


def test_a_redis_of_several_machines_needs_a_key_of_theirs(
    data: Path, redis: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("REDIS_URL", redis)
    started()
    assert "REDIS_URL without SECRET_KEY" in caplog.text
    caplog.clear()
    monkeypatch.setenv("SECRET_KEY", "theirs")
    started()
    assert not caplog.text


def test_a_cache_whose_folder_is_deleted_or_replaced_is_only_slower(data: Path) -> None:
    """The old one: with its folder away every Run said "press Run again" for ever."""
    cache = started()
    assert cache.is_available()
    shutil.rmtree(data)
    assert cache.get("key", changes=True) is None
    assert cache.get_or_compute("key", lambda: 7) == 7
    cache.flush()
    assert started().get("key") == 7
    shutil.rmtree(data / "cache")
    (data / "cache").write_text("a file in its place")
    other = started()
    assert (
        not other.put("key", 1)
        and not other.is_available()
        and not cache.put("key", 1)
        and not cache.is_available()
    )
    assert other.get_or_compute("another", lambda: 8) == 8


def test_a_redis_that_hangs_is_waited_for_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:  # connections are taken and nothing is said
        monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{deaf.getsockname()[1]}/0")
        monkeypatch.setattr(module, "REDIS_TIMEOUT_S", 0.1)
        clock = Clock()
        cache = started(clock=clock)
        assert [cache.get(str(number)) for number in range(50)] == [None] * 50
        assert not cache.is_available()
        once = asked(deaf)
        clock.now += module.RETRY_AFTER_S - 1
        assert cache.get("key", changes=True) is None and asked(deaf) == 0
        clock.now += 1
        assert cache.get("key", changes=True) is None and asked(deaf) == once


def asked(deaf: socket.socket) -> int:
    """How often it was connected to since it was last asked for."""
    deaf.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            deaf.accept()[0].close()
            count += 1
    return count


def test_who_waits_for_another_can_be_ended(data: Path) -> None:
    begun, go, cancel_token, result = threading.Event(), threading.Event(), CancelToken(), []
    first = threading.Thread(
        target=lambda: started().get_or_compute("key", lambda: (begun.set(), go.wait(MAX_WAIT_S)))
    )
    first.start()
    assert begun.wait(MAX_WAIT_S)

    def wait() -> None:
        try:
            started().get_or_compute("key", lambda: 1, cancel_token)
        except RunCancelled:
            result.append("ended")

    second = threading.Thread(target=wait)
    second.start()
    cancel_token.cancel()
    second.join(MAX_WAIT_S)
    assert result == ["ended"]
    go.set()
    first.join()


def test_the_owner_bounds_its_bytes(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GANTRY_CACHE_MB", "1")
    cache = started()
    for number in range(20):
        assert cache.put(str(number), bytes(100_000))
    assert 400_000 < sum(path.stat().st_size for path in (data / "cache").iterdir()) <= 2**20
    assert not cache.put("huge", bytes(2**21))
