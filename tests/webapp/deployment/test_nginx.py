"""nginx.conf in the real nginx before the real gunicorn: who is slow, asks too much or sends too much stops
nobody, and is told so in a sentence.
"""

from __future__ import annotations

import gzip
import json
import re
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.phrases import phrase
from tests.waiting import MAX_WAIT_S, until
from tests.webapp.deployment.site import HEAD, NAME, Behind, Proxy, nginx, stops_nobody
from tests.webapp.live_server import LOOK

SMALL = {
    "version": 1,
    "name": "Small",
    "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]},
    "jobs": [
        {"name": "job", "count": 2, "maps": {"count": 4, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    ],
}


def test_half_sent_heads_stop_nobody(behind: Behind, proxy: Proxy) -> None:
    """The old one: 60 of them held every thread of gunicorn."""
    with ThreadPoolExecutor(20) as pool:
        held = list(pool.map(lambda _: proxy.raw(HEAD), range(300)))
    try:
        stops_nobody(behind, proxy)
    finally:
        for one in held:
            one.close()


def test_half_sent_bodies_stop_nobody(behind: Behind, proxy: Proxy) -> None:
    head = (
        f"POST /charts/held HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\nContent-Length: "
        f"1000000\r\n\r\n{{"
    ).encode()
    held = [proxy.raw(head) for _ in range(60)]
    try:
        stops_nobody(behind, proxy)
        assert behind.asked("/charts/held") == 0, "gunicorn hears of a request once it is whole"
    finally:
        for one in held:
            one.close()


def test_slow_readers_stop_nobody(behind: Behind, proxy: Proxy) -> None:
    """Twenty who ask for megabytes and read nothing: gunicorn has eight threads, and is rid of all of
    them.
    """
    job = {"name": "many", "maps": {"count": 10_000, "memory_mb": 1024, "vcores": 1, "duration_s": 10}}
    key = ran(proxy, SMALL | {"jobs": [job]})
    held = [
        proxy.raw(f"GET /export/{key}/result.json HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
        for _ in range(20)
    ]
    try:
        until(lambda: behind.asked(f"/export/{key}") == 20)  # each was answered as far as gunicorn knows
        stops_nobody(behind, proxy)
        assert len(proxy.get(f"/export/{key}/result.json").text) > 2**20, (
            "more than the system's own buffers take"
        )
    finally:
        for one in held:
            one.close()


def ran(proxy: Proxy, scenario: dict) -> str:
    """The key of its result."""
    post = lambda path, body: json.loads(
        proxy.get(path, {"Content-Type": "application/json"}, "POST", json.dumps(body | {"look": LOOK})).text
    )
    result = post("/jobs/run/start", {"scenario": scenario, "schedulers": ["fifo"]})
    while "result" not in result:
        result = until(lambda job=result["job"]: post("/jobs/run/follow", {"job": job}), poll_s=0.1)
    return result["result"]["key"]


def at_once(proxy: Proxy, source: str, count: int) -> list[tuple[int, str | None, str]]:
    """So many small requests of one address over twenty connections: status, Retry-After and text."""

    def some(_: int) -> list:
        connection, result = proxy.connection(source), []
        for _ in range(count // 20):
            connection.request("POST", "/charts/none", "{}", {"Content-Type": "application/json"})
            answer = connection.getresponse()
            result.append((answer.status, answer.headers["Retry-After"], answer.read().decode()))
        return result

    with ThreadPoolExecutor(20) as pool:
        return [one for several in pool.map(some, range(20)) for one in several]


@pytest.fixture(scope="module")
def strict(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    """The same where few requests are many."""
    running = nginx(
        tmp_path_factory.mktemp("strict"),
        f"unix:{behind.socket}",
        **{"rate=200r/s": "rate=1r/m", "burst=800": "burst=20"},
    )
    yield running
    running.stop()


@pytest.fixture
def hasty(behind: Behind, tmp_path: Path) -> Iterator[Proxy]:
    """The same with less patience."""
    running = nginx(
        tmp_path, f"unix:{behind.socket}", **{"client_header_timeout 10s": "client_header_timeout 1s"}
    )
    yield running
    running.stop()


def test_a_half_sent_head_ends(hasty: Proxy) -> None:
    with hasty.raw(HEAD) as held:
        held.settimeout(MAX_WAIT_S)
        assert held.recv(100).startswith((b"", b"HTTP/1.1 408"))


def test_who_asks_too_much_is_told_so_and_others_are_not(strict: Proxy) -> None:
    refused = [one for one in at_once(strict, "127.0.0.9", 200) if one[0] == 429]
    assert 170 < len(refused) < 180, "twenty and the first are answered, and one more each minute"
    assert set(refused) == {(429, "2", phrase("deployment.too_many_requests_from_your") + "\n")}
    assert strict.get("/", source="127.0.0.10").status == 200


def test_a_class_behind_one_address_is_not_held_back(proxy: Proxy) -> None:
    """Eighty who ask for ten things each."""
    assert 429 not in {status for status, *_ in at_once(proxy, "127.0.0.8", 800)}


def test_what_is_too_large_is_told_so_before_it_is_sent(behind: Behind, proxy: Proxy) -> None:
    for path, size in (("/charts/draw?nginx", 20), ("/editor/open?nginx", 60)):
        sent = (
            f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: application/json\r\nContent-Length: "
            f"{size * 2**20}\r\n\r\n"
        )
        with proxy.raw(sent.encode()) as plain:
            answer = plain.recv(4000).decode()
        assert answer.startswith("HTTP/1.1 413 ") and answer.endswith(
            phrase("deployment.not_read_request_may_hold", 16, 50) + "\n"
        )
        assert behind.asked(path) == 0


def test_gantry_reads_what_nginx_lets_through(proxy: Proxy) -> None:
    """To the byte: what Gantry refused before it was all sent, nginx would take for a server that went
    away.
    """
    post = lambda size: proxy.get("/charts/draw", {"Content-Type": "application/json"}, "POST", b" " * size)
    assert {post(2**24).status for _ in range(5)} == {400}
    assert post(2**24 + 1).status == 413


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion:DeprecationWarning")
def test_there_is_tls_only_and_of_today(proxy: Proxy) -> None:
    plain = HTTPConnection("127.0.0.1", proxy.plain)
    plain.request("GET", "/model?a=b", headers={"Host": "evil.example"})
    answer = plain.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, f"{proxy.url}/model?a=b")
    for path in ("/", "/favicon.ico", "/charts/none", "/metrics"):
        assert proxy.get(path).headers["Strict-Transport-Security"] == "max-age=63072000", path
    old = proxy.trusting()
    old.set_ciphers("ALL:@SECLEVEL=0")
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with socket.create_connection(("127.0.0.1", proxy.port)) as other, pytest.raises((ssl.SSLError, OSError)):
        old.wrap_socket(other, server_hostname=NAME)
    with socket.create_connection(("127.0.0.1", proxy.port)) as other, pytest.raises(ssl.SSLError):
        proxy.trusting().wrap_socket(other, server_hostname="evil.example")
    with proxy.raw(b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n") as other:
        assert other.recv(100) == b"", "another name in the head than in the handshake"


def test_files_of_every_page_come_from_nginx(behind: Behind, proxy: Proxy) -> None:
    """Each once from gunicorn, packed or not, whatever stands behind its name."""
    paths = re.findall(r'"(/(?:bundle|assets)/[^"?]*)', proxy.get("/").text)
    assert len(paths) > 3
    before = {path: behind.asked(path) for path in paths}
    for turn in range(3):
        for path in paths:
            packed = proxy.get(f"{path}?{turn}", {"Accept-Encoding": "gzip, deflate, br"})
            assert packed.status == 200 and packed.headers["Cache-Control"].startswith("public, max-age=")
    for path in paths:
        assert behind.asked(path) <= max(1, before[path]), path
    tag = packed.headers["ETag"]
    assert proxy.get(paths[-1], {"Accept-Encoding": "gzip", "If-None-Match": tag}).status == 304


def test_a_browser_that_does_not_unpack_gets_it_plain(proxy: Proxy) -> None:
    (path,) = re.findall(r'"(/bundle/[^"]*gantry.css)"', proxy.get("/").text)
    connection = proxy.connection()
    rows = []
    for asked in ("gzip, br", "identity", "gzip"):
        connection.request("GET", path, headers={"Accept-Encoding": asked})
        rows.append(connection.getresponse().read())
    assert gzip.decompress(rows[0]) == gzip.decompress(rows[2]) == rows[1]


def test_what_watches_the_server_is_for_this_machine_alone(behind: Behind, proxy: Proxy) -> None:
    before = behind.asked("/metrics"), behind.asked("/readyz")
    for path in (
        "/metrics",
        "/metrics/",
        "//metrics",
        "/%6detrics",
        "/./metrics",
        "/readyz",
        "/a/../metrics",
    ):
        assert proxy.get(path).status == 404, path
    assert (behind.asked("/metrics"), behind.asked("/readyz")) == before
    inner = HTTPConnection("127.0.0.1", proxy.inner)
    inner.request("GET", "/metrics")
    inner.getresponse().read()
    until(lambda: behind.asked("/metrics") == before[0] + 1)
    inner.request("GET", "/")
    assert inner.getresponse().status == 404


def test_a_header_does_not_change_what_is_asked_for(behind: Behind) -> None:
    """gunicorn by itself takes the path from a header of whoever comes by a Unix socket, so that /metrics
    could be asked for as anything.
    """
    with socket.socket(socket.AF_UNIX) as plain:
        plain.connect(str(behind.socket))
        plain.sendall(
            f"GET /a-page HTTP/1.0\r\nHost: {NAME}\r\nPath_Info: /\r\nScript_Name: /a-page\r\n\r\n".encode()
        )
        assert plain.recv(12) == b"HTTP/1.0 404"


def test_no_log_has_an_overviews_secret(tmp_path: Path) -> None:
    """By TLS and without, below a path, and where Gantry is away."""
    secret, other = "5" * 32, nginx(tmp_path / "nginx", f"unix:{tmp_path}/away.sock")
    addresses = f"/overview/{secret}", f"/gantry/overview/{secret}?embed=1"
    try:
        for path in (*addresses, "/a-page"):
            assert other.get(path).status == 503
            plain = HTTPConnection("127.0.0.1", other.plain, timeout=MAX_WAIT_S)
            plain.request("GET", path, headers={"Host": NAME})
            assert plain.getresponse().status == 301
            plain.close()
    finally:
        other.stop()
    logs = "".join((tmp_path / "nginx" / f"{name}.log").read_text() for name in ("access", "error", "proxy"))
    assert logs.count("/a-page ") >= 3 and secret not in logs


def test_a_visitors_cookie_goes_by_tls_alone(proxy: Proxy) -> None:
    cookie = proxy.get("/").headers["Set-Cookie"]
    assert cookie.startswith("gantry=") and "; Secure" in cookie and "; HttpOnly" in cookie


def test_while_gantry_is_away_it_is_said_and_files_are_there(
    behind: Behind, proxy: Proxy, tmp_path: Path
) -> None:
    style = re.search(r'"(/bundle/[^"]*gantry.css)"', proxy.get("/").text)[1]
    socket = tmp_path / "http.sock"
    socket.symlink_to(behind.socket)
    other = nginx(tmp_path / "nginx", f"unix:{socket}")
    try:
        assert other.get(style).status == 200
        socket.unlink()
        away = other.get("/jobs/run/start", {"Content-Type": "application/json"}, "POST", "{}")
        assert (away.status, away.headers["Retry-After"]) == (503, "2") and away.text.startswith(
            phrase("deployment.gantry_starting_again") + " "
        )
        assert other.get(style).status == 200
    finally:
        other.stop()
