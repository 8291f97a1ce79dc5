"""`python -m tests.hadoop.property_names [FOLDER]`: writes anew which properties Hadoop reads, with its
defaults, of the jars in the folder (without one, of those that `make referee` has fetched).

A jar is a zip of class files, and a class file begins with its constants, so no Java is needed. A property is
whatever constant of Hadoop's looks like one of YARN's; its default is what yarn-default.xml gives it, else
the constant DEFAULT_X beside X.
"""

from __future__ import annotations

import re
import struct
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import fromstring

from engine.scenario.configuration.hadoop_properties import FILE, QUEUE
from tests.hadoop.referee import BUILT

MAX_COLUMNS = 110
SCHEDULER = "org/apache/hadoop/yarn/server/resourcemanager/scheduler/"
CAPACITY = f"{SCHEDULER}capacity/CapacitySchedulerConfiguration.class"
CONFIGURATIONS = (
    "org/apache/hadoop/yarn/conf/YarnConfiguration.class",
    CAPACITY,
    f"{SCHEDULER}fair/FairSchedulerConfiguration.class",
)
NAME = re.compile(r"yarn\.[\w.%-]*[\w%]")
SUFFIX = re.compile(r"[a-z][a-z0-9_.-]*[a-z0-9]")
# constants of CapacitySchedulerConfiguration that are values, beginnings or read nowhere
NO_SUFFIXES = re.compile(
    r"root|fifo.*|fair|legacy|json|utilization|priority-utilization|default|weight|user-settings"
    r"|userlimit_first|(min|max)-resource|leaf-queue-template|capacity-scheduler\.xml"
    r"|underutilized-preemption.*|memory,vcores"
)
# names that Hadoop puts together of several parts, * for the one that a file chooses
COMPOSED = (
    "yarn.app.*",
    "yarn.nodemanager.resource-type.*",
    "yarn.resource-types.*",
    "yarn.resourcemanager.proxyuser.*",
    "yarn.scheduler.capacity.multi-node-sorting.policy.*",
    "yarn.scheduler.capacity.user.*.max-parallel-apps",
    "yarn.service.*",
    "yarn.sls.*",
    "yarn.timeline-service.http-authentication.*",
    f"{QUEUE}accessible-node-labels.*",
    f"{QUEUE}acl_administer_queue",
    f"{QUEUE}acl_administer_reservations",
    f"{QUEUE}acl_application_max_priority",
    f"{QUEUE}acl_list_reservations",
    f"{QUEUE}acl_submit_applications",
    f"{QUEUE}acl_submit_reservations",
    f"{QUEUE}auto-queue-creation-v2.leaf-template.*",
    f"{QUEUE}auto-queue-creation-v2.parent-template.*",
    f"{QUEUE}auto-queue-creation-v2.template.*",
    f"{QUEUE}intra-queue-preemption.disable_preemption",
    f"{QUEUE}leaf-queue-template.*",
    f"{QUEUE}ordering-policy.fair.enable-size-based-weight",
    f"{QUEUE}ordering-policy.priority-utilization.underutilized-preemption.*",
    f"{QUEUE}user-settings.*.weight",
)
# tag of a constant in a class file: how long it is after the tag
LENGTHS = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4}
LENGTHS |= {19: 2, 20: 2}
NUMBERS = {3: ">i", 4: ">f", 5: ">q", 6: ">d"}


def main(folder: Path) -> int:
    names: dict[str, str] = dict.fromkeys(COMPOSED, "")
    for jar in sorted(folder.glob("hadoop-*.jar")):
        if not jar.stem.endswith("tests"):
            with zipfile.ZipFile(jar) as archive:
                _add(archive, names)
    lines = [
        f"{name}\t{default}\n" if default and len(name) + len(default) < MAX_COLUMNS else f"{name}\n"
        for name, default in sorted(names.items())
    ]
    FILE.write_text("".join(lines), "utf-8")
    print(f"{len(names)} properties in {FILE.name}")
    return 0


def _add(archive: zipfile.ZipFile, names: dict[str, str]) -> None:
    """Adds the properties of a jar, * where a name holds %s."""
    for entry in archive.namelist():
        if entry.endswith(".class"):
            constants, fields = _constants(archive.read(entry))
            for text in constants.values():
                if isinstance(text, str) and NAME.fullmatch(text):
                    names.setdefault(text.replace("%s", "*"), "")
            for name, default in _fields(fields, entry == CAPACITY) if entry in CONFIGURATIONS else ():
                names[name] = names.get(name) or default
    if "yarn-default.xml" in archive.namelist():
        for element in fromstring(archive.read("yarn-default.xml")).iter("property"):
            name, value = (" ".join((element.findtext(part) or "").split()) for part in ("name", "value"))
            names[name] = value


def _fields(constants: dict[str, object], of_queues: bool) -> Iterator[tuple[str, str]]:
    """Of a configuration's static fields: each property, and its default where a field beside it has one.

    of_queues: names without a beginning are a queue's.
    """
    for field, value in constants.items():
        is_default = field.startswith("DEFAULT_") and field.removeprefix("DEFAULT_") in constants
        if not isinstance(value, str) or is_default:
            continue
        default = constants.get(f"DEFAULT_{field}", constants.get(f"{field}_DEFAULT"))
        text = "" if default is None else _plain(default)
        if NAME.fullmatch(value):
            yield value.replace("%s", "*"), text
        elif of_queues and SUFFIX.fullmatch(value) and not NO_SUFFIXES.fullmatch(value):
            yield f"{QUEUE}{value}", text


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).strip()


def _constants(data: bytes) -> tuple[dict[int, object], dict[str, object]]:
    """The constants of a class by number and of its static fields by name (JVMS 4.4, 4.5)."""
    constants: dict[int, object] = {}
    references: dict[int, int] = {}
    (count,) = struct.unpack_from(">H", data, 8)
    at, number = 10, 1
    while number < count:
        tag = data[at]
        if tag == 1:
            (length,) = struct.unpack_from(">H", data, at + 1)
            constants[number] = data[at + 3 : at + 3 + length].decode("utf-8", "replace")
            at += 3 + length
        else:
            if tag in NUMBERS:
                (value,) = struct.unpack_from(NUMBERS[tag], data, at + 1)
                constants[number] = float(f"{value:.7g}") if tag == 4 else value
            elif tag == 8:
                (references[number],) = struct.unpack_from(">H", data, at + 1)
            at += 1 + LENGTHS[tag]
        number += 2 if tag in (5, 6) else 1
    at += 6
    at += 2 + 2 * struct.unpack_from(">H", data, at)[0]  # interfaces
    (count,) = struct.unpack_from(">H", data, at)
    at += 2
    fields: dict[str, object] = {}
    for _ in range(count):
        _, name, kind, attributes = struct.unpack_from(">HHHH", data, at)
        at += 8
        for _ in range(attributes):
            attribute, length = struct.unpack_from(">HI", data, at)
            if constants[attribute] == "ConstantValue":
                (value,) = struct.unpack_from(">H", data, at + 6)
                found = constants[references.get(value, value)]
                fields[str(constants[name])] = bool(found) if constants[kind] == "Z" else found
            at += 6 + length
    return constants, fields


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else BUILT / "lib"))
