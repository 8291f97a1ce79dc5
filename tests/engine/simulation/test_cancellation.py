"""A run ends when another thread asks for it, compiled or plain, in the midst of an instant too; one that
nobody ends is as it was.
"""

from __future__ import annotations

import threading

import pytest

from engine.errors import RunCancelled
from engine.scenario.model import Scenario
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from tests.phrases import phrase

SLOW = {"contention": 0.5, "containers_per_heartbeat": None}


def scenario(maps: int, memory_mb: int = 4096, **cluster) -> Scenario:
    node = {"count": 1, "memory_mb": memory_mb, "vcores": memory_mb}
    task = {"count": maps, "memory_mb": 1, "vcores": 1, "duration_s": {"dist": "exponential", "mean": 100}}
    return Scenario.of({"version": 1, "cluster": {"nodes": [node], **cluster}, "jobs": [{"maps": task}]})


@pytest.mark.parametrize("plain", [True, False])
def test_a_run_that_is_asked_to_end_before_it_begins_ends_at_once(plain: bool) -> None:
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled, match=phrase("simulation.was_ended_at_s_time", "0:00")):
        simulate(scenario(10), "fifo", plain=plain, cancel_token=cancel_token)


def test_a_run_ends_while_the_kernel_is_in_it() -> None:
    """It would take minutes: each end slows or speeds up thousands of tasks."""
    simulate(scenario(10, **SLOW), "fifo", plain=False)  # compiled now, so that the kernel is what is ended
    cancel_token = CancelToken()
    threading.Timer(0.3, cancel_token.cancel).start()
    with pytest.raises(RunCancelled, match=phrase("simulation.was_ended_at_s", r"[\d:.]+")):
        simulate(scenario(300_000, memory_mb=20_000, **SLOW), "fifo", plain=False, cancel_token=cancel_token)


def test_a_token_cancels_by_itself_after_a_time() -> None:
    cancel_token = CancelToken()
    with cancel_token.cancel_after(0.01), pytest.raises(RunCancelled):
        simulate(scenario(300_000, memory_mb=20_000, **SLOW), "fifo", plain=False, cancel_token=cancel_token)
    assert cancel_token.is_cancelled
    other = CancelToken()
    with other.cancel_after(60):
        simulate(scenario(10), "fifo", cancel_token=other)
    assert not other.is_cancelled


def test_a_run_that_nobody_ends_is_as_it_was() -> None:
    alone, watched = simulate(scenario(50)), simulate(scenario(50), cancel_token=CancelToken())
    assert alone.containers.end.tolist() == watched.containers.end.tolist()
