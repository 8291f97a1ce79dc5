"""Compiles the simulator, and what the charts compute, beside a server that already answers.

The first start after an installation compiles in a process of its own, because compiling holds Python's lock, for a minute in all; what
it compiles lies on the disk, and each server process loads it. Until then small runs are made by plain Python, with the same results.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from engine import (
    CATALOGUE,
    PLAIN,
    GantryError,
    ahead_of_time,
    capacity_split,
    dominant_shares,
    everything_is_compiled,
    node_utilization,
    note_everything_is_compiled,
    one_process_at_a_time,
    presets,
    simulate,
    warm,
)
from webapp.figures import Scene, Wanted, rows, run_chart, whole
from webapp.figures.timeline.place import Place
from webapp.monitoring import logs

log = logging.getLogger("gantry")
FIRST = ("fifo", "fair", "drf", "capacity")  # what a first visit shows
NARROW_PX = 120  # of a chart whose levels are means over pixels
NICE = 5  # visitors come first
LOAD_S = 20.0  # that a process which has just begun takes at most for loading; to compile takes longer, and nobody waits for that
ready = threading.Event()
_begun = threading.Event()


def start() -> threading.Thread:
    """Begin; `ready` is set when Hadoop's own orders and the charts are loaded, then come all others."""
    _begun.set()
    thread = threading.Thread(target=_work, name="warm-up", daemon=True)
    thread.start()
    return thread


def loaded() -> None:
    """Returns once what is compiled was loaded, where that is under way: plain Python takes minutes for the rows of a large run."""
    if _begun.is_set():
        ready.wait(LOAD_S)


def _work() -> None:
    begun = time.perf_counter()
    try:
        with ahead_of_time():
            if not (PLAIN or everything_is_compiled()):
                _compile_beside()
            warm(FIRST)
            _charts()
            log.info("The simulator is ready: compiled or loaded in %.1f s.", time.perf_counter() - begun)
            ready.set()
            warm()
            log.info("Every scheduler is ready: after %.1f s.", time.perf_counter() - begun)
    except GantryError as error:
        log.error("The simulator could not be prepared: %s", error)
    finally:
        ready.set()


def _compile_beside() -> None:
    """Returns when the other process has compiled everything, or failed to: what is missing is then compiled here."""
    path = os.pathsep.join([str(Path(__file__).resolve().parents[2]), *filter(None, [os.environ.get("PYTHONPATH")])])
    command, own = [sys.executable, "-m", "webapp.services.warm_up"], {**os.environ, "PYTHONPATH": path}
    with subprocess.Popen(command, env=own, stdin=subprocess.PIPE, start_new_session=True) as other:  # it ends with its input, not by Ctrl-C
        other.wait()


def _charts() -> None:
    """What the charts compute."""
    run = simulate(presets()[0].scenario, FIRST[0], plain=False)
    scene, split = Scene(run), capacity_split(run)
    for wanted in (Wanted(), Wanted("job", opened=frozenset(run.workload.job_names))):
        run_chart(scene, split, rows([scene], wanted), Place.of(whole([run]), whole([run]), NARROW_PX), strips={"memory": 30, "vcores": 30, "capacity": 60})
    dominant_shares(run, "job", NARROW_PX)
    node_utilization(run, "memory", NARROW_PX)


def _end_with_the_server() -> None:
    sys.stdin.read()  # returns when the server's process has gone
    os._exit(1)


def main() -> None:
    """Compile all there is, for as long as the server waits for it."""
    logs.start()
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    os.nice(NICE)
    compile_all()


def compile_all() -> None:
    """Compile all there is, with a line a part; one process of this user does."""
    orders = [*FIRST, *(name for name in CATALOGUE["order"] if name not in FIRST)]
    parts: list[tuple[str, Callable[[], None]]] = [(name, lambda name=name: warm([name])) for name in orders]
    parts.insert(len(FIRST), ("the charts", _charts))
    parts.append(("the other parts", warm))
    with one_process_at_a_time("warm-up"), ahead_of_time():
        if everything_is_compiled():
            return
        log.info("Compiling the simulator, about a minute, once per version; small runs don't wait for it.")
        for number, (name, prepare) in enumerate(parts):
            begun = time.perf_counter()
            prepare()
            log.info("Compiled %s in %.1f s (%d of %d).", name, time.perf_counter() - begun, number + 1, len(parts))
        note_everything_is_compiled()


if __name__ == "__main__":
    main()
