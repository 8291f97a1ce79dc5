"""What pip installs is whole, and works in any folder: the command, the page, the library."""

from __future__ import annotations

import json
import tarfile
import zipfile
from contextlib import closing
from functools import partial
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from engine import VERSION
from tests.conftest import ROOT
from tests.import_graph import files, public_names, short
from tests.waiting import until
from tests.webapp.package.installation import Installation, build

COMMANDS = (
    "serve", "links", "classes", "collect", "run", "schedulers", "check", "convert", "explain", "diagnose",
    "regret", "bound", "replay", "what-if", "sweep", "search", "exercise", "papers", "completion", "fs2cs",
)  # fmt: skip
WORDCOUNT = ROOT / "engine" / "scenario" / "samples" / "wordcount.json"
OWN_FILES = ("__init__.py", "__init__.pyi", "__main__.py", "py.typed")
ALIVE = (
    "import gantry, sys, importlib.util; print(importlib.util.find_spec('engine')); print(gantry.__file__)"
)


def test_the_wheel_holds_what_the_checkout_does(installed_gantry: Installation) -> None:
    own = [short(path) for path in files() if short(path).startswith(("engine/", "webapp/", "assets/"))]
    left_out = ("assets/scripts/", "webapp/deployment/build_package.py", "webapp/package/")
    expected = {f"gantry/{name}" for name in own if not name.startswith(left_out)}
    expected |= {f"gantry/{name}" for name in OWN_FILES}
    with zipfile.ZipFile(installed_gantry.wheel) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == expected


def test_the_wheel_of_the_source_archive_is_the_same(installed_gantry: Installation, tmp_path: Path) -> None:
    archive = build("sdist", ROOT, tmp_path / "sdist")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert build("wheel", source, tmp_path / "wheel").read_bytes() == installed_gantry.wheel.read_bytes()


def test_it_is_found_by_its_own_name_alone(installed_gantry: Installation) -> None:
    code, out, err = installed_gantry.run("python", "-P", "-c", ALIVE)
    spec, file = out.splitlines()
    assert (code, spec, err) == (0, "None", "")
    assert Path(file).is_relative_to(installed_gantry.site)


def test_all_public_names_of_the_engine_are_there(installed_gantry: Installation) -> None:
    names = [*sorted(public_names("engine")), "ApiError", "Client"]
    program = f"import gantry\nfor name in {names}: getattr(gantry, name)\nprint(gantry.__version__)"
    assert installed_gantry.run("python", "-c", program) == (0, f"{VERSION}\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_says_the_name_it_was_called_by(installed_gantry: Installation, command: str) -> None:
    code, out, err = installed_gantry.run("gantry", command, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"usage: gantry {command} ") and "python -m" not in out


def test_help_lists_every_command(installed_gantry: Installation) -> None:
    code, out, _ = installed_gantry.run("gantry", "--help")
    listed = [line.split()[0] for line in out.splitlines() if line.startswith("    ") and line[4] != " "]
    assert code == 0 and sorted(listed) == sorted(COMMANDS)
    assert installed_gantry.run("gantry", "--version") == (0, f"Gantry {VERSION}\n", "")
    code, out, _ = installed_gantry.run("gantry-collect", "--help")
    assert code == 0 and out.startswith("usage: gantry-collect ")


def test_it_runs_checks_and_converts(installed_gantry: Installation, tmp_path: Path) -> None:
    code, out, err = installed_gantry.run("gantry", "run", str(WORDCOUNT), "--scheduler", "fair", "--json")
    assert (code, err) == (0, "") and json.loads(out)["engine"] == VERSION
    assert installed_gantry.run("gantry", "check", str(WORDCOUNT))[0] == 0
    result = tmp_path / "fair-scheduler.xml"
    words = ("convert", str(WORDCOUNT), "--to", "fair-xml", "--out", str(result))
    assert installed_gantry.run("gantry", *words)[0] == 0 and "<allocations>" in result.read_text()


def test_it_serves_the_page(installed_gantry: Installation, tmp_path: Path) -> None:
    """The page, an asset, a document, its own database, and work processes that take up work."""
    environment = {"GANTRY_DATA": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    with installed_gantry.start("gantry", "serve", "--port", "0", env=environment) as server:
        try:
            assert server.stdout is not None  # it is a pipe
            address = server.stdout.readline().split()[-1]
            for path in ("", "assets/favicon.svg", "help/tutorial", "readyz"):
                assert until(partial(_is_there, f"{address}/{path}")), path
        finally:
            server.terminate()
            server.communicate(timeout=60)


def _is_there(address: str) -> bool:
    try:
        with closing(urlopen(address, timeout=60)) as answer:
            return answer.status == 200
    except HTTPError:
        return False
