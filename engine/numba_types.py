"""What numba must be taught for compiled code: bundles of arrays behind one address, and calls of a policy by
its address.

Imported by jit when something is compiled, never before: importing numba takes longer than a small run.
"""

from __future__ import annotations

import hashlib
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import carray, types
from numba.core.caching import UserProvidedCacheLocator
from numba.core.datamodel import PrimitiveModel
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import make_array, populate_array

from engine import code_cache, numba_linking

__all__ = [
    "NumbaError",
    "bundle",
    "call",
    "carray",
    "float64_at",
    "int64_at",
    "numba",
    "array_addresses",
    "types",
]
_config: Any = numba.config  # its entries are made when it is imported
_config.CACHE_DIR = str(code_cache.folder())
_config.CACHE_LOCATOR_CLASSES = f"{__name__}.CacheLocator"


class CacheLocator(UserProvidedCacheLocator):
    """Finds the code of a function by what it and all that it calls say, its attribute `digest`; numba itself
    goes by a source's path and time.
    """

    def __init__(self, function: Any, file: str) -> None:
        super().__init__(function, file)
        self.digest: str = function.digest

    def get_source_stamp(self) -> str:
        return self.digest

    def get_disambiguator(self) -> str:
        return self.digest

    def ensure_cache_path(self) -> None: ...

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> CacheLocator:
        return cls(function, file)

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        return ""


class Bundle(types.Type):
    """Many named one-dimensional arrays passed as one number: the address of a table of (address, length)
    pairs.

    Passing a tuple of a hundred arrays to a function costs hundreds of nanoseconds of copies and reference
    counting; this costs nothing, and a field is two loads. Its name tells the fields and their places:
    compiled code is kept by the types it takes, and is of no use with another layout.
    """

    def __init__(self, name: str, fields: dict[str, str]) -> None:
        self.fields = {
            field: (2 * place, types.Array(getattr(types, kind), 1, "C"))
            for place, (field, kind) in enumerate(fields.items())
        }
        layout = hashlib.sha256(repr(list(fields.items())).encode()).hexdigest()[:16]
        super().__init__(name=f"Bundle({name} {layout})")


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
    start, length = (
        builder.load(builder.gep(table, [ir.Constant(word, place + offset)])) for offset in (0, 1)
    )
    # no run changes its table: LLVM may load an address once, whatever is stored meanwhile
    for load in (
        start,
        length,
    ):
        load.set_metadata("invariant.load", builder.module.add_metadata([]))
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    populate_array(array, builder.inttoptr(start, array.data.type), [length], [size], size, None)
    return impl_ret_borrowed(context, builder, kind, array._getvalue())


def bundle(name: str, fields: dict[str, str]) -> Any:
    """A function of compiled code: the address of a table -> its arrays as attributes. fields: name -> kind,
    in the table's order.
    """
    kind = Bundle(name, fields)

    @intrinsic
    def at(typing_context, address):
        return kind(types.int64), lambda context, builder, signature, args: args[0]

    return at


@intrinsic
def int64_at(typing_context, address):
    signature = types.CPointer(types.int64)(types.int64)
    return signature, lambda context, builder, sig, args: builder.inttoptr(
        args[0], context.get_value_type(sig.return_type)
    )


@intrinsic
def float64_at(typing_context, address):
    signature = types.CPointer(types.float64)(types.int64)
    return signature, lambda context, builder, sig, args: builder.inttoptr(
        args[0], context.get_value_type(sig.return_type)
    )


@intrinsic
def call(typing_context, function, table, first, second):
    """Call the bound policy at address `function`."""
    signature = types.int64(types.int64, types.int64, types.int64, types.int64)

    def generate(context, builder, sig, args):
        word = ir.IntType(64)
        pointer = builder.inttoptr(args[0], ir.FunctionType(word, [word, word, word]).as_pointer())
        return builder.call(pointer, args[1:])

    return signature, generate


HEADER_WORDS = (
    object.__basicsize__ // 8
    # words of an object before what is its own: of an array (PyArrayObject) `data`, the number of dimensions,
    # their lengths
)


ENTRY_DIGEST = "0"  # the folder's name says what this file says


def _array_addresses(ids, pairs):
    """ids: int64, of arrays of one dimension that lie in one piece and outlive this; pairs: int64, two an
    array, its address and its length.
    """
    for place in range(len(ids)):
        array = carray(int64_at(ids[place]), (HEADER_WORDS + 3,))
        pairs[2 * place] = array[HEADER_WORDS]
        pairs[2 * place + 1] = carray(int64_at(array[HEADER_WORDS + 2]), (1,))[0]


vars(_array_addresses)["digest"] = ENTRY_DIGEST
array_addresses = numba_linking.entry(_array_addresses, "numba_types.array_addresses", ENTRY_DIGEST)
