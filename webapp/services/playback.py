"""A run as the browser plays it: one small binary of all containers, from which the page tells what runs where at any instant."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from engine import KINDS, NONE, PHASES, Run, phases

MOST = 50_000  # containers that a page holds of one scheduler
ALIGNED = 8  # bytes
LONG_MS = 2**31 - 1  # a longer run's times need more than 4 bytes
SHUFFLE, WAITING = PHASES.index("shuffle"), PHASES.index("waiting")


def pack(run: Run, window: tuple[int, int] | None = None) -> bytes | None:
    """The containers that share an instant with the window (ms; None: all); None when these are more than MOST.

    Four bytes of the head's length, the head as JSON, then the arrays at the offsets it names, counted from the first multiple of
    8 behind the head. Times are in ms after `base`. A container runs from `start` to `end`; a reduce shuffles until `wait`, waits for
    maps until `again`, shuffles until `leave`, and computes; for a master or map the three are its start.
    """
    chosen = _within(run, window)
    if len(chosen) > MOST:
        return None
    c, work = run.containers, run.workload
    of = type(c)(*(field[chosen] for field in c))
    base = run.first_ms
    times = {"requested": of.requested, "start": of.start, **_phases(run, chosen), "end": np.where(of.end == NONE, run.at_ms + 1, of.end)}
    kind = "i4" if run.at_ms + 1 - base <= LONG_MS else "f8"
    arrays = {name: (kind, time - base) for name, time in times.items()}
    arrays |= {name: ("i4", getattr(of, name)) for name in ("job", "node", "index", "stage", "attempt")}
    arrays |= {name: ("i1", getattr(of, name)) for name in ("kind", "outcome")}
    arrays |= {"placed": ("i4", chosen), "unserved": (kind, np.repeat(run.waiting.since, run.waiting.count) - base)}
    sizes = zip(work.request_memory.reshape(-1, len(KINDS)).tolist(), work.request_vcores.reshape(-1, len(KINDS)).tolist())
    head = {
        "scheduler": run.scheduler,
        "base": base,
        "from": max(base, window[0]) if window else base,
        "until": min(run.until_ms, window[1]) if window else run.until_ms,
        "containers": len(c.job),
        "nodes": work.node_names,
        "memory": work.node_memory.tolist(),
        "vcores": work.node_vcores.tolist(),
        "jobs": work.job_names,
        "iterated": (work.job_iterations > 1).tolist(),
        "sizes": [[*memory, *vcores] for memory, vcores in sizes],
    }
    return _bytes(head, arrays)


def _within(run: Run, window: tuple[int, int] | None) -> np.ndarray:
    """Indices into run.containers; those whose request waits inside the window too, so that what waits can be counted."""
    c = run.containers
    if window is None:
        return np.arange(len(c.job))
    return np.flatnonzero((np.minimum(c.requested, c.start) < window[1]) & ((c.end == NONE) | (c.end >= window[0])))


def _phases(run: Run, chosen: np.ndarray) -> dict[str, np.ndarray]:
    """When the phases of these containers change; a phase that a container has not is empty."""
    c, found = run.containers, phases(run)
    open_ = (c.end == NONE) & (c.shuffle_end == NONE)
    end = found.end + (open_[found.container] & (found.end == run.at_ms))  # what never leaves its phase is in it at the last instant too
    leave = c.start.astype(np.int64)
    before = (found.phase == SHUFFLE) | (found.phase == WAITING)
    np.maximum.at(leave, found.container[before], end[before])
    wait, again = leave.copy(), leave.copy()
    waiting = found.phase == WAITING
    wait[found.container[waiting]], again[found.container[waiting]] = found.start[waiting], end[waiting]
    return {"wait": wait[chosen], "again": again[chosen], "leave": leave[chosen]}


def _bytes(head: dict[str, Any], arrays: dict[str, tuple[str, np.ndarray]]) -> bytes:
    places, parts, offset = {}, [], 0
    for name, (kind, values) in arrays.items():
        data = np.ascontiguousarray(values, "<" + kind).tobytes()
        places[name] = {"kind": kind, "offset": offset, "length": len(values)}
        parts.append(data + bytes(-len(data) % ALIGNED))
        offset += len(parts[-1])
    text = json.dumps(head | {"arrays": places}, ensure_ascii=False, separators=(",", ":")).encode()
    front = len(text).to_bytes(4, "little") + text
    return front + bytes(-len(front) % ALIGNED) + b"".join(parts)
