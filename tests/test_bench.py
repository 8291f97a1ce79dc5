"""The benchmark is not run by the tests, but each part of it is there to be run."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

from tests.bench import table
from tests.bench.__main__ import KEYS, SEPARATE_PARTS
from tests.conftest import ROOT

MODULES = sorted(path for path in (ROOT / "tests" / "bench").glob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_all_that_a_part_imports_exists(path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = import_module(node.module)
            for alias in node.names:
                assert hasattr(module, alias.name) or import_module(f"{node.module}.{alias.name}"), (
                    f"{node.module} has no {alias.name}"
                )


def test_each_part_of_its_own_has_its_module_and_function() -> None:
    assert SEPARATE_PARTS.keys() <= set(KEYS)
    for name in SEPARATE_PARTS.values():
        assert callable(getattr(import_module(f"tests.bench.{name}"), name))


def test_tables_are_filled_with_what_was_measured_and_the_others_stay() -> None:
    machine = {"cores": 2, "load": 0.5, "system": "Linux"} | dict.fromkeys(
        ("python", "numba", "numpy", "plotly"), "1"
    )
    rows = [
        {"part": "page", "title": "click", "seconds": 0.071, "target": "under 300 ms", "met": True},
        {"part": "million", "title": "wheel", "shown": "1.7%", "target": "at most 5%", "met": False},
        {"part": "page", "title": "used for long", "ratio": 1.06},
    ]
    [(name, lines)] = table.blocks({"machine": machine, "rows": rows}).items()
    assert name == "page"
    assert (
        "| click | 71 ms | under 300 ms |\n| wheel | 1.7% | at most 5%, **missed** |\n| used for long | "
        "1.06x |  |" in lines
    )
    text = (ROOT / "engine" / "docs" / "numbers" / "benchmarks.md").read_text("utf-8")
    filled = table.put(text, name, lines)
    assert "| click | 71 ms |" in filled and "<!-- /bench: page -->" in filled
    orders = lambda text: text.split("<!-- bench: orders -->")[1].split("<!-- /bench: orders -->")[0]
    assert orders(filled) == orders(text) != ""
