"""A scheduler's parts as the kernel calls them: each policy's functions with its own arrays and parameters,
compiled or plain.

The kernel is given them in the order of policy.FUNCTIONS. One that can't be compiled makes the whole run
plain.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from engine import jit, quantities
from engine.codes import PER_JOB
from engine.errors import PolicyError
from engine.messages import msg
from engine.schedulers.catalogue import ARRAY_KINDS
from engine.schedulers.policy import (
    HOOKS,
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
from engine.schedulers.view import FIELDS, View
from engine.simulation.kernel import loop
from engine.simulation.kernel.state import COUNTERS, State

# What a policy's table holds: the View, the arrays of all policies of the catalogue (its own are there, the
# others empty), its parameters.
POLICY_FIELDS = {**FIELDS, **ARRAY_KINDS, jit.CONSTANTS: "float64"}


class _Layout(NamedTuple):
    """fields: name -> "int64" or "float64" of each array a policy may name, in the order of its table;
    places: where its own stand there.

    arrays: its own of each of the two kinds; unset: those that are NaN until computed; parameters: their
    names.
    """

    policy: Policy
    fields: dict[str, str]
    places: dict[str, int]
    arrays: dict[str, list[StateArray]]
    unset: list[str]
    parameters: tuple[str, ...]


_layouts: dict[int, _Layout] = {}  # by id of the policy, which its layout keeps alive


class Answer(NamedTuple):
    """What a part answered in a plain run. place: of its function (policy.FUNCTIONS); first, second: the
    numbers of its hook.
    """

    place: int
    view: Any  # as this part sees it: a namespace of the View's arrays and its own
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


def bind_kernel(
    chosen: Scheduler, view: View, state: State, arguments: tuple, plain: bool, watch: Watch | None
) -> Kernel:
    """The kernel for these arrays, with fresh ones of the policies; arguments: its own after the tables.
    Raises PolicyError.
    """
    parts = (chosen.order, chosen.reduce_start, chosen.admission)
    state_of_parts = [_memory(part, view) for part in parts]
    memories = [array for memory, _ in state_of_parts for array in memory.values() if len(array)]
    calls = _calls([part.policy for part in parts])
    addresses = (
        [None]
        if plain
        else [_address(parts[policy_call.part_index].policy, policy_call) for policy_call in calls]
    )
    if None in addresses:
        views = [SimpleNamespace(**view._asdict(), **memory) for memory, _ in state_of_parts]
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
            np.errstate(over="ignore")(
                lambda: loop.kernel.plain(view, state, functions, [0] * len(parts), *arguments)
            ),
            memories,
        )
    shared, of_state = jit.table(view), jit.table(state, len(COUNTERS))
    tables = [np.concatenate([shared, table]) for _, table in state_of_parts]
    called = tuple(addresses)  # numbers: of an array compiled code would count the references at each call

    def advance() -> tuple[int, int]:
        return loop.kernel.fast(
            shared.ctypes.data,
            of_state.ctypes.data,
            called,
            tuple(table.ctypes.data for table in tables),
            *arguments,
        )

    return Kernel(advance, memories)


def plain_answer(part: Part, place: int, view: View, first: int, second: int) -> tuple[int, SimpleNamespace]:
    """What a part would answer now, and its terms and facts, of a policy that remembers nothing else; place:
    of its function in policy.FUNCTIONS. Raises PolicyError.
    """
    memory, _ = _memory(part, view)
    seen = SimpleNamespace(**view._asdict(), **memory)
    function = _plain(part, _Call(place, part.policy.function, HOOKS[part.policy.role]), seen)
    assert function is not None  # each part has one of its own
    return function(first, second), seen


def reads(policy: Policy, field: str) -> bool:
    """Does a policy, or what it calls, name a field of the View? The function at its windows' ends is not
    looked at.
    """
    return any(
        function and _names(function, field) for function in (policy.function, policy.preempt, policy.on_jobs)
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
    return policy_call.function, layout.fields, policy_call.numbers, layout.parameters


def _calls(policies: list[Policy]) -> list[_Call]:
    order, reduce_start, _ = policies
    calls = [
        _Call(part_index, policy.function, HOOKS[policy.role]) for part_index, policy in enumerate(policies)
    ]
    calls += [
        _Call(part_index, policy.on_window, WINDOW_HOOK) for part_index, policy in enumerate(policies[:2])
    ]
    return [*calls, _Call(1, reduce_start.preempt, HOOKS[REDUCE_START]), _Call(0, order.on_jobs, JOBS_HOOK)]


def _layout(policy: Policy) -> _Layout:
    if id(policy) not in _layouts:
        arrays = policy.arrays
        policy_fields = {name: array.kind for name, array in arrays.items()}
        fields = (
            POLICY_FIELDS
            if policy_fields.items() <= ARRAY_KINDS.items()
            else {**FIELDS, **ARRAY_KINDS, **policy_fields, jit.CONSTANTS: "float64"}
        )
        places = {
            name: place - len(FIELDS)
            for place, name in enumerate(fields)
            if name in policy_fields or name == jit.CONSTANTS
        }
        of_kind = {
            kind: [array for array in arrays.values() if array.kind == kind] for kind in ("float64", "int64")
        }
        unset = [term.name for term in policy.terms if term.per == REQUEST]
        _layouts[id(policy)] = _Layout(
            policy, fields, places, of_kind, unset, tuple(parameter.name for parameter in policy.parameters)
        )
    return _layouts[id(policy)]


def _memory(part: Part, view: View) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """A policy's own arrays by name, zeros (terms of a request NaN: not computed yet), and their part of its
    table.
    """
    jobs = len(view.job_arrival)
    entries = {
        RUN: 1,
        JOB: jobs,
        REQUEST: PER_JOB * jobs,
        NODE: len(view.node_memory),
        QUEUE: len(view.queue_parent),
    }
    layout = _layout(part.policy)
    table = np.zeros(2 * (len(layout.fields) - len(FIELDS)), np.int64)
    memory = {}
    for kind, arrays in layout.arrays.items():
        lengths = [array.size * entries[array.per] for array in arrays]
        pool = np.zeros(sum(lengths), kind)
        first, start = 0, pool.ctypes.data
        for array, length in zip(arrays, lengths):
            memory[array.name] = pool[first : first + length]
            place = 2 * layout.places[array.name]
            table[place], table[place + 1] = start + first * pool.itemsize, length
            first += length
    for name in layout.unset:
        memory[name].fill(np.nan)
    memory[jit.CONSTANTS] = np.array(part.numbers or [0.0])
    table[-2], table[-1] = memory[jit.CONSTANTS].ctypes.data, len(memory[jit.CONSTANTS])
    return memory, table


def _address(policy: Policy, policy_call: _Call) -> int | None:
    if policy_call.function is None:
        return 0
    try:
        return jit.address(*_binding(policy, policy_call))
    except TypeError as error:
        raise PolicyError(msg("simulation.policy_binding.policy", name=policy.name, error=error)) from None


def _plain(part: Part, policy_call: _Call, view: SimpleNamespace) -> Callable[[int, int], int] | None:
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
                    moment=quantities.moment(int(view.now[0])),
                    name2=type(error).__name__,
                    error=error,
                )
            ) from error

    return checked_call


def _observed(
    place: int, view: SimpleNamespace, state: State, function: Callable[[int, int], int] | None, watch: Watch
) -> Callable[[int, int], int] | None:
    if function is None:
        return None

    def checked_call(first: int, second: int) -> int:
        answer = function(first, second)
        watch(Answer(place, view, int(state.container_count[0]), first, second, answer))
        return answer

    return checked_call
