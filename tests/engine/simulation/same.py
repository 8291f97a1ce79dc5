"""Whether two runs are the same."""

from __future__ import annotations

import numpy as np

from engine.output.result_format import json_text
from engine.simulation.run import Run


def assert_same(run: Run, whole: Run) -> None:
    """All arrays, and what the command line prints of them."""
    for name in ("containers", "jobs", "waiting", "fetches"):
        for one, other in zip(getattr(run, name) or (), getattr(whole, name) or (), strict=True):
            assert np.array_equal(one, other) and one.dtype == other.dtype
    assert list(json_text(run.scenario, [run])) == list(json_text(whole.scenario, [whole]))
