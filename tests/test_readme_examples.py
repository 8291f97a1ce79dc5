"""The worked examples of the how-tos, applied in order to a copy of the sources; their commands prove
them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOW_TOS = (
    "engine/docs/how-to/add-a-metric.md",
    "engine/docs/how-to/add-a-field.md",
    "engine/docs/how-to/add-a-format.md",
    "engine/docs/how-to/add-an-order.md",
    "webapp/docs/how-to/add-a-chart.md",
)
# language, file, text of each block
EXAMPLES = {name: BLOCK.findall((ROOT / name).read_text("utf-8")) for name in HOW_TOS}


def changed(text: str, diff: str, where: str) -> str:
    """A file with the lines of a diff added and removed; parts between @@ are sought one by one."""
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[:1] in kept) for kept in (" -", " +"))
        assert text.count(before) == 1, (
            f"{where}: these lines stand there {text.count(before)} times:\n{before}"
        )
        text = text.replace(before, after)
    return text


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources that the examples change, each beside those before it."""
    place = tmp_path_factory.mktemp("examples")
    for name in ("engine", "webapp", "tests"):
        shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__", "*.png"))
    for name in ("assets", "Makefile", "pyproject.toml"):
        (place / name).symlink_to(ROOT / name)
    return place


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_works(name: str, copy: Path) -> None:
    commands = []
    for language, file, text in EXAMPLES[name]:
        if language == "sh":
            commands += text.splitlines()
        elif language == "diff":
            (copy / file).write_text(changed((copy / file).read_text("utf-8"), text, file), "utf-8")
        else:
            assert not (copy / file).exists(), f"{file} is there already"
            (copy / file).write_text(text, "utf-8")
    assert commands
    for command in commands:
        plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "GANTRY_DATA": str(copy / "data")}
        done = subprocess.run(
            ["bash", "-c", command.replace(".venv/bin/python", sys.executable)],
            cwd=copy,
            capture_output=True,
            text=True,
            env=plain,
            timeout=300,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def test_every_how_to_that_adds_something_is_an_example() -> None:
    assert {path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/docs/how-to/add-*.md")} == set(HOW_TOS)


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_four_places_at_most_beside_its_tests(name: str) -> None:
    assert len({file for _, file, _ in EXAMPLES[name] if file and not file.startswith("tests/")}) <= 4
