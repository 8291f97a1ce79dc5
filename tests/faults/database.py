"""The database: kept locked, away, stopped in its tracks, its disk full, its file damaged."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator

import psycopg

from tests.faults.fault import Failed, Found, fault
from tests.faults.mounts import fill
from tests.faults.visit import Visit, long, small, visiting
from tests.phrases import phrase
from tests.webapp.real_stores import Postgres

SHARE_S = 30.0


def goes_on(visit: Visit, link: str, how: str) -> str:
    """While it is away: short runs are done, Share and a link say why they aren't, and so does long work;
    what Share said.
    """
    visit.run(small())
    visit.press_share()
    said = visit.hears("^" + phrase("faults.link_could_not_be_kept", how), SHARE_S)
    with visit.other(link) as elsewhere:
        complaint = elsewhere.page.locator("#complaints").text_content(timeout=60_000) or ""
        if "The link could not be opened" not in complaint and not elsewhere.hears(r"^Long \d+: "):
            raise Failed(f"of a link the page said {complaint!r}")
    visit.compose(long())
    visit.press()
    visit.hears("^" + phrase("faults.servers_database_so_long_work", f"{how}.*"), SHARE_S)
    return said


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    result = Postgres()
    try:
        yield result
    finally:
        with contextlib.suppress(Exception):
            result.go_on()
        result.end()


@fault("another program keeps SQLite's file locked for longer than it is waited for")
def sqlite_locked() -> Found:
    with visiting() as visit:
        visit.run(long())
        link = visit.share()
        other = sqlite3.connect(visit.served.data / "links.sqlite", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        said = goes_on(visit, link, phrase("faults.kept_busy_by_another_program"))
        other.execute("ROLLBACK")
        other.close()
        visit.over()
        return visit.found(said)


@fault("another program keeps PostgreSQL's tables locked")
def postgres_locked() -> Found:
    with postgres() as server, visiting({"DATABASE_URL": server.url}) as visit:
        visit.run(long())
        link = visit.share()
        with psycopg.connect(server.url.replace("postgres://", "postgresql://")) as other:
            other.execute("LOCK TABLE links, works, asked IN ACCESS EXCLUSIVE MODE")
            said = goes_on(visit, link, "does not answer")
            other.rollback()
        visit.over()
        return visit.found(said)


def away(take: Callable[[Postgres], None], give: Callable[[Postgres], None]) -> Found:
    """PostgreSQL is taken away and given back."""
    with postgres() as server, visiting({"DATABASE_URL": server.url}) as visit:
        visit.run(long())
        link = visit.share()
        take(server)
        said = goes_on(visit, link, "does not answer")
        give(server)
        visit.over()
        return visit.found(said)


@fault("PostgreSQL is killed")
def postgres_killed() -> Found:
    return away(Postgres.kill, Postgres.start)


@fault("PostgreSQL is stopped in its tracks: it holds its connections and says nothing", short=True)
def postgres_stopped() -> Found:
    return away(Postgres.stop, Postgres.go_on)


@fault("the disk of the data folder has no room left")
def disk_full() -> Found:
    with visiting(disk_kb=60_000) as visit:
        visit.run(long())
        visit.page.wait_for_timeout(2_000)
        with contextlib.closing(sqlite3.connect(visit.served.data / "links.sqlite")) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what lies there already has room for some more
        filler = fill(visit.served.data)
        visit.press_share()
        said = visit.hears("^" + phrase("faults.link_could_not_be_kept_servers"), SHARE_S)
        visit.run(small())
        visit.zoom()
        filler.unlink()
        visit.over()
        return visit.found(said)


@fault("the server is started on a disk without room: it says so and ends", short=True)
def disk_full_at_start() -> Found:
    with visiting(disk_kb=60_000) as visit:
        served = visit.served
        served.stop()
        (served.data / "secret-key").unlink()
        filler, before = fill(served.data), served.log.stat().st_size
        with contextlib.suppress(RuntimeError):
            served.start()
            raise Failed("it was started")
        lines = served.log.read_bytes()[before:].decode().splitlines()
        if lines[-1][:1] == "{" or any("Traceback" in line or '"ERROR"' in line for line in lines):
            raise Failed(f"it did not say why in a sentence: {lines[-3:]}")
        filler.unlink()
        served.start()
        visit.over()
        return visit.found(lines[-1])


@fault(
    "SQLite's file is overwritten with other bytes: it is left as it is, and works again once it was restored"
)
def sqlite_corrupt() -> Found:
    with visiting() as visit:
        visit.run(long())
        link = visit.share()
        file, kept = visit.served.data / "links.sqlite", visit.served.data / "kept.sqlite"
        with sqlite3.connect(file) as source, sqlite3.connect(kept) as target:
            source.backup(target)
        noise = os.urandom(file.stat().st_size)
        file.with_name("noise").write_bytes(noise)
        os.replace(file.with_name("noise"), file)
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        said = goes_on(visit, link, phrase("common.damaged_and_left_as"))
        if file.read_bytes() != noise:
            raise Failed("the damaged file was overwritten")
        for end in ("-wal", "-shm"):
            file.with_name(file.name + end).unlink(missing_ok=True)
        shutil.move(kept, file)
        visit.over()
        result = visit.found(said)
        with visit.other(link) as elsewhere:
            elsewhere.hears(r"^Long \d+: ", 60)
        return result
