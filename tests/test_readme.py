"""The documents are run: their commands and examples work, their links, anchors and paths exist, their tables
are complete.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from engine import jit
from engine.__main__ import main
from tests.conftest import ROOT
from webapp.documents import slug

DEPENDENCIES, ENVIRONMENT = "webapp/docs/reference/dependencies.md", "engine/docs/reference/environment.md"
XDG = ("XDG_CACHE_HOME", "XDG_DATA_HOME")
READMES = ("README.md", "engine/README.md", "webapp/README.md", ".github/CONTRIBUTING.md")
PATHS = [*READMES, *sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("*/docs/**/*.md"))]
DOCUMENTS = {name: (ROOT / name).read_text("utf-8") for name in PATHS}
# tests/test_readme_examples.py runs these, and the API's client's tests its own
EXAMPLE = re.compile(r"\w+/docs/how-to/add-[\w-]+\.md|webapp/docs/reference/api\.md")
PARTS = [text for name, text in DOCUMENTS.items() if not EXAMPLE.fullmatch(name)]
BLOCKS = [
    block
    for text in PARTS
    for block in re.findall(r"^```(\w+)(?: file=(\S+))?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
]
COMMANDS = [line for language, _, text in BLOCKS if language == "sh" for line in text.splitlines()]
FILES = {name: text for _, name, text in BLOCKS if name}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that examples may write into, with the samples, the course and the files that the README says
    to save; modules are the clone's own, compiled already.
    """
    place = tmp_path_factory.mktemp("readme")
    for given in (Path("engine", "scenario", "samples"), Path("engine", "exercises", "course")):
        (place / given).parent.mkdir(parents=True)
        (place / given).symlink_to(ROOT / given)
    for name, text in FILES.items():
        (place / name).write_text(text)
    return place


def run(command: str, folder: Path, modules: Path | None = None, **settings: str) -> str:
    """What a command prints; modules: a folder of installed ones beside the clone's."""
    path = os.pathsep.join(map(str, filter(None, (modules, ROOT))))
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": path, **settings},
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("command", [line for line in COMMANDS if not line.startswith("make ")])
def test_every_command_runs(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    """One of the engine's is called in this process, but where the shell or Python have a part in it."""
    words = shlex.split(command)
    assert words[0] == ".venv/bin/python"
    if words[1:3] == ["-m", "engine"] and not set(words) & {"|", ">", "sweep"}:
        monkeypatch.setattr(jit, "report", jit.report)  # a command sets it
        monkeypatch.chdir(folder)
        assert main(words[3:]) == 0
        output = capfd.readouterr().out
    else:
        output = run(command.replace(".venv/bin/python", sys.executable), folder)
    assert output or " --out " in command or " > " in command or " --csv " in command or " check " in command


@pytest.mark.parametrize(
    "target",
    sorted(
        {
            target
            for text in DOCUMENTS.values()
            for target in re.findall(r"(?:^|`)make (\w+)", text, re.MULTILINE)
        }
    ),
)
def test_every_make_target_is_there(target: str, folder: Path) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), (
        f"the Makefile has no target {target}"
    )


@pytest.mark.parametrize(
    "text", [text for language, name, text in BLOCKS if language == "python" and not name]
)
def test_every_python_example_runs(text: str, folder: Path) -> None:
    (folder / "example.py").write_text(text)
    assert run(f"{sys.executable} -c 'exec(open(\"example.py\").read())'", folder)


def test_a_scheduler_of_ones_own_gives_the_same_compiled_and_plain(folder: Path) -> None:
    (name,) = (name for name in FILES if name.endswith(".py"))
    command = (
        f"{sys.executable} -m engine run engine/scenario/samples/wordcount.json --scheduler {name} --json"
    )
    assert run(command, folder) == run(command, folder, NUMBA_DISABLE_JIT="1")


def test_a_package_s_scheduler_is_in_the_catalogue(folder: Path, tmp_path: Path) -> None:
    """The fragment as an installed package has it: entry points beside the module."""
    (fragment,) = (text for name, text in FILES.items() if name.endswith(".toml"))
    points = tomllib.loads(fragment)["project"]["entry-points"]
    written = "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in names.items())
        for group, names in points.items()
    )
    info = tmp_path / "fewest_maps-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fewest-maps\nVersion: 1\n")
    (info / "entry_points.txt").write_text(written)
    (tmp_path / "fewest_maps.py").write_text(FILES["fewest_maps.py"])
    output = run(
        f"{sys.executable} -m engine run engine/scenario/samples/wordcount.json --scheduler fewest-maps",
        folder,
        tmp_path,
    )
    assert "fewest-maps" in output


def test_the_ci_runs_the_test_command() -> None:
    section = DOCUMENTS["README.md"].partition("## Test it")[2]
    command = re.search(r"```sh\n(.*)\n```", section)[1]
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    after = [line for line in lines[lines.index(f"part test {command}") + 1 :] if line.startswith("part ")]
    assert after and all(re.match(r"part \w+ \.venv/bin/python -m tests\.", line) for line in after), (
        "then what has a command of its own"
    )


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_pictures_exist(name: str) -> None:
    """Sections that a link names are headings of its document, or named places."""
    text = re.sub(r"^```.*?^```$", "", DOCUMENTS[name], flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    for target in filter(None, (one or other for one, other in targets)):
        path, _, section = target.partition("#")
        if target.startswith("http"):
            continue
        linked = (ROOT / name).parent / path if path else ROOT / name
        assert linked.exists(), f"{name}: {target} is not there"
        assert not section or section in sections(linked.read_text("utf-8")), (
            f"{name}: {target} has no such section"
        )


def sections(text: str) -> set[str]:
    """What a link may name in a document: its headings as GitHub writes them, and its named places."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {slug(re.sub(r"[`*]", "", heading)) for heading in headings} | set(
        re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text)
    )


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_exist(name: str) -> None:
    if EXAMPLE.fullmatch(name):
        return
    for path in re.findall(r"`((?:engine|webapp|tests|assets)/[\w./-]*)`", DOCUMENTS[name]):
        assert (ROOT / path).exists(), f"{name}: {path} is not there"


def test_lines_of_the_readme_are_short() -> None:
    assert not [
        line for line in DOCUMENTS["README.md"].splitlines() if len(line) > 110 and "<img" not in line
    ]


@pytest.mark.parametrize("side", ["engine", "webapp"])
def test_the_map_names_every_room(side: str) -> None:
    for path in (ROOT / side).iterdir():
        if path.is_dir() and path.name != "__pycache__":
            assert f"`{side}/{path.name}/`" in DOCUMENTS[f"{side}/README.md"], (
                f"the map leaves out {side}/{path.name}/"
            )


def test_every_dependency_has_its_sentence() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    for name in (re.match(r"[\w-]+", requirement)[0] for requirement in asked):
        assert name == project["name"] or f"**{name}**" in DOCUMENTS[DEPENDENCIES], (
            f"{DEPENDENCIES} does not say what {name} saves"
        )


def test_every_environment_variable_is_named() -> None:
    sources = [
        path.read_text("utf-8") for room in ("engine", "webapp") for path in (ROOT / room).rglob("*.py")
    ]
    read = {name for text in sources for name in re.findall(r"environ(?:\.get\(|\[)\"(\w+)\"", text)} - {
        "PYTHONPATH",
        *XDG,
    }
    for name in read:
        assert f"`{name}`" in DOCUMENTS[ENVIRONMENT], f"{ENVIRONMENT} does not name {name}"
