"""The real server with an owner's secrets and visitors' words: what it tells machines, and that neither is in
a log, a page, a probe or a metric.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator

import psycopg
import pytest
from redis import Redis

from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.live_server import CROWD, Served, Visitor, under_way
from tests.webapp.metric_samples import samples

SECRETS = {"SECRET_KEY": "key-of-the-owner", "GANTRY_METRICS_TOKEN": "token-of-prometheus"}
PASSWORD, REDIS_PASSWORD = "password-of-the-database", "password-of-the-cache"
TITLE, QUERY, COOKIE = "Title-of-a-scenario", "word-of-a-query", "word-of-a-cookie"
OVERVIEW = "0123456789abcdef" * 2  # the secret of a class's overview
SMALL = {
    "version": 1,
    "name": TITLE,
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "job", "count": 2, "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    ],
}


class Watched(Served):
    """With a database of its own, which can be taken away; everything that it ever answered is kept in
    `seen`.
    """

    seen = ""

    def ask(self, path: str, **headers: str) -> tuple[int, str]:
        asked = urllib.request.Request(
            self.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )
        try:
            with urllib.request.urlopen(asked, timeout=MAX_WAIT_S) as answer:
                status, self.headers, text = answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, self.headers, text = error.code, error.headers, error.read().decode()
        self.seen += str(self.headers) + text
        return status, text

    def metrics(self) -> dict[tuple, float]:
        return samples(self.ask("/metrics")[1])

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@pytest.fixture(scope="module")
def admin(postgres: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory, postgres: str, redis: str, admin: psycopg.Connection
) -> Iterator[Watched]:
    admin.execute("CREATE DATABASE watched")
    url = postgres.replace("gantry@", f"gantry:{PASSWORD}@").removesuffix("postgres") + "watched"
    settings = {
        "GANTRY_PROXIES": "1",
        "DATABASE_URL": url,
        "REDIS_URL": redis.replace("redis://", f"redis://:{REDIS_PASSWORD}@"),
        **SECRETS,
    }
    running = Watched(tmp_path_factory.mktemp("watched") / "data", settings)
    until(lambda: json.loads(running.ask("/readyz")[1])["work"] == "1 of 1 processes")
    yield running
    running.stop()
    admin.execute("DROP DATABASE IF EXISTS watched WITH (FORCE)")


@pytest.fixture
def visitor(served: Watched) -> Visitor:
    return served.visitor()


def total(found: dict[tuple, float], name: str, **labels: str) -> float:
    return sum(
        value
        for (own, *given), value in found.items()
        if own == name and labels.items() <= dict(given).items()
    )


def test_it_is_ready(served: Watched) -> None:
    """Either process says that it is away until its own first connection to the database stands."""

    def states() -> dict | None:
        status, text = served.ask("/readyz")
        return json.loads(text) if status == 200 else None

    expected = {"status": "ready", "database": "answers", "cache": "keeps", "work": "1 of 1 processes"}
    assert expected.items() <= until(states).items()


def test_what_all_processes_counted_is_told_and_outlives_them(served: Watched, visitor: Visitor) -> None:
    assert visitor.ran(SMALL, "fifo", "fair")["result"]["name"] == TITLE
    for _ in range(20):
        served.ask(f"/?{QUERY}=1")
    before = served.metrics()
    assert total(before, "gantry_http_requests_total", route="/", status="200") >= 21
    assert (
        total(before, "gantry_runs_total", order="fifo", outcome="finished")
        == total(before, "gantry_runs_total", order="fair")
        == 1
    )
    assert (
        total(before, "gantry_containers_simulated_total") == 16
        and total(before, "gantry_simulation_seconds_total") > 0
    )
    assert total(before, "gantry_cache_lookups_total", kind="run", result="miss") >= 2
    roles = [
        dict(labels)["role"] for name, *labels in before if name == "gantry_process_resident_memory_bytes"
    ]
    assert sorted(roles) == ["server", "supervisor", "web", "web", "work"]
    assert all(
        value > 2**20
        for (name, *_), value in before.items()
        if name == "gantry_process_resident_memory_bytes"
    )
    webs = [
        int(dict(labels)["pid"])
        for name, *labels in before
        if name == "gantry_process_resident_memory_bytes" and dict(labels)["role"] == "web"
    ]
    os.kill(webs[0], signal.SIGKILL)
    until(lambda: len(served.processes("gunicorn")) == 3 and webs[0] not in served.processes("gunicorn"))
    after = served.metrics()
    for name in (
        "gantry_http_requests_total",
        "gantry_runs_total",
        "gantry_http_request_duration_seconds_count",
    ):
        assert total(after, name) >= total(before, name) > 0


def test_the_public_does_not_read_them(served: Watched) -> None:
    assert served.ask("/metrics", X_Forwarded_For="203.0.113.9")[0] == 403
    assert (
        served.ask(
            "/metrics",
            X_Forwarded_For="203.0.113.9",
            Authorization=f"Bearer {SECRETS['GANTRY_METRICS_TOKEN']}",
        )[0]
        == 200
    )


def test_behind_a_proxy_with_tls_the_cookie_is_secure(served: Watched) -> None:
    served.ask("/", X_Forwarded_Proto="https")
    assert "Secure" in served.headers["Set-Cookie"].split("; ")
    served.ask("/")
    assert "Secure" not in served.headers["Set-Cookie"].split("; ")


def test_a_request_is_found_in_the_log_by_its_id(served: Watched) -> None:
    served.ask(f"/model?{QUERY}=1", X_Request_ID="asked-by-nginx.1", Cookie=f"gantry={COOKIE}")
    assert served.headers["X-Request-ID"] == "asked-by-nginx.1"
    (line,) = [line for line in served.lines() if line.get("request_id") == "asked-by-nginx.1"]
    assert {
        "level": "INFO",
        "event": "request",
        "route": "/<path:path>",
        "method": "GET",
        "status": 200,
    }.items() <= line.items()
    assert line["ms"] > 0 and re.match(r"\d{4}-\d\d-\d\dT", line["time"])


def test_work_is_found_in_the_log_by_its_request(served: Watched, visitor: Visitor) -> None:
    before = served.metrics()
    long = visitor.follow(visitor.begin(CROWD), under_way)
    visitor.cancel(long)
    visitor.follow(long)
    name = long["job"]["id"]
    until(lambda: any(line["event"] == "work ended" and line["work"] == name for line in served.lines()))
    queued, ended = (
        next(line for line in served.lines() if line["event"] == event and line["work"] == name)
        for event in ("work queued", "work ended")
    )
    assert any(
        line["logger"] == "gantry.access" and line["request_id"] == queued["request_id"]
        for line in served.lines()
    )
    assert (
        ended["state"] == "cancelled" and ended["process"] != queued["process"] and "request_id" not in ended
    )
    after = served.metrics()
    for counter, labels in (
        ("gantry_works_ended_total", {"kind": "run", "state": "cancelled"}),
        ("gantry_work_wait_seconds_count", {"kind": "run"}),
        ("gantry_runs_total", {"order": "fifo", "outcome": "halted"}),
    ):
        assert total(after, counter, **labels) == total(before, counter, **labels) + 1


@pytest.fixture
def refusing(redis: str) -> Iterator[None]:
    """Redis wants another password from now on, also of those who have given one."""
    with Redis.from_url(redis) as client:
        client.config_set("requirepass", "another")
        client.client_kill_filter(_type="normal", skipme=True)
        yield
        client.config_set("requirepass", "")


def test_without_database_and_cache_it_says_so_and_tells_no_secret(
    served: Watched, visitor: Visitor, admin: psycopg.Connection, refusing: None
) -> None:
    admin.execute("DROP DATABASE watched WITH (FORCE)")
    status, text = served.ask("/readyz")
    assert (
        status == 503
        and phrase("webapp.servers_database_does_not_answer") in text
        and json.loads(text)["status"] == "away"
    )
    assert served.ask("/healthz")[0] == 200
    served.seen += json.dumps(visitor.begin(CROWD)) + json.dumps(visitor.begin(SMALL, "drf"))
    result = served.metrics()
    assert result[("gantry_database_up",)] == 0 and total(result, "gantry_database_failures_total") > 0
    assert until(lambda: total(served.metrics(), "gantry_cache_failures_total") > 0)
    for broken in (
        f"GET /?{QUERY} BREW/9\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: a\r\nBad {COOKIE}: 1\r\n\r\n",
        f"POST /jobs/run/start HTTP/1.1\r\nHost: a\r\n{TITLE}\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", served.port)) as caller:
            caller.sendall(broken.encode())
            caller.recv(1000)
    odd = http.client.HTTPConnection("127.0.0.1", served.port)
    odd.request(
        "POST",
        "/charts/draw",
        json.dumps({"key": TITLE, "look": [QUERY]}),
        {"Content-Type": "application/json", "Cookie": f"gantry={COOKIE}"},
    )
    served.seen += odd.getresponse().read().decode()
    served.ask(f"/?link=0123456789abcdef&{QUERY}=1")
    served.ask(f"/overview/{OVERVIEW}")
    assert OVERVIEW not in served.ask("/metrics")[1]
    served.stop()
    lines = served.lines()  # each of them JSON
    assert {"gunicorn.error", "gantry", "gantry.access"} <= {line["logger"] for line in lines}
    assert any(line["event"].startswith("Invalid request") for line in lines) and any(
        line["event"].startswith("database: ") for line in lines
    )
    assert any(line["event"].startswith("cache: ") for line in lines)
    for secret in (*SECRETS.values(), PASSWORD, REDIS_PASSWORD):
        assert secret not in served.log.read_text() and secret not in served.seen
    for word in (TITLE, QUERY, COOKIE, OVERVIEW):
        assert word not in served.log.read_text()
