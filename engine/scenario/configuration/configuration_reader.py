"""Several files of one cluster, read as one configuration."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.allocation import Allocation
from engine.scenario.configuration.configuration_notes import ConfigurationNote, NoteKind, Remarks, Where
from engine.scenario.configuration.fair_file import read_fair
from engine.scenario.configuration.mapreduce_settings import (
    DEPRECATED,
    JobSettings,
    is_of_mapreduce,
    is_of_one_job,
    note_unread,
    used_properties,
)
from engine.scenario.configuration.properties import Property, collect_properties, expand_variables
from engine.scenario.configuration.property_files import read_family, read_properties
from engine.scenario.configuration.property_table import Draft, get_path
from engine.scenario.configuration.queue_placement import Placement, capacity_rules, default_rules
from engine.scenario.configuration.scheduler_conf import is_scheduler_conf, parse_scheduler_conf
from engine.scenario.configuration.scheduler_settings import scheduler_name
from engine.scenario.configuration.site_table import CAPACITY, SCHEDULER_CLASS
from engine.scenario.configuration.value_parsing import Size
from engine.scenario.configuration.xml_tree import MAX_BYTES, Element, parse_xml

FAIR_XML, CAPACITY_XML, SITE_XML = "fair-xml", "capacity-xml", "yarn-site"
MAPRED_XML = "mapred-site"
AS_READ = "read"  # under which a scenario keeps capacity-scheduler.xml as it was: changes are told from it
MAX_FILES = 50  # Hadoop comes with 13 files of properties, examples among them
HADOOP_1 = "mapred.capacity-scheduler."
# yarn.nodemanager.resource.memory-mb and cpu-vcores, Hadoop's defaults
STAND_IN_NODES, STAND_IN_SIZE = (
    10,
    Size(8192, 8),
)
STAND_IN_CLUSTER = Size(STAND_IN_NODES * STAND_IN_SIZE.memory_mb, STAND_IN_NODES * STAND_IN_SIZE.vcores)


@dataclass(frozen=True)
class Document:
    """One file: its name as given, its kind, its tree; fault: why it can't be read, which counts where it is
    used.
    """

    file: str
    kind: str
    root: Element
    fault: str = ""


@dataclass(frozen=True)
class Configuration:
    """What files of a cluster say.

    scheduler: its name here, such as capacity(resources=memory); queues, cluster, users: as a scenario's JSON
    has them, shares of the cluster taken of ten nodes of Hadoop's default size; placement: how jobs come to
    queues; parents: queues in which no job may run though no queue is in them; job_settings: what
    mapred-site.xml gives jobs; notes: what is not modelled, not used or taken otherwise, with its line.
    """

    documents: tuple[Document, ...]
    scheduler: str
    queues: list[dict[str, Any]]
    cluster: dict[str, Any]
    users: list[dict[str, Any]]
    placement: Placement
    parents: frozenset[str]
    job_settings: JobSettings
    notes: tuple[ConfigurationNote, ...]


def read_configuration(files: Sequence[tuple[str, bytes]]) -> Configuration:
    """The configuration of fair-scheduler.xml, capacity-scheduler.xml (or the ResourceManager's answer to
    scheduler-conf), yarn-site.xml and mapred-site.xml, one or several of them: (name, bytes) each, later ones
    last.

    FormatError, one sentence with file and line, where a file is none of them, is broken, or Hadoop would
    refuse it; TooLarge where it is too much.
    """
    if not files:
        raise FormatError(msg("scenario.configuration_reader.no_file_given"))
    if len(files) > MAX_FILES or sum(len(data) for _, data in files) > MAX_BYTES:
        raise TooLarge(
            msg(
                "scenario.configuration_reader.at_most_files_bytes_together_make",
                max_files=MAX_FILES,
                max_bytes=MAX_BYTES,
            )
        )
    documents = tuple(_document(name, data) for name, data in files)
    draft = build_draft(documents, STAND_IN_CLUSTER)
    queues = [{"name": name, **values} for name, values in draft.queues.items()]
    name = scheduler_name(draft.scheduler["family"], draft.scheduler)
    return Configuration(
        documents,
        name,
        queues,
        draft.cluster,
        draft.scenario.get("users", []),
        draft.placement,
        frozenset(draft.parents),
        draft.job_settings,
        draft.remarks.notes(),
    )


def _document(name: str, data: bytes) -> Document:
    try:
        root = parse_scheduler_conf(name, data) if is_scheduler_conf(data) else parse_xml(name, data)
    except FormatError as fault:
        kind = (
            FAIR_XML if b"<allocations" in data else CAPACITY_XML if CAPACITY.encode() in data else SITE_XML
        )
        return Document(name, kind, Element(""), str(fault))
    if root.tag == "allocations":
        return Document(name, FAIR_XML, root)
    properties: dict[str, Property] = {}
    collect_properties(name, root, properties, Remarks())
    if root.tag != "configuration" and not properties:  # Hadoop reads those of any element
        raise Where(name, root.line).fault(
            f"<{root.tag[:60]}> stands where <allocations> or <configuration> must"
        )
    of_capacity = sum(key.startswith(CAPACITY) for key in properties)
    if any(key.startswith(HADOOP_1) for key in properties) and not of_capacity:
        of_hadoop_1 = Where(name).fault(msg("scenario.configuration_reader.hadoop_1", prefix=HADOOP_1))
        return Document(name, CAPACITY_XML, root, str(of_hadoop_1))
    is_capacity = 2 * of_capacity > len(properties) and SCHEDULER_CLASS not in properties
    if is_capacity:
        return Document(name, CAPACITY_XML, root)
    of_jobs = 2 * sum(map(is_of_mapreduce, properties)) > len(properties) or is_of_one_job(properties)
    return Document(name, MAPRED_XML if of_jobs else SITE_XML, root)


def build_draft(documents: Sequence[Document], size: Size) -> Draft:
    """What the documents say of a cluster of this size: those of the scheduler in use, and yarn-site.xml.

    FormatError as `read_configuration` says.
    """
    draft = Draft(size)
    used = _used_documents(documents, draft)
    family = draft.scheduler["family"]
    fair = [document for document in used if document.kind == FAIR_XML]
    if len(fair) > 1:
        raise FormatError(
            msg(
                "scenario.configuration_reader.and_both_allocations_fairscheduler_one_at",
                file=fair[0].file,
                file2=fair[1].file,
            )
        )
    for document in used:
        if document.fault:
            raise FormatError(document.fault)
    properties = _properties((one for one in used if one.kind in (CAPACITY_XML, SITE_XML)), draft.remarks)
    of_capacity = {document.file for document in used if document.kind == CAPACITY_XML}
    if of_capacity:
        draft.unmodelled[AS_READ] = {
            name: prop.plain() for name, prop in properties.items() if prop.where.file in of_capacity
        }
    expand_variables(properties, draft.remarks)
    for document in fair:
        read_fair(document.file, document.root, draft)
    read_properties(properties, draft)
    if family == "capacity":
        draft.placement = capacity_rules(draft.placement_properties, draft)
    else:
        placement = draft.placement or default_rules(family, draft.placement_properties)
        draft.placement = replace(placement, policies=draft.policies)
    draft.job_settings = _read_job_settings(documents, draft)
    return draft


def _properties(documents: Iterable[Document], remarks: Remarks) -> dict[str, Property]:
    properties: dict[str, Property] = {}
    for document in documents:
        collect_properties(document.file, document.root, properties, remarks)
    return properties


def _used_documents(documents: Sequence[Document], draft: Draft) -> list[Document]:
    """The documents that the scheduler in use reads, the others told; which scheduler that is."""
    given = _properties((one for one in documents if one.kind == SITE_XML), Remarks())
    expand_variables(given, Remarks())
    read_family(given, draft)
    kinds = {document.kind for document in documents}
    if "family" not in draft.scheduler:
        is_fair = FAIR_XML in kinds and CAPACITY_XML not in kinds
        draft.scheduler["family"] = "fair" if is_fair else "capacity"
        if kinds & {SITE_XML, MAPRED_XML} or len(documents) > 1:
            reason = (
                msg("scenario.configuration_reader.fairscheduler_has_allocation_file")
                if is_fair
                else msg("scenario.configuration_reader.capacityscheduler_hadoops_default")
            )
            draft.remarks.add(
                Where(documents[0].file),
                msg(
                    "scenario.configuration_reader.no_yarn_resourcemanager_scheduler_class_give",
                    reason=reason,
                ),
            )
    family = draft.scheduler["family"]
    unused = {FAIR_XML: "fair", CAPACITY_XML: "capacity"}
    for document in documents:
        if unused.get(document.kind, family) != family:
            draft.remarks.add(
                Where(document.file),
                msg("scenario.configuration_reader.file_not_used", family=family),
                NoteKind.NOT_READ,
            )
    return [document for document in documents if unused.get(document.kind, family) == family]


def _read_job_settings(documents: Sequence[Document], draft: Draft) -> JobSettings:
    """What mapred-site.xml gives jobs, and yarn-site.xml, which MapReduce's client reads after it
    (ConfigUtil.loadResources).
    """
    properties: dict[str, Property] = {}
    for document in documents:
        if document.kind == MAPRED_XML:
            collect_properties(document.file, document.root, properties, draft.remarks, DEPRECATED)
            of_file = [name for name, prop in properties.items() if prop.where.file == document.file]
            note_unread(document.file, of_file, draft.remarks)
    for document in documents:
        if document.kind == SITE_XML:
            collect_properties(document.file, document.root, properties, Remarks(), DEPRECATED)
    expand_variables(properties, Remarks())
    limit = {key: amount for key in ("memory_mb", "vcores") if (amount := _largest_container(draft, key))}
    return JobSettings(used_properties(properties, draft.remarks), limit)


def _largest_container(draft: Draft, key: str) -> int | None:
    """MB or vcores of the largest container that the files allow, None where they don't say."""
    maximum = get_path(draft.cluster, f"allocation.maximum.{key}")
    if maximum is None and "allocation" in draft.cluster:
        maximum = getattr(Allocation().maximum, key)
    amounts = [amount for amount in (maximum, draft.scheduler.get(f"node_{key}")) if amount]
    return min(amounts, default=None)
