"""Files of other tools as scenarios. A new format is a new file that ends with its FileFormat, and one name
in FORMATS.
"""

from __future__ import annotations

import ijson

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration.mapreduce_settings import JobSettings
from engine.scenario.formats.alibaba_trace import ALIBABA_2017, ALIBABA_2018
from engine.scenario.formats.archives import ARCHIVE, is_archive
from engine.scenario.formats.configuration_files import CONFIGURATIONS, PROPERTY_FILES, xml_keys
from engine.scenario.formats.file_format import GZIP_SUFFIX, FileFormat
from engine.scenario.formats.google_trace import GOOGLE_2011, GOOGLE_2019
from engine.scenario.formats.history_files import (
    HISTORY,
    JHIST,
    JOB_CONF,
    SPARK,
    SPARK_POOLS,
    is_event_log,
    is_jhist,
    is_job_conf,
    is_rest_response,
    is_status_file,
)
from engine.scenario.formats.jmx_samples import JMX
from engine.scenario.formats.json_stream import (
    BYTE_ORDER_MARK,
    ByteStream,
    Source,
    has_long_number,
    is_broken_at_once,
    unpacked,
)
from engine.scenario.formats.node_files import NODES, read_nodes
from engine.scenario.formats.prometheus_range import PROMETHEUS
from engine.scenario.formats.rumen import RUMEN
from engine.scenario.formats.scenario_builder import ImportedScenario
from engine.scenario.formats.sls import SLS
from engine.scenario.formats.swf import SWF
from engine.scenario.formats.swim import SWIM
from engine.scenario.formats.text_rows import first_lines
from engine.scenario.formats.time_window import ALL_JOBS, Part
from engine.scenario.formats.unsupported_files import BROKEN, UNSUPPORTED, unsupported_kind

__all__ = ["FORMATS", "READABLE", "READERS", "SUFFIXES", "ImportedScenario", "detect", "read"]

TRACES = (SLS, RUMEN, SWIM, SWF, GOOGLE_2011, GOOGLE_2019, ALIBABA_2017, ALIBABA_2018)
FORMATS = (*TRACES, JHIST, SPARK, HISTORY, JMX, PROMETHEUS, *CONFIGURATIONS)
SCENARIO = FileFormat("scenario", msg("scenario.readers.scenario"), ("version", "cluster", "jobs", "queues"))

READERS = {each_format.kind: each_format.read for each_format in FORMATS if each_format.read}
ALL_FORMATS = {
    each_format.kind: each_format
    for each_format in (SCENARIO, *FORMATS, NODES, JOB_CONF, SPARK_POOLS, ARCHIVE, *UNSUPPORTED)
}
# kind -> what is said of a file that is known and not read
REFUSALS = {each_format.kind: each_format.refusal for each_format in UNSUPPORTED}
SUFFIXES = tuple(
    sorted(
        {GZIP_SUFFIX, *(suffix for each_format in ALL_FORMATS.values() for suffix in each_format.suffixes)}
    )
)
# what can be opened, in words
READABLE = (
    f"{', '.join(each_format.title for each_format in (SCENARIO, *FORMATS[:-1]))} or {FORMATS[-1].title}"
)


def read(
    kind: str,
    stream: ByteStream,
    nodes: ByteStream | None = None,
    name: str = "",
    max_bytes: int | None = None,
    max_tasks: int | None = None,
    part: Part = ALL_JOBS,
    job_settings: JobSettings | None = None,
) -> ImportedScenario:
    """The scenario of a file of this kind, packed or plain, read forward once; memory grows with its tasks,
    not with its bytes.

    `nodes`: an SLS nodes file or a Rumen topology for the cluster; without it the hosts the trace names are
    the cluster. Of more jobs than a scenario may hold, or than make `max_tasks`, the first of `part` are
    read; job_settings: what mapred-site.xml gives them. FormatError, one sentence, when the
    file is broken, cut off, of another kind or makes no scenario; TooLarge when either file holds more than
    `max_bytes` once decompressed, or its first job more tasks than `max_tasks`.
    """
    if kind in REFUSALS:
        raise FormatError(REFUSALS[kind])
    if kind not in READERS:
        raise FormatError(
            msg("scenario.readers.not_supported_format_choose_one", kind=kind, readers=", ".join(READERS))
        )
    is_json = kind not in (JHIST.kind, SPARK.kind, HISTORY.kind)
    source = Source(stream, max_bytes, max_tasks, is_json, part, job_settings)
    _check_kind(kind, source.head)
    known_nodes = None
    if nodes is not None:
        nodes_source = Source(nodes, max_bytes)
        _check_kind("nodes", nodes_source.head)
        known_nodes = read_nodes(nodes_source)
    return READERS[kind](source, known_nodes, name)


def detect(head: bytes, name: str = "") -> str | None:
    """What a file seems to be from its first bytes (some 1,000 do, packed or plain): "scenario", "rumen",
    "jhist", "nodes", "fair-xml", "archive", … or None.

    Of XML a licence at its beginning must be within them, and for capacity-xml the first of its properties;
    of lines one that is whole. name: the file's, which tells a job's configuration where its first bytes do
    not.
    """
    if is_archive(head):
        return ARCHIVE.kind
    if is_broken_at_once(head):
        return BROKEN.kind
    head = unpacked(head)
    if kind := unsupported_kind(head):
        return kind
    if is_jhist(head):
        return JHIST.kind
    if is_event_log(head) or (not head and is_status_file(name)):
        return SPARK.kind
    if is_rest_response(head):
        return HISTORY.kind
    if is_job_conf(head, name):
        return JOB_CONF.kind
    for key in _first_keys(head):
        for file_format in ALL_FORMATS.values():
            if file_format.matches_key(key):
                return file_format.kind
    lines = first_lines(head)
    return next(
        (
            file_format.kind
            for file_format in ALL_FORMATS.values()
            if file_format.looks_like and file_format.looks_like(lines)
        ),
        None,
    )


def convertible_title(head: bytes, name: str = "") -> str | None:
    """What a file is that is no scenario itself and makes one, from its first bytes and its name: "a Spark
    event log"; None of others.
    """
    kind = detect(head, name)
    return ALL_FORMATS[kind].title if kind in (*READERS, JOB_CONF.kind, ARCHIVE.kind) else None


def _check_kind(kind: str, head: bytes) -> None:
    if not head:
        raise FormatError(msg("scenario.readers.file_empty_must_contain", title=ALL_FORMATS[kind].title))
    detected = detect(head)
    if detected not in (None, kind) and not {detected, kind} <= PROPERTY_FILES:
        raise FormatError(
            msg(
                "scenario.readers.looks_like_not",
                title=ALL_FORMATS[detected].title,
                title2=ALL_FORMATS[kind].title,
            )
        )


def _first_keys(head: bytes) -> list[str]:
    """The keys of the first object, or what XML begins with, as far as the bytes go."""
    keys: list[str] = []
    depth = 0
    try:
        if tags := xml_keys(head):
            return tags
        if has_long_number(head):
            return keys
        for event, value in ijson.basic_parse(head.removeprefix(BYTE_ORDER_MARK), multiple_values=True):
            if event == "map_key" and depth == 1:
                keys.append(value)
            depth += event in ("start_map", "start_array")
            depth -= event in ("end_map", "end_array")
            if not depth:
                break
    except (ijson.JSONError, ValueError, ArithmeticError):
        pass
    return keys
