"""The Caddyfile in the real Caddy before the real gunicorn: the same promises as nginx.conf, but for the
limit of requests, which Caddy has none of.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.phrases import phrase
from tests.webapp.deployment.heard import FORGED, TEACHER, Heard
from tests.webapp.deployment.site import HEAD, HERE, NAME, Behind, Proxy, caddy, stops_nobody


@pytest.fixture(scope="module")
def caddied(behind: Behind, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    running = caddy(tmp_path_factory.mktemp("caddy"), f"unix/{behind.socket}")
    yield running
    running.stop()


def test_the_file_is_valid_and_in_caddys_own_style(caddied: Proxy) -> None:
    for words in (["validate", "--adapter", "caddyfile", "--config"], ["fmt"]):
        done = subprocess.run(
            [shutil.which("caddy"), *words, str(HERE / "Caddyfile")],
            capture_output=True,
            text=True,
            cwd=caddied.folder,
        )
        assert done.returncode == 0, done.stderr
    assert done.stdout == (HERE / "Caddyfile").read_text()


def test_half_sent_heads_and_bodies_stop_nobody(behind: Behind, caddied: Proxy) -> None:
    body = (
        f"POST /charts/caddy HTTP/1.1\r\nHost: {NAME}\r\nContent-Type: "
        f"application/json\r\nContent-Length: 1000000\r\n\r\n{{"
    ).encode()
    with ThreadPoolExecutor(20) as pool:
        held = list(pool.map(caddied.raw, [HEAD, body] * 60))
    try:
        stops_nobody(behind, caddied)
        assert behind.asked("/charts/caddy") == 0, "gunicorn hears of a request once it is whole"
    finally:
        for one in held:
            one.close()


def test_tls_limits_and_what_is_inside(caddied: Proxy) -> None:
    plain = HTTPConnection("127.0.0.1", caddied.plain)
    plain.request("GET", "/model", headers={"Host": NAME})
    answer = plain.getresponse()
    assert answer.status == 308 and answer.headers["Location"].startswith(f"https://{NAME}")
    assert "; Secure" in caddied.get("/").headers["Set-Cookie"]
    for path in ("/metrics", "/readyz"):
        assert caddied.get(path).status == 404, path
    assert caddied.get("/").headers["Strict-Transport-Security"] == "max-age=63072000"


def test_what_is_too_large_is_told_so_before_it_is_sent(behind: Behind, caddied: Proxy) -> None:
    """The old one: Gantry refused it and hung up while Caddy still sent, and seemed away now and then."""
    for path, size in (("/charts/draw?caddy", 16), ("/editor/open?caddy", 50)):
        head = f"POST {path} HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: {size * 2**20 + 1}\r\n\r\n"
        with caddied.raw(head.encode()) as plain:
            answer = plain.recv(4000).decode()
        assert answer.startswith("HTTP/1.1 413 ") and answer.endswith(
            phrase("deployment.not_read_request_may_hold", 16, 50)
        )
        assert behind.asked(path) == 0


def test_what_a_visitor_says_of_itself_is_dropped(heard, tmp_path: Path) -> None:
    proxy = caddy(tmp_path / "caddy", f"127.0.0.1:{heard.server_port}")
    try:
        proxy.get("/", FORGED | TEACHER)
        (head,) = Heard.heads
        # gunicorn drops those, and believes no path of theirs
        said = {key: value for key, value in head.items() if "_" not in key}
        assert "evil" not in str(said) and "Basic" not in str(said) and said["x-forwarded-for"] == "127.0.0.1"
    finally:
        proxy.stop()


def test_by_passwords_of_a_file_and_gantry_away(heard, tmp_path: Path) -> None:
    word = subprocess.run(
        ["caddy", "hash-password", "--plaintext", "chalk"], check=True, capture_output=True, text=True
    ).stdout.strip()
    signed = {"#basic ": "", "$2a$14$the-long-word": word}
    proxy = caddy(tmp_path / "caddy", f"127.0.0.1:{heard.server_port}", **signed)
    try:
        assert proxy.get("/", FORGED).status == 401 and not Heard.heads
        assert (
            proxy.get("/", FORGED | TEACHER).status == 202 and Heard.heads[0]["x-forwarded-user"] == "teacher"
        )
        heard.shutdown()
        heard.server_close()
        away = proxy.get("/", TEACHER)
        assert (
            away.status == 503
            and away.headers["Retry-After"] == "2"
            and re.match(phrase("deployment.gantry_starting_again") + " ", away.text)
        )
    finally:
        proxy.stop()
