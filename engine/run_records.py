"""Records: what a run keeps, each field declared once, by the part that owns it.

A field is an array over nodes, jobs, requests, … or one number; its declaration says its type, size, unit and
meaning. Allocation, the addresses that compiled code reads, snapshots and the reference of fields derive from
the declarations. A field of amounts, `X_resource`, has a row for each of resource_types.py, which policies
name as a field of its own: X_memory, X_vcores. The numbers and the table of addresses are one ctypes
structure, which plain Python and compiled code share; the arrays of a run follow it in the same block of
memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.resource_types import RESOURCE_COUNT, RESOURCES

Ints: TypeAlias = NDArray[np.int64]
Ints32: TypeAlias = NDArray[np.int32]
Flags: TypeAlias = NDArray[np.int8]
Words: TypeAlias = NDArray[np.uint64]
Floats: TypeAlias = NDArray[np.float64]
Amounts: TypeAlias = NDArray[np.int64]  # (resources, entries); of the run (resources, 1)

WORD = 8  # bytes of a number, of an address and of a length
ARRAY_KINDS = {
    "Amounts": "int64",
    "Flags": "int8",
    "Floats": "float64",
    "Ints": "int64",
    "Ints32": "int32",
    "Words": "uint64",
}
NUMBER_KINDS = {"int": "int64", "float": "float64", "Amounts": "int64"}
NUMBER_TYPES: dict[str, Any] = {"int64": ctypes.c_int64, "float64": ctypes.c_double}

# What arrays have entries for.
RUN = "run"  # one
KIND = "kind"  # of request: master, reduces, maps
NODE = "node"
NODE_BLOCK = "node_block"  # NODES_IN_BLOCK nodes
ROW = "row"  # a container's place on a node
WIDTH = "width"  # a place on one node
TIMER = "timer"  # an entry of the tournament tree
JOB = "job"
JOB_BLOCK = "job_block"  # JOBS_IN_BLOCK jobs
JOB_GROUP = "job_group"  # a group of the scenario's jobs
REQUEST = "request"  # (job, kind)
JOB_AND_ONE = "job_and_one"  # of a job, and one
QUEUE = "queue"
SHARER = "sharer"  # queues or jobs, whichever are more
GROUP = "group"  # requests of one leaf, size and kind of container
MAP_TASK = "map_task"
REDUCE_TASK = "reduce_task"
TASK = "task"  # maps, then reduces
TASK_BLOCK = "task_block"  # a copy of the block of a map, or of a stage's task
CONTAINER = "container"
SPAN = "span"  # in which a reduce fetches
DRAW = "draw"  # a task of each iteration
LEAF = "leaf"
RACK = "rack"  # and one
STAGE = "stage"  # of an application
SOURCE = "source"  # of a stage
POOL = "pool"  # of a Spark application
EXCLUSION = "exclusion"  # of an executor of a Spark application
SLOT = "slot"  # of an executor
TARGET = "target"  # a change of how many executors a driver wants
TASK_RUN = "task_run"  # an attempt of a task in a slot
OUTAGE = "outage"
ABSENT_NODE = "absent_node"

# What only some runs have: in others these arrays are empty.
EVERY_RUN = ""
SKEWED = "skewed"  # uneven partitions
RETRIES = "retries"  # several attempts a task
MAPS_ARE_KEPT = "maps_are_kept"  # blocks or several attempts
LAUNCHES = "launches"  # tasks that begin later than their containers
SPECULATES = "speculates"  # speculative attempts
FETCHES = "fetches"  # fetching that counts in the load of a node
PREEMPTS = "preempts"  # FairScheduler's preemption
MONITORS = "monitors"  # CapacityScheduler's preemption
RUNS_SPARK = "runs_spark"  # Spark applications
SPARK_SPECULATES = "spark_speculates"  # Spark applications with speculative execution
RUNS_TEZ = "runs_tez"  # Tez applications
RUNS_TASKS = "runs_tasks"  # containers that run several tasks: Spark's and Tez's
HAS_STAGES = "has_stages"  # applications of stages, Spark's too
RANKS = "ranks"  # an order of which the first of each group is listed

OF_RESOURCES = "resource"  # as names of amounts end

SomeTable = TypeVar("SomeTable", bound="Table")


UNITS = ", ".join(resource.unit for resource in RESOURCES)


class Size(NamedTuple):
    """How many entries an array has: `times` for each of `per`."""

    per: str
    times: int = 1


NUMBER, AMOUNT, ARRAY, ROW, AMOUNTS = "number", "amount", "array", "row", "amounts"  # forms of fields


class Place(NamedTuple):
    """Where compiled code finds a field: the word of a table that holds a number, or the first of an amount,
    or an array's address, which its length follows, of amounts the length of a row. form: NUMBER, AMOUNT,
    ARRAY, AMOUNTS or a ROW of these; kind: numpy's name of its type; row: which; is_shared: in the table
    whose address is the first word of this one.
    """

    word: int
    kind: str
    form: str
    row: int = 0
    is_shared: bool = False


class Field:
    """One declared field; without a size it is a number.

    kind: numpy's name of its type; unit: of its entries, "" for counts, indices and flags; initial: its value
    at time 0; is_given: it exists before the run, which does not write to it.
    """

    def __init__(
        self,
        size: Size | None,
        unit: str,
        meaning: str,
        initial: float = 0,
        when: str = EVERY_RUN,
        is_given: bool = False,
        is_amount: bool = False,
    ) -> None:
        self.size, self.unit, self.meaning, self.initial, self.when = size, unit, meaning, initial, when
        self.is_given, self.is_amount = is_given, is_amount
        self.name = self.kind = self.record = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.record = name, owner.__name__
        self.kind = (ARRAY_KINDS if self.size else NUMBER_KINDS)[owner.__annotations__[name]]

    def __get__(self, table: Table | None, owner: type) -> Any:
        """The array, made when it is first asked for: most runs are compiled, and few are."""
        if table is None:
            return self
        made = table.array_of(self)
        table.__dict__[self.name] = made
        return made

    @property
    def row_names(self) -> list[str]:
        """Of amounts, the names of what each resource's row is as a field; else none."""
        if not self.is_amount:
            return []
        return [f"{self.name.removesuffix(OF_RESOURCES)}{resource.name}" for resource in RESOURCES]


class Row:
    """One resource's row of a field of amounts."""

    def __init__(self, field: Field, name: str, row: int) -> None:
        self.field, self.name, self.row = field, name, row

    def __get__(self, table: Table | None, owner: type) -> Any:
        if table is None:
            return self
        made = table.__dict__[self.name] = getattr(table, self.field.name)[self.row]
        return made


class Record:
    """Base of the records that a table is made of; it has Fields alone."""


def array(per: str | Size, unit: str, meaning: str, initial: float = 0, when: str = EVERY_RUN) -> Any:
    """Declares an array of a record; per: what it has an entry for; when: what only some runs have, in others
    it is empty.
    """
    return Field(_size(per), unit, meaning, initial, when)


def given(per: str | Size, unit: str, meaning: str) -> Any:
    """Declares an array that exists before the run, which does not write to it; it is empty where the
    scenario has nothing of the kind.
    """
    return Field(_size(per), unit, meaning, is_given=True)


def amounts(per: str | Size, meaning: str, initial: float = 0, when: str = EVERY_RUN) -> Any:
    """Declares an array with a row for each resource."""
    return Field(_size(per), UNITS, meaning, initial, when, is_amount=True)


def given_amounts(per: str | Size, meaning: str) -> Any:
    """Declares such an array that exists before the run."""
    return Field(_size(per), UNITS, meaning, is_given=True, is_amount=True)


def amount(meaning: str, initial: float = 0) -> Any:
    """Declares a number of each resource."""
    return Field(None, UNITS, meaning, initial, is_amount=True)


def _size(per: str | Size) -> Size:
    return per if isinstance(per, Size) else Size(per)


def number(unit: str, meaning: str, initial: float = 0) -> Any:
    """Declares a number of a record."""
    return Field(None, unit, meaning, initial)


class Layout(NamedTuple):
    """What a table's records declare. sizes, conditions: what the arrays that a run has for itself have
    entries for, and what they need; size_of, condition_of, times, itemsizes, words: of each of these arrays,
    which of `sizes` and `conditions`, how many entries for each of the size, rows, bytes an entry, its place.
    entries: arrays in the order of the table; numbers, filled: numbers by name, and of these arrays which,
    that are not zero at first.
    """

    fields: dict[str, Field]
    places: dict[str, Place]
    sizes: tuple[str, ...]
    conditions: tuple[str, ...]
    size_of: Ints
    condition_of: Ints
    times: Ints
    rows: Ints
    itemsizes: Ints
    words: Ints
    entries: dict[str, int]
    numbers: list[tuple[str, float]]
    filled: list[tuple[int, str, float]]


class Given(NamedTuple):
    """Arrays by name, their places in a table, their addresses and lengths."""

    arrays: dict[str, np.ndarray]
    words: Ints
    addresses: Ints
    lengths: Ints


class Table(ctypes.Structure):
    """The numbers of several records, and where their arrays lie. A subclass, laid_out, has the records as
    its bases.
    """

    layout: Layout
    block: Ints
    address: int  # of the table, as compiled code takes it
    addresses: Any  # of each array its address and its length
    _given: dict[str, np.ndarray]

    @classmethod
    def allocate(cls, sizes: Mapping[str, int], conditions: Collection[str], *existing: Given) -> Self:
        """The table and its arrays at time 0, in one block of memory. sizes: how many there are of each;
        conditions: what this run has of what only some have; existing: the arrays that exist before it.
        """
        layout = cls.layout
        holds = np.array(
            [condition == EVERY_RUN or condition in conditions for condition in layout.conditions]
        )
        lengths = np.array([sizes[size] for size in layout.sizes])[layout.size_of] * layout.times
        lengths *= holds[layout.condition_of]
        words = (lengths * layout.rows * layout.itemsizes + WORD - 1) // WORD
        ends = ctypes.sizeof(cls) // WORD + np.cumsum(words)
        block = np.zeros(int(ends[-1]), np.int64)
        table = cls.from_buffer(block.data)
        table.block, table.address, table._given = block, ctypes.addressof(table), {}
        block[layout.words] = table.address + WORD * (ends - words)
        block[layout.words + 1] = lengths
        for some in existing:
            block[some.words], block[some.words + 1] = some.addresses, some.lengths
            table._given |= some.arrays
        for name, value in layout.numbers:
            setattr(table, name, value)
        for place, kind, value in layout.filled:
            block[ends[place] - words[place] : ends[place]].view(kind).fill(value)
        return table

    @classmethod
    def given_arrays(cls, arrays: Mapping[str, np.ndarray]) -> Given:
        """Arrays of this table that exist before a run and that none writes to."""
        arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        return Given(
            arrays,
            np.array([cls.layout.places[name].word for name in arrays], np.int64),
            np.array([array.ctypes.data for array in arrays.values()], np.int64),
            np.array([array.shape[-1] for array in arrays.values()], np.int64),
        )

    def array_of(self, field: Field) -> np.ndarray:
        """A field's array, which shares its memory."""
        if field.name in self._given:
            return self._given[field.name]
        if field.size is None:
            place = self.layout.places[field.name]
            return self.block[place.word : place.word + RESOURCE_COUNT].reshape(RESOURCE_COUNT, 1)
        entry = 2 * self.layout.entries[field.name]
        addresses = self.addresses
        length = addresses[entry + 1]
        shape = (RESOURCE_COUNT, length) if field.is_amount else length
        return np.ndarray(shape, field.kind, self.block, addresses[entry] - self.address)

    def extended(self, arrays: Mapping[str, np.ndarray]) -> Self:
        """The same numbers and arrays, and further arrays beside them."""
        table = type(self).from_buffer(self.block.data)
        vars(table).update(vars(self), **arrays)
        return table


def laid_out(table: type[SomeTable]) -> type[SomeTable]:
    """A table's class, its fields placed as its records declare them."""
    declared = [
        field for record in table.__bases__ for field in vars(record).values() if isinstance(field, Field)
    ]
    arrays = {field: field.size for field in declared if field.size}
    numbers = [field for field in declared if field not in arrays]
    words = {name: field for field in numbers for name in (field.row_names or [field.name])}
    table._fields_ = [
        *((name, NUMBER_TYPES[field.kind]) for name, field in words.items()),
        ("addresses", ctypes.c_int64 * (2 * len(arrays))),
    ]
    for field in arrays:
        for row, name in enumerate(field.row_names):
            setattr(table, name, Row(field, name, row))
    table.layout = _layout(words, numbers, arrays)
    return table


def _layout(words: dict[str, Field], numbers: list[Field], arrays: dict[Field, Size]) -> Layout:
    """Words of a table: the numbers, then of each array its address and its length."""
    places = _places(words, numbers, arrays)
    allocated = {field: size for field, size in arrays.items() if not field.is_given}
    sizes = tuple(dict.fromkeys(size.per for size in allocated.values()))
    conditions = tuple(dict.fromkeys(field.when for field in allocated))
    return Layout(
        {field.name: field for field in [*numbers, *arrays]},
        places,
        sizes,
        conditions,
        np.array([sizes.index(size.per) for size in allocated.values()]),
        np.array([conditions.index(field.when) for field in allocated]),
        np.array([size.times for size in allocated.values()]),
        np.array([RESOURCE_COUNT if field.is_amount else 1 for field in allocated]),
        np.array([np.dtype(field.kind).itemsize for field in allocated]),
        np.array([places[field.name].word for field in allocated]),
        {field.name: entry for entry, field in enumerate(arrays)},
        [(name, field.initial) for name, field in words.items() if field.initial],
        [(place, field.kind, field.initial) for place, field in enumerate(allocated) if field.initial],
    )


def _places(words: dict[str, Field], numbers: list[Field], arrays: Collection[Field]) -> dict[str, Place]:
    places = {name: Place(word, field.kind, NUMBER) for word, (name, field) in enumerate(words.items())}
    for field in numbers:
        if field.is_amount:
            places[field.name] = places[field.row_names[0]]._replace(form=AMOUNT)
    for entry, field in enumerate(arrays):
        place = Place(len(words) + 2 * entry, field.kind, AMOUNTS if field.is_amount else ARRAY)
        places[field.name] = place
        for row, name in enumerate(field.row_names):
            places[name] = place._replace(form=ROW, row=row)
    return places
