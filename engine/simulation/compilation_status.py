"""What a scheduler's run has to compile first, if anything."""

from __future__ import annotations

from engine import jit
from engine.messages import msg
from engine.schedulers.scheduler import Scheduler
from engine.simulation.kernel import loop
from engine.simulation.policy_binding import bindings


def is_ready(chosen: Scheduler) -> bool:
    """Whether the kernel and the scheduler's functions are compiled, or loaded, in this process."""
    return loop.kernel.ready and all(jit.is_bound(*binding) for binding in bindings(chosen))


def announce(chosen: Scheduler) -> None:
    """Reports what has to be compiled, and about how long that takes."""
    files = {binding[0].__module__: binding for binding in bindings(chosen)}
    seconds = sum(jit.compile_seconds(*binding) for binding in files.values())
    kernel = loop.kernel.ready or jit.was_compiled()
    if (
        kernel
        or not jit.announce(
            jit.KERNEL_NAME,
            msg("simulation.compilation_status.simulator_for", name=chosen.name),
            jit.KERNEL_S + seconds,
        )
    ) and seconds:
        jit.announce(chosen.name, chosen.name, seconds)
