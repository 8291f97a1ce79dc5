"""What mapred-site.xml, and a job's own configuration, say of MapReduce's jobs: sizes of maps, reduces and
the master, slow start, speculation; as JobConf, YARNRunner and TaskAttemptImpl read them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine import quantities
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import (
    ConfigurationNote,
    NoteKind,
    Remarks,
    Where,
)
from engine.scenario.configuration.properties import Property
from engine.scenario.field_types import MAX_COUNT, MAX_RESOURCE

MEMORY, VCORES = "memory_mb", "vcores"
UNITS_OF = {MEMORY: "MB", VCORES: "vcores"}
NOTHING: Mapping[str, Any] = {}
HADOOPS = msg("shared.hadoops_default")
AM = "yarn.app.mapreduce.am."
# what Hadoop 3 still reads by another name (ConfigUtil.addDeprecatedKeys), of what is used here
DEPRECATED = {
    "mapred.job.map.memory.mb": "mapreduce.map.memory.mb",
    "mapred.job.priority": "mapreduce.job.priority",
    "mapred.job.queue.name": "mapreduce.job.queuename",
    "mapred.job.reduce.memory.mb": "mapreduce.reduce.memory.mb",
    "mapred.map.child.java.opts": "mapreduce.map.java.opts",
    "mapred.map.tasks.speculative.execution": "mapreduce.map.speculative",
    "mapred.reduce.child.java.opts": "mapreduce.reduce.java.opts",
    "mapred.reduce.slowstart.completed.maps": "mapreduce.job.reduce.slowstart.completedmaps",
    "mapred.reduce.tasks": "mapreduce.job.reduces",
    "mapred.reduce.tasks.speculative.execution": "mapreduce.reduce.speculative",
}


@dataclass(frozen=True)
class Part:
    """The properties of a container of a job, and what Hadoop takes without them. heap: those from whose -Xmx
    the memory follows where none is given; other: names that hold before memory and vcores.
    """

    noun: str
    memory: str
    vcores: str
    other: str
    default_mb: int = 1024
    default_vcores: int = 1
    heap: tuple[str, ...] = ()


CHILD_HEAP = "mapred.child.java.opts"
PARTS = {
    "maps": Part(
        msg("shared.map"),
        "mapreduce.map.memory.mb",
        "mapreduce.map.cpu.vcores",
        "mapreduce.map.resource.",
        heap=("mapreduce.map.java.opts", CHILD_HEAP),
    ),
    "reduces": Part(
        msg("shared.reduce"),
        "mapreduce.reduce.memory.mb",
        "mapreduce.reduce.cpu.vcores",
        "mapreduce.reduce.resource.",
        heap=("mapreduce.reduce.java.opts", CHILD_HEAP),
    ),
    "am": Part(
        msg("shared.master"),
        f"{AM}resource.mb",
        f"{AM}resource.cpu-vcores",
        f"{AM}resource.",
        default_mb=1536,
    ),
}
HEAP_RATIO, DEFAULT_HEAP_RATIO = "mapreduce.job.heap.memory-mb.ratio", 0.8
HEAP_SIZE = re.compile(r"(?:^|\s)-Xmx([0-9]{1,15})([gGmMkK]?)(?=\s|$)", re.ASCII)  # JobConf.JAVA_OPTS
HEAP_UNITS = {"g": 2**10, "m": 1, "k": 2**-10, "": 2**-20}
MEMORY_NAMES = ("memory-mb", "memory")
REQUEST = re.compile(r"([0-9]{1,15}) ?([a-zA-Z]*)", re.ASCII)  # ResourceUtils.RESOURCE_REQUEST_VALUE_PATTERN
# MB of what stands for memory with a unit (UnitsConversionUtil); of vcores 2^20 times as many
UNITS = {
    **{unit: 1024.0 ** (power - 1) for power, unit in enumerate(("Ki", "Mi", "Gi", "Ti", "Pi"))},
    **{unit: 1000.0**power / 2**20 for power, unit in enumerate(("k", "M", "G", "T", "P"), 1)},
    **{unit: 1000.0**-power / 2**20 for power, unit in enumerate(("m", "u", "n", "p"), 1)},
    "": 1.0,
}
INTEGER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]{1,8}|[0-9]{1,18})", re.ASCII)
FLOAT = re.compile(
    r"[+-]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?[fFdD]?", re.ASCII
)
MAX_NUMBER = 1e15
MIN_INTEGER, MAX_INTEGER = -(2**31), 2**31 - 1
DAEMONS = ("yarn.resourcemanager.", "yarn.nodemanager.", "yarn.scheduler.")
# what else of a job changes when its containers run
MATTERING = re.compile(
    r"mapreduce\.(job\.(running\.|ubertask\.|queuename|node-label|maps)|(map|reduce|am)\.(maxattempts|max-attempts)"
    r"|reduce\.shuffle\.)|yarn\.app\.mapreduce\.am\.job\."
)
OF_ONE_JOB = {"mapreduce.job.dir", "mapreduce.job.user.name", "mapreduce.job.submithostname"}
MAPREDUCE = ("mapreduce.", "mapred.", "yarn.app.mapreduce.")
HADOOP_1 = ("mapred.capacity-scheduler.", "mapred.fairscheduler.", "mapred.queue.")  # of its schedulers
MAX_LISTED = 5
SLOWSTART, DEFAULT_SLOWSTART = "mapreduce.job.reduce.slowstart.completedmaps", 0.05
SPECULATIVE = ("mapreduce.map.speculative", "mapreduce.reduce.speculative")
SPECULATION = {(False, False): "none", (True, False): "maps", (False, True): "reduces", (True, True): "both"}
REDUCES, DEFAULT_REDUCES = "mapreduce.job.reduces", 1
HEARTBEAT, DEFAULT_HEARTBEAT_S = f"{AM}scheduler.heartbeat.interval-ms", 1.0
MAX_HEARTBEAT_MS = 60_000
HEAPS = {name for part in PARTS.values() for name in part.heap} | {HEAP_RATIO}
SIZES = {name for part in PARTS.values() for name in (part.memory, part.vcores)}
OF_MASTER = {PARTS["am"].memory, PARTS["am"].vcores}
OF_TASKS = {PARTS["maps"].vcores, PARTS["reduces"].vcores}
MEMORIES = {
    PARTS["maps"].memory,
    PARTS["reduces"].memory,
}  # from 0 down Hadoop takes the heap's, or its default
REQUESTS = {f"{part.other}{name}" for part in PARTS.values() for name in (*MEMORY_NAMES, VCORES)}
USED_PROPERTIES = frozenset(
    {
        *SIZES,
        *REQUESTS,
        *HEAPS,
        *SPECULATIVE,
        SLOWSTART,
        REDUCES,
        HEARTBEAT,
    }
)


@dataclass(frozen=True)
class Setting:
    """A value, and in words who gives it: "" where the job itself does."""

    value: Any
    origin: str = ""


class JobSettings:
    """What a job has that says nothing itself: what mapred-site.xml says, else Hadoop's default.

    properties: of mapred-site.xml, by their names in Hadoop 3; limit: MB and vcores that one of its
    containers may have; taken: what jobs have of them, in words.
    """

    def __init__(
        self, properties: Mapping[str, Property] | None = None, limit: Mapping[str, int] | None = None
    ) -> None:
        self.properties = properties or {}
        self.taken: dict[str, str] = {}
        self._texts = {name: prop.expanded for name, prop in self.properties.items()}
        self._limit = limit or {}

    def size(self, part: str, own: Mapping[str, Any] = NOTHING) -> dict[str, Setting]:
        """Memory and vcores of a container of this part (maps, reduces, am) of a job that says `own`."""
        size = {}
        for key, default in zip((MEMORY, VCORES), (PARTS[part].default_mb, PARTS[part].default_vcores)):
            if given := _given_amount(part, key, own):
                size[key] = Setting(given[0])
            elif given := _given_amount(part, key, self._texts):
                size[key] = self._limited(*given, key)
            else:
                size[key] = Setting(default, HADOOPS)
        return size

    def slowstart(self, own: Mapping[str, Any] = NOTHING) -> Setting:
        """The part of the maps that must have finished before reduces are asked for."""
        share = _share(own)
        if share is not None:
            return Setting(share)
        share = _share(self._texts)
        if share is None:
            return Setting(DEFAULT_SLOWSTART, HADOOPS)
        return self._take(SLOWSTART, share, f"{share:g}")

    def speculation(self, own: Mapping[str, Any] = NOTHING) -> tuple[str, bool]:
        """For which tasks second attempts may be started; whether the job, or mapred-site.xml, says it of
        maps and of reduces.
        """
        flags = []
        for name in SPECULATIVE:
            flag = _flag(own, name)
            if flag is None and (flag := _flag(self._texts, name)) is not None:
                self._take(name, flag, str(flag).lower())
            flags.append(flag)
        return SPECULATION[flags[0] is not False, flags[1] is not False], None not in flags

    def heartbeat_s(self, own: Mapping[str, Any] = NOTHING) -> float:
        """Time between two heartbeats of the master."""
        if seconds := _heartbeat_s(own):
            return seconds
        if seconds := _heartbeat_s(self._texts):
            self._take(HEARTBEAT, seconds, f"{seconds:g} s")
        return seconds or DEFAULT_HEARTBEAT_S

    def reduces(self) -> int:
        """How many reduces a job has that does not say it."""
        count = number(self._texts, REDUCES)
        if count is None or not 0 <= count <= MAX_COUNT:
            return DEFAULT_REDUCES
        return self._take(REDUCES, int(count), f"{count:,.0f}").value

    def fields(self, own: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
        """Fields of a job that mapred-site.xml alone gives: without it the model's defaults stay."""
        is_said = any(name in self.properties for name in SPECULATIVE)
        return {"speculation": self.speculation(own)[0]} if is_said else {}

    def master(self, own: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
        """The master as a job has it, with its heartbeat where mapred-site.xml gives that."""
        size = {key: setting.value for key, setting in self.size("am", own).items()}
        return size | ({"heartbeat_s": self.heartbeat_s(own)} if HEARTBEAT in self.properties else {})

    def taken_notes(self) -> list[ConfigurationNote]:
        """A sentence for each property that a job has, with its line."""
        wheres = [self.properties[name].where for name in self.taken]
        return [
            ConfigurationNote(
                where.file, where.line, where.name, msg("scenario.mapreduce_settings.taken", value=value)
            )
            for where, value in zip(wheres, self.taken.values())
        ]

    def unused_notes(self) -> list[ConfigurationNote]:
        """A sentence on the properties that no job has."""
        names = [name for name in self.properties if name not in self.taken and name not in HEAPS]
        if not names:
            return []
        text = msg("scenario.mapreduce_settings.unused", names=_listed(names))
        file = self.properties[names[0]].where.file
        return [ConfigurationNote(file, 0, "", text, NoteKind.DEFAULT)]

    def _limited(self, amount: int, name: str, key: str) -> Setting:
        allowed, unit = min(amount, self._limit.get(key, amount)), UNITS_OF[key]
        setting = self._take(
            name, allowed, f"{allowed:,} MB" if key == MEMORY else quantities.vcores(allowed)
        )
        if allowed == amount:
            return setting
        rejected = msg("scenario.mapreduce_settings.rejected", amount=amount, unit=unit)
        self.taken[name] += rejected
        return Setting(allowed, setting.origin + rejected)

    def _take(self, name: str, value: Any, text: str) -> Setting:
        where = self.properties[name].where
        self.taken[name] = text
        return Setting(value, str(Where(where.file, where.line)))


def is_of_mapreduce(name: str) -> bool:
    """Whether a property is one of MapReduce's, which stand in mapred-site.xml."""
    return name.startswith(MAPREDUCE) and not name.startswith(HADOOP_1)


def is_of_one_job(names: Iterable[str]) -> bool:
    """Whether properties of these names are a job's own configuration, job_…_conf.xml."""
    return any(name in OF_ONE_JOB for name in names)


def used_properties(given: Mapping[str, Property], remarks: Remarks) -> dict[str, Property]:
    """Of properties by their names in Hadoop 3 those that are used here; a value that Hadoop can't read is
    told and left out.
    """
    properties: dict[str, Property] = {}
    for name, prop in given.items():
        if name not in USED_PROPERTIES:
            continue
        text = prop.expanded.strip()
        if name.endswith(".memory") and f"{name}-mb" in given:
            remarks.add(prop.where, msg("scenario.mapreduce_settings.memory_twice", name=name), NoteKind.NEAR)
            continue
        if remark := (fault := _fault(name, text)) or _nearest(name, text):
            remarks.add(prop.where, remark, NoteKind.NEAR)
        if not fault:
            properties[name] = prop
    return properties


def note_unread(file: str, given: Iterable[str], remarks: Remarks) -> None:
    """Notes how many properties of a mapred-site.xml say nothing here, those first that change a run in
    Hadoop; and those of YARN's, which no daemon reads there.
    """
    names = [name for name in given if name not in USED_PROPERTIES]
    if is_of_one_job(names):
        remarks.add(Where(file), msg("scenario.mapreduce_settings.of_one_job"), NoteKind.BESIDE)
        return
    of_daemons = [name for name in names if name.startswith(DAEMONS)]
    others = sorted((name for name in names if not name.startswith(DAEMONS)), key=_is_minor)
    if others:
        text = msg("scenario.mapreduce_settings.change_no_job", count=len(others), names=_listed(others))
        remarks.add(Where(file), text, NoteKind.BESIDE if _is_minor(others[0]) else NoteKind.NOT_MODELLED)
    if of_daemons:
        text = msg("scenario.mapreduce_settings.no_daemon", count=len(of_daemons), names=_listed(of_daemons))
        remarks.add(Where(file), text, NoteKind.NOT_READ)


def _is_minor(name: str) -> bool:
    return not MATTERING.match(name)


def _listed(names: list[str]) -> str:
    more = len(names) - MAX_LISTED
    return ", ".join(names[:MAX_LISTED]) + (msg("shared.and_more", faults=more) if more > 0 else "")


def number(values: Mapping[str, Any], name: str) -> float | None:
    """The property as Java reads a number; None where there is none."""
    text = str(values.get(name, "")).strip()
    if (amount := _integer(text)) is not None:
        return float(amount)
    value = _float(text) if FLOAT.fullmatch(text) else math.inf
    return value if abs(value) < MAX_NUMBER else None


def _integer(text: str) -> int | None:
    return int(text, 16 if "x" in text.lower() else 10) if INTEGER.fullmatch(text) else None


def _float(text: str) -> float:
    return float(text.rstrip("fFdD"))


def _share(values: Mapping[str, Any]) -> float | None:
    """Slow start; above 1 no reduce would ever start, below 0 is as 0."""
    text = str(values.get(SLOWSTART, "")).strip()
    return min(max(_float(text), 0.0), 1.0) if FLOAT.fullmatch(text) else None


def _given_amount(part: str, key: str, values: Mapping[str, Any]) -> tuple[int, str] | None:
    """MB or vcores that the values give a container, and the property that does; None where none does."""
    names = PARTS[part]
    others, name = (MEMORY_NAMES, names.memory) if key == MEMORY else ((VCORES,), names.vcores)
    for other in others:
        if amount := _requested(names.other + other, str(values.get(names.other + other, ""))):
            return amount, names.other + other
    value = number(values, name)
    least = 1 if name in MEMORIES else 0
    if value is not None and least <= value <= MAX_RESOURCE:
        return max(int(value), 1), name
    return _heap_amount(names, values) if key == MEMORY else None


def _requested(name: str, text: str) -> int:
    """An amount that may have a unit, at least 1; 0 where it is none or too large."""
    amount = _amount(name, text.strip())
    return max(int(amount), 1) if amount is not None and amount <= MAX_RESOURCE else 0


def _amount(name: str, text: str) -> float | None:
    """MB or vcores, None where it is no amount."""
    match = REQUEST.fullmatch(text)
    if match is None or match[2] not in UNITS:
        return None
    factor = UNITS[match[2]] * (2**20 if name.endswith(VCORES) and match[2] else 1)
    return int(match[1]) * factor


def _heap_amount(names: Part, values: Mapping[str, Any]) -> tuple[int, str] | None:
    """The memory that the JVM's heap needs (JobConf.getMemoryRequiredHelper), in MB."""
    name = next((name for name in names.heap if name in values), "")
    ratio = number(values, HEAP_RATIO) or DEFAULT_HEAP_RATIO
    memory_mb = math.ceil(_heap_mb(str(values.get(name, ""))) / ratio)
    return (memory_mb, name) if 1 <= memory_mb <= MAX_RESOURCE else None


def _heap_mb(options: str) -> int:
    """Of the last -Xmx, 0 without."""
    sizes = HEAP_SIZE.findall(options)
    return int(int(sizes[-1][0]) * HEAP_UNITS[sizes[-1][1].lower()]) if sizes else 0


def _heartbeat_s(values: Mapping[str, Any]) -> float:
    """0 where none is given."""
    interval_ms = number(values, HEARTBEAT)
    return round(interval_ms / 1000, 3) if interval_ms and 0 < interval_ms <= MAX_HEARTBEAT_MS else 0.0


def _flag(values: Mapping[str, Any], name: str) -> bool | None:
    return {"true": True, "false": False}.get(str(values.get(name, "")).strip().lower())


def _fault(name: str, text: str) -> str:
    """What is wrong with the value, so that it is left out: an exception, a request that is refused or a
    warning of Hadoop's, or more than is modelled; "" if nothing.
    """
    if name in SPECULATIVE:
        is_read = text.lower() in ("true", "false")
        return "" if is_read else msg("scenario.mapreduce_settings.neither_true_nor_false")
    if name in (SLOWSTART, HEAP_RATIO):
        if FLOAT.fullmatch(text) is None:
            return msg("scenario.mapreduce_settings.no_number", text=text[:60])
        is_used = name == SLOWSTART or _float(text) > 0
        return "" if is_used else msg("scenario.mapreduce_settings.heap_ratio_not_above_0")
    if name in HEAPS:
        heap_mb = _heap_mb(text)
        is_used = heap_mb <= MAX_RESOURCE
        return "" if is_used else msg("scenario.mapreduce_settings.heap_too_large", heap_mb=heap_mb)
    if name in REQUESTS and name not in OF_MASTER:
        amount = _amount(name, text)
        if amount is None:
            return msg("scenario.mapreduce_settings.no_amount", text=text[:60])
        return _too_large(amount)
    return _integer_fault(name, text)


def _integer_fault(name: str, text: str) -> str:
    """Of what Configuration.getInt reads; the master's must also be amounts (ResourceUtils)."""
    amount = _integer(text)
    if amount is None or not MIN_INTEGER <= amount <= MAX_INTEGER:
        return msg("scenario.mapreduce_settings.no_integer", text=text[:60], most=MAX_INTEGER)
    if name in OF_MASTER and not text.isdecimal():
        return msg("scenario.mapreduce_settings.no_digits", text=text[:60])
    if name in OF_TASKS and amount < 0:
        return msg("scenario.mapreduce_settings.refused_below_0", amount=amount)
    if name == REDUCES and not 0 <= amount <= MAX_COUNT:
        return msg("scenario.mapreduce_settings.not_modelled_from_to", amount=amount, least=0, most=MAX_COUNT)
    if name == HEARTBEAT and not 0 < amount <= MAX_HEARTBEAT_MS:
        return msg(
            "scenario.mapreduce_settings.not_modelled_from_to", amount=amount, least=1, most=MAX_HEARTBEAT_MS
        )
    return _too_large(amount) if name in SIZES else ""


def _too_large(amount: float) -> str:
    """Larger than every node; what overflows in Hadoop is, or is below 0, and both are refused."""
    return (
        msg("scenario.mapreduce_settings.rejected_everywhere", amount=amount) if amount > MAX_RESOURCE else ""
    )


def _nearest(name: str, text: str) -> str:
    """What stands in for a value that Hadoop takes in its own way; "" where it is as it is written."""
    if name == SLOWSTART and not 0 <= (share := _float(text)) <= 1:
        if share < 0:
            return msg("scenario.mapreduce_settings.slowstart_below_0", share=share)
        return msg("scenario.mapreduce_settings.slowstart_above_1", share=share)
    amount = _integer(text)
    if name in MEMORIES and amount is not None and amount <= 0:
        return msg("scenario.mapreduce_settings.memory_not_above_0", amount=amount)
    is_amount = name in REQUESTS | SIZES and name not in MEMORIES
    if is_amount and int(_amount(name, text) or 0) == 0:
        return msg("scenario.mapreduce_settings.amount_of_0", text=text[:60])
    return ""
