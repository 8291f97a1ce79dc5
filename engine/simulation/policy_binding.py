"""A scheduler's parts as the kernel calls them: each policy's functions with its own arrays and parameters,
compiled or plain.

The kernel is given them in the order of policy.FUNCTIONS. One that can't be compiled makes the whole run
plain.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import NamedTuple

import numpy as np

from engine import jit, quantities
from engine.errors import PolicyError
from engine.messages import msg
from engine.resource_types import RESOURCE_COUNT
from engine.run_records import AMOUNTS, ARRAY, WORD, Place
from engine.schedulers.catalogue import ARRAY_KINDS
from engine.schedulers.policy import (
    HOOKS,
    INDEX_HOOK,
    JOB,
    JOBS_HOOK,
    NODE,
    QUEUE,
    REDUCE_START,
    REQUEST,
    RUN,
    WINDOW_HOOK,
    Policy,
    StateArray,
)
from engine.schedulers.scheduler import Part, Scheduler
from engine.schedulers.view import View
from engine.simulation.kernel import loop
from engine.simulation.kernel.state import State


def _places(array_kinds: dict[str, str]) -> dict[str, Place]:
    """A policy's table: the View's address; address and length of each of these arrays, and of its
    parameters.
    """
    own = {**array_kinds, jit.CONSTANTS: "float64"}
    return {
        **{name: place._replace(is_shared=True) for name, place in View.layout.places.items()},
        **{
            name: Place(1 + 2 * number, "int64", AMOUNTS)
            if kind == AMOUNTS
            else Place(1 + 2 * number, kind, ARRAY)
            for number, (name, kind) in enumerate(own.items())
        },
    }


# Of a policy of the catalogue: it has its own arrays, those of the others are empty.
CATALOGUE_PLACES = _places(ARRAY_KINDS)


class _Layout(NamedTuple):
    """places: where each field that a policy may name stands; table_words: how long that table is. words: the
    places of its own arrays and its parameters; arrays: its own; unset: which of them are NaN until computed;
    parameters: their names.
    """

    policy: Policy
    places: dict[str, Place]
    table_words: int
    words: np.ndarray
    arrays: list[StateArray]
    unset: list[int]
    parameters: tuple[str, ...]


_layouts: dict[int, _Layout] = {}  # by id of the policy, which its layout keeps alive


class Answer(NamedTuple):
    """What a part answered in a plain run. place: of its function (policy.FUNCTIONS); first, second: the
    numbers of its hook.
    """

    place: int
    view: View  # as this part sees it: its own arrays are attributes beside
    placed: int  # containers so far
    first: int
    second: int
    answer: int


Watch = Callable[[Answer], None]


class _Call(NamedTuple):
    """One function the kernel may call, of the part with this index; None where the part has none."""

    part_index: int
    function: Callable[..., int] | None
    numbers: tuple[str, str]


class Kernel(NamedTuple):
    """The kernel bound to a run's arrays. advance: runs on from where they stand, and returns the kernel's
    answer; memory: the policies' own arrays.
    """

    advance: Callable[[], tuple[int, int]]
    memory: list[np.ndarray]


def bind_kernel(chosen: Scheduler, view: View, state: State, plain: bool, watch: Watch | None) -> Kernel:
    """The kernel for these arrays, with fresh ones of the policies. Raises PolicyError."""
    parts = (chosen.order, chosen.reduce_start, chosen.admission)
    memories = [_memory(part, view) for part in parts]
    blocks = [memory.block for memory in memories]
    calls = _calls([part.policy for part in parts])
    addresses = (
        [None]
        if plain
        else [_address(parts[policy_call.part_index].policy, policy_call) for policy_call in calls]
    )
    if None in addresses:
        views = [view.extended(_arrays(part, memory)) for part, memory in zip(parts, memories)]
        functions = [
            _plain(parts[policy_call.part_index], policy_call, views[policy_call.part_index])
            for policy_call in calls
        ]
        if watch:
            functions = [
                _observed(place, views[policy_call.part_index], state, function, watch)
                for place, (policy_call, function) in enumerate(zip(calls, functions))
            ]
        # overflow: of hashes
        return Kernel(
            np.errstate(over="ignore")(lambda: loop.kernel.plain(view, state, functions, [0] * len(parts))),
            blocks,
        )
    called = tuple(addresses)  # numbers: of an array compiled code would count the references at each call

    def advance() -> tuple[int, int]:
        return loop.kernel.fast(
            view.address,
            state.address,
            called,
            tuple(block.ctypes.data for block in blocks),
        )

    return Kernel(advance, blocks)


def plain_answer(part: Part, place: int, view: View, first: int, second: int) -> tuple[int, View]:
    """What a part would answer now, and its terms and facts, of a policy that remembers nothing else; place:
    of its function in policy.FUNCTIONS. Raises PolicyError.
    """
    seen = view.extended(_arrays(part, _memory(part, view)))
    function = _plain(part, _Call(place, part.policy.function, HOOKS[part.policy.role]), seen)
    assert function is not None  # each part has one of its own
    return function(first, second), seen


def reads(policy: Policy, field: str) -> bool:
    """Does a policy, or what it calls, name a field of the View? The function at its windows' ends is not
    looked at.
    """
    return any(
        function and _names(function, field)
        for function in (policy.function, policy.preempt, policy.on_jobs, _find(policy))
    )


@functools.cache
def _names(function: FunctionType, field: str) -> bool:
    visited, pending = {function}, [function]
    while pending:
        function = pending.pop()
        names = {*function.__code__.co_names, *function.__code__.co_varnames}
        if field in names:
            return True
        called = {
            value for name in names if isinstance(value := function.__globals__.get(name), FunctionType)
        } - visited
        visited |= called
        pending += called
    return False


def bindings(chosen: Scheduler) -> Iterator[tuple]:
    """The arguments of jit.address for each function that the kernel may call."""
    policies = [chosen.order.policy, chosen.reduce_start.policy, chosen.admission.policy]
    yield from (
        _binding(policies[policy_call.part_index], policy_call)
        for policy_call in _calls(policies)
        if policy_call.function
    )


def _binding(policy: Policy, policy_call: _Call) -> tuple:
    layout = _layout(policy)
    return policy_call.function, layout.places, policy_call.numbers, layout.parameters


def _calls(policies: list[Policy]) -> list[_Call]:
    order, reduce_start, _ = policies
    calls = [
        _Call(part_index, policy.function, HOOKS[policy.role]) for part_index, policy in enumerate(policies)
    ]
    calls += [
        _Call(part_index, policy.windows.on_end if policy.windows else None, WINDOW_HOOK)
        for part_index, policy in enumerate(policies[:2])
    ]
    return [
        *calls,
        _Call(1, reduce_start.preempt, HOOKS[REDUCE_START]),
        _Call(0, order.on_jobs, JOBS_HOOK),
        _Call(0, _find(order), INDEX_HOOK),
    ]


def _find(order: Policy) -> Callable[..., int] | None:
    return order.index.find if order.index else None


def _layout(policy: Policy) -> _Layout:
    if id(policy) not in _layouts:
        kinds = {name: array.kind for name, array in policy.arrays.items()}
        is_of_catalogue = kinds.items() <= ARRAY_KINDS.items()
        places = CATALOGUE_PLACES if is_of_catalogue else _places({**ARRAY_KINDS, **kinds})
        of_requests = {term.name for term in policy.terms if term.per == REQUEST}
        unset = [place for place, name in enumerate(policy.arrays) if name in of_requests]
        names = tuple(parameter.name for parameter in policy.parameters)
        words = np.array([places[name].word for name in (*policy.arrays, jit.CONSTANTS)])
        table_words = 1 + 2 * (len(places) - len(View.layout.places))
        arrays = list(policy.arrays.values())
        _layouts[id(policy)] = _Layout(policy, places, table_words, words, arrays, unset, names)
    return _layouts[id(policy)]


class _Memory(NamedTuple):
    """A policy's own arrays, in a block that begins with its table. ends: where the table ends, and each
    array; the last are the parameters.
    """

    block: np.ndarray
    ends: list[int]

    def of(self, place: int, kind: str) -> np.ndarray:
        """An array by its place."""
        return self.block[self.ends[place] : self.ends[place + 1]].view(kind)


def _memory(part: Part, view: View) -> _Memory:
    """Zeros, but terms of a request, which are NaN: not computed yet."""
    entries = {
        RUN: 1,
        JOB: len(view.job_arrival),
        REQUEST: len(view.request_job),
        NODE: len(view.node_memory),
        QUEUE: len(view.queue_parent),
    }
    layout = _layout(part.policy)
    numbers = part.numbers or [0.0]
    lengths = [*(array.size * entries[array.per] for array in layout.arrays), len(numbers)]
    rows = [*(RESOURCE_COUNT if array.kind == AMOUNTS else 1 for array in layout.arrays), 1]
    ends = list(itertools.accumulate(map(operator.mul, rows, lengths), initial=layout.table_words))
    memory = _Memory(np.zeros(ends[-1], np.int64), ends)
    memory.block[0] = view.address
    memory.block[layout.words] = memory.block.ctypes.data + WORD * np.array(ends[:-1])
    memory.block[layout.words + 1] = lengths
    memory.of(len(layout.arrays), "float64")[:] = numbers
    for place in layout.unset:
        memory.of(place, "float64").fill(np.nan)
    return memory


def _arrays(part: Part, memory: _Memory) -> dict[str, np.ndarray]:
    """A policy's own arrays and its parameters by name, for plain Python."""
    arrays = _layout(part.policy).arrays
    by_name = {
        array.name: memory.of(place, "int64").reshape(RESOURCE_COUNT, -1)
        if array.kind == AMOUNTS
        else memory.of(place, array.kind)
        for place, array in enumerate(arrays)
    }
    return {**by_name, jit.CONSTANTS: memory.of(len(arrays), "float64")}


def _address(policy: Policy, policy_call: _Call) -> int | None:
    if policy_call.function is None:
        return 0
    try:
        return jit.address(*_binding(policy, policy_call))
    except TypeError as error:
        raise PolicyError(msg("simulation.policy_binding.policy", name=policy.name, error=error)) from None


def _plain(part: Part, policy_call: _Call, view: View) -> Callable[[int, int], int] | None:
    if policy_call.function is None:
        return None
    name = part.policy.name
    try:
        bound = jit.bind_plain(
            policy_call.function,
            view,
            policy_call.numbers,
            dict(zip(_layout(part.policy).parameters, part.numbers)),
        )
    except TypeError as error:
        raise PolicyError(msg("simulation.policy_binding.policy", name=name, error=error)) from None

    def checked_call(first: int, second: int) -> int:
        try:
            return bound(first, second)
        except Exception as error:
            raise PolicyError(
                msg(
                    "simulation.policy_binding.policy_failed_at",
                    name=name,
                    moment=quantities.moment(view.now),
                    name2=type(error).__name__,
                    error=error,
                )
            ) from error

    return checked_call


def _observed(
    place: int, view: View, state: State, function: Callable[[int, int], int] | None, watch: Watch
) -> Callable[[int, int], int] | None:
    if function is None:
        return None

    def checked_call(first: int, second: int) -> int:
        answer = function(first, second)
        watch(Answer(place, view, state.container_count, first, second, answer))
        return answer

    return checked_call
