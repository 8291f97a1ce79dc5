"""What a notebook in a browser lacks is not needed: Pyodide has no numba, fastavro and ijson, and neither
threads nor processes.
"""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

PROGRAM = """
import importlib.util, subprocess, sys, threading

ABSENT = {"numba", "llvmlite", "fastavro", "ijson", "brotli"}

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ABSENT:
            raise ModuleNotFoundError(name)

def fail(*arguments, **options):
    raise RuntimeError("a browser has none")

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name in ABSENT else find_spec(name, package)
sys.meta_path.insert(0, Absent())
threading.Thread.start = subprocess.Popen = fail

import engine
from webapp.notebook import register

register()
scenario = engine.presets()[0].scenario
print(engine.compare(scenario, ["fifo", "fair"])._repr_html_().count("<svg viewBox"))
print(len(engine.study(scenario, ["fifo", "fair"], seeds=3, jitter=0.2).frame()))
print(engine.explain(engine.simulate(scenario, "fair"), "fair", 0)["because"])
"""


def test_comparisons_and_studies_run_without_what_a_browser_lacks():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert not done.returncode, done.stderr
    charts, runs, because = done.stdout.splitlines()
    assert (int(charts), int(runs)) == (2, 6) and "wordcount1" in because
