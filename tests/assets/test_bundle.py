"""assets/gantry.js and assets/tour.js are what assets/scripts are built to."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

BIN = ROOT / "node_modules" / ".bin"


def test_the_bundles_are_built_of_the_scripts(tmp_path: Path) -> None:
    if not shutil.which("node") or not (BIN / "esbuild").exists():
        pytest.skip("without Node and `make scripts` nobody can say what the scripts are built to")
    command = json.loads((ROOT / "package.json").read_text("utf-8"))["scripts"]["build"]
    command = command.replace("--outdir=assets", f"--outdir={tmp_path}")
    path = {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, shell=True, cwd=ROOT, env={**os.environ, **path}, check=True)
    for name in ("gantry.js", "tour.js"):
        built, kept = tmp_path / name, ROOT / "assets" / name
        assert built.read_bytes() == kept.read_bytes(), "call make scripts"
