"""What the server's owner sets by environment; every default works at once on a laptop."""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

from engine import GantryError

BESIDE = "GANTRY_WORK_BESIDE"  # not the owner's: set by whoever starts work processes, for the processes of the server


class SettingError(GantryError):
    """An environment variable with an invalid value."""


def most_containers() -> int:
    """GANTRY_MAX_CONTAINERS: the largest scenario this server runs, in containers."""
    return _whole("GANTRY_MAX_CONTAINERS", 1_000_000, "containers", 1)


@cache
def data_dir() -> Path:
    """GANTRY_DATA, else the user's data directory, else a private one among the temporary files; made if missing, mode 0700."""
    given = os.environ.get("GANTRY_DATA", "").strip()
    if given:
        return _private(Path(given).expanduser())
    home = os.environ.get("XDG_DATA_HOME", "").strip() or "~/.local/share"
    for place in (Path(home).expanduser() / "gantry", Path(tempfile.gettempdir()) / f"gantry-{os.getuid()}"):
        with contextlib.suppress(SettingError):
            return _private(place)
    raise SettingError("No directory can be written for links and cached runs; GANTRY_DATA must name one.")


def _private(place: Path) -> Path:
    """The cache below holds pickles: whoever may write here may run code, so nobody else may."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.stat().st_uid == os.getuid():
            place.chmod(0o700)
    except OSError as error:
        raise SettingError(f"The data directory can't be made ({error.strerror}); GANTRY_DATA must name one that can be written.") from None
    if place.stat().st_uid != os.getuid() or not os.access(place, os.W_OK):
        raise SettingError("The data directory belongs to somebody else or can't be written; GANTRY_DATA must name another.")
    return place


def redis_url() -> str:
    """REDIS_URL: a cache shared between machines; empty: the file system's."""
    return os.environ.get("REDIS_URL", "").strip()


def database_url() -> str:
    """DATABASE_URL: where links are kept; empty: SQLite in the data directory."""
    url = os.environ.get("DATABASE_URL", "").strip()
    if not url:
        return f"sqlite:///{data_dir() / 'links.sqlite'}"
    for short in ("postgres://", "postgresql://"):
        if url.startswith(short):
            return "postgresql+psycopg://" + url[len(short) :]
    return url


def secret_key() -> str:
    """SECRET_KEY, else one made once and kept in the data directory, so that all processes sign alike."""
    given = os.environ.get("SECRET_KEY", "").strip()
    if given:
        return given
    place = data_dir() / "secret-key"
    with contextlib.suppress(FileExistsError):
        draft = place.with_suffix(f".{os.getpid()}")
        draft.write_text(secrets.token_urlsafe(32))
        draft.chmod(0o600)
        try:
            os.link(draft, place)
        finally:
            draft.unlink()
    return place.read_text()


def cache_mb() -> int:
    """GANTRY_CACHE_MB: how much the cache of runs may hold in files."""
    return _whole("GANTRY_CACHE_MB", 1024, "MB", 1)


def max_seconds() -> int:
    """GANTRY_MAX_SECONDS: how long a piece of work may take."""
    return _whole("GANTRY_MAX_SECONDS", 600, "seconds", 1)


def max_queue() -> int:
    """GANTRY_MAX_QUEUE: how many pieces of work may wait."""
    return _whole("GANTRY_MAX_QUEUE", 200, "pieces of work", 1)


def workers() -> int:
    """GANTRY_WORKERS: processes that do long work beside the web's; 0 where other machines do it all."""
    return _whole("GANTRY_WORKERS", max(1, (os.cpu_count() or 1) - 1), "processes", 0)


def _whole(name: str, default: int, of: str, least: int) -> int:
    text = os.environ.get(name, "").strip() or str(default)
    if not text.isdecimal() or int(text) < least:
        raise SettingError(f"{name} is {text!r}; it must be a whole number of {of}, at least {least}.")
    return int(text)
