"""A scheduler's parts bound to a run: each policy's functions with its own memory, compiled or plain.

The kernel is given them in the order of policy.FUNCTIONS. One that can't be compiled makes the whole run plain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine import speed
from engine.errors import PolicyError
from engine.kernel import loop
from engine.kernel.state import CONTAINERS, State
from engine.policies.policy import HOOKS, REDUCE_START, REQUESTS, WINDOW_HOOK, Policy
from engine.scheduler import Part, Scheduler
from engine.view import FIELDS, KINDS, OWN_FIELDS, View


class Answer(NamedTuple):
    """What a part answered in a plain run. place: of its function (policy.FUNCTIONS); first, second: the numbers of its hook."""

    place: int
    view: View  # as this part sees it, with its own memory
    placed: int  # containers so far
    first: int
    second: int
    answer: int


Watch = Callable[[Answer], None]


class _Asked(NamedTuple):
    """One function the kernel may call; None where the part has none."""

    policy: Policy
    function: Callable[..., int] | None
    numbers: tuple[str, str]
    view: View


def run_kernel(chosen: Scheduler, view: View, state: State, rest: tuple, plain: bool, watch: Watch | None) -> tuple[int, int]:
    """The kernel's answer for fresh arrays; rest: its arguments after the tables. Raises PolicyError."""
    parts = (chosen.order, chosen.reduce_start, chosen.admission)
    views = [view._replace(**_memory(part, view)) for part in parts]
    asked = _asked(parts, views)
    addresses = [None] if plain else [_address(one) for one in asked]
    if None in addresses:
        functions = [_plain(one) for one in asked]
        if watch:
            functions = [_watched(place, one.view, state, function, watch) for place, (one, function) in enumerate(zip(asked, functions))]
        return speed.plain(loop.kernel)(view, state, functions, [0] * len(parts), *rest)
    shared, of_state = speed.table(view), speed.table(state)
    tables = [np.concatenate([shared[: -2 * len(OWN_FIELDS)], speed.table(own[-len(OWN_FIELDS) :])]) for own in views]
    at = np.array([table.ctypes.data for table in tables], np.int64)
    return loop.kernel(shared.ctypes.data, of_state.ctypes.data, np.array(addresses, np.int64), at, *rest)


def _asked(parts: tuple[Part, ...], views: list[View]) -> list[_Asked]:
    policies = [part.policy for part in parts]
    found = [_Asked(policy, policy.function, HOOKS[policy.role], own) for policy, own in zip(policies, views)]
    found += [_Asked(policy, policy.on_window, WINDOW_HOOK, own) for policy, own in zip(policies[:2], views)]
    return [*found, _Asked(policies[1], policies[1].preempt, HOOKS[REDUCE_START], views[1])]


def _memory(part: Part, view: View) -> dict[str, np.ndarray]:
    policy, jobs = part.policy, len(view.job_arrival)
    requests = KINDS * jobs
    sizes = (policy.notes, policy.job_notes * jobs, policy.request_notes * requests, policy.node_notes * len(view.node_memory))
    memory = dict(zip(OWN_FIELDS, [np.array(part.numbers or [0.0]), *(np.zeros(max(1, size)) for size in sizes)]))
    for term in policy.terms:
        if term.where == REQUESTS:
            memory[REQUESTS][term.row * requests : (term.row + 1) * requests] = np.nan  # not computed yet
    return memory


def _address(one: _Asked) -> int | None:
    if one.function is None:
        return 0
    try:
        return speed.address(one.function, FIELDS, one.numbers)
    except TypeError as error:
        raise PolicyError(f"policy {one.policy.name}: {error}") from None


def _plain(one: _Asked) -> Callable[[int, int], int] | None:
    if one.function is None:
        return None
    name, own = one.policy.name, one.view
    try:
        bound = speed.bind_plain(one.function, own, one.numbers)
    except TypeError as error:
        raise PolicyError(f"policy {name}: {error}") from None

    def asked(first: int, second: int) -> int:
        try:
            return bound(first, second)
        except Exception as error:
            raise PolicyError(f"policy {name} failed at {own.now[0] / 1000:g} s: {type(error).__name__}: {error}") from error

    return asked


def _watched(place: int, view: View, state: State, function: Callable[[int, int], int] | None, watch: Watch) -> Callable[[int, int], int] | None:
    if function is None:
        return None

    def asked(first: int, second: int) -> int:
        answer = function(first, second)
        watch(Answer(place, view, int(state.sizes[CONTAINERS]), first, second, answer))
        return answer

    return asked
