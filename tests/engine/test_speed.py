"""Compiling policies when several threads meet one for the first time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

MEET = """
import sys, threading
sys.setswitchinterval(1e-5)
from engine.binding import FIELDS
from engine import speed
from engine.catalogue import CATALOGUE
from engine.policies.policy import HOOKS, ORDER

policy = CATALOGUE[ORDER]["fifo"]
ready, found = threading.Barrier(8), []

def meet():
    ready.wait()
    found.append(speed.address(policy.function, FIELDS, HOOKS[ORDER]))

threads = [threading.Thread(target=meet) for _ in range(8)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(len(found), len(set(found)))
"""


def test_threads_that_meet_a_policy_at_once_compile_it_once(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEET], cwd=ROOT, env={**os.environ, "GANTRY_CACHE_DIR": str(tmp_path)}, capture_output=True, text=True, timeout=300
    )
    assert (done.stdout, done.stderr) == ("8 1\n", "")
