"""Gantry as pip installs it: its wheel, built of this checkout without a network, in an environment of its
own. What it depends on comes from the environment of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import NamedTuple

from tests.conftest import ROOT

BUILD_S, RUN_S = 120, 120


class Installation(NamedTuple):
    """wheel: the file that was installed; bin: its environment's programs; elsewhere: a folder with an
    engine.py and a webapp.py that are not ours.
    """

    wheel: Path
    bin: Path
    elsewhere: Path

    @property
    def python(self) -> Path:
        """The environment's."""
        return self.bin / "python"

    @property
    def site(self) -> Path:
        """Where its modules lie."""
        (site,) = self.bin.parent.glob("lib/python*/site-packages")
        return site

    def start(self, program: str, *arguments: str, **options) -> subprocess.Popen[str]:
        """One of its programs, from the folder elsewhere."""
        command = [str(self.bin / program), *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        environment |= options.pop("env", {})
        return subprocess.Popen(command, cwd=self.elsewhere, env=environment, **pipes | options)

    def run(self, program: str, *arguments: str) -> tuple[int, str, str]:
        """The exit code, output and errors of one of its programs, from the folder elsewhere."""
        with self.start(program, *arguments) as process:
            out, err = process.communicate(timeout=RUN_S)
        return process.returncode, out, err


def build(target: str, source: Path, folder: Path) -> Path:
    """The wheel or sdist of a source folder, built without a network."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=BUILD_S)
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


def install(wheel: Path, folder: Path) -> Installation:
    """A wheel in a new environment in the folder."""
    environment, elsewhere = folder / "environment", folder / "elsewhere"
    venv.create(environment, symlinks=True)
    installation = Installation(wheel, environment / "bin", elsewhere)
    (installation.site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    words = ["install", "--no-index", "--no-deps", "--no-compile", "--find-links", str(wheel.parent)]
    command = [sys.executable, "-m", "pip", "--python", str(installation.python), *words, "gantry-yarn"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_S)
    assert done.returncode == 0, done.stderr
    elsewhere.mkdir()
    for name in ("engine.py", "webapp.py"):
        (elsewhere / name).write_text("raise SystemExit('not ours')\n")
    return installation


def install_checkout(folder: Path) -> Installation:
    """This checkout's wheel in a new environment in the folder."""
    return install(build("wheel", ROOT, folder / "wheel"), folder)
