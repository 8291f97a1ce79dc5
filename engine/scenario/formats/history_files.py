"""A cluster's history as files: job histories, their configurations, REST answers, any number of them, as one scenario."""

from __future__ import annotations

from typing import BinaryIO

from engine.errors import FormatError, TooLarge
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.stream import Source
from engine.scenario.history.answers import is_answer
from engine.scenario.history.jhist import add_jhist, is_jhist
from engine.scenario.history.job_properties import add_conf, is_job_conf
from engine.scenario.history.making import made
from engine.scenario.history.records import History
from engine.scenario.history.rest import add_rest, complete

__all__ = ["ADD", "HISTORY", "JHIST", "JOB_CONF", "HistoryFiles", "is_answer", "is_jhist", "is_job_conf"]

MOST_ATTEMPTS = 10_000_000  # of all files together
MOST_TOLD = 30  # files that can't be read, by name
ADD = {"jhist": add_jhist, "job-conf": add_conf, "history": add_rest}


class HistoryFiles:
    """Gathers files one after another; `count` of them were read, of so many bytes."""

    def __init__(self, most_tasks: int | None = None) -> None:
        self._history = History()
        self._faults: list[str] = []
        self._most_tasks = most_tasks
        self.count = 0

    def add(self, kind: str, name: str, stream: BinaryIO, most_bytes: int | None) -> int:
        """Reads a file, gzip or plain, and returns its bytes of text; where it can't be read that is told later. TooLarge beyond the bounds."""
        source = Source(stream, most_bytes, self._most_tasks, of_json=False)
        try:
            ADD[kind](self._history, source, name)
            self.count += 1
        except FormatError as error:
            self._faults.append(str(error) if name in str(error) else f"{name}: {error}")
        self._attempts += len(self._history.jobs[-1].attempts) if kind == "jhist" and self._history.jobs else 0
        if self._attempts > MOST_ATTEMPTS:
            raise TooLarge(f"more than {MOST_ATTEMPTS:,} attempts of tasks")
        return source.count

    _attempts = 0

    def imported(self, title: str, nodes: set[Node] | None) -> Imported:
        """The scenario of all. FormatError where nothing in them ran, with the first file that could not be read."""
        complete(self._history)
        try:
            found = made(self._history, nodes, title, self._most_tasks)
        except FormatError as error:
            raise FormatError(self._faults[0] if self._faults else str(error)) from None
        more = [f"{len(self._faults) - MOST_TOLD:,} more files can't be read"] if len(self._faults) > MOST_TOLD else []
        return Imported(found.scenario, [*self._faults[:MOST_TOLD], *more, *found.assumed], found.scheduler)


def _read(kind: str, source: Source, nodes: set[Node] | None, title: str) -> Imported:
    files = HistoryFiles(source.most_tasks)
    files.add(kind, title or "the file", source, None)
    return files.imported(title, nodes)


def _format(kind: str, title: str, suffixes: tuple[str, ...]) -> FileFormat:
    return FileFormat(kind, title, (), suffixes, lambda source, nodes, name: _read(kind, source, nodes, name))


JHIST = _format("jhist", "a MapReduce job history", (".jhist",))
JOB_CONF = FileFormat("job-conf", "a job's configuration", (), (".xml",))
HISTORY = _format("history", "REST answers of a cluster", (".json",))
