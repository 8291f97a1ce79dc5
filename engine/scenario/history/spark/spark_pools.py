"""The pools of Spark's FAIR scheduler: what its allocation file says of them, and which an application used.

Source: org.apache.spark.scheduler.FairSchedulableBuilder of Spark 3.5: a pool that no file names, or a value
that can't be read, is as Spark's defaults have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from engine.codes import UNKNOWN
from engine.errors import FormatError
from engine.messages import msg
from engine.scenario.applications import DEFAULT_POOL, SchedulerPool
from engine.scenario.configuration.xml_tree import ALLOCATIONS, MAX_BYTES, Element, parse_xml
from engine.scenario.field_types import MAX_COUNT
from engine.scenario.formats.import_notes import Notes
from engine.scenario.formats.json_stream import Source
from engine.scenario.formats.unique_names import UniqueNames, sanitize
from engine.scenario.history.records import History
from engine.scenario.history.spark.event_records import SparkApplication

FAIR = "FAIR"
MODES = ("FIFO", FAIR)
MODE, WEIGHT, MINIMUM = "schedulingMode", "weight", "minShare"
LEAST = {WEIGHT: ("weight", 1), MINIMUM: ("minimum_share", 0)}  # element -> field, the least that it may be
WHOLE = re.compile(r"[+-]?[0-9]{1,10}", re.ASCII)
DEFAULT_FILE = "fairscheduler.xml"  # DEFAULT_SCHEDULER_FILE, which Spark looks for on its class path
FILE_PROPERTY = "spark.scheduler.allocation.file"


def add_pools(history: History, source: Source, name: str) -> None:
    """Adds the pools of an allocation file of Spark. FormatError where it is broken or none, TooLarge as
    `Source` says.
    """
    data = bytearray()
    while (part := source.read()) and len(data) <= MAX_BYTES:
        data += part
    root = parse_xml(name, bytes(data))
    if root.tag != ALLOCATIONS:
        raise FormatError(msg("scenario.spark_pools.no_allocations", name=name, tag=root.tag[:60]))
    pools = history.spark_pools.setdefault(_base_name(name), {})
    for element in _pool_elements(root):
        pools[element.attributes.get("name", "")] = _pool(element, name, history.notes)


def used_pools(
    app: SparkApplication, files: dict[str, dict[str, dict[str, Any]]], notes: Notes
) -> tuple[list[dict[str, Any]], dict[int, str]]:
    """`pools` of the job, those that its jobs used, and by Spark job the name there, without those of
    `default`. Both empty where stages stand in their order: under FIFO, and in one pool of Spark's defaults.
    files: allocation file -> pool -> its fields.
    """
    if app.properties.get("spark.scheduler.mode", "").strip().upper() != FAIR:
        return [], {}
    pool_of = {job.id: job.pool or DEFAULT_POOL for job in app.jobs.values()}
    used = sorted({*pool_of.values()})
    known = _file_of(app, files, used, notes)
    shown = {name: known.get(name, {}) for name in used}
    if not any(name != DEFAULT_POOL or fields for name, fields in shown.items()):
        return [], {}
    names = UniqueNames()
    names.claim(DEFAULT_POOL)
    name_of = {name: name if name == DEFAULT_POOL else names.claim(sanitize(name)) for name in used}
    pools = [{"name": name_of[name]} | fields for name, fields in shown.items()]
    return pools, {job: name_of[pool] for job, pool in pool_of.items() if pool != DEFAULT_POOL}


def _file_of(
    app: SparkApplication, files: dict[str, dict[str, dict[str, Any]]], used: list[str], notes: Notes
) -> dict[str, dict[str, Any]]:
    """The pools of its allocation file; none, which is told where it matters, if that was not given."""
    told_file = _base_name(app.properties.get(FILE_PROPERTY, ""))
    file = told_file or DEFAULT_FILE
    if file not in files and len(files) == 1 and not told_file:
        (file,) = files
    if file not in files and (told_file or used != [DEFAULT_POOL]):
        notes.count("application", msg("scenario.spark_pools.no_file", file=file, property=FILE_PROPERTY))
    return files.get(file, {})


def _pool_elements(element: Element) -> Iterator[Element]:
    """At any depth, as Spark looks for them."""
    for child in element.children:
        if child.tag == "pool":
            yield child
        yield from _pool_elements(child)


def _pool(element: Element, file: str, notes: list[str]) -> dict[str, Any]:
    """Its fields that are not Spark's defaults; what can't be read is told."""
    texts = {child.tag: child.text.strip() for child in element.children}
    fields: dict[str, Any] = {}
    mode = texts.get(MODE, "").upper()
    if mode in MODES:
        fields["mode"] = mode.lower()
    elif mode:
        notes.append(_fault(element, file, MODE, texts[MODE], " or ".join(MODES), MODES[0]))
    for tag, (field, least) in LEAST.items():
        text = texts.get(tag, "")
        value = int(text) if WHOLE.fullmatch(text) else UNKNOWN
        if least <= value <= MAX_COUNT:
            fields[field] = value
        elif text:
            right = msg("scenario.spark_pools.whole_number", least=least)
            default = SchedulerPool.model_fields[field].default
            notes.append(_fault(element, file, tag, text, right, default))
    return {key: value for key, value in fields.items() if value != SchedulerPool.model_fields[key].default}


def _fault(element: Element, file: str, tag: str, text: str, right: str, default: Any) -> str:
    return msg(
        "scenario.spark_pools.unread_value",
        file=file,
        line=element.line,
        tag=tag,
        pool=element.attributes.get("name", "")[:60],
        text=text[:60],
        right=right,
        default=default,
    )


def _base_name(path: str) -> str:
    return path.strip().rpartition("/")[2]
