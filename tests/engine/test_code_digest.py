"""A digest changes with what a function and all that it calls say, and with nothing else."""

from __future__ import annotations

import subprocess
import sys
from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import pytest

from engine import code_digest
from engine.jit import inlined
from tests.conftest import ROOT

SOURCE = """
LIMIT = 3
def inner(a):
    "What it does."
    return a + LIMIT
def outer(a):
    return inner(a) * 2
"""


def same(value: Any) -> Any:
    return value


def digests(source: str) -> tuple[str, str]:
    module = ModuleType("one")
    exec(source, vars(module))
    return tuple(code_digest.digest(vars(module)[name], same) for name in ("inner", "outer"))


@pytest.mark.parametrize(
    "edit, inner, outer",
    [
        (("What it does.", "What it really does."), False, False),
        (("LIMIT = 3", "LIMIT = 3\n\n# a comment\n"), False, False),
        (("a + LIMIT", "a - LIMIT"), True, True),
        (("LIMIT = 3", "LIMIT = 4"), True, True),
        (("LIMIT = 3", "LIMIT = 3.0"), True, True),
        (("* 2", "* 3"), False, True),
        (("inner(a) *", "LIMIT *"), False, True),
    ],
)
def test_what_changes_a_digest(edit: tuple[str, str], inner: bool, outer: bool) -> None:
    before, after = digests(SOURCE), digests(SOURCE.replace(*edit))
    assert [one != other for one, other in zip(before, after)] == [inner, outer]


def _with(name: str, value: Any) -> str:
    module = ModuleType("one")
    exec(f"def function(a):\n    return {name} + a\n", vars(module))
    setattr(module, name.partition(".")[0], value)
    return code_digest.digest(module.function, same)


def test_values_of_enums_and_of_modules_and_what_numba_has_compiled_count() -> None:
    kinds = [IntEnum("Kind", {"MAP": value}) for value in (1, 8)]
    modules = [ModuleType("theirs"), ModuleType("theirs")]
    for value, module in enumerate(modules):
        module.LIMIT, module.unused = value, object()
    functions = [SimpleNamespace(py_func=lambda a: a + 1), SimpleNamespace(py_func=lambda a: a + 2)]
    for name, values in (("Kind.MAP", kinds), ("theirs.LIMIT", modules), ("helper", functions)):
        assert _with(name, values[0]) != _with(name, values[1]), name
        assert _with(name, values[0]) == _with(name, values[0]), name


def test_to_stand_where_it_is_called_is_another_digest() -> None:
    def function(a: int) -> int:
        return a

    before = code_digest.digest.__wrapped__(function, same)
    code_digest._describe.cache_clear()
    assert code_digest.digest.__wrapped__(inlined(function), same) != before


def test_functions_that_call_each_other_have_one_too() -> None:
    source = "def inner(a):\n    return outer(a) if a else 0\ndef outer(a):\n    return inner(a - 1)\n"
    before, after = digests(source), digests(source.replace("- 1", "- 2"))
    assert before[0] != before[1] and all(one != other for one, other in zip(before, after))


def test_it_is_the_same_in_every_process() -> None:
    code = (
        "from engine.simulation.kernel import loop; from engine import jit; "
        "print(jit._digest(loop.kernel.plain))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert len(outputs) == 1 and len(outputs.pop().strip()) == code_digest.DIGITS


def test_a_global_that_compiled_code_can_t_use_is_named() -> None:
    function = FunctionType((lambda: thing).__code__, {"thing": {1, 2}, "__name__": "one"})  # noqa: F821
    function.__module__ = "one"
    with pytest.raises(TypeError, match="set"):
        code_digest.digest(function, same)
