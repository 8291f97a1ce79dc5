"""`make` on a plain machine: it takes the newest Python that fits, or says in a sentence what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.phrases import phrase

TOOLS = ("sh", "sed", "seq", "expr", "test", "rm", "mkdir", "touch", "make")
PYTHON = """#!/bin/sh
case "$*" in
    *version_info*) exit {misfit} ;;
    *ensurepip*) exit {bare} ;;
    -V) echo "{name}" ;;
    *venv*) mkdir -p .venv/bin; touch .venv/bin/{name} ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A folder with the Makefile, and a `bin` that is all of the PATH."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def python(machine: Path, name: str, misfit: int = 0, bare: int = 0) -> None:
    """Puts a Python there. misfit 1: of a version that does not fit; bare 1: without what makes
    environments.
    """
    path = machine / "bin" / name
    path.write_text(PYTHON.format(name=name, misfit=misfit, bare=bare))
    path.chmod(0o755)


def environment(machine: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["make", ".venv/made"],
        cwd=machine,
        env={"PATH": str(machine / "bin")},
        capture_output=True,
        text=True,
    )


def test_the_newest_python_that_fits_is_taken(machine: Path) -> None:
    python(machine, "python3.13", misfit=1)
    python(machine, "python3.12")
    python(machine, "python3")
    done = environment(machine)
    assert (done.returncode, done.stdout) == (0, "Making .venv with python3.12.\n")
    assert (machine / ".venv" / "bin" / "python3.12").exists()


def test_a_python_that_makes_no_environments_is_passed_over(machine: Path) -> None:
    python(machine, "python3.12", bare=1)
    python(machine, "python3")
    assert environment(machine).stdout == "Making .venv with python3.\n"


def test_without_the_venv_module_its_package_is_named(machine: Path) -> None:
    python(machine, "python3.12", bare=1)
    done = environment(machine)
    assert done.returncode != 0
    assert phrase("tests.debian_and_ubuntu_have_in", "python3.12-venv") + "\n" in done.stderr


def test_without_a_python_that_fits_the_range_is_named(machine: Path) -> None:
    python(machine, "python3", misfit=1)
    done = environment(machine)
    assert done.returncode != 0
    assert done.stderr.startswith(phrase("tests.gantry_needs_python_and_none", 3.11, 3.14) + " ")


def test_bare_make_says_what_there_is(machine: Path) -> None:
    # this test may itself run under make
    apart = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    printed = subprocess.run(
        ["make"], cwd=machine, env=apart, capture_output=True, text=True, check=True
    ).stdout
    told = [line.split()[1] for line in printed.splitlines()]
    test, more = (
        ["run", "test", "check", "everything", "docs", "phrases", "lint", "types", "scripts", "audit"],
        ["referee", "cluster", "gallery", "pictures", "lock", "clean"],
    )
    assert told == [*test, "bench", "bench-hadoop", "load", "faults", "fuzz", *more]
