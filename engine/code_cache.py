"""Where compiled code is kept: GANTRY_CACHE_DIR (default: the user's cache folder), in a folder a version of
what compiles it.

In it a file's name has the digest of what the function and all that it calls say (code_digest.py): numba
itself does not notice when a function that another one calls has changed. All processes of a user share the
folder, wherever their copy of the sources lies: what one has compiled, the others load.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import itertools
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

HERE = Path(__file__).parent
COMPILED = ("schedulers/**/*.py", "simulation/**/*.py", "analysis/**/*.py")  # what compiled code is made of
# on which all compiled code depends
COMPILERS = (
    "code_cache.py",
    "code_digest.py",
    "jit.py",
    "numba_linking.py",
    "numba_types.py",
)
MAX_OTHER_VERSIONS = 4  # folders of other versions
MAX_UNUSED_S = 30 * 24 * 3600  # a version unused for longer goes
MAX_BYTES = 500_000_000  # of one version; what was unused for longest goes first
# what can be run of a function, as kept by numba_linking.py, or by numba itself
ENTRIES = (
    "-*.entry",
    ".*.nbi",
)
SUFFIXES = (".entry", ".inner", ".nbi", ".nbc")
ALL = "all"  # a file that tells that everything has been compiled
FILES_PER_SWEEP = 64  # files written by a process
CHECKSUM = hashlib.sha256().digest_size
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
ROOT = 0  # the user who may do anything anyway
_written = itertools.count(1)
IN_USE_S = 24 * 3600  # a process may still write to one that was used so lately


@cache
def folder() -> Path:
    """This version's folder, which exists and which this user alone may write; where there is none, one that
    only this process uses.

    Compiled code is loaded from pickles, so whoever may write there may run code as this user.
    """
    tools = [sys.implementation.cache_tag, _processor(), *map(version, ("numba", "llvmlite", "numpy"))]
    tools += [os.environ.get(f"NUMBA_{name}", "") for name in ("BOUNDSCHECK", "CPU_NAME", "CPU_FEATURES")]
    digest = hashlib.sha256(" ".join(tools).encode())
    for compiler in COMPILERS:
        digest.update((HERE / compiler).read_bytes())
    home = os.environ.get("GANTRY_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gantry"
    )
    guessable = Path(tempfile.gettempdir()) / f"gantry-{os.getuid()}"
    for base in (Path(home), guessable):
        with contextlib.suppress(OSError):
            if base == guessable and base.is_symlink():  # somebody else chose where it leads
                continue
            version_folder = base / digest.hexdigest()[:16]
            version_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if _is_private(base, version_folder):
                os.utime(version_folder)  # says that it is in use
                sweep(version_folder)
                return version_folder
    return Path(tempfile.mkdtemp(prefix="gantry-"))


def _processor() -> str:
    """What a processor of the machine can do, as far as the system tells."""
    with contextlib.suppress(OSError):
        return next(
            (
                line
                for line in Path("/proc/cpuinfo").read_text().splitlines()
                if line.startswith(("flags", "Features"))
            ),
            "",
        )
    return platform.processor()


def _is_private(base: Path, folder_path: Path) -> bool:
    """Whether nobody else may write into the folder, or put another one in its place."""
    folder_stat, base_stat = folder_path.lstat(), base.stat()
    # mkdir made it by a umask of 002
    if (
        base_stat.st_uid == os.getuid()
        and base_stat.st_mode & OTHERS_WRITE
        and not base_stat.st_mode & stat.S_ISVTX
    ):
        base.chmod(base_stat.st_mode & ~(stat.S_IFMT(base_stat.st_mode) | OTHERS_WRITE))
        base_stat = base.stat()
    is_base_safe = not base_stat.st_mode & OTHERS_WRITE or bool(base_stat.st_mode & stat.S_ISVTX)
    private = (
        stat.S_ISDIR(folder_stat.st_mode)
        and folder_stat.st_uid == os.getuid()
        and not folder_stat.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    )
    return (
        private
        and is_base_safe
        and base_stat.st_uid in (os.getuid(), ROOT)
        and os.access(folder_path, os.W_OK)
    )


def sweep(current: Path) -> None:
    """Removes the folders of versions that are no longer used: those beyond MAX_OTHER_VERSIONS or
    MAX_UNUSED_S. Safe beside other processes that do the same.
    """
    others = []
    for path in current.parent.iterdir():
        if path != current and re.fullmatch(r"[0-9a-f]{16}", path.name):
            with contextlib.suppress(OSError):  # another process was first
                others.append((time.time() - path.stat().st_mtime, path))
    for rank, (unused_s, path) in enumerate(sorted(others)):
        if unused_s > MAX_UNUSED_S or (rank >= MAX_OTHER_VERSIONS and unused_s > IN_USE_S):
            renamed = path.with_name(f"{path.name}.{os.getpid()}")
            with contextlib.suppress(OSError):
                path.rename(renamed)  # at once, so that nobody loads half of it
                shutil.rmtree(renamed, ignore_errors=True)


def has_compiled(name: str, digest: str) -> bool:
    """Whether a function is there compiled; name: as numba names its file, module.function."""
    matches = [path for pattern in ENTRIES for path in folder().glob(f"{name}-{digest}{pattern}")]
    for path in matches:
        with contextlib.suppress(OSError):
            os.utime(path)  # says that it is in use
    return bool(matches)


def everything_is_compiled() -> bool:
    """Whether a process has compiled all there is (note_everything_is_compiled)."""
    return _everything().exists()


def note_everything_is_compiled() -> None:
    """All there is has been compiled."""
    _everything().touch()


def _everything() -> Path:
    sources = sorted(path for pattern in COMPILED for path in HERE.glob(pattern))
    return (
        folder()
        / f"{ALL}-{hashlib.sha256(b''.join(source.read_bytes() for source in sources)).hexdigest()[:16]}"
    )


def read(path: Path) -> bytes | None:
    """What `write` wrote there; None where nothing is, or something else."""
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        checksum, content = content[:CHECKSUM], content[CHECKSUM:]
        if hashlib.sha256(content).digest() == checksum:
            os.utime(path)  # says that it is in use
            return content
    return None


def write(path: Path, content: bytes) -> None:
    """The whole file at once, or nothing where the disk is full."""
    scratch = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}")
    with contextlib.suppress(OSError):
        scratch.write_bytes(hashlib.sha256(content).digest() + content)
        scratch.replace(path)
        if next(_written) % FILES_PER_SWEEP == 0:
            sweep_files(path.parent)
    with contextlib.suppress(OSError):
        scratch.unlink(missing_ok=True)


def sweep_files(folder_path: Path, max_bytes: int = MAX_BYTES) -> None:
    """Removes what was unused for longest of a version's files, until `max_bytes` are left. Whoever has
    loaded one keeps it.
    """
    files = []
    for path in folder_path.iterdir():
        with contextlib.suppress(OSError):
            if path.suffix in SUFFIXES:
                files.append((path.stat().st_mtime, path.stat().st_size, path))
    excess = sum(size for _, size, _ in files) - max_bytes
    for _, size, path in sorted(files):
        if excess <= 0:
            return
        excess -= size
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def one_process_at_a_time(what: str = "lock", waits: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Within is one process of this user at a time, so that what it compiles, the others find compiled. what:
    a name for those who exclude each other;
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
