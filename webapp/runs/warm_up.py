"""Compiles the simulator, and what the charts compute, beside a server that already answers.

The first start after an installation compiles in a process of its own, because compiling holds Python's lock,
for a minute in all; what it compiles lies on the disk, and each server process loads it. Until then small
runs are made by plain Python, with the same results.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial

from engine import CATALOGUE, GantryError, capacity_split, node_utilization, presets, simulate, warm
from engine.dashboard import (
    PLAIN,
    compiling_ahead,
    dominant_shares,
    everything_is_compiled,
    note_everything_is_compiled,
    one_process_at_a_time,
    start_module,
)
from webapp.figures import RowOptions, Scene, full_window, rows, run_chart
from webapp.figures.timeline.time_scale import TimeScale
from webapp.messages import msg
from webapp.monitoring import logs

log = logging.getLogger("gantry")
FIRST_SCHEDULERS = ("fair", "haste")  # what a first visit shows
NARROW_PX = 120  # of a chart whose levels are means over pixels
NICE = 5  # visitors come first
LOAD_TIMEOUT_S = 20.0  # that a new process takes at most for loading; nobody waits for it to compile
ready = threading.Event()
_started = threading.Event()


def start() -> threading.Thread:
    """Begin; `ready` is set when what a first visit shows is loaded, then come all others."""
    _started.set()
    thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def wait_until_loaded() -> None:
    """Returns once what is compiled was loaded, where that is under way: plain Python takes minutes for the
    rows of a large run.
    """
    if _started.is_set():
        ready.wait(LOAD_TIMEOUT_S)


def _warm_up() -> None:
    started_at = time.perf_counter()
    try:
        with compiling_ahead():
            if not (PLAIN or everything_is_compiled()):
                _compile_in_subprocess()
            warm(FIRST_SCHEDULERS)
            _warm_charts()
            seconds = time.perf_counter() - started_at
            log.info("The simulator is ready: compiled or loaded in %.1f s.", seconds)
            ready.set()
            warm()
            log.info("Every scheduler is ready: after %.1f s.", time.perf_counter() - started_at)
    except GantryError as error:
        log.error(msg("runs.warm_up.simulator_could_not_be_prepared_s"), error)
    finally:
        ready.set()


def _compile_in_subprocess() -> None:
    """Returns when the other process has compiled everything, or failed to: what is missing is then compiled
    here.
    """
    # it ends with its input, not by Ctrl-C
    with start_module(__name__, stdin=subprocess.PIPE, start_new_session=True) as process:
        process.wait()


def _warm_charts() -> None:
    """What the charts compute."""
    run = simulate(presets()[0].scenario, FIRST_SCHEDULERS[0], plain=False)
    scene, split = Scene(run), capacity_split(run)
    scale = TimeScale.of(full_window([run]), full_window([run]), NARROW_PX)
    strips = {"memory": 30, "vcores": 30, "capacity": 60}
    for options in (RowOptions(), RowOptions("job", opened=frozenset(run.workload.job_names))):
        run_chart(scene, split, rows([scene], options), scale, strips=strips)
    dominant_shares(run, "job", NARROW_PX)
    node_utilization(run, "memory", NARROW_PX)


def _exit_with_server() -> None:
    sys.stdin.read()  # returns when the server's process has gone
    os._exit(1)


def main() -> None:
    """Compile all there is, for as long as the server waits for it."""
    logs.start()
    threading.Thread(target=_exit_with_server, daemon=True).start()
    os.nice(NICE)
    compile_all()


def compile_all() -> None:
    """Compile all there is, with a line a part; one process of this user does."""
    orders = [*FIRST_SCHEDULERS, *(name for name in CATALOGUE["order"] if name not in FIRST_SCHEDULERS)]
    parts: list[tuple[str, Callable[[], None]]] = [(name, partial(warm, [name])) for name in orders]
    parts.insert(len(FIRST_SCHEDULERS), (msg("runs.warm_up.charts"), _warm_charts))
    parts.append((msg("runs.warm_up.other_parts"), warm))
    with one_process_at_a_time("warm-up"), compiling_ahead():
        if everything_is_compiled():
            return
        log.info("Compiling the simulator, about a minute, once per version; small runs don't wait for it.")
        for number, (name, prepare) in enumerate(parts, 1):
            started_at = time.perf_counter()
            prepare()
            seconds = time.perf_counter() - started_at
            log.info("Compiled %s in %.1f s (%d of %d).", name, seconds, number, len(parts))
        note_everything_is_compiled()


if __name__ == "__main__":
    main()
