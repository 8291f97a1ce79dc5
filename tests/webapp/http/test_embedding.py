"""Who may frame a page: nobody else, or the sites that the owner names, one view of some pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask.testing import FlaskClient

SITES = "https://lms.example.org http://127.0.0.1:8000"
FRAME = {"Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site"}
TLS = "https://localhost"


@pytest.fixture
def client(data: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], FlaskClient]:
    """A server whose owner allows these sites."""

    def made(sites: str) -> FlaskClient:
        monkeypatch.setenv("GANTRY_EMBED", sites)
        from webapp.app import make

        return make().server.test_client()

    return made


def ancestors(client: FlaskClient, path: str) -> tuple[str, str | None]:
    """What an answer says of frames."""
    headers = client.get(path).headers
    [policy] = [
        part for part in headers["Content-Security-Policy"].split("; ") if part.startswith("frame-ancestors")
    ]
    return policy, headers.get("X-Frame-Options")


def test_only_the_view_of_a_frame_is_framed_and_only_by_those_sites(
    client: Callable[[str], FlaskClient],
) -> None:
    own, others = ("frame-ancestors 'self'", "SAMEORIGIN"), (f"frame-ancestors 'self' {SITES}", None)
    asked = client(SITES)
    for path in ("/?embed=1", "/exercises/first-to-finish?embed=1", "/exercises?embed=1"):
        assert ancestors(asked, path) == others
    for path in ("/", "/?embed=0", "/papers?embed=1", "/exercises/none?embed=1", "/healthz?embed=1"):
        assert ancestors(asked, path) == own
    assert ancestors(client(""), "/?embed=1") == own


@pytest.mark.parametrize("path", ["//exercises", "/exercises//first-to-finish", "//"])
def test_a_path_with_an_empty_part_is_not_framed(client: Callable[[str], FlaskClient], path: str) -> None:
    answer = client(SITES).get("/?embed=1", environ_overrides={"PATH_INFO": path})
    assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"


@pytest.mark.parametrize(
    ("sites", "root", "path", "headers", "is_foreign"),
    [
        (SITES, TLS, "/?embed=1", FRAME, True),
        (SITES, "http://localhost", "/?embed=1", FRAME, False),
        (SITES, TLS, "/?embed=1", FRAME | {"Sec-Fetch-Dest": "document"}, False),
        (SITES, TLS, "/?embed=1", FRAME | {"Sec-Fetch-Site": "same-site"}, False),
        (SITES, TLS, "/help?embed=1", FRAME, False),
        (SITES, TLS, "/exercises/none?embed=1", FRAME, False),
        (SITES, TLS, f"/overview/{'0' * 32}?embed=1", FRAME, False),
        (SITES, TLS, "/", FRAME, False),
        ("", TLS, "/?embed=1", FRAME, False),
    ],
)
def test_a_frame_gets_a_cookie_that_it_sends_back(
    client: Callable[[str], FlaskClient],
    sites: str,
    root: str,
    path: str,
    headers: dict[str, str],
    is_foreign: bool,
) -> None:
    answer = client(sites).get(path, base_url=root, headers=headers)
    words = set(answer.headers["Set-Cookie"].split("; "))
    foreign = {"SameSite=None", "Partitioned"}
    assert words & {*foreign, "SameSite=Lax"} == (foreign if is_foreign else {"SameSite=Lax"})
    assert "HttpOnly" in words and ("Secure" in words) == (root == TLS)


def test_the_document_says_that_it_stands_in_a_frame(client: Callable[[str], FlaskClient]) -> None:
    asked = client(SITES)
    assert '<html lang="en" class="embedded">' in asked.get("/model?embed=1").text
    assert '<html lang="en">' in asked.get("/model").text
