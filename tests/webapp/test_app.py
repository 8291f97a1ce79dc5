"""A server process is ready before its first request."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

ALL_AT_ONCE = """
import re, threading
from concurrent.futures import ThreadPoolExecutor
from webapp.app import make, server

found = re.findall(r'"(/(?:bundle/|_dash-)[^"]*)"', server.test_client().get("/").text)
other, start = make().server, threading.Barrier(len(found))

def ask(path):
    start.wait()
    answer = other.test_client().get(path)
    return answer.status_code, answer.headers["Content-Security-Policy"] == policy

policy = server.test_client().get("/").headers["Content-Security-Policy"]
with ThreadPoolExecutor(len(found)) as visitors:
    assert len(found) > 5
    assert set(visitors.map(ask, found)) == {(200, True)}
"""


def test_the_first_requests_may_come_all_at_once(tmp_path: Path) -> None:
    """A browser asks for every file together, and any of several processes may be one that has served nothing yet."""
    subprocess.run([sys.executable, "-c", ALL_AT_ONCE], cwd=ROOT, env={**os.environ, "GANTRY_DATA": str(tmp_path)}, check=True, timeout=120)
