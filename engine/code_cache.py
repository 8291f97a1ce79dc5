"""Where compiled code is kept: GANTRY_CACHE_DIR (default: the user's cache folder), in a folder a version.

A version is a hash of the sources that compiled code is made of, because numba itself does not notice when a function that another
one calls has changed. All processes of a user share the folder, wherever their copy of the sources lies: what one has compiled, the others load.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
COMPILED = ("code_cache.py", "jit.py", "numba_types.py", "schedulers/**/*.py", "simulation/**/*.py", "analysis/**/*.py")  # what compiled code is made of
KEPT = 4  # folders of other versions
KEPT_S = 30 * 24 * 3600  # a version unused for longer goes
ALL = "all"  # a file that tells that everything has been compiled
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0  # the user who may do anything anyway
IN_USE_S = 24 * 3600  # a process may still write to one that was used so lately


def sources() -> list[Path]:
    """The files whose change makes all compiled code stale."""
    return sorted(path for pattern in COMPILED for path in HERE.glob(pattern))


@cache
def folder() -> Path:
    """This version's folder, which exists and which this user alone may write; where there is none, one that only this process uses.

    Compiled code is loaded from pickles, so whoever may write there may run code as this user.
    """
    tools = (sys.implementation.cache_tag, version("numba"), version("numpy"), os.environ.get("NUMBA_BOUNDSCHECK", ""))
    digest = hashlib.sha256(" ".join(tools).encode())
    for source in sources():
        digest.update(source.read_bytes())
    home = os.environ.get("GANTRY_CACHE_DIR") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gantry")
    guessable = Path(tempfile.gettempdir()) / f"gantry-{os.getuid()}"
    for base in (Path(home), guessable):
        with contextlib.suppress(OSError):
            if base == guessable and base.is_symlink():  # somebody else chose where it leads
                continue
            found = base / digest.hexdigest()[:16]
            found.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _is_only_ours(base, found):
                os.utime(found)  # says that it is in use
                sweep(found)
                return found
    return Path(tempfile.mkdtemp(prefix="gantry-"))


def _is_only_ours(base: Path, found: Path) -> bool:
    """Whether nobody else may write into the folder, or put another one in its place."""
    own, above = found.lstat(), base.stat()
    if above.st_uid == os.getuid() and above.st_mode & OTHERS_WRITE and not above.st_mode & stat.S_ISVTX:  # mkdir made it by a umask of 002
        base.chmod(above.st_mode & ~(stat.S_IFMT(above.st_mode) | OTHERS_WRITE))
        above = base.stat()
    kept = not above.st_mode & OTHERS_WRITE or bool(above.st_mode & stat.S_ISVTX)
    private = stat.S_ISDIR(own.st_mode) and own.st_uid == os.getuid() and not own.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    return private and kept and above.st_uid in (os.getuid(), ROOT) and os.access(found, os.W_OK)


def sweep(own: Path) -> None:
    """Removes the folders of versions that are no longer used: those beyond KEPT or KEPT_S. Safe beside other processes that do the same."""
    found = []
    for path in own.parent.iterdir():
        if path != own and re.fullmatch(r"[0-9a-f]{16}", path.name):
            with contextlib.suppress(OSError):  # another process was first
                found.append((time.time() - path.stat().st_mtime, path))
    for place, (unused_s, path) in enumerate(sorted(found)):
        if unused_s > KEPT_S or (place >= KEPT and unused_s > IN_USE_S):
            gone = path.with_name(f"{path.name}.{os.getpid()}")
            with contextlib.suppress(OSError):
                path.rename(gone)  # at once, so that nobody loads half of it
                shutil.rmtree(gone, ignore_errors=True)


def holds(name: str) -> bool:
    """Whether a function is there compiled; name: as numba names its file, module.function."""
    return any(folder().rglob(f"{name}-*.nbi"))


def place_of(source: Path) -> str:
    """Where in the folder the code of a file of the engine is kept: not by where its copy lies, for the folder says what is in it; "" for other files."""
    return "_".join(source.parent.relative_to(HERE).parts) or HERE.name if source.is_relative_to(HERE) else ""


def everything_is_compiled() -> bool:
    """Whether a process has compiled all there is (note_everything_is_compiled)."""
    return (folder() / ALL).exists()


def note_everything_is_compiled() -> None:
    """All there is has been compiled."""
    (folder() / ALL).touch()


@contextlib.contextmanager
def one_process_at_a_time(what: str = "lock", waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Within is one process of this user at a time, so that what it compiles, the others find compiled. what: a name for those who exclude each other;
    waits: called where another one is within.
    """
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):  # without locks, each compiles for itself
            lock = stack.enter_context(open(folder() / what, "w"))
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                waits()
                fcntl.flock(lock, fcntl.LOCK_EX)
        yield
