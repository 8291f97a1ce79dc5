"""What runs compiled and what runs plain, with equal results, and how policies are bound to the kernel.

The engine's functions are plain Python. Compiling the simulator takes some 30 s on a fresh installation and
loading it a second, while a batch of a paper takes 0.01 s as plain Python: so a `Compiled` function, and a
run (simulate), is compiled once plain runs have taken as long as that. numba is imported when the first of
them is compiled or loaded, not before.

A policy is a plain function whose parameter names are fields of the View (engine/schedulers/view.py), arrays
and parameters of its own, `view` for all arrays together, and the two numbers of its hook. `bind` writes a
small C-callable wrapper that finds the fields by one table, so the kernel is compiled once and any policy is
called through a pointer (about 10 ns, measured).
"""

from __future__ import annotations

import functools
import gc
import hashlib
import inspect
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from engine import code_cache, code_digest, quantities
from engine.resource_types import put
from engine.run_records import Place, Table
from engine.second_compiler import second_compiler

# nothing is compiled: so it is said, or there is no numba, as in a browser
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0") or find_spec("numba") is None
# of plain runs, after which a process loads what is compiled, or compiles what is not
LOAD_S, COMPILE_S = (
    1.0,
    3.0,
)
MAX_PLAIN_WHILE_COMPILING_S = 10.0  # the longest plain run while another thread compiles
ELEMENT_S = 1e-5  # of a plain function's time for an element of its arrays
KERNEL_NAME, KERNEL_S = "loop.kernel", 30.0  # the function that takes longest to compile, and how long
POLICY_S, ALL_S = 2.0, 60.0  # of one policy, and of everything

Function = TypeVar("Function", bound=Callable[..., Any])

_plain_run_s = 0.0  # of plain runs in this process
_compiling_ahead = 0  # threads that compile ahead of time
_thread = threading.local()


def is_plain_faster(seconds: float) -> bool:
    """Whether something that takes so long as plain Python is done sooner so than by waiting for compiled
    code.
    """
    if PLAIN:
        return True
    if getattr(_thread, "ahead", False):
        return False
    if _compiling_ahead:
        return seconds < MAX_PLAIN_WHILE_COMPILING_S
    total = _plain_run_s + seconds
    return total < LOAD_S or (total < COMPILE_S and not was_compiled())


@functools.cache
def was_compiled() -> bool:
    """Whether the compiled kernel was in the cache, by this or another process, when this one first asked."""
    return KERNEL_NAME in _entries and _entries[KERNEL_NAME].is_cached()


def count_plain_seconds(seconds: float) -> None:
    """Counts the time of a plain run."""
    global _plain_run_s
    _plain_run_s += seconds


@contextmanager
def compiling_ahead() -> Iterator[None]:
    """Within, this thread compiles or loads all that it calls; meanwhile other threads run plain what takes
    less than MAX_PLAIN_WHILE_COMPILING_S.
    """
    global _compiling_ahead, _plain_run_s
    _thread.ahead, _compiling_ahead = True, _compiling_ahead + 1
    try:
        yield
    finally:
        _thread.ahead, _compiling_ahead, _plain_run_s = False, _compiling_ahead - 1, 0.0


def announce(part: str, what: str, seconds: float) -> bool:
    """Reports that `what` is about to be compiled, and how long that takes about; False when its part has
    been announced in this process.
    """
    if part in _announced:
        return False
    _announced.add(part)
    report(f"Compiling {what} (about {quantities.rough_duration(1000 * seconds)}, once per version)…")
    return True


def report(sentence: str) -> None:
    """Where announcements go: nowhere, but a program may put a function of its own here."""


_announced: set[str] = set()
WAITING = "Another process compiles the simulator; waiting for it (some minutes at most)…"


class Compiled:
    """A function over arrays and numbers. Calling it decides by their size; `plain` and `fast` are its two
    ways.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        assert isinstance(function, FunctionType), "only a plain Python function is compiled"
        functools.update_wrapper(self, function)
        self.plain = function
        self.ready = False
        self._fast: Any = None
        self._first = threading.Lock()
        _entries[self.name] = self

    def __call__(self, *args: Any) -> Any:
        if self.ready or not is_plain_faster(
            ELEMENT_S * sum(arg.size for arg in args if isinstance(arg, np.ndarray))
        ):
            return self.fast(*args)
        start = time.thread_time()
        result = self.plain(*args)
        count_plain_seconds(time.thread_time() - start)
        return result

    def fast(self, *args: Any) -> Any:
        """The same compiled, or loaded, at the first call."""
        if not self.ready:
            from engine.numba_linking import entry
            from engine.numba_types import numba

            with self._first, _compiling(self.name, _digest(self.plain)):
                if not self.ready:
                    self._fast = entry(compilable(self.plain), self.name, _digest(self.plain))
                    if not PLAIN:
                        self._compile(tuple(map(numba.typeof, args)))
                    self.ready = True
        return self._fast(*args)

    def _compile(self, arguments: tuple) -> None:
        from engine.numba_linking import IS_SUPPORTED

        helper = (
            second_compiler(self.plain, arguments)
            if IS_SUPPORTED and self.name == KERNEL_NAME and not self.is_cached()
            else nullcontext()
        )
        with helper:
            self._fast.compile(arguments)

    def is_cached(self) -> bool:
        """Whether it was compiled, by this or another process."""
        return code_cache.has_compiled(self.name, _digest(self.plain))

    @property
    def name(self) -> str:
        """module.function, as numba names what it keeps of it."""
        return _name(self.plain)


compiled = Compiled
_entries: dict[str, Compiled] = {}


def _name(function: FunctionType) -> str:
    return f"{_stem(function)}.{function.__name__}"


@contextmanager
def _compiling(name: str, digest: str) -> Iterator[None]:
    """Within, an entry point is compiled or loaded. No other process compiles meanwhile; loading needs no
    turn.

    Garbage is not collected meanwhile: to look for it takes a tenth of the time.
    """
    if code_cache.has_compiled(name, digest):
        yield
        return
    from engine.numba_linking import fast_lowering

    with code_cache.one_process_at_a_time(waits=_report_waiting), fast_lowering():
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                gc.enable()


def _report_waiting() -> None:
    if WAITING not in _announced:
        _announced.add(WAITING)
        report(WAITING)


def bundle(name: str, places: dict[str, Place]) -> Callable[[Any], Any]:
    """A function of compiled code: the address of a table -> its numbers and arrays as attributes; the
    identity in plain runs.
    """

    def at(address: Any) -> Any:
        return address

    def compiled() -> Any:
        from engine import numba_types

        return numba_types.bundle(name, places)

    _intrinsics[at] = compiled
    _descriptions[at] = f"bundle {name} {places}"
    return at


PolicyFunction: TypeAlias = (
    Any  # of a policy, as `call` takes it: its address, where nothing is compiled itself
)
Functions: TypeAlias = Sequence[PolicyFunction]  # in the order of policy.FUNCTIONS
Tables: TypeAlias = Sequence[int]  # addresses of a view's tables, for each part; 0 where nothing is compiled


def call(function: PolicyFunction, table: int, first: int, second: int) -> int:
    """Call a bound policy; compiled, `function` is its address."""
    return function(first, second)


def _compiled_call() -> Any:
    from engine import numba_types

    return numba_types.call


def _compiled_put() -> Any:
    from engine import numba_types

    return numba_types.put


# what stands for a function in compiled code
_intrinsics: dict[Any, Callable[[], Any]] = {call: _compiled_call, put: _compiled_put}
_descriptions: dict[Any, str] = {call: "call", put: "put"}  # what that depends on
_compiled: dict[FunctionType, Any] = {}  # shared by all policies, so that what several call is compiled once


def inlined(function: Function) -> Function:
    """Compiled, its body stands where it is called: LLVM leaves a long one apart even if it is called from
    one place, and a call of a dozen numbers costs.
    """
    vars(function)["inlined"] = True
    return function


def _jitted(function: FunctionType) -> Any:
    """A function of the kernel or a policy, compiled with the plain functions it calls; policy files
    themselves know no numba.

    One that is not of the engine has its indices and divisions checked, as plain Python does.
    """
    if function not in _compiled:
        from engine.numba_linking import inner

        checks = (
            {"error_model": "numpy"}
            if _is_of_engine(function)
            else {"error_model": "python", "boundscheck": True}
        )
        digest = f"{_digest(function)}-{_is_of_engine(function):d}"
        _compiled[function] = inner(
            compilable(function), _name(function), digest, forceinline=hasattr(function, "inlined"), **checks
        )
    return _compiled[function]


def compilable(function: FunctionType) -> FunctionType:
    """A copy of the function whose globals are those of compiled code."""
    names = dict(function.__globals__)
    for name in code_digest.global_names(function.__code__):
        value = names.get(name)
        if isinstance(value, FunctionType) and value in _intrinsics:
            names[name] = _intrinsics[value]()
        elif isinstance(value, (Compiled, FunctionType)):
            names[name] = _jitted(_unwrap(value))
    copy = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    vars(copy)["digest"] = _digest(function)
    return copy


def _unwrap(value: Any) -> Any:
    """What a global of compiled code stands for: a function, a text that tells what the compiler puts there,
    or itself.
    """
    if isinstance(value, Compiled):
        return value.plain
    return _descriptions.get(value, value) if isinstance(value, FunctionType) else value


def _digest(function: FunctionType) -> str:
    return code_digest.digest(function, _unwrap)


def _is_of_engine(function: FunctionType) -> bool:
    return function.__module__.startswith(f"{__package__}.")


RAISED = -(2**31)  # the answer of a policy that raised an exception: a plain run says which
VIEW_PARAMETER = "view"  # the parameter that is given all fields
CONSTANTS = "parameters"  # the field that holds the numbers a policy is given
_bound: dict[tuple[FunctionType, tuple[str, str], tuple[str, ...], int], Any] = {}
# threads that first meet a policy at once would write its wrapper under one name; numba compiles one at a
# time anyway
_binding = threading.Lock()


def address(
    function: FunctionType,
    places: dict[str, Place],
    numbers: tuple[str, str],
    constants: tuple[str, ...] = (),
) -> int | None:
    """The address of `function` compiled for `call`; None when it is Python that can't be compiled.

    places: where each field stands in the table; numbers: names of the two numbers of its hook;
    constants: names of the entries of the field "parameters". Raises TypeError when a parameter is none of
    these.
    """
    key = (function, numbers, constants, id(places))
    with _binding:
        if key not in _bound:
            from engine.numba_types import NumbaError

            wrapper = _wrapper(function, places, numbers, constants)
            with _compiling(*wrapper.cache_key):
                try:
                    _bound[key] = _bind(function, wrapper, places)
                except NumbaError:
                    _bound[key] = None
    return _bound[key].address if _bound[key] else None


def is_bound(
    function: FunctionType,
    places: dict[str, Place],
    numbers: tuple[str, str],
    constants: tuple[str, ...] = (),
) -> bool:
    """Whether `address` knows the function already."""
    return (function, numbers, constants, id(places)) in _bound


def compile_seconds(*binding: Any) -> float:
    """About how long `address` compiles what it is called with; 0 when it is kept."""
    return 0.0 if code_cache.has_compiled(*_wrapper(*binding).cache_key) else POLICY_S


class _Wrapper(NamedTuple):
    """The source of a function of (table, two numbers) that calls a policy with what it asks for; cache_key:
    name and digest of its compiled code.
    """

    text: str
    cache_key: tuple[str, str]


def _wrapper(
    function: FunctionType,
    places: dict[str, Place],
    numbers: tuple[str, str],
    constants: tuple[str, ...] = (),
) -> _Wrapper:
    names_read = parameters(function, places, numbers, constants)
    values = {
        **{name: f"{VIEW_PARAMETER}.{name}" for name in places},
        **{name: f"{VIEW_PARAMETER}.{CONSTANTS}[{number}]" for number, name in enumerate(constants)},
        **{name: name for name in (*numbers, VIEW_PARAMETER)},
    }
    answer = f"return policy({', '.join(values[name] for name in names_read)})"
    lines = [
        f"def {function.__name__}_bound(table, {numbers[0]}, {numbers[1]}):",
        f"    {VIEW_PARAMETER} = whole(table)",
    ]
    lines += (
        [f"    {answer}"]
        if _is_of_engine(function)
        else ["    try:", f"        {answer}", "    except Exception:", f"        return {RAISED}"]
    )
    text = "\n".join(lines) + "\n"
    digest = hashlib.sha256((text + repr(places) + _digest(function)).encode()).hexdigest()[
        : code_digest.DIGITS
    ]
    return _Wrapper(text, (f"{_stem(function)}.{function.__name__}_bound", digest))


def _bind(function: FunctionType, wrapper: _Wrapper, places: dict[str, Place]) -> Any:
    from engine.numba_linking import callback
    from engine.numba_types import bundle as bundle_type
    from engine.numba_types import types

    names = {"__name__": __name__, "policy": _jitted(function), "whole": bundle_type("View", places)}
    exec(compile(wrapper.text, f"{_stem(function)}.py", "exec"), names)
    bound = names[f"{function.__name__}_bound"]
    bound.digest = wrapper.cache_key[1]
    is_importable = function.__module__ in sys.modules  # numba finds a cached function again by its module
    return callback(
        bound, types.int64(types.int64, types.int64, types.int64), *wrapper.cache_key, is_importable
    )


def _stem(function: FunctionType) -> str:
    return function.__module__.rpartition(".")[2]


def parameters(
    function: Callable, fields: dict[str, Any], numbers: tuple[str, str], constants: Collection[str] = ()
) -> list[str]:
    """The names a policy asks for; TypeError naming the first one that neither its arrays, its parameters nor
    its hook has.
    """
    names_read = list(inspect.signature(function).parameters)
    for name in names_read:
        if name not in fields and name not in numbers and name not in constants and name != VIEW_PARAMETER:
            raise TypeError(
                f"{function.__name__} asks for {name!r}, which is no field of the View and no array or "
                "parameter of the policy"
            )
    return names_read


def bind_plain(
    function: Callable, view: Table, numbers: tuple[str, str], constants: dict[str, float]
) -> Callable[[int, int], int]:
    """The policy as a Python function of its two numbers, its other parameters bound to the arrays and
    numbers of `view`, and to `constants`.
    """
    names_read = parameters(function, {**dict.fromkeys(dir(view)), **constants}, numbers)
    fixed = {**constants, VIEW_PARAMETER: view}
    read = [name for name in names_read if name not in numbers and name not in fixed]

    def bound(first: int, second: int) -> int:
        values = {**fixed, **{name: getattr(view, name) for name in read}}
        values |= {numbers[0]: int(first), numbers[1]: int(second)}
        return int(function(*[values[name] for name in names_read]))

    return bound
