"""Files of one cluster as one scenario: a scenario, a trace or a history of any number of files, its nodes, and the cluster's own configuration."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import BinaryIO

from engine.errors import FormatError, TooLarge
from engine.scenario.configuration.applying import configured, stand_in
from engine.scenario.configuration.reading import read_configuration
from engine.scenario.formats.archives import ARCHIVE, ZIP, members
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.configuration_files import CONFIGURATIONS, imported, whole
from engine.scenario.formats.history_files import ADD, HistoryFiles
from engine.scenario.formats.nodes import NODES, read_nodes
from engine.scenario.formats.readers import OPENED, SCENARIO, detect, read
from engine.scenario.formats.stream import HEAD_BYTES, Rest, Source
from engine.scenario.measured import fingerprint
from engine.scenario.model import Scenario

OF_CONFIGURATION = {one.kind for one in CONFIGURATIONS}
MOST_KEPT = 2**28  # bytes of a scenario or a trace within an archive, which has to wait for its nodes
MOST_TOLD = 5  # files of an archive or a folder that are none of these


def read_together(
    files: Iterable[tuple[str, BinaryIO]], kind: str | None = None, title: str = "", most_bytes: int | None = None, most_tasks: int | None = None
) -> Imported:
    """The scenario that the files, (name, stream) each, gzip or plain, make together.

    One of them may be a scenario or a trace, or any number a cluster's history, one a nodes file, the others Hadoop's configuration; without the first,
    stand-ins run. Archives stand for the files in them. Histories are read as they come, one at a time; `most_bytes` is of all text.
    kind: of the first file, where it is said. FormatError, ScenarioError and TooLarge as `readers.read`, `Scenario.read` and `read_configuration` say.
    """
    sorted_out = _Files(most_bytes, most_tasks)
    for place, (name, stream) in enumerate(files):
        sorted_out.add(name, stream, kind if not place else None)
    base = sorted_out.base(title)
    if not sorted_out.sources:
        return base
    configuration = read_configuration(sorted_out.sources)
    if base is None:
        made = imported(stand_in(configuration, title))
        return Imported(made.scenario, [*sorted_out.told, *made.assumed], made.scheduler)
    made = imported(configured(base.scenario, configuration, placing=base.scenario.measured is None, answered=base.scheduler))
    return Imported(_still_measured(made.scenario, base.scenario), [*base.assumed, *made.assumed], made.scheduler)


def _still_measured(scenario: Scenario, base: Scenario) -> Scenario:
    """With the record of its base, whose nodes have the sizes that the configuration gives them."""
    if base.measured is None or base.measured.of != fingerprint(base):
        return scenario
    plain = scenario.plain()
    plain["measured"] = plain["measured"] | {"of": fingerprint(scenario)}
    return Scenario.of(plain)


class _Files:
    """Sorts files by their kinds; `sources`: those of the configuration; told: sentences of what is passed over."""

    def __init__(self, most_bytes: int | None, most_tasks: int | None) -> None:
        self.sources: list[tuple[str, bytes]] = []
        self.told: list[str] = []
        self._most_bytes, self._most_tasks = most_bytes, most_tasks
        self._history = HistoryFiles(most_tasks)
        self._nodes: tuple[str, BinaryIO] | None = None
        self._traced: list[tuple[str, str, BinaryIO]] = []
        self._unknown: list[str] = []
        self._of_history = False

    def add(self, name: str, stream: BinaryIO, kind: str | None, packed: bool = False) -> None:
        """One file. packed: it stands in an archive, and its stream ends when the next file is asked for."""
        head = stream.read(HEAD_BYTES)
        seems = kind or detect(head, name)
        rest = Rest(head, stream)
        if seems is None:
            self._unknown.append(name)
        elif seems == ARCHIVE.kind and packed:
            self.told.append(f"{name} is an archive within an archive, which is not read")
        elif seems == ARCHIVE.kind:
            for one, member in members(name, rest, head.startswith(ZIP), self._most_bytes, self.told):
                self._packed(one, member)
        elif seems in ADD:
            self._of_history = True
            self._spend(self._history.add(seems, name, rest, self._most_bytes))
        elif seems in OF_CONFIGURATION:
            self.sources.append((name, whole(Source(rest, self._most_bytes))))
        elif seems == NODES.kind and not self._nodes:
            self._nodes = name, _kept(name, rest) if packed else rest
        else:
            self._traced.append((seems, name, _kept(name, rest) if packed else rest))

    def _packed(self, name: str, stream: BinaryIO) -> None:
        """A file of an archive: where it is broken, the others are read nevertheless."""
        try:
            self.add(name, stream, None, packed=True)
        except FormatError as error:
            self.told.append(str(error) if name in str(error) else f"{name}: {error}")

    def _spend(self, count: int) -> None:
        if self._most_bytes is not None:
            self._most_bytes = max(0, self._most_bytes - count)

    def base(self, title: str) -> Imported | None:
        """The scenario, trace or history with its nodes; None where there is none. FormatError where they don't belong together, or nothing is known."""
        if self._unknown and not self._of_history:
            raise FormatError(f"{self._unknown[0]} is not {OPENED}")
        if self._of_history:
            return self._made(title)
        if len(self._traced) > 1:
            raise FormatError(f"{self._traced[0][1]} and {self._traced[1][1]} can't be read together: one scenario or trace at a time")
        if self._nodes and (not self._traced or self._traced[0][0] == SCENARIO.kind):
            raise FormatError(f"{self._nodes[0]} is a nodes file, which belongs to a trace")
        if self._traced:
            kind, _, stream = self._traced[0]
            if kind == SCENARIO.kind:
                return Imported(Scenario.read(whole(Source(stream, self._most_bytes))), [])
            return read(kind, stream, self._nodes and self._nodes[1], title, self._most_bytes, self._most_tasks)
        if not self.sources:
            raise FormatError(self.told[0] if self.told else "no file that can be read is given")
        return None

    def _made(self, title: str) -> Imported:
        """The history, beside which traces and scenarios are passed over."""
        told, nodes = list(self.told), None
        try:
            nodes = read_nodes(Source(self._nodes[1], self._most_bytes)) if self._nodes else None
        except FormatError as error:
            told.append(f"{self._nodes[0]} is passed over: {error}")
        found = self._history.imported(title, nodes)
        for names, words in ((self._unknown, "of no kind that is read"), ([name for _, name, _ in self._traced], "another scenario or trace")):
            more = f" and {len(names) - MOST_TOLD:,} more" if len(names) > MOST_TOLD else ""
            told += [f"{', '.join(names[:MOST_TOLD])}{more}: {words}, passed over beside a history"] if names else []
        return Imported(found.scenario, [*told, *found.assumed], found.scheduler)


def _kept(name: str, stream: Rest) -> BinaryIO:
    """All of a file of an archive. TooLarge beyond what is kept."""
    parts, count = [], 0
    while part := stream.read(HEAD_BYTES):
        parts.append(part)
        count += len(part)
        if count > MOST_KEPT:
            raise TooLarge(f"{name} holds more than {MOST_KEPT:,} bytes, which is the most in an archive: give it by itself")
    return io.BytesIO(b"".join(parts))
