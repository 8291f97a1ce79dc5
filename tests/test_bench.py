"""The benchmark is not run by the tests, but each part of it is there to be run."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

from tests.conftest import ROOT

MODULES = sorted(path for path in (ROOT / "tests" / "bench").glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_all_that_a_part_imports_exists(path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}"), f"{node.module} has no {alias.name}"
