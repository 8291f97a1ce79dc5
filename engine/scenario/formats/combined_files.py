"""Files of one cluster as one scenario: a scenario, a trace or a history of any number of files, its nodes,
and the cluster's own configuration.
"""

from __future__ import annotations

import io
from collections.abc import Container, Iterable

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario, standalone_scenario
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.formats.archives import ARCHIVE, ZIP, members
from engine.scenario.formats.configuration_files import CONFIGURATIONS, as_imported, read_whole
from engine.scenario.formats.history_files import ADDERS, JOB_CONF, SPARK_POOLS, HistoryFiles
from engine.scenario.formats.import_notes import still_assumed
from engine.scenario.formats.json_stream import HEAD_BYTES, ByteStream, PrefixedStream, Source, unpacked
from engine.scenario.formats.node_files import NODES, read_nodes
from engine.scenario.formats.readers import READABLE, REFUSALS, SCENARIO, detect, read
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.formats.time_window import ALL_JOBS, Part
from engine.scenario.measured import fingerprint
from engine.scenario.model import Scenario

CONFIGURATION_KINDS = {configuration_format.kind for configuration_format in CONFIGURATIONS}
# bytes of a scenario or a trace within an archive, which has to wait for its nodes
MAX_BUFFERED_BYTES = 2**28
MAX_LISTED_FILES = 5  # files of an archive or a folder that are none of these


def read_files(
    files: Iterable[tuple[str, ByteStream]],
    kind: str | None = None,
    title: str = "",
    max_bytes: int | None = None,
    max_tasks: int | None = None,
    part: Part = ALL_JOBS,
    named: Container[str] | None = None,
) -> ImportedScenario:
    """The scenario that the files, (name, stream) each, gzip or plain, make together.

    One of them may be a scenario or a trace, or any number a cluster's history, one a nodes file, the others
    Hadoop's configuration; without the first, stand-ins run. Archives stand for the files in them; what is
    none of these there, such as log4j.properties, is told and ignored. Histories are read as they come, one
    at a time; `max_bytes` is of all text.
    kind: of the first file, where it is said; part: of a trace or history; named: the files that were
    asked for one by one, None for all, else the others are ignored as an archive's are. FormatError,
    ScenarioError and TooLarge as `readers.read`, `Scenario.read` and `read_configuration` say.
    """
    sorter = _FileSorter(max_bytes, max_tasks, part, named)
    for index, (name, stream) in enumerate(files):
        sorter.add(name, stream, kind if not index else None)
    sorter.sort_job_configuration()
    configuration = read_configuration(sorter.sources) if sorter.sources else None
    base = sorter.base(title, configuration.job_settings if configuration else None)
    if base and not configuration:
        return base
    assert configuration is not None  # base raises where there is nothing
    if base is None:
        result = as_imported(standalone_scenario(configuration, title))
        return ImportedScenario(result.scenario, [*sorter.notes, *result.notes], result.scheduler)
    configured = configure_scenario(base.scenario, configuration, reported_scheduler=base.scheduler)
    result = as_imported(configured)
    return ImportedScenario(
        _still_measured(result.scenario, base.scenario),
        [*still_assumed(base.notes, configured.overruled), *result.notes],
        result.scheduler or base.scheduler,
    )


def _still_measured(scenario: Scenario, base: Scenario) -> Scenario:
    """With the record of its base, whose nodes have the sizes that the configuration gives them."""
    if base.measured is None or base.measured.of != fingerprint(base):
        return scenario
    data = scenario.plain()
    data["measured"] = data["measured"] | {"of": fingerprint(scenario)}
    return Scenario.of(data)


class _FileSorter:
    """Sorts files by their kinds; `sources`: those of the configuration; notes: sentences of what is passed
    over.
    """

    def __init__(
        self,
        max_bytes: int | None,
        max_tasks: int | None,
        part: Part,
        named: Container[str] | None,
    ) -> None:
        self.sources: list[tuple[str, bytes]] = []
        self.notes: list[str] = []
        self._named = named
        self._max_bytes, self._max_tasks, self._part = max_bytes, max_tasks, part
        self._history = HistoryFiles(max_tasks, part)
        self._nodes: tuple[str, ByteStream] | None = None
        self._traces: list[tuple[str, str, ByteStream]] = []
        self._unknown: list[str] = []
        self._must_be_known: list[str] = []  # of these, those that were asked for
        self._empty: list[str] = []  # of these, those without a text
        self._of_history = False
        self._pools: list[str] = []  # allocation files of Spark
        self._job_configuration: tuple[str, bytes] | None = None

    def add(self, name: str, stream: ByteStream, kind: str | None, is_member: bool = False) -> None:
        """One file. is_member: it stands in an archive, and its stream ends when the next file is asked
        for.
        """
        head = stream.read(HEAD_BYTES)
        detected = kind or detect(head, name)
        prefixed = PrefixedStream(head, stream)
        if detected is None:
            self._unknown.append(name)
            self._empty += [name] * (not unpacked(head).strip())
            if not is_member and (self._named is None or name in self._named):
                self._must_be_known.append(name)
        elif detected in REFUSALS:
            self.notes.append(f"{name}: {REFUSALS[detected]}")
        elif detected == ARCHIVE.kind and is_member:
            self.notes.append(msg("scenario.combined_files.archive_within_archive_which_not_read", name=name))
        elif detected == ARCHIVE.kind:
            for member_name, member in members(
                name, prefixed, head.startswith(ZIP), self._max_bytes, self.notes
            ):
                self._add_member(member_name, member)
        elif detected == JOB_CONF.kind and not self._job_configuration:
            self._job_configuration = name, read_whole(Source(prefixed, self._max_bytes))
            stream = io.BytesIO(self._job_configuration[1])
            self._spend_bytes(self._history.add(detected, name, stream, self._max_bytes))
        elif detected in ADDERS:
            self._of_history |= detected not in (JOB_CONF.kind, SPARK_POOLS.kind)
            self._pools += [name] * (detected == SPARK_POOLS.kind)
            self._spend_bytes(self._history.add(detected, name, prefixed, self._max_bytes))
        elif detected in CONFIGURATION_KINDS:
            self.sources.append((name, read_whole(Source(prefixed, self._max_bytes))))
        elif detected == NODES.kind and not self._nodes:
            self._nodes = name, _buffer(name, prefixed) if is_member else prefixed
        else:
            self._traces.append((detected, name, _buffer(name, prefixed) if is_member else prefixed))

    def _add_member(self, name: str, stream: ByteStream) -> None:
        """A file of an archive: where it is broken, the others are read nevertheless."""
        try:
            self.add(name, stream, None, is_member=True)
        except FormatError as error:
            self.notes.append(str(error) if name in str(error) else f"{name}: {error}")

    def _spend_bytes(self, count: int) -> None:
        if self._max_bytes is not None:
            self._max_bytes = max(0, self._max_bytes - count)

    def sort_job_configuration(self) -> None:
        """Once all are added: a job's configuration beside a trace or a cluster's files, without a history,
        stands for mapred-site.xml.
        """
        if self._job_configuration and not self._of_history:
            if self._traces or self.sources:
                self.sources.append(self._job_configuration)
            else:
                self._of_history = True

    def base(self, title: str, job_settings: JobSettings | None) -> ImportedScenario | None:
        """The scenario, trace or history with its nodes, whose jobs have these settings where they say
        nothing themselves; None where there is none. FormatError where they don't belong together, or nothing
        is known.
        """
        unknown = self._must_be_known or ([] if self._traces or self.sources else self._unknown)
        if unknown and not self._of_history:
            raise FormatError(self._what_it_is_not(unknown[0]))
        if self._unknown:
            self.notes.append(
                msg("scenario.combined_files.ignored_format_not_supported", names=_listed(self._unknown))
            )
        if self._of_history:
            return self._from_history(title, job_settings)
        if self._pools:
            self.notes.append(msg("scenario.combined_files.pools_without_log", names=_listed(self._pools)))
        if len(self._traces) > 1:
            raise FormatError(
                msg(
                    "scenario.combined_files.and_cant_be_read_together_one",
                    traces=self._traces[0][1],
                    traces2=self._traces[1][1],
                )
            )
        if self._nodes and (not self._traces or self._traces[0][0] == SCENARIO.kind):
            raise FormatError(
                msg("scenario.combined_files.nodes_file_which_belongs_to_trace", nodes=self._nodes[0])
            )
        if self._traces:
            kind, _, stream = self._traces[0]
            if kind == SCENARIO.kind:
                return ImportedScenario(
                    Scenario.read(read_whole(Source(stream, self._max_bytes))), self.notes
                )
            nodes = self._nodes and self._nodes[1]
            result = read(
                kind, stream, nodes, title, self._max_bytes, self._max_tasks, self._part, job_settings
            )
            return ImportedScenario(result.scenario, [*self.notes, *result.notes], result.scheduler)
        if not self.sources:
            raise FormatError(
                self.notes[0] if self.notes else msg("scenario.combined_files.no_file_can_be_read_given")
            )
        return None

    def _what_it_is_not(self, name: str) -> str:
        """What is told of a file of no kind."""
        if name in self._empty:
            return msg("scenario.combined_files.empty", name=name)
        return msg("scenario.combined_files.not", unknown=name, readable=READABLE)

    def _from_history(self, title: str, job_settings: JobSettings | None) -> ImportedScenario:
        """The history, beside which traces and scenarios are passed over."""
        notes, nodes = list(self.notes), None
        if self._nodes:
            name, stream = self._nodes
            try:
                nodes = read_nodes(Source(stream, self._max_bytes))
            except FormatError as error:
                notes.append(msg("scenario.combined_files.ignored", nodes=name, error=error))
        result = self._history.build(title, nodes, job_settings)
        if self._traces:
            names = _listed([name for _, name, _ in self._traces])
            notes.append(msg("scenario.combined_files.ignored_next_to_history", names=names))
        return ImportedScenario(result.scenario, [*notes, *result.notes], result.scheduler)


def _listed(names: list[str]) -> str:
    """The first names, and how many there are more."""
    more = len(names) - MAX_LISTED_FILES
    overflow = msg("scenario.combined_files.and_more", names=more) if more > 0 else ""
    return ", ".join(names[:MAX_LISTED_FILES]) + overflow


def _buffer(name: str, stream: PrefixedStream) -> ByteStream:
    """All of a file of an archive. TooLarge beyond what is kept."""
    parts, count = [], 0
    while part := stream.read(HEAD_BYTES):
        parts.append(part)
        count += len(part)
        if count > MAX_BUFFERED_BYTES:
            raise TooLarge(
                msg(
                    "scenario.combined_files.has_more_than_bytes_maximum_inside",
                    name=name,
                    max_buffered_bytes=MAX_BUFFERED_BYTES,
                )
            )
    return io.BytesIO(b"".join(parts))
