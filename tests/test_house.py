"""The house rules: who may import whom, how long a file may be, and what no committed file may say."""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import engine
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import Policy
from tests.conftest import ROOT

SOURCES = sorted(path for room in ("engine", "webapp") for path in (ROOT / room).rglob("*.py"))
CODE = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
LAYERED = {
    "decision", "difference", "fair_shares", "fragmentation", "gallery", "guide", "papers", "parameter_sweep", "prediction", "questions", "replications",
    "schedulers", "signals", "slowstart",
}  # fmt: skip
OUTSIDE = {".git", ".venv", ".gantry", "__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis", "build"}


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
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


@cache
def exported(package: str) -> set[str]:
    """The public names of a package: what its __init__.py imports from its modules, or loads when asked."""
    if package == "engine":
        return set(engine.__all__)
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    tree = ast.parse(path.read_text("utf-8")) if path.exists() else ast.Module([], [])
    return {alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != package for alias in node.names}


@cache
def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def room(name: str) -> str:
    """The folder of engine or webapp a module stands in; a module at their root is a room of its own."""
    return ".".join(name.split(".")[:2])


@cache
def laws() -> dict[str, set[str]]:
    """What each room may import of its own side, as the docstring of its __init__.py says."""
    found = {}
    for side in ("engine", "webapp"):
        for path in sorted((ROOT / side).glob("*/__init__.py")):
            law = re.search(r"^May import: (.*)\.$", ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "", re.MULTILINE)
            assert law, f"{short(path)} does not say what its folder may import"
            found[room(module(path))] = {f"{side}.{other}" for other in law[1].split(", ")}
    return found


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
def test_a_room_imports_what_its_law_says(path: Path) -> None:
    own = room(module(path))
    if own in laws():
        for name in imports(path):
            other = room(name)
            if other.split(".")[0] in ("engine", "webapp") and other not in (own, "engine"):
                assert other in laws()[own], f"{short(path)} imports {name}, which the law of {own} does not allow"
    assert "tests" not in {name.split(".")[0] for name in imports(path)}, f"{short(path)} imports a test"


def test_imports_go_one_way() -> None:
    """No law allows a circle, and no modules import each other in one."""
    tuple(TopologicalSorter(laws()).static_order())
    graph = {module(path): {name for name in imports(path) if name != module(path)} for path in SOURCES}
    tuple(TopologicalSorter(graph).static_order())


@pytest.mark.parametrize("folder", ["analysis", "output"])
def test_what_reads_runs_never_simulates(folder: str) -> None:
    what_runs = tuple(f"engine.simulation.{name}" for name in ("simulate", "policy_calls", "kernel"))
    for path in (ROOT / "engine" / folder).rglob("*.py"):
        running = {name for name in imports(path) if name.startswith(what_runs)}
        assert not running, f"{short(path)} imports {', '.join(running)}"


def test_one_module_one_name() -> None:
    """Two modules share a name only where they are one thing in several layers, or papers' rooms of the same kind."""
    named: dict[str, list[str]] = {}
    for path in SOURCES:
        if path.stem not in ("__init__", "__main__") and "papers" not in path.parent.parts[:-1]:
            named.setdefault(path.stem, []).append(short(path))
    shared = {name: paths for name, paths in named.items() if len(paths) > 1}
    assert set(shared) <= LAYERED, f"these modules share a name: {[paths for name, paths in shared.items() if name not in LAYERED]}"


@pytest.mark.parametrize("path", [path for path in SOURCES if "webapp" in path.parts], ids=short)
def test_the_page_uses_the_public_names_of_the_engine_only(path: Path) -> None:
    inner = {name for name in imports(path) if name.startswith("engine.")}
    assert not inner, f"{short(path)} may import from engine, not from {', '.join(sorted(inner))}"


ROLES = ("order", "reduce_start", "admission")
POLICIES = sorted(path for role in ROLES for path in (ROOT / "engine" / "schedulers" / role).glob("*.py") if path.stem != "__init__")
TERMS = sorted(path for path in (ROOT / "engine" / "schedulers" / "terms").glob("*.py") if path.stem != "__init__")
SEEN = ("engine.schedulers.view", "engine.schedulers.policy", "engine.schedulers.terms", *(f"engine.schedulers.{role}" for role in ROLES))


@pytest.mark.parametrize("path", POLICIES + TERMS, ids=short)
def test_a_policy_knows_the_view_and_terms_alone(path: Path) -> None:
    other = {name for name in imports(path) if name.startswith("engine") and not name.startswith(SEEN)}
    assert not other, f"{short(path)} may import the view, policy, terms and policies, not {', '.join(sorted(other))}"


@pytest.mark.parametrize("path", POLICIES, ids=short)
def test_every_policy_is_in_the_catalogue(path: Path) -> None:
    own = [value for value in vars(importlib.import_module(module(path))).values() if isinstance(value, Policy) and value.function.__module__ == module(path)]
    for policy in own:
        assert CATALOGUE[policy.role].get(policy.name) is policy, f"{policy.name} has no line in engine/schedulers/catalogue.py"
    users = [short(other) for other in POLICIES if module(path) in imports(other)]
    assert own or users, f"{short(path)} defines no Policy, and no policy uses it"


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("numba", r"engine/numba_types\.py"),
        ("dash", r"webapp/(?!figures/|services/|report/).*"),
        ("plotly", r"webapp/.*"),
        ("sqlalchemy", r"webapp/.*"),
        ("flask", r"webapp/.*"),
        ("optuna", r"engine/studies/proposals\.py"),
        ("ortools", r"engine/bounds/optimum/plan_(model|search)\.py"),
    ],
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
    own = {"bench", "browser", "faults", "fuzz", "hadoop", "load", "oracle", "phrases", "pictures", "examples", "data"}
    for folder in (path for path in (ROOT / "tests").rglob("*") if path.is_dir()):
        parts = folder.relative_to(ROOT / "tests").parts
        if not (set(parts) & (own | OUTSIDE)):
            assert ROOT.joinpath(*parts).is_dir(), f"{short(folder)} mirrors no source"
