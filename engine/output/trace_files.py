"""All traces of runs that other tools open, by file name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.output.batsim_results import batsim_files
from engine.output.paje_trace import paje_text
from engine.output.trace_events import trace_text
from engine.simulation.run import Run


def trace_files(runs: Sequence[Run]) -> dict[str, Iterator[str]]:
    """Perfetto's trace.json and Pajé's paje.trace of all runs, and Batsim's files of each in batsim/."""
    batsim = {f"batsim/{name}": text for name, text in batsim_files(runs).items()}
    return {"trace.json": trace_text(runs), "paje.trace": paje_text(runs), **batsim}
