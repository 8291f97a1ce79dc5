"""A run ends when another thread asks for it, compiled or plain, in the midst of an instant too; one that nobody ends is as it was."""

from __future__ import annotations

import threading

import pytest

from engine.errors import Halted
from engine.scenario.model import Scenario
from engine.simulation.halt import Halt
from engine.simulation.simulate import simulate
from tests.phrases import phrase

SLOW = {"contention": 0.5, "containers_per_heartbeat": None}


def scenario(maps: int, memory_mb: int = 4096, **cluster) -> Scenario:
    node = {"count": 1, "memory_mb": memory_mb, "vcores": memory_mb}
    task = {"count": maps, "memory_mb": 1, "vcores": 1, "duration_s": {"dist": "exponential", "mean": 100}}
    return Scenario.of({"version": 1, "cluster": {"nodes": [node], **cluster}, "jobs": [{"maps": task}]})


@pytest.mark.parametrize("plain", [True, False])
def test_a_run_that_is_asked_to_end_before_it_begins_ends_at_once(plain: bool) -> None:
    halt = Halt()
    halt.ask()
    with pytest.raises(Halted, match=phrase("simulation.was_ended_at_s_time", 0)):
        simulate(scenario(10), "fifo", plain=plain, halt=halt)


def test_a_run_ends_while_the_kernel_is_in_it() -> None:
    """It would take minutes: each end slows or speeds up thousands of tasks."""
    simulate(scenario(10, **SLOW), "fifo", plain=False)  # compiled now, so that the kernel is what is ended
    halt = Halt()
    threading.Timer(0.3, halt.ask).start()
    with pytest.raises(Halted, match=phrase("simulation.was_ended_at_s", r"[\d.]+")):
        simulate(scenario(300_000, memory_mb=20_000, **SLOW), "fifo", plain=False, halt=halt)


def test_it_is_asked_by_itself_after_a_time() -> None:
    halt = Halt()
    with halt.after(0.01), pytest.raises(Halted):
        simulate(scenario(300_000, memory_mb=20_000, **SLOW), "fifo", plain=False, halt=halt)
    assert halt.asked
    other = Halt()
    with other.after(60):
        simulate(scenario(10), "fifo", halt=other)
    assert not other.asked


def test_a_run_that_nobody_ends_is_as_it_was() -> None:
    alone, watched = simulate(scenario(50)), simulate(scenario(50), halt=Halt())
    assert alone.containers.end.tolist() == watched.containers.end.tolist()
