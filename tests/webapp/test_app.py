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

scripts = re.findall(r'src="(/_dash-component-suites[^"]*)"', server.test_client().get("/").get_data(as_text=True))
other, start = make().server, threading.Barrier(len(scripts))

def ask(path):
    start.wait()
    answer = other.test_client().get(path)
    return answer.status_code, answer.headers["Content-Security-Policy"] == policy

policy = server.test_client().get("/").headers["Content-Security-Policy"]
with ThreadPoolExecutor(len(scripts)) as visitors:
    assert len(scripts) > 5
    assert set(visitors.map(ask, scripts)) == {(200, True)}
"""


def test_the_first_requests_may_come_all_at_once(tmp_path: Path) -> None:
    """A browser asks for every script together, and any of several processes may be one that has served nothing yet."""
    subprocess.run([sys.executable, "-c", ALL_AT_ONCE], cwd=ROOT, env={**os.environ, "GANTRY_DATA": str(tmp_path)}, check=True, timeout=120)
