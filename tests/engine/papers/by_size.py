"""Which experiments `make test` runs: the small ones of every paper; `make everything` runs all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from engine.papers import paper_experiments

QUICK_THOUSANDS = 150  # containers that are simulated


def by_size(keys: Iterable[str], paper: str = "") -> list[Any]:
    """Keys, of one paper or whole names, the large ones marked."""
    thousand_containers = {
        key: paper_experiments()[f"{paper}/{key}" if paper else key].thousand_containers for key in keys
    }
    return [
        key if size <= QUICK_THOUSANDS else pytest.param(key, marks=pytest.mark.everything)
        for key, size in thousand_containers.items()
    ]
