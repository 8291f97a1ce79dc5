"""What a function and all that it calls say, as a digest: compiled code is kept under it, and is stale when
it changes.

numba itself looks at the function alone. Comments, docstrings and places of lines don't count; values of
globals do.
"""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Callable, Iterator
from enum import Enum, EnumType
from functools import cache
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

DIGITS = 16
# modules whose values change with their version alone
STABLE_MODULES = {
    *sys.stdlib_module_names,
    "numpy",
    "numba",
}


@cache
def digest(function: FunctionType, unwrap: Callable[[Any], Any]) -> str:
    """16 hexadecimal digits; unwrap: what stands for a global -> the function behind it, or a text that tells
    what it is, or itself.

    Raises TypeError for a global of which no text can be made that is the same in every process.
    """
    visited, pending = {function}, [function]
    while pending:
        called = set(_callees(pending.pop(), unwrap)) - visited
        visited |= called
        pending += called
    return hashlib.sha256(
        "\n".join(
            [
                _qualified_name(function),
                *sorted(_describe(called_function, unwrap) for called_function in visited),
            ]
        ).encode()
    ).hexdigest()[:DIGITS]


def _globals(function: FunctionType, unwrap: Callable[[Any], Any]) -> Iterator[tuple[str, Any]]:
    """Names and values of all globals that a function can name, those of modules that it names too."""
    for name in global_names(function.__code__):
        if name in function.__globals__:
            value = _function_of(unwrap(function.__globals__[name]))
            yield name, value
            if isinstance(value, ModuleType) and _package(value.__name__) not in STABLE_MODULES:
                for attribute in function.__code__.co_names:
                    if hasattr(value, attribute):
                        member = _function_of(unwrap(getattr(value, attribute)))
                        if _package(value.__name__) == _package(function.__module__) or _is_describable(
                            member
                        ):
                            yield f"{name}.{attribute}", member


def _package(module: str) -> str:
    return module.partition(".")[0]


def _function_of(value: Any) -> Any:
    """The Python function behind one that numba has compiled."""
    return getattr(value, "py_func", value)


@cache
def global_names(code: CodeType) -> list[str]:
    """The globals that a function reads, in the order of their names."""
    inner = {name for const in code.co_consts if isinstance(const, CodeType) for name in global_names(const)}
    return sorted(
        inner
        | {
            instruction.argval
            for instruction in dis.get_instructions(code)
            if instruction.opname == "LOAD_GLOBAL"
        }
    )


@cache
def _callees(function: FunctionType, unwrap: Callable[[Any], Any]) -> list[FunctionType]:
    return [value for _, value in _globals(function, unwrap) if isinstance(value, FunctionType)]


@cache
def _describe(function: FunctionType, unwrap: Callable[[Any], Any]) -> str:
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    values = [(name, _describe_value(value)) for name, value in _globals(function, unwrap)]
    defaults = [_describe_value(value) for value in (*cells, *(function.__defaults__ or ()))]
    return repr(
        (
            _qualified_name(function),
            hasattr(function, "inlined"),
            _describe_code(function.__code__, function.__doc__),
            values,
            defaults,
        )
    )


def _describe_code(code: CodeType, doc: str | None = None) -> tuple:
    consts = [
        _describe_code(const) if isinstance(const, CodeType) else repr(const)
        for const in code.co_consts
        if const is None or const != doc
    ]
    return code.co_code.hex(), consts, code.co_names, code.co_varnames, code.co_argcount, code.co_flags


def _qualified_name(function: Any) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _describe_value(value: Any) -> str:
    if isinstance(value, EnumType):
        entries: list[Enum] = list(value)
        return f"{_qualified_name(value)} {[(entry.name, _describe_value(entry.value)) for entry in entries]}"
    if isinstance(value, Enum):
        return f"{value} {_describe_value(value.value)}"
    if (
        isinstance(value, (FunctionType, BuiltinFunctionType, type, np.ufunc))
        or callable(value)
        and hasattr(value, "__qualname__")
    ):
        return _qualified_name(value) if hasattr(value, "__qualname__") else value.__name__
    if isinstance(value, ModuleType):
        return value.__name__
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {value.tobytes().hex()}"
    if value is None or isinstance(value, (bool, int, float, str, bytes, np.generic, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, (tuple, list, frozenset)):
        return f"{type(value).__name__} {[_describe_value(entry) for entry in value]}"
    if isinstance(value, dict):
        return f"dict {[(_describe_value(key), _describe_value(entry)) for key, entry in value.items()]}"
    raise TypeError(
        f"compiled code uses a global of type {type(value).__name__}, which it can't: {value!r:.80}"
    )


def _is_describable(value: Any) -> bool:
    try:
        _describe_value(value)
    except TypeError:
        return False
    return True
