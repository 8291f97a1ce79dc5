"""What the server's owner sets by environment; every default works at once on a laptop."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import sys
import tempfile
import threading
from functools import cache
from importlib.util import find_spec
from ipaddress import IPv6Address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from engine import GantryError
from webapp.messages import msg

# internal: set by whoever starts worker processes, for the server's processes
HAS_WORKERS_VARIABLE = "GANTRY_WORK_BESIDE"


class SettingError(GantryError):
    """An environment variable with an invalid value."""


class Limit(NamedTuple):
    """The default, the minimum, and the unit that is counted."""

    default: int
    minimum: int
    unit: str


LIMITS = {
    "GANTRY_MAX_CONTAINERS": Limit(1_000_000, 1, "containers"),  # of a scenario that is run
    # of one request: a million durations of their own are 8 MB, and what is pinned comes with it
    "GANTRY_MAX_BYTES": Limit(16 * 2**20, 2**16, "bytes"),
    "GANTRY_MAX_FILE_BYTES": Limit(50 * 2**20, 2**16, "bytes"),  # of the files that are opened at once
    "GANTRY_MAX_TEXT_BYTES": Limit(
        500 * 2**20, 2**16, "bytes"
    ),  # of a trace; its reader keeps the tasks only
    "GANTRY_MAX_SECONDS": Limit(600, 1, "seconds"),  # that a piece of work may take
    "GANTRY_MAX_QUEUE": Limit(200, 1, msg("top.settings.tasks")),  # that wait
    "GANTRY_LINK_DAYS": Limit(0, 0, "days"),
    "GANTRY_CLASS_DAYS": Limit(120, 1, "days"),  # a term
    "GANTRY_WORKERS": Limit(max(1, (os.cpu_count() or 1) - 1), 0, "processes"),  # beside the web's
    "GANTRY_PROXIES": Limit(0, 0, "proxies"),
    "GANTRY_CACHE_MB": Limit(1024, 1, "MB"),  # in files; of Redis its own maxmemory says it, with allkeys-lru
}
WEB_PROCESSES = Limit(2, 1, "processes")  # of gunicorn
MAX_DIGITS = 15
# one of them is in every data directory of Gantry's
GANTRY_FILES = {"links.sqlite", "secret-key", "cache", "locks", "metrics"}
NEW_DISK_FILES = {"lost+found"}  # in a disk of its own, which is new
GROUP_AND_OTHERS = stat.S_IRWXG | stat.S_IRWXO
MAX_PORT = 65_535
REDIS_SCHEMES = ("redis", "rediss", "unix")  # schemes of REDIS_URL
ORIGIN = re.compile(
    r"https?://(?:\[(?P<address>[0-9a-f:.]+)\]|(?P<name>[a-z0-9.-]{1,253}))(?::(?P<port>[1-9][0-9]{0,4}))?"
)  # of a site, as browsers write it
LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")  # of a host's name, between its dots
SECRET_KEY_PATTERN = re.compile(rb"[!-~]{16,}\n?")  # what may be a secret key


def limit(name: str) -> int:
    """The value of one of LIMITS; SettingError where it is none."""
    return _parse_count(name, LIMITS[name])


def check() -> None:
    """SettingError for the first invalid variable; neither database nor cache is contacted."""
    for name in LIMITS:
        limit(name)
    port()
    web_processes()
    redis_url()
    database_url()
    log_format()
    embed_origins()


def port() -> int:
    """PORT: where gunicorn listens."""
    text = _given("PORT") or "8050"
    if not text.isdecimal() or len(text) > MAX_DIGITS or not 1 <= int(text) <= MAX_PORT:
        raise SettingError(msg("top.settings.port_must_be_port_to", text=text[:40], max_port=MAX_PORT))
    return int(text)


def web_processes() -> int:
    """WEB_CONCURRENCY: gunicorn's processes."""
    return _parse_count("WEB_CONCURRENCY", WEB_PROCESSES)


def _given(name: str) -> str:
    return os.environ.get(name, "").strip()


def _parse_count(name: str, limit: Limit) -> int:
    text = _given(name) or str(limit.default)
    if not text.isdecimal() or len(text) > MAX_DIGITS or int(text) < limit.minimum:
        raise SettingError(
            msg(
                "top.settings.must_be_whole_number_at_least",
                name=name,
                text=text[:40],
                unit=limit.unit,
                minimum=limit.minimum,
                max_digits=MAX_DIGITS,
            )
        )
    return int(text)


def max_containers() -> int:
    """GANTRY_MAX_CONTAINERS: the largest scenario this server runs, in containers."""
    return limit("GANTRY_MAX_CONTAINERS")


def max_bytes() -> int:
    """GANTRY_MAX_BYTES: the largest request that is read, files aside."""
    return limit("GANTRY_MAX_BYTES")


def max_file_bytes() -> int:
    """GANTRY_MAX_FILE_BYTES: the largest files that are opened."""
    return limit("GANTRY_MAX_FILE_BYTES")


def max_text_bytes() -> int:
    """GANTRY_MAX_TEXT_BYTES: the largest trace, decompressed."""
    return limit("GANTRY_MAX_TEXT_BYTES")


def cache_mb() -> int:
    """GANTRY_CACHE_MB: how much the cache of runs may hold in files."""
    return limit("GANTRY_CACHE_MB")


def max_seconds() -> int:
    """GANTRY_MAX_SECONDS: how long a task may take."""
    return limit("GANTRY_MAX_SECONDS")


def max_queue() -> int:
    """GANTRY_MAX_QUEUE: how many tasks may wait in the queue."""
    return limit("GANTRY_MAX_QUEUE")


def workers() -> int:
    """GANTRY_WORKERS: worker processes besides the web server's; 0 if other machines run all tasks."""
    return limit("GANTRY_WORKERS")


def log_format() -> str:
    """GANTRY_LOG: "json", a JSON object a line, or "text"; empty: text on a terminal, else JSON. SettingError
    for another.
    """
    given = _given("GANTRY_LOG")
    if given not in ("", "json", "text"):
        raise SettingError(msg("top.settings.gantry_log_must_be_json_or", given=given[:40]))
    return given or ("text" if sys.stderr.isatty() else "json")


def cluster() -> str:
    """GANTRY_CLUSTER: the address of a Dask scheduler whose workers run studies; empty: this machine's
    processes do.
    """
    return _given("GANTRY_CLUSTER")


def metrics_token() -> str:
    """GANTRY_METRICS_TOKEN: the bearer token to read /metrics from another machine; empty: not allowed."""
    return _given("GANTRY_METRICS_TOKEN")


def proxies() -> int:
    """GANTRY_PROXIES: how many proxies are in front of this server and add to X-Forwarded-For and
    X-Forwarded-Proto.
    """
    return limit("GANTRY_PROXIES")


def link_days() -> int:
    """GANTRY_LINK_DAYS: after how many days a link that nobody opened is deleted; 0: never."""
    return limit("GANTRY_LINK_DAYS")


def class_days() -> int:
    """GANTRY_CLASS_DAYS: for how many days a class is kept, unless its teacher says fewer."""
    return limit("GANTRY_CLASS_DAYS")


def embed_origins() -> tuple[str, ...]:
    """GANTRY_EMBED: the sites whose pages may show Gantry's in a frame, as origins such as
    https://lms.example.org, separated by spaces; empty: none. SettingError for another.
    """
    origins = tuple(_given("GANTRY_EMBED").split())
    for origin in origins:
        if not _is_origin(origin):
            raise SettingError(msg("top.settings.gantry_embed_must_be_origins", origin=origin[:80]))
    return origins


def _is_origin(text: str) -> bool:
    parts = ORIGIN.fullmatch(text)
    if parts is None or int(parts["port"] or 0) > MAX_PORT:
        return False
    if parts["name"]:
        return all(map(LABEL.fullmatch, parts["name"].split(".")))
    try:
        return bool(IPv6Address(parts["address"]))
    except ValueError:
        return False


def trusted_hosts() -> list[str]:
    """GANTRY_TRUSTED_HOSTS: the host names this server answers to, comma-separated, .example.org with all its
    subdomains; empty: any.
    """
    return [name for part in os.environ.get("GANTRY_TRUSTED_HOSTS", "").split(",") if (name := part.strip())]


@cache
def data_dir() -> Path:
    """GANTRY_DATA, else the user's data directory, else a private one among the temporary files; made if
    missing, mode 0700.
    """
    if given := _given("GANTRY_DATA"):
        return _make_private(Path(given).expanduser())
    home = _given("XDG_DATA_HOME") or "~/.local/share"
    guessable = Path(tempfile.gettempdir()) / f"gantry-{os.getuid()}"
    for place in (Path(home).expanduser() / "gantry", guessable):
        with contextlib.suppress(SettingError):
            # somebody else's, to a folder of ours that is none of Gantry's
            if place == guessable and place.is_symlink():
                continue
            return _make_private(place)
    raise SettingError(msg("top.settings.there_no_writable_directory_for_links"))


def _make_private(place: Path) -> Path:
    """The cache below holds pickles: whoever may write here may run code, so nobody else may."""
    try:
        if (
            place.is_dir()
            and place.stat().st_mode & GROUP_AND_OTHERS
            and (others := {path.name for path in place.iterdir()} - NEW_DISK_FILES)
            and not others & GANTRY_FILES
        ):
            raise SettingError(msg("top.settings.data_directory_contains_files_something_else"))
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        if place.stat().st_uid == os.getuid():
            place.chmod(0o700)
    except OSError as error:
        why = msg("top.settings.data_directory_cant_be_made_gantry", strerror=error.strerror)
        raise SettingError(why) from None
    if place.stat().st_uid != os.getuid() or not os.access(place, os.W_OK):
        raise SettingError(msg("top.settings.data_directory_belongs_to_somebody_else"))
    return place


def redis_url() -> str:
    """REDIS_URL: a cache shared between machines; empty: the file system's."""
    url = _given("REDIS_URL")
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in REDIS_SCHEMES and parts.port != 0  # asked for, a port that is none raises
    except ValueError:
        is_valid = False
    if url and not is_valid:
        raise SettingError(msg("top.settings.redis_url_no_address_redis_must"))
    return url


def database_url() -> str:
    """DATABASE_URL: where links are kept; empty: SQLite in the data directory."""
    url = _given("DATABASE_URL")
    if url and "://" not in url:
        raise SettingError(msg("top.settings.database_url_no_address_database_must"))
    if url.startswith("postgres") and find_spec("psycopg") is None:
        raise SettingError(msg("top.settings.database_url_needs_psycopg"))
    return with_driver(url) if url else f"sqlite:///{data_dir() / 'links.sqlite'}"


def with_driver(url: str) -> str:
    """A database's URL with the driver that is installed, as hosts leave it out."""
    return re.sub("^postgres(ql)?://", "postgresql+psycopg://", url)


def has_secret_key() -> bool:
    """Whether the owner gives SECRET_KEY, so that servers on several machines may have the same."""
    return bool(_given("SECRET_KEY"))


def secret_key() -> str:
    """SECRET_KEY, else one made once and kept in the data directory, so that all processes sign alike."""
    if has_secret_key():
        return _given("SECRET_KEY")
    place = data_dir() / "secret-key"
    try:
        # of a disk that was full or is damaged: all it signed is a cache and who a visitor is
        if not SECRET_KEY_PATTERN.fullmatch(place.read_bytes()):
            place.unlink()
    except FileNotFoundError:
        pass
    except OSError as error:
        why = msg("top.settings.data_directorys_secret_key_cant_be", strerror=error.strerror)
        raise SettingError(why) from None
    draft = place.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
    try:
        if not place.exists():
            draft.touch(0o600)
            draft.write_text(secrets.token_urlsafe(32))
            with contextlib.suppress(FileExistsError):
                os.link(draft, place)
        return place.read_text().strip()
    except OSError as error:
        why = msg("top.settings.data_directorys_secret_key_cant_be_2", strerror=error.strerror)
        raise SettingError(why) from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
