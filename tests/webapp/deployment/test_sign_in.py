"""Sign-in is the proxy's: nothing is shown without it, and nobody can say by a header who they are."""

from __future__ import annotations

import base64
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.webapp.deployment.site import Behind, nginx
from tests.webapp.served import free_port

FORGED = {
    **dict.fromkeys(("X-Forwarded-User", "X-Forwarded-Email", "X-Forwarded-Groups", "X-Forwarded-Preferred-Username", "X-Remote-User"), "evil"),
    **dict.fromkeys(("X-Auth-Request-User", "X-Auth-Request-Email", "Remote-User", "X-Real-IP", "X-Forwarded-Prefix", "X-Forwarded-Host"), "evil"),
    **{
        "X-Forwarded-For": "evil",
        "X-Forwarded-Port": "evil",
        "Forwarded": "for=evil",
        "X-Request-ID": "evil",
        "X_Forwarded_User": "evil",
        "Path_Info": "/evil",
    },
    "X-Forwarded-Proto": "evil",
}
TEACHER = {"Authorization": "Basic " + base64.b64encode(b"teacher:chalk").decode()}
PATHS = ("/", "/assets/favicon.svg", "/editor/open", "/charts/draw", "/no-such-page")


class Heard(BaseHTTPRequestHandler):
    """Keeps what comes, and says yes to one cookie as oauth2-proxy does."""

    heads: list[dict[str, str]] = []

    def do_GET(self) -> None:
        type(self).heads.append({"path": self.path, **{key.lower(): value for key, value in self.headers.items()}})
        signed_in = "ticket" in self.headers.get("Cookie", "")
        self.send_response(202 if signed_in or self.path != "/oauth2/auth" else 401)
        self.send_header("X-Auth-Request-Email", "teacher@school.example")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def heard() -> Iterator[ThreadingHTTPServer]:
    """A server that keeps the heads it hears, in Gantry's place or oauth2-proxy's."""
    Heard.heads = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Heard)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_what_a_visitor_says_of_itself_is_dropped(heard: ThreadingHTTPServer, tmp_path: Path) -> None:
    proxy = nginx(tmp_path / "nginx", f"127.0.0.1:{heard.server_port}")
    try:
        for path in ("/", "/editor/open", "/bundle/some/file.js", "/assets/favicon.svg"):
            proxy.get(path, FORGED | TEACHER)
        assert len(Heard.heads) == 4 and "evil" not in str(Heard.heads) and "Basic" not in str(Heard.heads)
        assert {head["x-forwarded-for"] for head in Heard.heads[:2]} == {"127.0.0.1"} and Heard.heads[0]["x-forwarded-proto"] == "https"
    finally:
        proxy.stop()


def test_by_passwords_of_a_file(heard: ThreadingHTTPServer, tmp_path: Path) -> None:
    proxy = nginx(tmp_path / "nginx", f"127.0.0.1:{heard.server_port}", "basic")
    word = subprocess.run(["openssl", "passwd", "-6", "chalk"], check=True, capture_output=True, text=True).stdout
    (tmp_path / "nginx" / "users").write_text(f"teacher:{word}")
    try:
        wrong = {"Authorization": "Basic " + base64.b64encode(b"teacher:cheese").decode()}
        assert {proxy.get(path, asked).status for path in PATHS for asked in (FORGED, wrong)} == {401} and not Heard.heads
        assert proxy.get("/", FORGED | TEACHER).status == 202
        assert Heard.heads[0]["x-forwarded-user"] == "teacher" and "evil" not in str(Heard.heads)
    finally:
        proxy.stop()


def test_by_oauth2_proxy(heard: ThreadingHTTPServer, behind: Behind, tmp_path: Path) -> None:
    """Without a ticket all lead to the sign-in; with one the real page is there."""
    at = {"127.0.0.1:4180": f"127.0.0.1:{heard.server_port}"}
    proxy = nginx(tmp_path / "nginx", f"unix:{behind.socket}", "oauth2", **at)
    try:
        for path in PATHS:
            answer = proxy.get(path, FORGED)
            assert (answer.status, answer.headers["Location"]) == (302, f"{proxy.url}/oauth2/start?rd={path}"), path
        assert proxy.get("/", {"Cookie": "ticket=1"}).status == 200
        assert proxy.get("/oauth2/start").status == 202 and Heard.heads[-1]["path"] == "/oauth2/start"
    finally:
        proxy.stop()


def test_a_sign_in_that_is_away_lets_nobody_in(behind: Behind, tmp_path: Path) -> None:
    proxy = nginx(tmp_path / "nginx", f"unix:{behind.socket}", "oauth2", **{"127.0.0.1:4180": f"127.0.0.1:{free_port()}"})
    try:
        assert {proxy.get(path, {"Cookie": "ticket=1"}).status for path in PATHS} <= {500, 503}
    finally:
        proxy.stop()
