"""Properties of jobs and of the cluster, and job history files of a local folder, such as a copy of mapreduce.jobhistory.done-dir."""

import gzip
import os
import re
import xml.etree.ElementTree as ElementTree

from engine.collect.kept_fields import HARMLESS, PROPERTY, QUEUE

JHIST = re.compile(r"job_[0-9]+_[0-9]+-([0-9]+)-.*-([0-9]+)-[0-9]+-[0-9]+-[A-Z]+-.*\.jhist(?:\.gz)?$")


def properties(found, keep, names):
    """(name, value) of the properties to keep, in order."""
    kept = []
    for name, value in found:
        if isinstance(name, str) and isinstance(value, str) and keep(name) and HARMLESS.fullmatch(value):
            kept.append((name, names.of(QUEUE, value) if name == "mapreduce.job.queuename" else value))
    return sorted(kept)


def as_xml(pairs):
    """A configuration file of Hadoop's."""
    root = ElementTree.Element("configuration")
    for name, value in pairs:
        one = ElementTree.SubElement(root, "property")
        ElementTree.SubElement(one, "name").text, ElementTree.SubElement(one, "value").text = name, value
    return ElementTree.tostring(root)


def as_pairs(data):
    """(name, value) of a configuration file's properties; none where it is no XML."""
    try:
        return [(one.findtext("name"), one.findtext("value")) for one in ElementTree.fromstring(data).iter("property")]
    except (ElementTree.ParseError, ValueError):
        return []


def histories_of(path, first, last):
    """(job history file, its _conf.xml or None) of the jobs that ran in the span, by the times in their names, else by when they were written."""
    for at, _, names in sorted(os.walk(path)):
        for name in sorted(names):
            if re.search(r"\.jhist(\.gz)?$", name):
                known = JHIST.match(name)
                written = int(os.path.getmtime(os.path.join(at, name)) * 1000)
                begin, end = (int(known.group(1)), int(known.group(2))) if known else (written, written)
                if begin <= last and end >= first:
                    beside = (re.match("job_[0-9]+_[0-9]+", name) or re.match(".*?(?=\\.jhist)", name)).group() + "_conf.xml"
                    conf = next((one for one in (beside, beside + ".gz") if one in names), None)
                    yield os.path.join(at, name), conf and os.path.join(at, conf)


def bytes_of(path):
    """All of a file, unpacked."""
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as stream:
        return stream.read()


def job_properties(data, names):
    """What a simulation needs of a job's _conf.xml, as such a file."""
    return as_xml(properties(as_pairs(data), PROPERTY.fullmatch, names))
