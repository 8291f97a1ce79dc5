"""Sign-in is the proxy's: nothing is shown without it, and nobody can say by a header who they are."""

from __future__ import annotations

import base64
import subprocess
from http.server import ThreadingHTTPServer
from pathlib import Path

from tests.webapp.deployment.heard import FORGED, TEACHER, Heard
from tests.webapp.deployment.site import Behind, nginx
from tests.webapp.live_server import free_port

PATHS = ("/", "/assets/favicon.svg", "/editor/open", "/charts/draw", "/no-such-page")


def test_what_a_visitor_says_of_itself_is_dropped(heard: ThreadingHTTPServer, tmp_path: Path) -> None:
    proxy = nginx(tmp_path / "nginx", f"127.0.0.1:{heard.server_port}")
    try:
        for path in ("/", "/editor/open", "/bundle/some/file.js", "/assets/favicon.svg"):
            proxy.get(path, FORGED | TEACHER)
        assert len(Heard.heads) == 4 and "evil" not in str(Heard.heads) and "Basic" not in str(Heard.heads)
        assert {head["x-forwarded-for"] for head in Heard.heads[:2]} == {"127.0.0.1"} and Heard.heads[0][
            "x-forwarded-proto"
        ] == "https"
    finally:
        proxy.stop()


def test_by_passwords_of_a_file(heard: ThreadingHTTPServer, tmp_path: Path) -> None:
    proxy = nginx(tmp_path / "nginx", f"127.0.0.1:{heard.server_port}", "basic")
    word = subprocess.run(
        ["openssl", "passwd", "-6", "chalk"], check=True, capture_output=True, text=True
    ).stdout
    (tmp_path / "nginx" / "users").write_text(f"teacher:{word}")
    try:
        wrong = {"Authorization": "Basic " + base64.b64encode(b"teacher:cheese").decode()}
        assert {proxy.get(path, asked).status for path in PATHS for asked in (FORGED, wrong)} == {
            401
        } and not Heard.heads
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
            assert (answer.status, answer.headers["Location"]) == (
                302,
                f"{proxy.url}/oauth2/start?rd={path}",
            ), path
        assert proxy.get("/", {"Cookie": "ticket=1"}).status == 200
        assert proxy.get("/oauth2/start").status == 202 and Heard.heads[-1]["path"] == "/oauth2/start"
    finally:
        proxy.stop()


def test_a_sign_in_that_is_away_lets_nobody_in(behind: Behind, tmp_path: Path) -> None:
    proxy = nginx(
        tmp_path / "nginx",
        f"unix:{behind.socket}",
        "oauth2",
        **{"127.0.0.1:4180": f"127.0.0.1:{free_port()}"},
    )
    try:
        assert {proxy.get(path, {"Cookie": "ticket=1"}).status for path in PATHS} <= {500, 503}
    finally:
        proxy.stop()
