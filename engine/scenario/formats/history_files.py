"""A cluster's history as files: job histories, their configurations, event logs, REST answers, any number of
them, as one scenario.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.formats.configuration_files import OF_SPARK
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import ByteStream, Source
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.formats.time_window import ALL_JOBS, Part
from engine.scenario.history.history_scenario import scenario_from_history
from engine.scenario.history.jhist import add_jhist, is_jhist
from engine.scenario.history.job_properties import add_conf, is_job_conf
from engine.scenario.history.records import History
from engine.scenario.history.rest_history import add_rest_responses, merge_responses
from engine.scenario.history.rest_responses import is_rest_response
from engine.scenario.history.spark.event_log import add_event_log, is_event_log, is_status_file
from engine.scenario.history.spark.spark_pools import add_pools

__all__ = [
    "ADDERS",
    "HISTORY",
    "JHIST",
    "JOB_CONF",
    "HistoryFiles",
    "SPARK",
    "SPARK_POOLS",
    "is_event_log",
    "is_rest_response",
    "is_status_file",
    "is_jhist",
    "is_job_conf",
]

MAX_ATTEMPTS = 10_000_000  # of all files together
MAX_LISTED_FILES = 30  # files that can't be read, by name
# each returns how many attempts of tasks it has added, or None
ADDERS: dict[str, Callable[[History, Source, str], int | None]] = {
    "jhist": add_jhist,
    "job-conf": add_conf,
    "history": add_rest_responses,
    "spark": add_event_log,
    "spark-pools": add_pools,
}


class HistoryFiles:
    """Gathers files one after another; `count` of them were read, of so many bytes."""

    def __init__(self, max_tasks: int | None = None, part: Part = ALL_JOBS) -> None:
        self._history = History()
        self._faults: list[str] = []
        self._names: dict[str, str] = {}  # of the last file of each kind
        self._max_tasks, self._part = max_tasks, part
        self._attempts = 0
        self.count = 0

    def add(self, kind: str, name: str, stream: ByteStream, max_bytes: int | None) -> int:
        """Reads a file, gzip or plain, and returns its bytes of text; where it can't be read that is told
        later. TooLarge beyond the bounds.
        """
        source = Source(stream, max_bytes, self._max_tasks, is_json=False)
        try:
            self._attempts += ADDERS[kind](self._history, source, name) or 0
            self._names[kind] = name
            self.count += 1
        except FormatError as error:
            self._faults.append(str(error) if name in str(error) else f"{name}: {error}")
        if self._attempts > MAX_ATTEMPTS:
            raise TooLarge(msg("scenario.history_files.more_than_attempts_tasks", max_attempts=MAX_ATTEMPTS))
        return source.count

    def build(
        self, title: str, nodes: set[Node] | None, job_settings: JobSettings | None = None
    ) -> ImportedScenario:
        """The scenario of all; job_settings: what mapred-site.xml gives jobs. FormatError where nothing in
        them ran, with the first file that could not be read.
        """
        merge_responses(self._history)
        try:
            result = scenario_from_history(
                self._history, nodes, title, self._max_tasks, self._part, job_settings
            )
        except FormatError as error:
            sentence = str(error)
            if [*self._names] == [JOB_CONF.kind]:
                name = self._names[JOB_CONF.kind]
                sentence = msg("scenario.history_files.job_configuration_alone", name=name)
            elif self._history.notes:
                sentence = msg(
                    "scenario.history_files.with_note", fault=sentence, note=self._history.notes[0]
                )
            raise FormatError(self._faults[0] if self._faults else sentence) from None
        overflow = (
            [
                msg(
                    "scenario.history_files.more_files_cant_be_read",
                    faults=len(self._faults) - MAX_LISTED_FILES,
                )
            ]
            if len(self._faults) > MAX_LISTED_FILES
            else []
        )
        return ImportedScenario(
            result.scenario,
            [*self._faults[:MAX_LISTED_FILES], *overflow, *result.notes],
            result.scheduler,
        )


def _read(kind: str, source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    files = HistoryFiles(source.max_tasks, source.part)
    files.add(kind, title or msg("scenario.history_files.file"), source, None)
    return files.build(title, nodes)


def _format(kind: str, title: str, suffixes: tuple[str, ...]) -> FileFormat:
    return FileFormat(kind, title, (), suffixes, lambda source, nodes, name: _read(kind, source, nodes, name))


JHIST = _format("jhist", msg("scenario.history_files.mapreduce_job_history"), (".jhist",))
JOB_CONF = FileFormat("job-conf", msg("scenario.history_files.jobs_configuration"), (), (".xml",))
HISTORY = _format("history", msg("scenario.history_files.rest_answers_cluster"), (".json",))
SPARK = _format(
    "spark", msg("scenario.history_files.spark_event_log"), (".inprogress", ".lz4", ".snappy", ".zstd")
)
SPARK_POOLS = FileFormat("spark-pools", msg("scenario.history_files.spark_pools"), (OF_SPARK,), (".xml",))
