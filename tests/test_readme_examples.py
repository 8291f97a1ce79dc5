"""The worked examples of engine/README.md and webapp/README.md: applied to a copy of the sources, in their order, their commands show that they work."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

EXAMPLE = re.compile(r"^### (.*?)\n(.*?)(?=^###? |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CHANGE = "## Change it\n"


def examples(readme: str) -> dict[str, list[tuple[str, str, str]]]:
    """The blocks of each example by its title: language, file, text."""
    section = (ROOT / readme).read_text("utf-8").partition(CHANGE)[2].partition("\n## ")[0]
    return {title: BLOCK.findall(text) for title, text in EXAMPLE.findall(section)}


EXAMPLES = {title: blocks for readme in ("engine/README.md", "webapp/README.md") for title, blocks in examples(readme).items()}


def changed(text: str, diff: str, where: str) -> str:
    """A file with the lines of a diff added and removed; parts between @@ are sought one by one."""
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[:1] in kept) for kept in (" -", " +"))
        assert text.count(before) == 1, f"{where}: these lines stand there {text.count(before)} times:\n{before}"
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


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_works(title: str, copy: Path) -> None:
    commands = []
    for language, name, text in EXAMPLES[title]:
        if language == "sh":
            commands += text.splitlines()
        elif language == "diff":
            (copy / name).write_text(changed((copy / name).read_text("utf-8"), text, name), "utf-8")
        else:
            assert not (copy / name).exists(), f"{name} is there already"
            (copy / name).write_text(text, "utf-8")
    assert commands
    for command in commands:
        plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "GANTRY_DATA": str(copy / "data")}
        done = subprocess.run(
            ["bash", "-c", command.replace(".venv/bin/python", sys.executable)], cwd=copy, capture_output=True, text=True, env=plain, timeout=300
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def test_each_kind_of_change_has_an_example() -> None:
    assert list(EXAMPLES) == ["A metric", "A scenario's field", "An import format", "An order", "A chart"]


@pytest.mark.parametrize("title", EXAMPLES)
def test_an_example_is_four_places_at_most_beside_its_tests(title: str) -> None:
    assert len({name for _, name, _ in EXAMPLES[title] if name and not name.startswith("tests/")}) <= 4
