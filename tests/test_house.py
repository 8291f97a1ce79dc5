"""The house rules: who may import whom, how long a file may be, and what no committed file may say."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from statistics import median

import pytest

from engine.catalogue import CATALOGUE
from engine.policies.policy import Policy
from tests.conftest import ROOT

# Lowest first: a module imports modules of lower rows only. A row's names may not import each other, but a package's own files may.
LAYERS = (
    ("engine.errors", "engine.ranges", "engine.speed", "engine.version", "engine.view"),
    ("engine.values", "engine.shuffle"),
    ("engine.checks",),
    ("engine.scenario",),
    ("engine.draws", "engine.queues"),
    ("engine.workload",),
    ("engine.run", "engine.policies"),
    ("engine.kernel",),
    (
        "engine.capacity", "engine.difference", "engine.grid", "engine.lanes", "engine.metrics", "engine.occupancy", "engine.phases",
        "engine.stuck", "engine.waiting",
    ),
    ("engine.room", "engine.shares", "engine.span"),
    ("engine.catalogue",),
    ("engine.scheduler",),
    ("engine.binding", "engine.goal", "engine.knobs", "engine.vary"),
    ("engine.simulate",),
    ("engine.response", "engine.retrace"),
    ("engine.sentences",),
    ("engine.explain", "engine.signals", "engine.formats", "engine.frames", "engine.repeat", "engine.result", "engine.samples"),
    ("engine.guide", "engine.papers"),
    ("engine",),
    ("engine.__main__", "webapp.settings", "webapp.theme", "webapp.wire"),
    ("webapp.selection",),
    ("webapp.cache", "webapp.figures", "webapp.playback", "webapp.state", "webapp.store"),
    ("webapp.work",),
    ("webapp.gallery", "webapp.runs"),
    ("webapp.report", "webapp.whatif"),
    ("webapp.panels",),
    ("webapp.pages",),
    ("webapp.app",),
    ("webapp.__main__", "webapp"),
)
SOURCES = sorted(path for room in ("engine", "webapp") for path in (ROOT / room).rglob("*.py"))
CODE = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
OUTSIDE = {".git", ".venv", ".gantry", "__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis", "build"}


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imports(path: Path) -> set[str]:
    """The full names of the modules a file imports; a package's public name counts as the package."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{short(path)}:{node.lineno}: imports are written in full, not relative"
            full = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            public = exported(node.module) if path.parts[-2] != node.module else set()
            found |= {name if is_module(name) and own not in public else node.module for own, name in full.items()}
    return found


def exported(package: str) -> set[str]:
    """The names that a package's __init__.py imports from its modules."""
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    tree = ast.parse(path.read_text("utf-8")) if path.exists() else ast.Module([], [])
    return {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != package for alias in node.names}


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def row(name: str) -> tuple[int, str]:
    """The layer of a module and the room that stands in it."""
    rooms = [(level, room) for level, names in enumerate(LAYERS) for room in names if name == room or (name.startswith(room + ".") and room != "engine")]
    assert rooms, f"{name} has no row in LAYERS: say above whom it may import"
    return max(rooms, key=lambda found: len(found[1]))


def texts() -> list[tuple[str, str]]:
    """Every text file of the project and what it says."""
    found = []
    for path in sorted(ROOT.rglob("*")):
        if path.is_file() and not OUTSIDE & set(path.relative_to(ROOT).parts):
            try:
                found.append((short(path), path.read_text("utf-8")))
            except UnicodeDecodeError:
                continue
    return found


@pytest.mark.parametrize("path", SOURCES, ids=short)
def test_imports_go_one_way(path: Path) -> None:
    level, room = row(module(path))
    for name in imports(path):
        if name.split(".")[0] in ("engine", "webapp"):
            below, other = row(name)
            assert other == room or below < level, f"{module(path)} may not import {name}"
        assert name.split(".")[0] != "tests", f"{module(path)} imports a test"


@pytest.mark.parametrize("path", [path for path in SOURCES if "webapp" in path.parts], ids=short)
def test_the_page_uses_the_public_names_of_the_engine_only(path: Path) -> None:
    inner = {name for name in imports(path) if name.startswith("engine.")}
    assert not inner, f"{short(path)} may import from engine, not from {', '.join(sorted(inner))}"


POLICIES = sorted(path for path in (ROOT / "engine" / "policies").glob("*/*.py") if path.stem != "__init__")


@pytest.mark.parametrize("path", POLICIES, ids=short)
def test_a_policy_knows_the_view_alone(path: Path) -> None:
    other = {name for name in imports(path) if name.startswith("engine") and not name.startswith(("engine.view", "engine.policies."))}
    assert not other, f"{short(path)} may import engine.view and engine.policies, not {', '.join(sorted(other))}"


@pytest.mark.parametrize("path", POLICIES, ids=short)
def test_every_policy_is_in_the_catalogue(path: Path) -> None:
    own = [value for value in vars(importlib.import_module(module(path))).values() if isinstance(value, Policy) and value.function.__module__ == module(path)]
    for policy in own:
        assert CATALOGUE[policy.role].get(policy.name) is policy, f"{policy.name} has no line in engine/catalogue.py"
    users = [short(other) for other in POLICIES if module(path) in imports(other)]
    assert own or users, f"{short(path)} defines no Policy, and no policy uses it"


@pytest.mark.parametrize(
    ("package", "allowed"),
    [("numba", r"engine/speed\.py"), ("dash", r"webapp/(?!figures/).*"), ("plotly", r"webapp/.*"), ("sqlalchemy", r"webapp/.*"), ("flask", r"webapp/.*")],
)
def test_a_package_is_imported_where_it_belongs(package: str, allowed: str) -> None:
    for path in SOURCES:
        if any(name.split(".")[0] == package for name in imports(path)):
            assert re.fullmatch(allowed, short(path)), f"{short(path)} may not import {package}"


@pytest.mark.parametrize("path", CODE, ids=short)
def test_no_file_is_over_400_lines(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= 400


def test_the_top_level_is_fixed() -> None:
    rooms = {"assets", "engine", "tests", "webapp"}
    files = {"LICENSE", "Makefile", "Procfile", "README.md", "pyproject.toml", "requirements.txt", "requirements-test.txt"}
    made = {"build", "dist", "bench.json"}
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and not path.name.endswith(".egg-info")}
    assert found - made == rooms | files


def test_the_median_source_is_about_100_lines() -> None:
    lines = [len(path.read_text("utf-8").splitlines()) for path in SOURCES]
    assert 60 <= median([length for length in lines if length > 0]) <= 140


# Written so that the patterns do not match themselves.
@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a folder of one machine", r"(?<![\w.*])/(?:hom[e]|roo[t]|User[s]|wor[k])/\w|\b[A-Z]:\\\w"),
        ("a registry's or another server's host", r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|unpkg\.com|jsdelivr\.net|cdnjs\.|fonts\.g\w+\.com"),
        ("something left undone", r"\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b"),
    ],
)
def test_no_file_names(what: str, pattern: str) -> None:
    for name, text in texts():
        found = re.search(pattern, text)
        assert not found, f"{name} names {what}: {found[0]}"


def test_the_lock_pins_everything_with_hashes() -> None:
    for name in ("requirements.txt", "requirements-test.txt"):
        pins = re.findall(r"^\S+==\S+(?: ;.*)? \\\n    --hash=sha256:", (ROOT / name).read_text(), re.MULTILINE)
        named = [line for line in (ROOT / name).read_text().splitlines() if line[:1].isalnum()]
        assert len(pins) == len(named) > 20
        assert "://" not in (ROOT / name).read_text()


def test_each_folder_of_tests_mirrors_a_source() -> None:
    own = {"bench", "browser", "pictures", "examples", "data"}
    for folder in (path for path in (ROOT / "tests").rglob("*") if path.is_dir()):
        parts = folder.relative_to(ROOT / "tests").parts
        if not (set(parts) & (own | OUTSIDE)):
            assert ROOT.joinpath(*parts).is_dir(), f"{short(folder)} mirrors no source"
