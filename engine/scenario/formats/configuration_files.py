"""Hadoop's own configuration files as formats: each alone makes a scenario with stand-ins for nodes and
jobs.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.configuration_reader import (
    CAPACITY_XML,
    FAIR_XML,
    MAPRED_XML,
    SITE_XML,
    read_configuration,
)
from engine.scenario.configuration.configured_scenario import ConfiguredScenario, standalone_scenario
from engine.scenario.configuration.hadoop_properties import is_read
from engine.scenario.configuration.mapreduce_settings import is_of_mapreduce
from engine.scenario.configuration.scheduler_conf import CONFIGURATION_KEY
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.configuration.xml_tree import MAX_BYTES, decoded
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.json_stream import BYTE_ORDER_MARK, Source
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.scenario_builder import ImportedScenario

ALLOCATIONS, PROPERTIES, OF_CAPACITY = "<allocations>", "<configuration>", "<configuration> of queues"
OF_JOBS = "<configuration> of jobs"
OF_SPARK = "<allocations> of Spark"
# Instructions, comments and a document type.
BEFORE_ROOT = re.compile(rb"\A(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>)*", re.DOTALL)
ROOT_TAG = re.compile(rb"<([\w:.-]+)[\s/>]")
USUAL_ROOTS = (b"configuration", b"property")
PROPERTY_NAME = re.compile(rb"<name>\s*([^<\s]{1,200})\s*</name>")
# what pools have in Spark's file alone, and in Hadoop's alone
SPARK_POOL = re.compile(rb"<(?:schedulingMode|minShare)>")
HADOOP_POOL = re.compile(rb"<(?:queue|min(?:Maps|Reduces|Resources)|max\w+|\w+Default)\b")
SUFFIXES = (".xml",)


def xml_keys(head: bytes) -> list[str]:
    """What the first bytes of an XML file of Hadoop's are known by, else nothing."""
    if head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        head = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    elif isinstance(text := decoded(head), str):
        head = text.encode()
    body = BEFORE_ROOT.sub(b"", head.removeprefix(BYTE_ORDER_MARK), 1)
    match = ROOT_TAG.match(body)
    if not match:
        return []
    if match[1] == b"allocations":
        is_of_spark = SPARK_POOL.search(body) and not HADOOP_POOL.search(body)
        return [OF_SPARK if is_of_spark else ALLOCATIONS]
    if CAPACITY.encode() in body:
        return [OF_CAPACITY]
    names = [name.decode("utf-8", "replace") for name in PROPERTY_NAME.findall(body)]
    if match[1] not in USUAL_ROOTS and not any(map(is_read, names)):
        return []
    return [OF_JOBS if 2 * sum(map(is_of_mapreduce, names)) > len(names) else PROPERTIES]


def as_imported(result: ConfiguredScenario) -> ImportedScenario:
    """It with what is to be told of it, its scheduler first."""
    scheduler = msg("scenario.configuration_files.scheduler", scheduler=result.scheduler)
    first = [scheduler] if result.scheduler else []
    return ImportedScenario(result.scenario, [*first, *result.notes], result.scheduler)


def read_whole(source: Source) -> bytes:
    """All of a configuration. TooLarge beyond what one may hold."""
    parts = []
    while part := source.read():
        parts.append(part)
        if source.count > MAX_BYTES:
            raise TooLarge(
                msg(
                    "scenario.configuration_files.configuration_holds_at_most_bytes_text", max_bytes=MAX_BYTES
                )
            )
    return b"".join(parts)


def _read(file: str, source: Source, nodes: set[Node] | None, title: str) -> ImportedScenario:
    if nodes is not None:
        raise FormatError(msg("scenario.configuration_files.nodes_file_belongs_to_trace_not"))
    return as_imported(standalone_scenario(read_configuration([(file, read_whole(source))]), title))


def _format(kind: str, file: str, *keys: str) -> FileFormat:
    return FileFormat(
        kind, f"a {file}", keys, SUFFIXES, lambda source, nodes, title: _read(file, source, nodes, title)
    )


FAIR_FORMAT = _format(FAIR_XML, "fair-scheduler.xml", ALLOCATIONS)
CAPACITY_FORMAT = _format(CAPACITY_XML, "capacity-scheduler.xml", OF_CAPACITY, CONFIGURATION_KEY)
SITE_FORMAT = _format(SITE_XML, "yarn-site.xml", PROPERTIES)
MAPRED_FORMAT = _format(MAPRED_XML, "mapred-site.xml", OF_JOBS)
CONFIGURATIONS = (FAIR_FORMAT, CAPACITY_FORMAT, SITE_FORMAT, MAPRED_FORMAT)
PROPERTY_FILES = {
    CAPACITY_XML,
    SITE_XML,
    MAPRED_XML,
}  # told apart by their properties alone, which may stand late
