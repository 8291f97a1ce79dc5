"""Properties of jobs and of the cluster, and job history files of a local folder, such as a copy of
mapreduce.jobhistory.done-dir.
"""

import gzip
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from engine.collect.anonymiser import Anonymiser
from engine.collect.kept_fields import (
    KEPT_JOB_PROPERTIES,
    KEPT_QUEUE_DEFAULTS,
    KEPT_QUEUE_PROPERTIES,
    KEPT_SITE_PROPERTIES,
    QUEUE,
    SAFE_VALUE,
)

JHIST = re.compile(r"job_[0-9]+_[0-9]+-([0-9]+)-.*-([0-9]+)-[0-9]+-[0-9]+-[A-Z]+-.*\.jhist(?:\.gz)?$")


def select_properties(
    pairs: "Iterable[tuple[Any, Any]]", keep: "Callable[[str], object]", names: Anonymiser
) -> "list[tuple[str, str]]":
    """(name, value) of the properties to keep, in order."""
    selected = []
    for name, value in pairs:
        if isinstance(name, str) and isinstance(value, str) and keep(name) and SAFE_VALUE.fullmatch(value):
            selected.append(
                (name, names.anonymise(QUEUE, value) if name == "mapreduce.job.queuename" else value)
            )
    return sorted(selected)


def queue_properties(pairs: "Iterable[tuple[Any, Any]]", names: Anonymiser) -> "list[tuple[str, str]]":
    """(name, value) of CapacityScheduler's properties to keep; queues named as the archive names them."""
    pairs = list(pairs)
    selected = select_properties(
        pairs, lambda name: KEPT_SITE_PROPERTIES.fullmatch(name) or KEPT_QUEUE_DEFAULTS.fullmatch(name), names
    )
    for name, value in pairs:
        match = KEPT_QUEUE_PROPERTIES.fullmatch(name) if isinstance(name, str) else None
        if match and isinstance(value, str):
            queue, key = match.groups()
            if key == "queues":
                value = ",".join(names.anonymise(QUEUE, part.strip()) for part in value.split(","))
            elif not SAFE_VALUE.fullmatch(value):
                continue
            queue = names.anonymise(QUEUE, queue)
            selected.append((f"yarn.scheduler.capacity.{queue}.{key}", value))
    return sorted(selected)


def properties_xml(pairs: "Iterable[tuple[str, str]]") -> bytes:
    """A configuration file of Hadoop's."""
    root = ElementTree.Element("configuration")
    for name, value in pairs:
        element = ElementTree.SubElement(root, "property")
        ElementTree.SubElement(element, "name").text, ElementTree.SubElement(element, "value").text = (
            name,
            value,
        )
    return ElementTree.tostring(root)


def parse_properties(data: bytes) -> "list[tuple[str | None, str | None]]":
    """(name, value) of a configuration file's properties; none where it is no XML."""
    try:
        return [
            (element.findtext("name"), element.findtext("value"))
            for element in ElementTree.fromstring(data).iter("property")
        ]
    except (ElementTree.ParseError, ValueError):
        return []


def find_histories(path: str, first: int, last: int) -> "Iterator[tuple[str, str | None]]":
    """(job history file, its _conf.xml or None) of the jobs that ran in the span, by the times in their
    names, else by when they were written.
    """
    for folder, _, names in sorted(os.walk(path)):
        for name in sorted(names):
            if re.search(r"\.jhist(\.gz)?$", name):
                match = JHIST.match(name)
                written = int(os.path.getmtime(os.path.join(folder, name)) * 1000)
                begin, end = (int(match.group(1)), int(match.group(2))) if match else (written, written)
                if begin <= last and end >= first:
                    job_id = re.match("job_[0-9]+_[0-9]+", name)
                    conf_name = (job_id.group() if job_id else name.partition(".jhist")[0]) + "_conf.xml"
                    conf = next(
                        (candidate for candidate in (conf_name, conf_name + ".gz") if candidate in names),
                        None,
                    )
                    yield os.path.join(folder, name), conf and os.path.join(folder, conf)


def read_unpacked(path: str) -> bytes:
    """All of a file, unpacked."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
        return stream.read()


def job_properties(data: bytes, names: Anonymiser) -> bytes:
    """What a simulation needs of a job's _conf.xml, as such a file."""
    return properties_xml(select_properties(parse_properties(data), KEPT_JOB_PROPERTIES.fullmatch, names))
