"""Disks that are full or read-only, as the kernel makes them: root may write to anything else."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.faults.fault import NotRun


@contextlib.contextmanager
def small_disk(place: Path, kilobytes: int) -> Iterator[None]:
    """A disk of so many kilobytes at this folder. Raises NotRun."""
    place.mkdir(exist_ok=True)
    _mount("-t", "tmpfs", "-o", f"size={kilobytes}k,mode=0700", "none", str(place))
    try:
        yield
    finally:
        _unmount(place)


@contextlib.contextmanager
def read_only(place: Path) -> Iterator[None]:
    """Nobody writes to this folder. Raises NotRun."""
    _mount("--bind", str(place), str(place))
    try:
        _mount("-o", "remount,ro,bind", str(place))
        yield
    finally:
        _unmount(place)


def fill(place: Path) -> Path:
    """Leaves no room on a disk; the file that takes it."""
    filler = place / "filler"
    with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass
    return filler


def _mount(*words: str) -> None:
    result = shutil.which("mount")
    done = subprocess.run([result, *words], capture_output=True, text=True) if result else None
    if done is None or done.returncode:
        raise NotRun(f"nothing can be mounted here: {done.stderr.strip() if done else 'there is no mount'}")


def _unmount(place: Path) -> None:
    subprocess.run(["umount", "--lazy", str(place)], check=True, capture_output=True)
