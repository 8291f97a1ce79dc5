"""Several files as one scenario: a scenario or a trace, the nodes of the trace, and the cluster's own configuration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from engine.errors import FormatError
from engine.scenario.configuration.applying import configured, stand_in
from engine.scenario.configuration.reading import read_configuration
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.configuration_files import CONFIGURATIONS, imported, whole
from engine.scenario.formats.nodes import NODES
from engine.scenario.formats.readers import OPENED, SCENARIO, detect, read
from engine.scenario.formats.stream import HEAD_BYTES, Rest, Source
from engine.scenario.model import Scenario

OF_CONFIGURATION = {one.kind for one in CONFIGURATIONS}


def read_together(
    files: Sequence[tuple[str, BinaryIO]], kind: str | None = None, title: str = "", most_bytes: int | None = None, most_tasks: int | None = None
) -> Imported:
    """The scenario that the files, (name, stream) each, gzip or plain, make together.

    One of them may be a scenario or a trace, one its nodes file, the others are Hadoop's configuration; without the first, stand-ins run.
    kind: of the first file, where it is said. FormatError, ScenarioError and TooLarge as `readers.read`, `Scenario.read` and `read_configuration` say.
    """
    found: dict[str, tuple[str, Rest]] = {}
    sources: list[tuple[str, bytes]] = []
    for place, (name, stream) in enumerate(files):
        head = stream.read(HEAD_BYTES)
        seems = kind if kind and not place else detect(head)
        if seems is None:
            raise FormatError(f"{name} is not {OPENED}")
        rest = Rest(head, stream)
        if seems in OF_CONFIGURATION:
            sources.append((name, whole(Source(rest, most_bytes))))
        elif seems == NODES.kind and seems not in found:
            found[seems] = name, rest
        elif set(found) - {NODES.kind} or seems in found:
            raise FormatError(f"{found.get(seems, next(iter(found.values())))[0]} and {name} can't be read together: one scenario or trace at a time")
        else:
            found[seems] = name, rest
    nodes = found.pop(NODES.kind, None)
    if nodes and (not found or SCENARIO.kind in found):
        raise FormatError(f"{nodes[0]} is a nodes file, which belongs to a trace")
    base = None
    for own, (_, stream) in found.items():
        if own == SCENARIO.kind:
            base = Imported(Scenario.read(whole(Source(stream, most_bytes))), [])
        else:
            base = read(own, stream, nodes and nodes[1], title, most_bytes, most_tasks)
    if not sources:
        return base
    configuration = read_configuration(sources)
    if base is None:
        return imported(stand_in(configuration, title))
    made = imported(configured(base.scenario, configuration))
    return Imported(made.scenario, [*base.assumed, *made.assumed], made.scheduler)
