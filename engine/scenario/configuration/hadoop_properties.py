"""Which properties Hadoop 3.4.1 reads, with their defaults, and what one that is not modelled may change.

hadoop_properties.tsv is made of Hadoop's own jars (tests/hadoop/property_names.py): a name, * for a part
that a file chooses, then a tab and its default where it has one; QUEUE. begins what follows a queue's name.
"""

from __future__ import annotations

import re
from collections.abc import Container
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Remarks, Where
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.queue_validation import ROOT

FILE = Path(__file__).with_name("hadoop_properties.tsv")
QUEUE = "QUEUE."
NEAR = 0.75  # how alike two names are, of 1, of which one may be meant for the other
MAX_LENGTH = 120  # of a name that may be meant for another
MAX_MEANT = 50  # names of which it is looked for, as that takes milliseconds
MAX_DEPTH = 100  # a queue's name has at most so many parts
YARN = "yarn."
HADOOP_1 = re.compile(r"mapred\.(?:capacity-scheduler|fairscheduler|jobtracker|tasktracker|queue|acls)\b.*")

# What a property bears on, the first that matches.
EFFECTS = tuple(
    (re.compile(pattern), effect)
    for pattern, effect in (
        (r"QUEUE\.(accessible|default)-node-label.*|yarn\.node-labels\..*|.*exclusive-enforced.*",
            msg("scenario.hadoop_properties.node_labels")),
        (r"yarn\.admin\.acl", msg("scenario.hadoop_properties.acls")),
        (r"QUEUE\.acl_.*_reservations|yarn\.acl\.reservation-enable",
            msg("scenario.hadoop_properties.reservation_system")),
        (r"QUEUE\..*-application-lifetime", msg("scenario.hadoop_properties.lifetime")),
        (r"QUEUE\.(auto-|leaf-queue-template).*|.*auto-queue-creation.*|.*queue-management.*",
            msg("scenario.hadoop_properties.made_queues")),
        (r".*application-priority|QUEUE\.acl_application_max_priority|.*workflow-priority.*|QUEUE\.user-settings.*",
            msg("scenario.hadoop_properties.order_of_jobs")),
        (r"QUEUE\.(reserv|average-capacity|instantaneous|show-reserv).*|yarn\.resourcemanager\.reservation.*",
            msg("scenario.hadoop_properties.reservation_system")),
        (r".*(mapping-rule|queue-mappings|queue-placement-rules).*",
            msg("scenario.hadoop_properties.placement")),
        (r".*(preemption).*", msg("scenario.hadoop_properties.preemption")),
        (r".*(multi-node|schedule-asynchronously|continuous-scheduling|include-port).*",
            msg("scenario.hadoop_properties.where_and_when")),
        (r".*(rack-locality|locality-delay).*", msg("scenario.hadoop_properties.locality")),
        (r"yarn\.scheduler\..*reserv.*", msg("scenario.hadoop_properties.reservations")),
        (r"yarn\.(resource-types|nodemanager\.resource-type|nodemanager\.resource-plugins).*",
            msg("scenario.hadoop_properties.other_resources")),
        (r"yarn\.nodemanager\.resource\..*|yarn\.resource\.dynamic.*",
            msg("scenario.hadoop_properties.nodes")),
        (r".*(opportunistic|distributed-scheduling|nm-container-queuing).*",
            msg("scenario.hadoop_properties.opportunistic")),
        (r"yarn\.nodemanager\.[pv]mem-.*|.*(elastic-memory|max-attempts|expiry-interval|health-checker).*",
            msg("scenario.hadoop_properties.lost_containers")),
        (r"yarn\.scheduler\.(?!configuration).*|QUEUE\..*", msg("scenario.hadoop_properties.decisions")),
    )
)  # fmt: skip


@cache
def hadoop_properties() -> dict[str, str]:
    """Every property that Hadoop reads with its default, "" where it has none."""
    lines = FILE.read_text("utf-8").splitlines()
    return {name: default for name, _, default in (line.partition("\t") for line in lines)}


@cache
def _patterns() -> re.Pattern[str]:
    composed = (name for name in hadoop_properties() if "*" in name)
    return re.compile("|".join(re.escape(name).replace(r"\*", ".+") for name in composed), re.DOTALL)


def is_read(name: str) -> bool:
    """Whether Hadoop reads a property of this name; one of a queue's begins with QUEUE. The id of one of
    several ResourceManagers may end it.
    """
    known = hadoop_properties()
    return (
        name in known
        or bool(_patterns().fullmatch(name))
        or (name.startswith("yarn.resourcemanager.") and name.rpartition(".")[0] in known)
    )


def is_default(name: str, text: str) -> bool:
    """Whether a property with this text says what Hadoop takes without it."""
    default, text = hadoop_properties().get(name, ""), text.strip()
    if not default:
        return False
    try:
        return float(default) == float(text)
    except ValueError:
        return default.lower() == text.lower() if default in ("true", "false") else default == text


@lru_cache(1000)
def nearest(name: str) -> str:
    """The property that a name which is none may be meant for, "" where none is near."""
    begin = name.startswith(QUEUE)
    known = [key for key in hadoop_properties() if key.startswith(QUEUE) == begin and "*" not in key]
    is_name = len(name) <= MAX_LENGTH and not name.endswith(".")
    matches = get_close_matches(name, known, 1, NEAR) if is_name else []
    return matches[0] if matches else ""


def remark_unmodelled(where: Where, text: str, queues: Container[str], owner: str, remarks: Remarks) -> None:
    """Tells of a property that is not modelled what its not being so may change, or that Hadoop doesn't read
    it either; counts it where it says Hadoop's default.

    owner: the listed queue (of queues) to which it belongs, "" for none.
    """
    key = f"{QUEUE}{where.name[len(CAPACITY) + len(owner) + 1 :]}" if owner else where.name
    if is_read(key) and is_default(key, text):
        remarks.add_default()
    elif is_read(key):
        effect = next((effect for pattern, effect in EFFECTS if pattern.fullmatch(key)), None)
        if effect:
            text = msg("scenario.hadoop_properties.not_modelled", effect=effect)
            remarks.add(where, text, NoteKind.NOT_MODELLED)
        else:
            remarks.add(where, msg("scenario.hadoop_properties.beside"), NoteKind.BESIDE)
    elif not where.name.startswith(YARN) and not HADOOP_1.fullmatch(where.name):
        remarks.add(where, msg("scenario.hadoop_properties.beside"), NoteKind.BESIDE)
    else:
        remarks.add(where, _why_not_read(where.name, key, owner, queues, remarks), NoteKind.NOT_READ)


def _why_not_read(name: str, key: str, owner: str, queues: Container[str], remarks: Remarks) -> str:
    if HADOOP_1.fullmatch(name):
        return msg("scenario.hadoop_properties.hadoop_1")
    meant = ""
    if remarks.count(NoteKind.NOT_READ) < MAX_MEANT:
        queue = _queue_of(name)
        if queue and queue.startswith(f"{ROOT}."):
            return msg("scenario.hadoop_properties.unlisted", queue=queue)
        if queue and f"{ROOT}.{queue}" not in queues:
            return msg("scenario.hadoop_properties.without_root", queue=queue)
        near = f"{QUEUE}{name[len(CAPACITY) + len(queue) + 1 :]}" if queue else nearest(key)
        begin = f"{CAPACITY}{f'{ROOT}.{queue}' if queue else owner}."
        meant = near.replace(QUEUE, begin, 1) if near.startswith(QUEUE) else near
    if meant:
        return msg("scenario.hadoop_properties.not_read_meant", meant=meant)
    return msg("scenario.hadoop_properties.not_read")


def _queue_of(name: str) -> str:
    """The queue that a property names before a queue's property, "" where it names none."""
    parts = name.removeprefix(CAPACITY).split(".") if name.startswith(CAPACITY) else []
    for at in range(1, min(len(parts), MAX_DEPTH)):
        if is_read(f"{QUEUE}{'.'.join(parts[at:])}"):
            return ".".join(parts[:at])
    return ""
