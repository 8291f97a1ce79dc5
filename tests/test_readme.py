"""The README is run: its commands and examples work, its links and paths exist, its tables are complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.conftest import ROOT

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for language, _, text in BLOCKS if language == "sh" for line in text.splitlines()]
FILES = {name: text for _, name, text in BLOCKS if name}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the clone that examples may write into, with the files that the README says to save."""
    place = tmp_path_factory.mktemp("readme")
    for name in ("engine", "webapp", "assets", "Makefile", "pyproject.toml"):
        (place / name).symlink_to(ROOT / name)
    for name, text in FILES.items():
        (place / name).write_text(text)
    return place


def run(command: str, folder: Path, **settings: str) -> str:
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=300, env={**os.environ, **settings})
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("command", [line for line in COMMANDS if not line.startswith("make ")])
def test_every_command_runs(command: str, folder: Path) -> None:
    assert command.startswith(".venv/bin/python ")
    output = run(command.replace(".venv/bin/python", sys.executable), folder)
    assert output or " --out " in command or " > " in command or " --csv " in command or " check " in command


@pytest.mark.parametrize("target", sorted(set(re.findall(r"(?:^|`)make (\w+)", README, re.MULTILINE))))
def test_every_make_target_is_there(target: str, folder: Path) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), f"the Makefile has no target {target}"


@pytest.mark.parametrize("text", [text for language, name, text in BLOCKS if language == "python" and not name])
def test_every_python_example_runs(text: str, folder: Path) -> None:
    (folder / "example.py").write_text(text)
    assert run(f"{sys.executable} -c 'exec(open(\"example.py\").read())'", folder)


def test_a_scheduler_of_ones_own_gives_the_same_compiled_and_plain(folder: Path) -> None:
    (name,) = (name for name in FILES if name.endswith(".py"))
    command = f"{sys.executable} -m engine run engine/samples/wordcount.json --scheduler {name} --json"
    assert run(command, folder) == run(command, folder, NUMBA_DISABLE_JIT="1")


def test_a_package_s_scheduler_is_in_the_catalogue(folder: Path, tmp_path: Path) -> None:
    """The fragment as an installed package has it: entry points beside the module."""
    (fragment,) = (text for name, text in FILES.items() if name.endswith(".toml"))
    points = tomllib.loads(fragment)["project"]["entry-points"]
    written = "".join(f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items()) for group, names in points.items())
    info = tmp_path / "fewest_maps-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fewest-maps\nVersion: 1\n")
    (info / "entry_points.txt").write_text(written)
    (tmp_path / "fewest_maps.py").write_text(FILES["fewest_maps.py"])
    output = run(f"{sys.executable} -m engine run engine/samples/wordcount.json --scheduler fewest-maps", folder, PYTHONPATH=str(tmp_path))
    assert "fewest-maps" in output


def test_the_ci_runs_the_test_command() -> None:
    section = README.partition("## Test it")[2]
    command = re.search(r"```sh\n(.*)\n```", section)[1]
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == command


def test_links_and_pictures_exist() -> None:
    targets = re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README)
    for target in filter(None, (one or other for one, other in targets)):
        assert target.startswith("http") or (ROOT / target).exists(), f"{target} is not there"


def test_paths_exist() -> None:
    for path in re.findall(r"`((?:engine|webapp|tests|assets)/[\w./-]*)`", README):
        assert (ROOT / path).exists(), f"{path} is not there"


def test_the_map_names_every_room() -> None:
    code_map = README.partition("## Map of the code")[2].partition("\n## ")[0]
    for room in ("engine", "webapp"):
        for path in (ROOT / room).iterdir():
            if path.is_dir() and path.name != "__pycache__" and (room, path.name) != ("engine", "policies"):
                assert f"`{room}/{path.name}/`" in code_map, f"the map leaves out {room}/{path.name}/"


def test_every_dependency_has_its_sentence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    for name in (re.match(r"[\w-]+", requirement)[0] for requirement in asked):
        assert name == project["name"] or f"**{name}**" in README, f"the README does not say what {name} saves"


def test_every_environment_variable_is_named() -> None:
    sources = [path.read_text("utf-8") for room in ("engine", "webapp") for path in (ROOT / room).rglob("*.py")]
    read = {name for text in sources for name in re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", text)} - {"XDG_CACHE_HOME", "XDG_DATA_HOME"}
    for name in read:
        assert f"`{name}`" in README, f"the README does not name {name}"
