"""How functions are lowered, optimized and kept. Those that only compiled code calls are neither wrapped for
Python and C nor turned into machine code one by one; they become part of the entry points that Python calls.

numba itself links, optimizes and wraps each function with all that it calls, again at each level, and looks
for what an operator means anew at each use: the kernel takes four times as long so. This is the only file
that relies on numba's inside. Where `IS_SUPPORTED` is False, functions are compiled as numba does by itself,
with the same results; tests/engine/test_numba_linking.py says what to do then.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import (
    ccallback,
    codegen,
    compiler,
    compiler_machinery,
    cpu,
    dispatcher,
    event,
    serialize,
    targetconfig,
    typed_passes,
    typeinfer,
    types,
)
from numba.core.lowering import Environment
from numba.extending import overload
from numba.np import arrayobj

from engine import code_cache

EXPECTED = (
    (
        codegen.JITCodeLibrary,
        "_get_module_for_linking _optimize_functions _optimize_final_module _finalize_dynamic_globals "
        "_raise_if_finalized",
    ),
    (codegen.CPUCodegen, "_module_pass_manager _function_pass_manager"),
    (codegen.JITCodeLibrary, "_ensure_finalized has_dynamic_globals enable_object_caching"),
    (compiler.CompileResult, "_fields _reduce _rebuild"),
    (compiler.Flags, "no_cpython_wrapper no_cfunc_wrapper values"),
    (dispatcher.Dispatcher, "enable_caching get_call_template"),
    (ccallback, "CFunc"),
    (cpu.CPUContext, "load_additional_registries"),
    (event, "broadcast"),
    (serialize, "dumps"),
    (arrayobj, "raise_with_shape_context"),
    (targetconfig.ConfigStack, "top_or_none"),
    (typeinfer, "CallConstraint"),
    (typeinfer.ConstraintNetwork, "propagate"),
    (types.Function, "get_call_type"),
    (Environment, "from_fndesc"),
)


def missing_internals() -> list[str]:
    """What this file relies on and numba no longer has."""
    return [
        f"{owner.__name__}.{name}"
        for owner, names in EXPECTED
        for name in names.split()
        if not hasattr(owner, name)
    ]


IS_SUPPORTED = not missing_internals()


def uses_plain_numba() -> bool:
    """Whether functions are compiled, or left plain, as numba does by itself."""
    config: Any = numba.config  # its entries are made when it is imported
    return not IS_SUPPORTED or bool(config.DISABLE_JIT)


class InnerLibrary(codegen.JITCodeLibrary):
    """Code that becomes machine code only as part of an entry point that links it."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.external and not function.is_declaration:
                function.linkage = llvm.Linkage.linkonce_odr  # it may be in several of what an entry links
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True

    def _optimize_functions(self, ll_module: Any) -> None:
        """As numba does, which makes the passes anew for each function, and for what is only declared."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _get_module_for_linking(self) -> Any:
        self._ensure_finalized()
        return self._final_module

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Where numba puts the environment of a function that Python calls: an inner one has none."""
        return SimpleNamespace(set_env=lambda name, environment: None)


class InnerCompiler(compiler.Compiler):
    """numba's own passes, into an InnerLibrary."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = library or InnerLibrary(targetctx.codegen(), "inner")
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


class EntryLibrary(codegen.JITCodeLibrary):
    """Code that Python calls. All else in it is called from it alone, as numba can't know: LLVM then leaves
    out what each call does not need.

    It is optimized once, without vectors: numba does it twice, which takes 3 s more for the kernel and makes
    no run quicker.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == llvm.Linkage.linkonce_odr and not function.is_declaration:
                function.linkage = llvm.Linkage.internal
        passes, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=2, cost="cheap"
        )
        passes.run(self._final_module, builder)


class EntryCompiler(compiler.Compiler):
    """numba's own passes, into an EntryLibrary."""

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        if library is None:
            library = EntryLibrary(targetctx.codegen(), "entry")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)


class EntryCache:
    """Keeps a function's machine code by what it and all that it calls say; the interface of numba's own
    caches, whose files have no checksum.
    """

    suffix = "entry"

    def __init__(self, name: str, digest: str) -> None:
        self.stem = f"{name}-{digest}"

    @property
    def cache_path(self) -> str:
        """Where it is kept, as numba's statistics of a function say it."""
        return str(code_cache.folder())

    def _path(self, signature: Any, target: Any) -> Path:
        signature_hash = hashlib.sha256(
            repr((signature, target.codegen().magic_tuple())).encode()
        ).hexdigest()[:16]
        return code_cache.folder() / f"{self.stem}-{signature_hash}.{self.suffix}"

    def load_overload(self, signature: Any, target: Any) -> compiler.CompileResult | None:
        """What was kept; None where nothing is, or not what was written."""
        target.refresh()
        content = code_cache.read(self._path(signature, target))
        return compiler.CompileResult._rebuild(target, *pickle.loads(content)) if content else None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps what was compiled."""
        code_cache.write(self._path(signature, result.target_context), serialize.dumps(result._reduce()))


class InnerCache(EntryCache):
    """Keeps what an inner function was lowered to."""

    suffix = "inner"

    def load_overload(self, signature: Any, target: Any) -> compiler.CompileResult | None:
        """What was kept; None where nothing is, or not what was written."""
        target.refresh()
        content = code_cache.read(self._path(signature, target))
        if content is None:
            return None
        descriptor, typed, bitcode = pickle.loads(content)
        library = InnerLibrary(target.codegen(), "inner")
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_dynamic_globals()
        library._finalized = True
        environment = Environment.from_fndesc(descriptor)
        fields = {
            "typing_context": target.typing_context,
            "target_context": target,
            "entry_point": target.get_executable(
                library, descriptor, environment
            ),  # nothing calls it: numba finds the function by it
            "signature": typed,
            "objectmode": False,
            "lifted": (),
            "fndesc": descriptor,
            "library": library,
            "environment": environment,
            "reload_init": [],
        }
        return compiler.CompileResult(**{**dict.fromkeys(compiler.CompileResult._fields), **fields})

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keeps what was lowered, where another process can use it."""
        library = result.library
        if library.has_dynamic_globals or library._reload_init or result.environment.consts:
            return
        descriptor = result.fndesc
        descriptor.typemap = descriptor.calltypes = None
        content = pickle.dumps((descriptor, result.signature, library._final_module.as_bitcode()))
        code_cache.write(self._path(signature, result.target_context), content)


def entry(function: Callable[..., Any], name: str, digest: str) -> Any:
    """A function that Python calls; name, digest: by which it is kept."""
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
    if uses_plain_numba():
        return numba.njit(cache=True, **options)(function)
    compiled = numba.njit(pipeline_class=EntryCompiler, **options)(function)
    compiled._cache = EntryCache(name, digest)
    return compiled


def callback(function: FunctionType, signature: Any, name: str, digest: str, is_importable: bool) -> Any:
    """A function that is called by its address; is_importable: another process may find it again."""
    if uses_plain_numba():
        return numba.cfunc(signature, cache=is_importable)(function)
    compiled: Any = ccallback.CFunc(
        function, (signature.args, signature.return_type), locals={}, options={}, pipeline_class=EntryCompiler
    )
    if is_importable:
        compiled._cache = EntryCache(name, digest)
    compiled.compile()
    return compiled


def inner(function: FunctionType, name: str, digest: str, **options: Any) -> Any:
    """A function of compiled code; name, digest: by which it is kept."""
    if uses_plain_numba():
        return numba.njit(**options)(function)
    lowered = numba.njit(pipeline_class=InnerCompiler, **options)(function)
    lowered._cache = InnerCache(name, digest)
    template = lowered.get_call_template
    lowered.get_call_template = lambda args, kws: template(
        [widen(arg_type) for arg_type in args], {key: widen(arg_type) for key, arg_type in kws.items()}
    )
    return lowered


def widen(argument: types.Type) -> types.Type:
    """For what a function is compiled that is called with a constant, or with a number of fewer bits: numba
    itself compiles it for each of them.
    """
    integer: Any = types.Integer
    full: Any = types.int64
    plain: Any = types.unliteral(argument)
    narrow = isinstance(plain, integer) and plain.signed and plain.bitwidth < full.bitwidth
    return full if narrow else plain


def raise_shape_mismatch(source, place):
    """Raised where a part of an array is given what has another size; numba's own sentence has both, and
    takes 2.5 s to compile.
    """
    raise ValueError("cannot assign slice from input of different size")


@overload(raise_shape_mismatch)
def _raise_shape_mismatch(source, place):
    return raise_shape_mismatch


@contextlib.contextmanager
def fast_lowering() -> Iterator[None]:
    """Within, what an operator means for its operands' types is looked for once, not at each use, and so is
    what numba itself can lower; errors are not spelt out; and no function being compiled is told of each call
    of LLVM.
    """
    if not IS_SUPPORTED:
        yield
        return
    function_types: Any = types.Function
    search = function_types.get_call_type
    resolved: dict[tuple, tuple] = {}
    texts: dict[int, tuple] = {}

    def get_call_type(self, context, args, kws):
        flags = targetconfig.ConfigStack.top_or_none()
        if id(flags) not in texts:
            texts[id(flags)] = flags, repr(flags and flags.values())
        key = id(self), tuple(args), tuple(kws.items()), texts[id(flags)][1]
        if key not in resolved:
            resolved[key] = self, search(self, context, args, kws)
        return resolved[key][1]

    contexts: Any = cpu.CPUContext
    replacements: tuple[tuple[Any, str, Callable], ...] = (
        (function_types, "get_call_type", get_call_type),
        (contexts, "load_additional_registries", functools.cache(contexts.load_additional_registries)),
        (arrayobj, "raise_with_shape_context", raise_shape_mismatch),
        (event, "broadcast", lambda event: None),
    )
    with contextlib.ExitStack() as stack:
        for owner, name, replacement in replacements:
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, replacement)
        yield


class InferenceDone(Exception):
    """What a function calls has been compiled, and itself is not to be."""


@compiler_machinery.register_pass(mutates_CFG=False, analysis_only=True)
class _StopAfterInference(compiler_machinery.AnalysisPass):
    _name = "ends"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        raise InferenceDone


class CalleesCompiler(compiler.CompilerBase):
    """numba's own passes as far as the types of what is called are found, for which that is compiled;
    Inferred is raised then.
    """

    def define_pipelines(self) -> list:
        passes = compiler.DefaultPassBuilder.define_untyped_pipeline(self.state)
        passes.add_pass(typed_passes.NopythonTypeInference, "nopython frontend")
        passes.add_pass(_StopAfterInference, "ends")
        passes.finalize()
        return [passes]


def compile_callees_backwards(function: FunctionType, arguments: tuple) -> None:
    """Compiles what a function calls with arguments of these types, of every function's calls the last
    first.
    """
    networks: Any = typeinfer.ConstraintNetwork  # numba's own method is put back
    propagate = networks.propagate

    def propagate_backwards(self, inferer):
        calls = [
            constraint for constraint in self.constraints if type(constraint) is typeinfer.CallConstraint
        ]
        reversed_network = typeinfer.ConstraintNetwork()
        reversed_network.constraints = [
            *(
                constraint
                for constraint in self.constraints
                if type(constraint) is not typeinfer.CallConstraint
            ),
            *reversed(calls),
        ]
        return propagate(reversed_network, inferer)

    networks.propagate = propagate_backwards
    try:
        numba.njit(pipeline_class=CalleesCompiler, error_model="numpy")(function).compile(arguments)
    except InferenceDone:
        pass
    finally:
        networks.propagate = propagate
