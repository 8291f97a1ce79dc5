"""Starts a module of these very sources in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

FOUND_IN = Path(__file__).resolve().parents[__name__.count(".")]  # the folder that imports begin from


def start_module(name: str, *arguments: str, **options: Any) -> subprocess.Popen:
    """python -m NAME, which finds modules where this process does, and none in the folder that the user
    is in; options: Popen's. Raises OSError where no process can be started.
    """
    inherited = "" if sys.flags.ignore_environment else os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join(filter(None, [str(FOUND_IN), inherited]))
    command = [sys.executable, "-P", "-m", name, *arguments]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": path}, **options)
