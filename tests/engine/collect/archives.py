"""What gantry-collect has packed."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

from engine.scenario.history.records import History
from engine.scenario.history.rest_history import add_rest_responses, merge_responses


def files(archive: Path) -> dict[str, bytes]:
    """What is in it by name, without the folder at its top."""
    with tarfile.open(archive) as tar:
        return {one.name.partition("/")[2]: tar.extractfile(one).read() for one in tar if one.isfile()}


def history(archive: Path) -> History:
    """As Gantry reads it."""
    result = History()
    for name, data in files(archive).items():
        if name.endswith(".json"):
            add_rest_responses(result, io.BytesIO(data), Path(name).name)
    merge_responses(result)
    return result
