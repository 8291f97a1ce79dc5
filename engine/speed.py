"""The only importer of numba: compiles the kernel and binds policies to it.

A policy is a plain function whose parameter names are fields of the View (engine/view.py), or `view` for all of
it, and the two numbers of its hook. `bind` writes a small C-callable wrapper that takes the fields' addresses from one
table, so the kernel is compiled once and any policy is called through a pointer (about 10 ns, measured).
`plain` gives the same source uncompiled, with the same results.

Compiled code is kept in GANTRY_CACHE_DIR (default: the user's cache folder) under a hash of the sources it is made
of, because numba itself does not notice when a function that another one calls has changed.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core.datamodel import PrimitiveModel
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import make_array, populate_array

HERE = Path(__file__).parent
COMPILED = ("speed.py", "view.py", "shuffle.py", "draws.py", "kernel/*.py", "policies/**/*.py")  # what compiled code is made of
PLAIN = bool(numba.config.DISABLE_JIT)


def _cache_folder() -> Path:
    sources = sorted(path for pattern in COMPILED for path in HERE.glob(pattern))
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__}".encode())
    for source in sources:
        digest.update(source.read_bytes())
    home = os.environ.get("GANTRY_CACHE_DIR") or os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "gantry")
    for base in (Path(home), Path(tempfile.gettempdir()) / f"gantry-{os.getuid()}"):
        folder = base / digest.hexdigest()[:16]
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if os.access(folder, os.W_OK):
                return folder
        except OSError:
            continue
    return Path(tempfile.mkdtemp(prefix="gantry-"))


CACHE = _cache_folder()
numba.config.CACHE_DIR = str(CACHE)

compiled = numba.njit(cache=True, nogil=True, error_model="numpy")
helper = numba.njit(error_model="numpy")


class Bundle(types.Type):
    """Many named one-dimensional arrays passed as one number: the address of a table of (address, length) pairs.

    Passing a tuple of a hundred arrays to a function costs hundreds of nanoseconds of copies and reference
    counting; this costs nothing, and a field is two loads.
    """

    def __init__(self, name: str, fields: dict[str, str]) -> None:
        self.fields = {field: (2 * place, types.Array(getattr(types, kind), 1, "C")) for place, (field, kind) in enumerate(fields.items())}
        super().__init__(name=f"Bundle({name})")


@register_model(Bundle)
class _BundleModel(PrimitiveModel):
    def __init__(self, manager, type_):
        super().__init__(manager, type_, ir.IntType(64))


@infer_getattr
class _BundleFields(AttributeTemplate):
    key = Bundle

    def generic_resolve(self, bundle, name):
        return bundle.fields[name][1] if name in bundle.fields else None


@lower_getattr_generic(Bundle)
def _bundle_field(context, builder, bundle, value, name):
    place, kind = bundle.fields[name]
    word = ir.IntType(64)
    table = builder.inttoptr(value, word.as_pointer())
    start, length = (builder.load(builder.gep(table, [ir.Constant(word, place + offset)])) for offset in (0, 1))
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    populate_array(array, builder.inttoptr(start, array.data.type), [length], [size], size, None)
    return impl_ret_borrowed(context, builder, kind, array._getvalue())


def bundle(name: str, fields: dict[str, str]) -> Any:
    """A function for compiled code: the address of a table -> its arrays as attributes; the identity in plain runs."""
    kind = Bundle(name, fields)

    @intrinsic
    def at(typing_context, address):
        return kind(types.int64), lambda context, builder, signature, args: args[0]

    _twins[at] = _identity
    return at


def table(fields: tuple) -> np.ndarray:
    """Address and length of every array of a NamedTuple, in its order; the arrays must outlive its use."""
    pairs = np.empty(2 * len(fields), np.int64)
    pairs[0::2] = [field.ctypes.data for field in fields]
    pairs[1::2] = [len(field) for field in fields]
    return pairs


def _identity(value: Any) -> Any:
    return value


_twins: dict[Any, Any] = {}  # what stands for a compiled function or an intrinsic in plain runs


@intrinsic
def _int64_at(typing_context, address):
    signature = types.CPointer(types.int64)(types.int64)
    return signature, lambda context, builder, sig, args: builder.inttoptr(args[0], context.get_value_type(sig.return_type))


@intrinsic
def _float64_at(typing_context, address):
    signature = types.CPointer(types.float64)(types.int64)
    return signature, lambda context, builder, sig, args: builder.inttoptr(args[0], context.get_value_type(sig.return_type))


@intrinsic
def call(typing_context, function, table, first, second):
    """Call the bound policy at address `function`; in plain runs it is a Python function instead."""
    signature = types.int64(types.int64, types.int64, types.int64, types.int64)

    def generate(context, builder, sig, args):
        word = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(word, [word, word, word]).as_pointer())
        return builder.call(pointer, args[1:])

    return signature, generate


def _call_plain(function: Callable, table: Any, first: int, second: int) -> int:
    return function(first, second)


_twins[call] = _call_plain


def plain(function: Dispatcher | FunctionType) -> FunctionType:
    """The uncompiled twin of a compiled function: the same source, everything it calls uncompiled too."""
    source = function.py_func if isinstance(function, Dispatcher) else function
    if source not in _twins:
        names = dict(source.__globals__)
        _twins[source] = FunctionType(source.__code__, names, source.__name__, source.__defaults__, source.__closure__)
        for name in source.__code__.co_names:
            value = names.get(name)
            if isinstance(value, type(call)):
                names[name] = _twins[value]
            elif isinstance(value, (Dispatcher, FunctionType)):
                names[name] = plain(value)
    return _twins[source]


_compiled: dict[FunctionType, Any] = {}  # shared by all policies, so that what several call is compiled once


def _jitted(function: FunctionType) -> Any:
    """The policy compiled with the plain functions it calls; policy files themselves know no numba.

    One that is not of the engine has its indices and divisions checked, as plain Python does.
    """
    if function not in _compiled:
        names = dict(function.__globals__)
        for name in function.__code__.co_names:
            if isinstance(names.get(name), FunctionType):
                names[name] = _jitted(names[name])
        twin = FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)
        checks = {"error_model": "numpy"} if _ours(function) else {"error_model": "python", "boundscheck": True}
        _compiled[function] = numba.njit(**checks)(twin)
    return _compiled[function]


def _ours(function: FunctionType) -> bool:
    return function.__module__.partition(".")[0] == "engine"


FAILED = -(2**31)  # the answer of a policy that raised an exception: a plain run says which
WHOLE = "view"  # the parameter that is given all fields
_bound: dict[tuple[Any, tuple[str, ...]], Any] = {}
_binding = threading.Lock()  # threads that first meet a policy at once would write its wrapper under one name; numba compiles one at a time anyway


def address(function: FunctionType, fields: dict[str, str], numbers: tuple[str, str]) -> int | None:
    """The address of `function` compiled for `call`; None when it is Python that can't be compiled.

    fields: name -> "int64" or "float64" of each View field, in the order of the table; numbers: names of
    the two numbers of its hook. Raises TypeError when a parameter is neither.
    """
    key = (function, numbers)
    with _binding:
        if key not in _bound:
            try:
                _bound[key] = _bind(function, fields, numbers)
            except NumbaError:
                _bound[key] = None
    return _bound[key].address if _bound[key] else None


def _bind(function: FunctionType, fields: dict[str, str], numbers: tuple[str, str]) -> Any:
    order = list(fields)
    lines = [f"# {function.__qualname__}", f"def bound(table, {numbers[0]}, {numbers[1]}):", f"    t = carray(int64_at(table), ({2 * len(order)},))"]
    wanted = parameters(function, fields, numbers)
    for name in wanted:
        if name == WHOLE:
            lines.append(f"    {name} = whole(table)")
        elif name not in numbers:
            at = 2 * order.index(name)
            lines.append(f"    {name} = carray({fields[name]}_at(t[{at}]), (t[{at + 1}],))")
    answer = f"return policy({', '.join(wanted)})"
    lines += [f"    {answer}"] if _ours(function) else ["    try:", f"        {answer}", "    except Exception:", f"        return {FAILED}"]
    text = "\n".join(lines) + "\n"
    digest = hashlib.sha256((text + _source(function)).encode()).hexdigest()[:16]
    path = CACHE / f"{function.__module__.rpartition('.')[2]}_{digest}.py"
    if not path.exists():
        scratch = path.with_suffix(f".{os.getpid()}")
        scratch.write_text(text)
        scratch.replace(path)
    names = {"__name__": __name__, "carray": carray, "int64_at": _int64_at, "float64_at": _float64_at, "policy": _jitted(function)}
    names["whole"] = bundle("View", fields)
    exec(compile(text, str(path), "exec"), names)
    lasting = function.__module__ in sys.modules  # numba finds a cached function again by its module
    return numba.cfunc(types.int64(types.int64, types.int64, types.int64), cache=lasting)(names["bound"])


def _source(function: FunctionType) -> str:
    try:
        return inspect.getsource(inspect.getmodule(function) or function)
    except (OSError, TypeError):
        return repr(function.__code__.co_code)


def parameters(function: Callable, fields: dict[str, str], numbers: tuple[str, str]) -> list[str]:
    """The names a policy asks for; TypeError naming the first one that neither the View nor its hook has."""
    wanted = list(inspect.signature(function).parameters)
    for name in wanted:
        if name not in fields and name not in numbers and name != WHOLE:
            raise TypeError(f"{function.__name__} asks for {name!r}, which is no field of the View")
    return wanted


def bind_plain(function: Callable, whole: Any, numbers: tuple[str, str]) -> Callable[[int, int], int]:
    """The policy as a Python function of its two numbers, its other parameters bound to the arrays of `whole`, a NamedTuple."""
    values = whole._asdict()
    wanted = parameters(function, values, numbers)
    fixed = [whole if name == WHOLE else values.get(name) for name in wanted]
    places = [(wanted.index(name), number) for number, name in enumerate(numbers) if name in wanted]

    def bound(first: int, second: int) -> int:
        for place, number in places:
            fixed[place] = int(second if number else first)
        return int(function(*fixed))

    return bound
