"""The process that compiles beside a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from engine import code_cache
from tests.conftest import ROOT
from tests.waiting import MAX_WAIT_S

COMMAND = [sys.executable, "-m", "webapp.runs.warm_up"]


def test_it_ends_with_the_server(tmp_path: Path) -> None:
    """Its input is the server's end of a pipe: closed, it stops in the middle of compiling, and does not say
    that it has compiled all.
    """
    with subprocess.Popen(
        COMMAND,
        cwd=ROOT,
        env={**os.environ, "GANTRY_CACHE_DIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as other:
        other.stdin.close()
        assert (other.wait(MAX_WAIT_S), other.stderr.read()) == (1, b"")
    assert not list(tmp_path.rglob(f"{code_cache.ALL}*"))


def test_what_another_process_has_compiled_is_not_compiled_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("GANTRY_CACHE_DIR", str(tmp_path))
    code_cache.folder.cache_clear()
    try:
        code_cache.note_everything_is_compiled()
    finally:
        result = code_cache.folder()
        code_cache.folder.cache_clear()
    with subprocess.Popen(COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as other:
        assert other.wait(MAX_WAIT_S) == 0
        assert other.stderr.read() == b""
    assert not list(result.rglob("*.entry"))
