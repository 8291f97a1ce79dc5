"""The cache of runs away: deleted, read-only, full, corrupt. Gantry is slower, and all goes on while it
lasts.
"""

from __future__ import annotations

import os
import pickle
import shutil
import signal

from tests.faults.fault import Failed, Found, fault
from tests.faults.mounts import read_only, small_disk
from tests.faults.visit import Visit, long, visiting
from tests.phrases import phrase
from tests.webapp.live_server import until

AGAIN = "^" + phrase("faults.server_no_longer_has_this")
RAN = r"^Long \d+: 4 schedulers"


def forget(visit: Visit) -> None:
    """The processes that answer hold nothing any more."""
    before = visit.served.answering()
    for one in before:
        os.kill(one, signal.SIGKILL)
    until(
        lambda: (
            len(visit.served.answering()) == len(before) and not set(before) & set(visit.served.answering())
        ),
        20,
    )


@fault("the cache's folder is deleted, and no process holds the runs: zoom and Share run them again")
def cache_deleted() -> Found:
    with visiting() as visit:
        visit.run(long())
        shutil.rmtree(visit.served.data / "cache")
        forget(visit)
        visit.page.evaluate("() => window.gantry.charts.zoom(0.5)")
        said = visit.hears(AGAIN)
        visit.hears(RAN)
        shutil.rmtree(visit.served.data / "cache")
        forget(visit)
        visit.share(60)
        visit.over()
        return visit.found(said)


@fault("the cache can't be written")
def cache_read_only() -> Found:
    with visiting() as visit:
        visit.run(long())
        with read_only(visit.served.data / "cache"):
            visit.whole()
            forget(visit)
            visit.page.evaluate("() => window.gantry.charts.zoom(0.5)")
            visit.hears(AGAIN)
            said = visit.hears(RAN)
            visit.zoom(60)
        visit.over()
        return visit.found(said)


@fault("the disk of the cache has room for less than a run", short=True)
def cache_full() -> Found:
    with visiting() as visit:
        with small_disk(visit.served.data / "cache", 400):
            visit.whole()
            visit.run(long())
            said = visit.hears(RAN)
            visit.zoom(60)
            visit.share(60)
        visit.over()
        return visit.found(said)


@fault("the cache's files hold other bytes, half of theirs, somebody's pickles, or are folders")
def cache_corrupt() -> Found:
    with visiting() as visit:
        visit.run(long())
        visit.run(long())
        place = visit.served.data / "cache"
        for number, file in enumerate(sorted(place.iterdir())):
            if number % 4 == 0:
                file.write_bytes(os.urandom(file.stat().st_size + 1))
            elif number % 4 == 1:
                os.truncate(file, file.stat().st_size // 2)
            elif number % 4 == 2:
                file.write_bytes(bytes(8) + pickle.dumps({"somebody": "else's"}))
            else:
                file.unlink()
                file.mkdir()
        forget(visit)
        visit.page.evaluate("() => window.gantry.charts.zoom(0.5)")
        said = visit.hears(AGAIN)
        visit.hears(RAN)
        visit.zoom(60)
        visit.over()
        return visit.found(said)


@fault("the data folder is deleted: links are gone, and all goes on with a new one")
def data_deleted() -> Found:
    with visiting() as visit:
        visit.run(long())
        link = visit.share()
        shutil.rmtree(visit.served.data)
        with visit.other(link) as elsewhere:
            said = elsewhere.page.locator("#complaints").text_content() or ""
        if "does not know" not in said:
            raise Failed(f"of a lost link the page said {said!r}")
        visit.over()
        return visit.found(said)
