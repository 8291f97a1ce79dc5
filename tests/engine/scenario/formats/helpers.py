"""Reading small traces written in the tests."""

from __future__ import annotations

import io
import json
from typing import Any

from engine.scenario.formats.readers import ImportedScenario, read


def bytes_of(*objects: Any) -> bytes:
    """The objects one after another, as traces hold them."""
    return "\n".join(json.dumps(item) for item in objects).encode()


def imported(kind: str, *objects: Any, nodes: bytes | None = None, **options: Any) -> ImportedScenario:
    return read(
        kind, io.BytesIO(bytes_of(*objects)), io.BytesIO(nodes) if nodes is not None else None, **options
    )
