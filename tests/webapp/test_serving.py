"""The Procfile's server with real processes: nothing is lost with a cache, a worker or the server, and
nobody's work stops the others'.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import urllib.request
from collections.abc import Iterator

import pytest

from tests.bench.scenarios import stream
from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.live_server import CROWD, LOOK, Served, Visitor, alive, under_way
from tests.webapp.metric_samples import samples

SMALL = {
    "version": 1,
    "name": "Small",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "job", "count": 2, "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    ],
}
LONG = stream(130_000, 1_000, 100).plain()  # thought to take some 0.4 s under each of four
FOUR = ("fifo", "fair", "drf", "capacity")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    running = Served(tmp_path_factory.mktemp("served") / "data", {"GANTRY_MAX_QUEUE": "4"})
    until(lambda: running.processes("webapp.jobs --parent"))
    yield running
    running.stop()


@pytest.fixture
def visitor(served: Served) -> Visitor:
    return served.visitor()


def rows(served: Served) -> list[tuple]:
    with sqlite3.connect(served.data / "links.sqlite") as database:
        return database.execute("SELECT id, state, tries FROM works").fetchall()


def state_of(served: Served, answer: dict) -> tuple:
    return next(row[1:] for row in rows(served) if row[0] == answer["job"]["id"])


def test_a_visitor_is_a_cookie_that_scripts_cannot_read_and_others_do_not_get(served: Served) -> None:
    with urllib.request.urlopen(served.url) as answer:
        cookie = answer.headers["Set-Cookie"]
    assert cookie.startswith("gantry=") and "HttpOnly" in cookie and "SameSite=Lax" in cookie


def test_long_work_is_done_beside_the_server_and_found_by_any_of_its_processes(
    served: Served, visitor: Visitor
) -> None:
    first = visitor.begin(LONG, *FOUR)
    # as quick as the other process is
    assert first["says"].startswith((phrase("webapp.waiting_for_free_process") + " ", "1 of 4: "))
    result = visitor.follow(first)
    assert result["result"]["schedulers"] == list(FOUR) and len(result["drawn"]["charts"]) == 4
    for _ in range(6):  # whichever process answers
        assert visitor.post("/charts/draw", {"key": result["result"]["key"], **LOOK})["charts"]


def test_cancel_reaches_a_run_under_way_and_short_runs_go_on_meanwhile(
    served: Served, visitor: Visitor
) -> None:
    long = visitor.follow(visitor.begin(CROWD), under_way)
    other = served.visitor()
    assert other.ran(SMALL, *FOUR)["result"]["name"] == "Small"
    assert state_of(served, long) == ("running", 1)
    visitor.cancel(long)
    says = phrase("common.cancelled_previous_result_still_shown")
    assert visitor.follow(long) == {"says": says, "state": "cancelled"}


def test_the_queue_is_bounded_and_says_how_many_wait(served: Served, visitor: Visitor) -> None:
    taken, waits = [], []
    try:
        for seed in range(1, 8):
            answer = visitor.begin(CROWD | {"seed": seed})
            if "job" not in answer:
                break
            taken.append(answer)
            waits.append(visitor.post("/jobs/run/follow", {"job": answer["job"], "look": LOOK})["says"])
        assert "tasks wait already" in answer["says"]
        assert any(phrase("webapp.work_before") in says for says in waits), waits
        other = served.visitor()
        assert other.ran(SMALL | {"seed": 2}, *FOUR)["result"], "others' short runs are done meanwhile"
    finally:
        for answer in taken:
            visitor.cancel(answer)
        for answer in taken:
            visitor.follow(answer)


def test_a_worker_killed_in_a_run_loses_nothing(served: Served, visitor: Visitor) -> None:
    long = visitor.follow(visitor.begin(CROWD | {"seed": 11}), under_way)
    (worker,) = served.processes("webapp.jobs --parent")
    os.kill(worker, signal.SIGKILL)
    visitor.follow(long, lambda answer: state_of(served, long) == ("running", 2))
    visitor.cancel(long)
    assert "Cancelled" in visitor.follow(long)["says"]


def test_runs_are_not_lost_with_the_cache(served: Served, visitor: Visitor) -> None:
    """The old one: after some 75 runs longer ones were lost and Share failed, for one cache of 200 files held
    them all.
    """
    result = visitor.ran(LONG | {"seed": 5}, *FOUR)
    key = result["result"]["key"]
    shutil.rmtree(served.data / "cache")
    for _ in range(8):  # one of the two processes holds it, the other says that it is to be run again
        result = visitor.post("/charts/draw", {"key": key, **LOOK})
        assert result == 410 or result["key"] == key
    again = visitor.ran(LONG | {"seed": 5}, *FOUR)
    assert again["result"]["key"] == key


def test_routes_run_nothing_long_themselves(visitor: Visitor) -> None:
    """A task that was asked for and never run: its drawing is refused, however often it is asked for."""
    long = visitor.begin(CROWD | {"seed": 12})
    visitor.cancel(long)
    visitor.follow(long)
    assert [
        visitor.post("/charts/draw", {"key": long["job"]["asked"]["key"], **LOOK}) for _ in range(16)
    ] == [410] * 16


def finished_runs(served: Served) -> float:
    """How many runs its processes have made; what was cancelled may be counted when it is long forgotten."""
    with urllib.request.urlopen(f"{served.url}/metrics", timeout=MAX_WAIT_S) as answer:
        result = samples(answer.read().decode())
    return sum(
        value
        for (name, *labels), value in result.items()
        if name == "gantry_runs_total" and ("outcome", "finished") in labels
    )


def test_dropped_requests_silence_nobody(served: Served, visitor: Visitor) -> None:
    """The old one: 32 of them kept the site from answering for 70 s."""
    result = visitor.ran(LONG, *FOUR)
    bodies = [
        json.dumps(
            {"key": result["result"]["key"], "rows": {"by": "job"}, "width": 300 + number, "height": 2000}
        ).encode()
        for number in range(32)
    ]
    for body in bodies:
        with socket.create_connection(("127.0.0.1", served.port)) as dropped:
            head = (
                "POST /charts/draw HTTP/1.1\r\nHost: a\r\nContent-Type: "
                f"application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            )
            dropped.sendall(head.encode() + body)
    before = finished_runs(served)
    assert served.visitor().ran(SMALL | {"seed": 9}, *FOUR)["result"]
    assert finished_runs(served) == before + 4, "none of them ran anything"


def test_a_deleted_data_folder_stops_nothing(served: Served) -> None:
    """The old one: "Something went wrong", until the server was started again."""
    # all at once: the server makes files meanwhile
    shutil.rmtree(served.data.rename(served.data.with_name("deleted")))
    visitor = served.visitor()
    assert visitor.ran(SMALL | {"seed": 8}, *FOUR)["result"]
    assert visitor.ran(LONG | {"seed": 8}, *FOUR)["result"]
    assert (served.data / "links.sqlite").stat().st_mode & 0o777 == 0o600


def test_the_server_ends_when_it_is_told_and_goes_on_where_it_was(served: Served, visitor: Visitor) -> None:
    """The last one, for the server is killed at its end."""
    long = visitor.follow(visitor.begin(CROWD | {"seed": 13}), under_way)
    served.stop()
    assert served.process.returncode == 0 and state_of(served, long) == ("queued", 0)
    served.start()
    visitor.follow(long, under_way)
    own = served.processes()
    os.kill(served.process.pid, signal.SIGKILL)
    until(lambda: not any(alive(pid) for pid in own))
    assert state_of(served, long)[0] == "queued"
