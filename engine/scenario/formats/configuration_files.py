"""Hadoop's own configuration files as formats: each alone makes a scenario with stand-ins for nodes and jobs."""

from __future__ import annotations

import re

from engine.errors import FormatError
from engine.scenario.configuration.applying import Configured, stand_in
from engine.scenario.configuration.reading import CAPACITY_XML, FAIR_XML, SITE_XML, read_configuration
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.formats.batch import Imported
from engine.scenario.formats.file_format import FileFormat
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.stream import BYTE_ORDER_MARK, Source

ALLOCATIONS, PROPERTIES, OF_CAPACITY = "<allocations>", "<configuration>", "<configuration> of queues"
ROOT_TAG = re.compile(rb"<(allocations|configuration)[\s/>]")
SUFFIXES = (".xml",)


def xml_keys(head: bytes) -> list[str]:
    """What the first bytes of an XML file of Hadoop's are known by, else nothing."""
    rest = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    while rest.startswith((b"<?", b"<!--")):
        _, _, rest = rest.partition(b"?>" if rest.startswith(b"<?") else b"-->")
        rest = rest.lstrip()
    found = ROOT_TAG.match(rest)
    if not found:
        return []
    if found[1] == b"allocations":
        return [ALLOCATIONS]
    return [OF_CAPACITY if CAPACITY.encode() in rest else PROPERTIES]


def in_notes(made: Configured) -> list[str]:
    """What is told of a configuration, its scheduler first."""
    return [f"the scheduler is {made.scheduler}", *map(str, made.notes)]


def _read(file: str, source: Source, nodes: set[Node] | None, title: str) -> Imported:
    if nodes is not None:
        raise FormatError("a nodes file belongs to a trace, not to a configuration")
    parts = []
    while part := source.read():
        parts.append(part)
    made = stand_in(read_configuration([(file, b"".join(parts))]), title)
    return Imported(made.scenario, in_notes(made))


def _format(kind: str, file: str, key: str) -> FileFormat:
    return FileFormat(kind, f"a {file}", (key,), SUFFIXES, lambda source, nodes, title: _read(file, source, nodes, title))


FAIR_FORMAT = _format(FAIR_XML, "fair-scheduler.xml", ALLOCATIONS)
CAPACITY_FORMAT = _format(CAPACITY_XML, "capacity-scheduler.xml", OF_CAPACITY)
SITE_FORMAT = _format(SITE_XML, "yarn-site.xml", PROPERTIES)
