"""Files bounded by their bytes, counted right by several processes at once."""

from __future__ import annotations

import multiprocessing
import os
import time
from pathlib import Path

import pytest

from tests.faults.fault import NotRun
from tests.faults.mounts import small_disk
from webapp.runs.file_cache import PART_SUFFIX, FileCache

KB = 1024


def of(place: Path, most: int = 100 * KB) -> FileCache:
    return FileCache(place, most, default_timeout=60)


def size(place: Path) -> int:
    return sum(path.stat().st_size for path in place.iterdir() if path.name != "bytes.lock")


def value(number: int, kb: int = 10) -> bytes:
    return bytes([number]) * (kb * KB)


def test_what_nobody_read_for_longest_goes_first(tmp_path: Path) -> None:
    files = of(tmp_path)
    for number in range(9):
        assert files.set(f"key {number}", value(number))
        os.utime(files._path_of(f"key {number}"), (number, number))
    assert files.get("key 0") == value(0)
    files.set("one more", value(9, 20))
    kept = [number for number in range(9) if files.get(f"key {number}") is not None]
    assert 0 in kept and 1 not in kept and 2 not in kept
    assert files.get("one more") == value(9, 20)
    assert size(tmp_path) <= 100 * KB == files._most


def test_short_lived_values_are_not_the_first_to_go(tmp_path: Path) -> None:
    """The old one: what was to be kept for an hour went before what was kept for a week, and with it all work
    under way.
    """
    files = of(tmp_path)
    for number in range(9):
        files.set(f"long {number}", value(number), timeout=7 * 24 * 3600)
        os.utime(files._path_of(f"long {number}"), (number, number))
    files.set("short", b"progress", timeout=60)
    for number in range(9, 15):
        files.set(f"long {number}", value(number), timeout=7 * 24 * 3600)
    assert files.get("short") == b"progress"


def test_what_has_expired_is_not_read_and_goes_before_all_else(tmp_path: Path) -> None:
    files = of(tmp_path)
    files.set("kept", value(1, 50))
    files.set("expired", value(2, 45), timeout=-1)
    assert files.get("expired") is None
    files.set("more", value(3, 40))
    assert files.get("kept") and files.get("more") and not files._path_of("expired").exists()


def test_what_is_larger_than_all_the_room_is_not_kept_and_throws_nothing_out(tmp_path: Path) -> None:
    files = of(tmp_path)
    files.set("kept", value(1))
    assert not files.set("huge", value(2, 200))
    assert files.get("kept") == value(1) and files.get("huge") is None and size(tmp_path) < 20 * KB


def test_the_same_key_counts_once(tmp_path: Path) -> None:
    files = of(tmp_path)
    for number in range(30):
        files.set("key", value(number))
    assert int((tmp_path / "bytes.lock").read_text()) == size(tmp_path)
    files.delete("key")
    assert int((tmp_path / "bytes.lock").read_text()) == size(tmp_path) == 0


def write(place: Path, worker: int) -> None:
    files = of(place)
    for number in range(40):
        files.set(f"{worker} {number}", value(number, 5))


def test_many_processes_count_together(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write, args=(tmp_path, worker)) for worker in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 3
    assert 50 * KB < size(tmp_path) <= 100 * KB
    assert int((tmp_path / "bytes.lock").read_text()) == size(tmp_path)


def test_half_written_files_of_processes_that_have_gone_are_swept(tmp_path: Path) -> None:
    files = of(tmp_path)
    for name, age in (("old", 600), ("new", 0)):
        path = tmp_path / f"{name}{PART_SUFFIX}"
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    files.sweep()
    assert [path.name for path in tmp_path.glob(f"*{PART_SUFFIX}")] == [f"new{PART_SUFFIX}"]


def test_a_broken_or_empty_file_is_swept_and_a_lost_count_is_made_anew(tmp_path: Path) -> None:
    files = of(tmp_path)
    files.set("key", value(1))
    files._path_of("broken").write_bytes(b"")
    assert files.get("broken") is None
    (tmp_path / "bytes.lock").write_text("many")
    files.set("other", value(2))
    assert int((tmp_path / "bytes.lock").read_text()) == size(tmp_path)
    assert not files._path_of("broken").exists()


def test_a_folder_that_was_deleted_is_made_again(tmp_path: Path) -> None:
    files = of(tmp_path / "cache")
    files.set("key", 1)
    for path in (tmp_path / "cache").iterdir():
        path.unlink()
    (tmp_path / "cache").rmdir()
    assert files.get("key") is None
    assert files.set("key", 2) and files.get("key") == 2


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    files = of(tmp_path / "cache")
    (tmp_path / "cache").rmdir()
    (tmp_path / "cache").write_text("a file in its place")
    with pytest.raises(OSError):
        files.set("key", 1)


def test_a_disk_that_is_full_before_the_room_is_keeps_the_newest(tmp_path: Path) -> None:
    """The old one: nothing was kept any more until what was there had expired."""
    place, other = tmp_path / "disk", tmp_path / "disk" / "others"
    try:
        with small_disk(place, 400):
            other.write_bytes(bytes(200 * KB))
            files = of(place / "cache", 1000 * KB)
            for number in range(20):
                assert files.set(f"key {number}", value(number, 20))
                os.utime(files._path_of(f"key {number}"), (number, number))
            assert files.get("key 19") == value(19, 20) and files.get("key 0") is None
            assert other.stat().st_size == 200 * KB
            with pytest.raises(OSError, match="No space left"):
                files.set("too large", value(1, 300))
            assert not list((place / "cache").glob(f"*{PART_SUFFIX}"))
    except NotRun as error:
        pytest.skip(str(error))
