"""How answers travel: packed when asked for, the same bytes inside; and the files of others are those that
are listed.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

import brotli
import pytest
from backports import zstd
from flask import Flask, Response, request
from flask.testing import FlaskClient
from plotly.offline import get_plotlyjs_version

from tests.conftest import ROOT
from webapp.http import compression

TEXT = "all work and no play " * 500  # 10,500 bytes
VENDOR = ROOT / "assets" / "vendor"
LISTED = re.findall(
    r"^\| `(\S+)` \| `\S+` \| (\S+) \| .* \| `([0-9a-f]{64})` \|$",
    (VENDOR / "README.md").read_text("utf-8"),
    re.MULTILINE,
)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    """A server with a file of TEXT, an answer of it, a short one, a picture and a stream."""
    (tmp_path / "text.js").write_text(TEXT)
    server = Flask("test", static_folder=str(tmp_path), static_url_path="/assets")
    compression.start(server)
    server.add_url_rule(
        "/answer",
        "answer",
        lambda: Response(request.get_data(), mimetype="application/json"),
        methods=["POST"],
    )
    server.add_url_rule("/short", "short", lambda: Response(TEXT[:100], mimetype="text/html"))
    server.add_url_rule("/picture", "picture", lambda: Response(TEXT, mimetype="image/png"))
    server.add_url_rule("/stream", "stream", lambda: Response(iter([TEXT]), mimetype="application/json"))
    server.add_url_rule("/none", "none", lambda: Response(TEXT, 404, mimetype="text/html"))
    return server.test_client()


def test_an_answer_is_packed_and_is_the_same_inside(client: FlaskClient) -> None:
    for accepted, chosen, decompress in (
        ("gzip, deflate, br, zstd", "zstd", zstd.decompress),
        ("gzip, br", "br", brotli.decompress),
        ("gzip", "gzip", gzip.decompress),
    ):
        answer = client.post("/answer", data=TEXT, headers={"Accept-Encoding": accepted})
        assert answer.headers["Content-Encoding"] == chosen
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert int(answer.headers["Content-Length"]) == len(answer.data) < 500
        assert decompress(answer.data).decode() == TEXT


def test_what_gains_nothing_or_was_not_asked_for_is_left_as_it_is(client: FlaskClient) -> None:
    for path in ("/short", "/picture", "/stream", "/none"):
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "Content-Encoding" not in answer.headers
        assert answer.text in (TEXT, TEXT[:100])
    for accepted in ({}, {"Accept-Encoding": "compress"}):
        answer = client.post("/answer", data=TEXT, headers=accepted)
        assert "Content-Encoding" not in answer.headers
        assert answer.headers["Vary"] == "Accept-Encoding"
        assert answer.text == TEXT


def test_an_asset_keeps_for_an_hour_and_is_not_sent_again_then(client: FlaskClient) -> None:
    first = client.get("/assets/text.js")
    assert first.headers["Cache-Control"] == "public, max-age=3600"
    assert client.get("/assets/text.js", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert "Cache-Control" not in client.get("/short").headers


def test_files_of_others_are_those_that_are_listed() -> None:
    kept = {path.name for path in VENDOR.iterdir()} - {"README.md"}
    assert {path for path in kept if not path.endswith(".LICENSE.txt")} == {
        name for name, _version, _sum in LISTED
    }
    for name, _version, digest in LISTED:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


def test_plotly_js_is_the_version_of_the_python_package() -> None:
    [(name, version, _sum)] = [listed for listed in LISTED if listed[0].startswith("plotly")]
    assert version == get_plotlyjs_version()
    assert f"v{version}\n" in (VENDOR / name).read_text("utf-8")[:100]
