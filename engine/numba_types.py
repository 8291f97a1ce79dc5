"""What numba must be taught for compiled code: bundles of arrays behind one address, calls of a policy by its
address, and amounts with one entry changed.

Imported by jit when something is compiled, never before: importing numba takes longer than a small run.
"""

from __future__ import annotations

import hashlib
from types import FunctionType
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.caching import UserProvidedCacheLocator
from numba.core.datamodel import PrimitiveModel
from numba.core.errors import NumbaError
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic, lower_setattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import make_array, populate_array

from engine import code_cache
from engine.resource_types import RESOURCE_COUNT
from engine.run_records import AMOUNT, AMOUNTS, NUMBER, ROW, Place

__all__ = [
    "NumbaError",
    "bundle",
    "call",
    "numba",
    "put",
    "types",
]
WORD = ir.IntType(64)
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


_bundles: dict[str, Bundle] = {}  # by their names


def _known_bundle(name: str) -> Bundle:
    return _bundles[name]


class Bundle(types.Type):
    """Many named numbers, arrays and amounts of resources passed as one number: the address of a table in
    which they stand (run_records.Place).

    Passing a tuple of a hundred arrays to a function costs hundreds of nanoseconds of copies and reference
    counting; this costs nothing, a number is one load and an array two. Its name tells the fields and their
    places: compiled code is kept by the types it takes, and is of no use with another layout.
    """

    def __init__(self, name: str, places: dict[str, Place]) -> None:
        self.places = places
        layout = hashlib.sha256(repr(places).encode()).hexdigest()[:16]
        super().__init__(name=f"Bundle({name} {layout})")
        _bundles.setdefault(self.name, self)

    def __reduce__(self) -> tuple:
        """Its name alone: all that is kept of compiled code has it, and places are longer than most code."""
        return _known_bundle, (self.name,)

    def type_of(self, name: str) -> Any:
        """numba's type of a field."""
        place = self.places[name]
        kind: Any = getattr(types, place.kind)
        dimensions = 2 if place.form in (AMOUNT, AMOUNTS) else 1
        return kind if place.form == NUMBER else types.Array(kind, dimensions, "C")


@register_model(Bundle)
class _BundleModel(PrimitiveModel):
    def __init__(self, manager, type_):
        super().__init__(manager, type_, WORD)


@infer_getattr
class _BundleFields(AttributeTemplate):
    key = Bundle

    def generic_resolve(self, bundle, name):
        return bundle.type_of(name) if name in bundle.places else None


@lower_getattr_generic(Bundle)
def _bundle_field(context, builder, bundle, table, name):
    pointer, kind = _pointer_to(builder, bundle, table, name), bundle.type_of(name)
    if not isinstance(kind, types.Array):
        return builder.load(builder.bitcast(pointer, context.get_value_type(kind).as_pointer()))
    place, rows = bundle.places[name], WORD(RESOURCE_COUNT)
    array = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.bitwidth // 8)
    if place.form == AMOUNT:
        shape, strides, start = [rows, WORD(1)], [size, size], builder.ptrtoint(pointer, WORD)
    else:
        start, length = (_load_fixed(builder, builder.gep(pointer, [WORD(offset)])) for offset in (0, 1))
        row_size = builder.mul(length, size)
        if place.form == ROW:
            start = builder.add(start, builder.mul(row_size, WORD(place.row)))
        is_amounts = place.form == AMOUNTS
        shape, strides = ([rows, length], [row_size, size]) if is_amounts else ([length], [size])
    populate_array(array, builder.inttoptr(start, array.data.type), shape, strides, size, None)
    return impl_ret_borrowed(context, builder, kind, array._getvalue())


@lower_setattr_generic(Bundle)
def _set_bundle_number(context, builder, signature, arguments, name):
    bundle, kind = signature.args
    pointer = _pointer_to(builder, bundle, arguments[0], name)
    builder.store(arguments[1], builder.bitcast(pointer, context.get_value_type(kind).as_pointer()))


def _pointer_to(builder, bundle, table, name):
    """Where a field stands: in this table, or in the one whose address is this one's first word."""
    place, pointer = bundle.places[name], builder.inttoptr(table, WORD.as_pointer())
    if place.is_shared:
        pointer = builder.inttoptr(_load_fixed(builder, pointer), WORD.as_pointer())
    return builder.gep(pointer, [WORD(place.word)])


def _load_fixed(builder, pointer):
    """No run changes an address or a length: LLVM may load it once, whatever is stored meanwhile."""
    loaded = builder.load(pointer)
    loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
    return loaded


def bundle(name: str, places: dict[str, Place]) -> Any:
    """A function of compiled code: the address of a table -> its numbers and arrays as attributes."""
    kind = Bundle(name, places)

    @intrinsic
    def at(typing_context, address):
        return kind(types.int64), lambda context, builder, signature, args: args[0]

    return at


@intrinsic
def call(typing_context, function, table, first, second):
    """Call the bound policy at address `function`."""
    signature = types.int64(types.int64, types.int64, types.int64, types.int64)

    def generate(context, builder, sig, args):
        pointer = builder.inttoptr(args[0], ir.FunctionType(WORD, [WORD, WORD, WORD]).as_pointer())
        return builder.call(pointer, args[1:])

    return signature, generate


@intrinsic
def put(typing_context, amount, resource, number):
    """As resource_types.put: a choice for each entry, of which nothing is left where `resource` is known."""

    def generate(context, builder, sig, args):
        changed, place, part = args
        for entry in range(amount.count):
            is_place = builder.icmp_signed("==", place, place.type(entry))
            kept = builder.extract_value(changed, entry)
            changed = builder.insert_value(changed, builder.select(is_place, part, kept), entry)
        return changed

    return amount(amount, types.int64, amount.dtype), generate
