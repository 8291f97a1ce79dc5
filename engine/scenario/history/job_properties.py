"""A job's configuration as JobHistory keeps it beside the history, job_…_conf.xml: of its 1,400 properties
those that are used.
"""

from __future__ import annotations

import re
from sys import intern
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.configuration import mapreduce_settings
from engine.scenario.configuration.mapreduce_settings import DEPRECATED
from engine.scenario.formats.json_stream import Source
from engine.scenario.history.records import History

USED_PROPERTIES = frozenset(
    (
        *mapreduce_settings.USED_PROPERTIES,
        "mapreduce.job.priority",
        "mapreduce.job.queuename",
        "mapreduce.job.user.name",
        "mapreduce.job.name",
        "mapreduce.job.dir",
        "yarn.nodemanager.resource.memory-mb",
        "yarn.nodemanager.resource.cpu-vcores",
        "yarn.resourcemanager.scheduler.class",
        "yarn.scheduler.minimum-allocation-mb",
        "yarn.scheduler.minimum-allocation-vcores",
        "yarn.scheduler.increment-allocation-mb",
        "yarn.scheduler.increment-allocation-vcores",
        "yarn.scheduler.maximum-allocation-mb",
        "yarn.scheduler.maximum-allocation-vcores",
    )
)
JOB = re.compile(r"job_\d+_\d+", re.ASCII)
# where its history lacks them
OF_JOB_ITSELF = {
    "name": "mapreduce.job.name",
    "user": "mapreduce.job.user.name",
    "queue": "mapreduce.job.queuename",
}
MAX_VALUE_LENGTH = 4_000  # characters of a value that is kept
MAX_DEPTH = 20
OF_JOB = re.compile(
    rb"<source>job\.xml</source>|<name>mapreduce\.job\.(?:dir|user\.name|submithostname)</name>"
)
CONF_NAME = re.compile(r"job_\d+_\d+_conf\.xml(?:\.gz)?", re.ASCII)


def is_job_conf(head: bytes, name: str = "") -> bool:
    """Whether a file that begins so is a job's configuration: XML with what only a job's has, or with a name
    that only a job's has.
    """
    return b"<configuration" in head and bool(OF_JOB.search(head) or CONF_NAME.fullmatch(name))


def add_conf(history: History, source: Source, name: str) -> None:
    """Adds the properties of a job's configuration to its job, found by the file's name, else by
    mapreduce.job.dir; what stands before a broken place is kept. FormatError where it is no configuration of
    a job, TooLarge as `Source` says."""
    reader = _Properties()
    parser = DefusedExpatParser(forbid_dtd=True, forbid_entities=True, forbid_external=True)
    parser.setContentHandler(reader)
    fault = ""
    try:
        while data := source.read():
            parser.feed(data)
        parser.close()
    except DefusedXmlException:
        raise FormatError(
            msg("scenario.job_properties.document_type_or_entity_declared_hadoops", name=name)
        ) from None
    except (SAXException, LookupError, ValueError) as error:
        fault = str(error.getMessage() if isinstance(error, SAXException) else error)[:200]
    job_id = JOB.search(name) or JOB.search(reader.values.get("mapreduce.job.dir", ""))
    if not job_id or (fault and not reader.values):
        raise FormatError(
            f"{name}: "
            + (
                msg("scenario.job_properties.not_xml", fault=fault)
                if fault
                else msg("scenario.job_properties.neither_its_name_nor_mapreduce_job")
            )
        )
    if fault:
        history.notes.append(
            msg("scenario.job_properties.truncated_or_damaged_everything_before_kept", name=name, fault=fault)
        )
    job = history.job(job_id[0])
    job.properties |= reader.values
    for key, name in OF_JOB_ITSELF.items():
        if not getattr(job, key):
            setattr(job, key, reader.values.get(name, ""))


class _Properties(ContentHandler):
    """Keeps the values of the properties that are used."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, str] = {}
        self._name = ""
        self._text: list[str] = []
        self._length = self._depth = 0

    def startElement(self, name: str, attrs: Any) -> None:
        self._text, self._length = [], 0
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise SAXException(
                msg("scenario.job_properties.elements_nested_more_than_deep", max_depth=MAX_DEPTH)
            )

    def characters(self, content: str) -> None:
        self._length += len(content)
        if self._length <= MAX_VALUE_LENGTH:
            self._text.append(content)

    def endElement(self, name: str) -> None:
        self._depth -= 1
        if name == "name":
            given = "".join(self._text).strip()
            self._name = DEPRECATED.get(given, given)
        elif name == "value" and self._name in USED_PROPERTIES:
            self.values[intern(self._name)] = intern("".join(self._text).strip())
