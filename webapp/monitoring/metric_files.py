"""What each process of a server counts lies in files of one folder, so that any of them can tell the sum; and
which processes there are.

prometheus-client maps the files into memory, so their room is reserved before: a full disk would end the
process that counts. A process that has gone leaves its counts to one pair of files for all that have. Which
processes live is told by the locks they hold, not by numbers that come again.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from engine import GantryError
from webapp import settings

log = logging.getLogger("gantry")
# prometheus-client's own; set for a server's processes by whoever starts them
FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
TYPES = ("counter", "histogram")  # gauges are found when they are asked for
FILE_BYTES = 2**20  # bytes of each file; all names of counters together take a tenth
EXITED = "gone"
LOCK_SUFFIX = ".process"
OWNER_LOCK = "owner"
_locks: list[int] = []  # locks, for as long as the process lives


class Process(NamedTuple):
    """One of the server's. role: server, web, supervisor or work."""

    role: str
    number: int


def start() -> None:
    """A fresh folder below the data folder, in the environment of this process and of those it starts;
    folders of servers that have gone are deleted.

    Where there is no room for it, each process counts for itself.
    """
    os.environ.pop(FOLDER_VARIABLE, None)
    try:
        place = settings.data_dir() / "metrics"
        place.mkdir(mode=0o700, exist_ok=True)
        with exclusive(place):
            for old in place.iterdir():
                if old.is_dir() and (owner := _try_lock(old / OWNER_LOCK)) is not None:
                    shutil.rmtree(old)
                    os.close(owner)
            fresh = Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-", dir=place))  # mode 0700
            _locks.append(_lock(fresh / OWNER_LOCK))
        _preallocate(fresh, EXITED)
    except (OSError, GantryError) as error:
        log.warning("metrics: each process counts for itself (%s)", type(error).__name__)
        return
    os.environ[FOLDER_VARIABLE] = str(fresh)


def join(role: str) -> None:
    """This process counts too: to be called before its counters are made."""
    place = folder()
    if place is None:
        return
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)  # the data folder may have been deleted since
        _locks.append(_lock(place / f"{role}-{os.getpid()}{LOCK_SUFFIX}"))
        _preallocate(place, str(os.getpid()))
    except OSError as error:
        log.warning("metrics: this process counts for itself (%s)", type(error).__name__)
        del os.environ[FOLDER_VARIABLE]


def folder() -> Path | None:
    """Where the server's processes count; None where this process counts for itself."""
    path = os.environ.get(FOLDER_VARIABLE)
    return Path(path) if path else None


def live_processes() -> list[Process]:
    """Those of the server that live, by role and number."""
    processes = []
    for path in _process_locks():
        handle = _try_lock(path)
        if handle is None:
            processes.append(_parse_process(path))
        else:
            os.close(handle)
    return sorted(processes)


def merge_exited_processes() -> None:
    """The counts of processes that have gone are added to those of all that have, and their files deleted."""
    place = folder()
    if place is None or not place.is_dir():
        return
    with exclusive(place):
        for path in _process_locks():
            handle = _try_lock(path)
            if handle is not None:
                _merge_exited_process(place, str(_parse_process(path).number))
                path.unlink()
                os.close(handle)


def _process_locks() -> list[Path]:
    place = folder()
    return list(place.glob(f"*{LOCK_SUFFIX}")) if place else []


@contextlib.contextmanager
def exclusive(place: Path) -> Iterator[None]:
    """Nobody else adds up or reads the counts meanwhile: what is being added would be counted twice, or not
    at all.
    """
    handle = _lock(place / "lock")
    try:
        yield
    finally:
        os.close(handle)


def _merge_exited_process(place: Path, number: str) -> None:
    from prometheus_client.mmap_dict import MmapedDict

    for kind in TYPES:
        process_file = place / f"{kind}_{number}.db"
        if process_file.exists():
            total = MmapedDict(str(place / f"{kind}_{EXITED}.db"))
            for key, value, *_ in MmapedDict.read_all_values_from_file(str(process_file)):
                total.write_value(key, total.read_value(key)[0] + value, 0.0)
            total.close()
            process_file.unlink()


def _parse_process(path: Path) -> Process:
    role, _, number = path.name.removesuffix(LOCK_SUFFIX).partition("-")
    return Process(role, int(number))


def _preallocate(place: Path, number: str) -> None:
    for kind in TYPES:
        handle = os.open(place / f"{kind}_{number}.db", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.posix_fallocate(handle, 0, FILE_BYTES)
        finally:
            os.close(handle)


def _lock(path: Path) -> int:
    """The lock, waited for; it is held until its handle is closed or the last process that has it ends."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    return handle


def _try_lock(path: Path) -> int | None:
    """`_lock` without waiting; None where another has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle
