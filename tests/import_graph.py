"""The project's files and which of them imports which, read without importing any: for the rules of the house
and for `make check`.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.conftest import ROOT

SOURCES = sorted(path for room in ("engine", "webapp") for path in (ROOT / room).rglob("*.py"))
CODE = SOURCES + sorted((ROOT / "tests").rglob("*.py"))
STUBS = {"engine": "engine/__init__.pyi", "engine.dashboard": "engine/dashboard.pyi"}
OUTSIDE = {
    ".git",
    ".venv",
    "node_modules",
    ".gantry",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".hypothesis",
    "build",
    "dist",
}


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def files() -> Iterator[Path]:
    """All that is in the project's folder but for what is made there."""
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - OUTSIDE)
        # .git is a file in a worktree
        yield from (Path(folder, name) for name in sorted(set(names) - OUTSIDE))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def file_of(name: str) -> Path | None:
    """The file of a module of the project."""
    path = ROOT.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@cache
def imports(path: Path, for_types: bool = True) -> set[str]:
    """The full names of the modules a file imports; a package's public name counts as the package. for_types:
    with those that the checker of types alone reads.
    """
    names = set()
    module_tree = tree(path)
    left_out = set() if for_types else _read_by_the_checker_alone(module_tree)
    for node in ast.walk(module_tree):
        if node in left_out:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            full = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
            public = exported(node.module) if path.parts[-2] != node.module else set()
            names |= {
                name if file_of(name) and local not in public else node.module for local, name in full.items()
            }
    return names


def _read_by_the_checker_alone(module_tree: ast.Module) -> set[ast.AST]:
    return {
        inner
        for node in ast.walk(module_tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }


@cache
def public_names(package: str) -> dict[str, str]:
    """The module of each public name, as the stub says from which the engine loads it."""
    stub = ast.parse((ROOT / STUBS[package]).read_text("utf-8"))
    return {
        alias.name: f"engine.{node.module}"
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@cache
def exported(package: str) -> set[str]:
    """The public names of a package: what its __init__.py imports from its modules, or loads when asked."""
    if package in STUBS:
        return set(public_names(package))
    path = ROOT.joinpath(*package.split("."), "__init__.py")
    body = tree(path).body if path.exists() else []
    return {
        alias.asname or alias.name
        for node in body
        if isinstance(node, ast.ImportFrom) and node.module != package
        for alias in node.names
    }


@cache
def needs(path: Path) -> frozenset[Path]:
    """The files of the project that come with a Python file: those it imports, those that a program in one of
    its strings imports or starts, the packages these are in, and the conftest.py of a test.
    """
    program = tree(path)
    names = {*_imported(program)}
    # which compiles the engine before the tests; they say themselves what they need of it
    if path != ROOT / "tests" / "conftest.py":
        names |= {*_started(program), *_started_beside(program, module(path).rpartition(".")[0])}
    if path.is_relative_to(ROOT / "tests"):
        names |= {
            "tests.conftest",
            *(
                f"{module(folder)}.conftest"
                for folder in path.parents
                if folder.is_relative_to(ROOT / "tests")
            ),
        }
    names |= {
        ".".join(name.split(".")[:length]) for name in names for length in range(1, name.count(".") + 1)
    }
    return frozenset(filter(None, map(file_of, names))) - {path}


def _imported(program: ast.AST) -> Iterator[str]:
    """The modules that a program imports, one of the engine's public names as the module it comes from."""
    for node in ast.walk(program):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if node.module in STUBS:
                    yield public_names(node.module).get(alias.name, f"engine.{alias.name}")
                else:
                    yield name if file_of(name) else node.module
        elif (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "engine"
        ):
            yield public_names("engine").get(node.attr, f"engine.{node.attr}")


def _started(program: ast.AST) -> Iterator[str]:
    """The modules that the strings of a program name."""
    for node in ast.walk(program):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _in_string(node.value)
        elif isinstance(node, ast.List | ast.Tuple | ast.Call):
            words = [
                getattr(word, "value", "")
                for word in (node.args if isinstance(node, ast.Call) else node.elts)
            ]
            yield from (f"{after}.__main__" for word, after in zip(words, words[1:]) if word == "-m")


def _started_beside(program: ast.AST, package: str) -> Iterator[str]:
    """The modules that a program names by its own package: f"{__package__}.plan_search", or the package's own
    program.
    """
    for node in ast.walk(program):
        if isinstance(node, ast.JoinedStr):
            own, *rest = node.values
            if isinstance(own, ast.FormattedValue) and getattr(own.value, "id", "") == "__package__":
                name = f"{package}{rest[0].value}" if rest else package
                yield from (name, name.rpartition(".")[0], *_in_string(name))
        elif isinstance(node, ast.Call) and any(
            getattr(word, "id", "") == "__package__" for word in node.args
        ):
            yield f"{package}.__main__"


def _in_string(text: str) -> Iterator[str]:
    """A module's name by itself ("webapp.jobs.supervisor", "webapp.app:server"), the beginning of several
    (f"webapp.panels.{name}"), or a program.
    """
    name = text.partition(":")[0]
    if "." in name and name.replace(".", "").isidentifier():
        if not name.endswith("."):
            yield from (name, f"{name}.__main__")
        elif name != "engine." and file_of(name[:-1]):  # those of the engine are its public names
            yield from map(module, file_of(name[:-1]).parent.rglob("*.py"))
    elif "import " in text:
        try:
            yield from _imported(ast.parse(text))
        except SyntaxError:
            return
    elif "-m " in text:
        words = text.split()
        yield from (f"{after}.__main__" for word, after in zip(words, words[1:]) if word == "-m")
