"""make audit: holes are told, and that nobody can tell is told too; the real pip-audit asks a database of the
test's own.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.audit import FINE, HOLES, PINS, UNKNOWN, audit
from tests.conftest import ROOT
from tests.waiting import MAX_WAIT_S
from tests.webapp.live_server import free_port

HOLE = {
    "id": "PYSEC-2099-1",
    "summary": "A hole",
    "details": "A hole",
    "modified": "2099-01-01T00:00:00Z",
    "published": "2099-01-01T00:00:00Z",
}
OF_ONE = {
    "package": {"name": "segno", "ecosystem": "PyPI"},
    "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "9.9"}]}],
    "versions": ["1.6.6"],
}


class Database(BaseHTTPRequestHandler):
    """Knows of one hole in segno; says nothing where it is to hang."""

    hangs = False

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.hangs:
            self.rfile.read(1)  # until who asked has gone
            return
        known = {"vulns": [HOLE | {"affected": [OF_ONE]}]} if asked["package"]["name"] == "segno" else {}
        text = json.dumps(known).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def database(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Database)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/query"
    server.shutdown()
    server.server_close()


def pin(folder: Path, *names: str) -> Path:
    """A file of these pins, as `make lock` wrote them."""
    blocks = re.split(r"\n(?=\S)", (ROOT / "requirements.txt").read_text())
    rows = [block for block in blocks if block.partition("==")[0] in names]
    assert len(rows) == len(names)
    place = folder / "pins.txt"
    place.write_text("\n".join(rows) + "\n")
    return place


def test_a_hole_is_told(database: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert audit([pin(tmp_path, "segno", "flask")], "--osv-url", database) == HOLES
    said = capsys.readouterr().out.splitlines()
    assert (
        said[0].startswith("segno 1.")
        and said[0].endswith(": PYSEC-2099-1, mended in 9.9.")
        and said[1] == "1 known hole in 2 packages."
    )


def test_all_that_is_pinned_can_be_asked_for(database: str, capsys: pytest.CaptureFixture) -> None:
    """The files as they are, hashes, markers and all."""
    assert audit([ROOT / name for name in PINS], "--osv-url", database) == HOLES
    assert "1 known hole in " in capsys.readouterr().out


def test_none_is_told_too(database: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert audit([pin(tmp_path, "flask")], "--osv-url", database) == FINE
    assert capsys.readouterr().out == "0 known holes in 1 packages.\n"


@pytest.mark.parametrize("hangs", [False, True])
def test_a_database_that_is_away_is_a_sentence(
    hangs: bool, database: str, tmp_path: Path, monkeypatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(Database, "hangs", True)
    at = database if hangs else f"http://127.0.0.1:{free_port()}/v1/query"
    assert audit([pin(tmp_path, "flask")], "--osv-url", at, most_s=2 if hangs else MAX_WAIT_S) == UNKNOWN
    said = capsys.readouterr().out
    assert said.startswith("Not audited: ") and said.count("\n") == 1
    assert ("did not answer within 2 s" if hangs else "no connection") in said
