"""Several files of one cluster, read as one configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import FormatError, TooLarge
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import ConfigurationNote, Where
from engine.scenario.configuration.fair_file import read_fair
from engine.scenario.configuration.properties import Property, collect_properties, expand_variables
from engine.scenario.configuration.property_files import read_family, read_properties
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.queue_placement import Placement, capacity_rules, default_rules
from engine.scenario.configuration.scheduler_settings import scheduler_name
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.configuration.value_parsing import Size
from engine.scenario.configuration.xml_tree import MAX_BYTES, Element, parse_xml
from engine.scenario.queue_validation import ROOT

FAIR_XML, CAPACITY_XML, SITE_XML = "fair-xml", "capacity-xml", "yarn-site"
MAX_FILES = 10
# yarn.nodemanager.resource.memory-mb and cpu-vcores, Hadoop's defaults
STAND_IN_NODES, STAND_IN_SIZE = (
    10,
    Size(8192, 8),
)
STAND_IN_CLUSTER = Size(STAND_IN_NODES * STAND_IN_SIZE.memory_mb, STAND_IN_NODES * STAND_IN_SIZE.vcores)


@dataclass(frozen=True)
class Document:
    """One file: its name as given, its kind, its tree."""

    file: str
    kind: str
    root: Element


@dataclass(frozen=True)
class Configuration:
    """What files of a cluster say.

    scheduler: its name here, such as capacity(resources=memory); queues, cluster, users: as a scenario's JSON
    has them, shares of the cluster taken of ten nodes of Hadoop's default size; placement: how jobs come to
    queues; parents: queues in which no job may run though no queue is in them; notes: what is not modelled,
    not used or taken otherwise, with its line.
    """

    documents: tuple[Document, ...]
    scheduler: str
    queues: list[dict[str, Any]]
    cluster: dict[str, Any]
    users: list[dict[str, Any]]
    placement: Placement
    parents: frozenset[str]
    notes: tuple[ConfigurationNote, ...]


def read_configuration(files: Sequence[tuple[str, bytes]]) -> Configuration:
    """The configuration of fair-scheduler.xml, capacity-scheduler.xml and yarn-site.xml, one or several of
    them: (name, bytes) each, later ones last.

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
        draft.remarks.notes(),
    )


def _document(name: str, data: bytes) -> Document:
    root = parse_xml(name, data)
    if root.tag == "allocations":
        return Document(name, FAIR_XML, root)
    if root.tag != "configuration":
        raise Where(name, root.line).fault(
            f"<{root.tag[:60]}> stands where <allocations> or <configuration> must"
        )
    capacity = any(_is_capacity_property(child) for child in root.children)
    return Document(name, CAPACITY_XML if capacity else SITE_XML, root)


def _is_capacity_property(element: Element) -> bool:
    names = [
        element.attributes.get("name", ""),
        *(child.text for child in element.children if child.tag == "name"),
    ]
    return any(name.strip().startswith(CAPACITY) for name in names)


def build_draft(documents: Sequence[Document], size: Size) -> Draft:
    """What the documents say of a cluster of this size. FormatError as `read_configuration` says."""
    draft = Draft(size)
    fair = [document for document in documents if document.kind == FAIR_XML]
    if len(fair) > 1:
        raise FormatError(
            msg(
                "scenario.configuration_reader.and_both_allocations_fairscheduler_one_at",
                file=fair[0].file,
                file2=fair[1].file,
            )
        )
    properties: dict[str, Property] = {}
    for document in documents:
        if document.kind != FAIR_XML:
            collect_properties(document.file, document.root, properties, draft.remarks)
    expand_variables(properties, draft.remarks)
    read_family(properties, draft)
    if "family" not in draft.scheduler:
        draft.scheduler["family"] = (
            "fair"
            if fair and not any(document.kind == CAPACITY_XML for document in documents)
            else "capacity"
        )
        if any(document.kind == SITE_XML for document in documents) or len(documents) > 1:
            reason = (
                msg("scenario.configuration_reader.capacityscheduler_hadoops_default")
                if draft.scheduler["family"] == "capacity"
                else msg("scenario.configuration_reader.fairscheduler_has_allocation_file")
            )
            draft.remarks.add(
                Where(documents[0].file),
                msg(
                    "scenario.configuration_reader.no_yarn_resourcemanager_scheduler_class_give",
                    reason=reason,
                ),
            )
    for document in fair:
        read_fair(document.file, document.root, draft)
    fair_placement, fair_queues = draft.placement, draft.queues
    draft.queues = {}
    read_properties(properties, draft)
    first, second = (
        (fair_queues, draft.queues) if draft.scheduler["family"] == "fair" else (draft.queues, fair_queues)
    )
    draft.queues = _merge_queues(draft, first, second)
    if draft.scheduler["family"] == "fair":
        placement = fair_placement or default_rules("fair", draft.placement_properties)
        draft.placement = replace(placement, barred=frozenset(draft.barred))
    else:
        draft.placement = (
            capacity_rules(draft.placement_properties, draft.remarks)
            if draft.scheduler["family"] == "capacity"
            else default_rules("fifo", {})
        )
    return draft


def _merge_queues(
    draft: Draft, first: dict[str, dict[str, Any]], second: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """The queues of the cluster's scheduler; another's file adds what it says of queues of the same names,
    and stands alone where it is alone.
    """
    queues = dict(first or second)
    for name, values in second.items() if first else ():
        if name in queues:
            hadoop = {**values.get("x_hadoop", {}), **queues[name].get("x_hadoop", {})}
            queues[name] = {**values, **queues[name], **({"x_hadoop": hadoop} if hadoop else {})}
        elif name != ROOT:
            draft.remarks.add(
                Where(msg("shared.configuration")),
                msg("scenario.configuration_reader.queue_other_scheduler_alone_and_not", name=name),
            )
    return queues
