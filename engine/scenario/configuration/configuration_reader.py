"""Several files of one cluster, read as one configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import FormatError, TooLarge
from engine.scenario.configuration.fair_file import read_fair
from engine.scenario.configuration.mapping import Draft
from engine.scenario.configuration.notes import ConfigurationNote, Where
from engine.scenario.configuration.placement import Placement, capacity_rules, default_rules
from engine.scenario.configuration.properties import Property, fill_in, properties_of
from engine.scenario.configuration.property_files import read_family, read_properties
from engine.scenario.configuration.quantities import Size
from engine.scenario.configuration.scheduler_settings import scheduler_name
from engine.scenario.configuration.site_table import CAPACITY
from engine.scenario.configuration.xml_tree import MOST_BYTES, Element, parsed
from engine.scenario.queue_validation import ROOT

FAIR_XML, CAPACITY_XML, SITE_XML = "fair-xml", "capacity-xml", "yarn-site"
MOST_FILES = 10
STAND_IN_NODES, STAND_IN_SIZE = 10, Size(8192, 8)  # yarn.nodemanager.resource.memory-mb and cpu-vcores, Hadoop's defaults
WHOLE_STAND_IN = Size(STAND_IN_NODES * STAND_IN_SIZE.memory_mb, STAND_IN_NODES * STAND_IN_SIZE.vcores)


@dataclass(frozen=True)
class Document:
    """One file: its name as given, its kind, its tree."""

    file: str
    kind: str
    root: Element


@dataclass(frozen=True)
class Configuration:
    """What files of a cluster say.

    scheduler: its name here, such as capacity(resources=memory); queues, cluster, users: as a scenario's JSON has them, shares of the cluster taken of
    ten nodes of Hadoop's default size; placement: how jobs come to queues; notes: what is not modelled, not used or taken otherwise, with its line.
    """

    documents: tuple[Document, ...]
    scheduler: str
    queues: list[dict[str, Any]]
    cluster: dict[str, Any]
    users: list[dict[str, Any]]
    placement: Placement
    notes: tuple[ConfigurationNote, ...]


def read_configuration(files: Sequence[tuple[str, bytes]]) -> Configuration:
    """The configuration of fair-scheduler.xml, capacity-scheduler.xml and yarn-site.xml, one or several of them: (name, bytes) each, later ones last.

    FormatError, one sentence with file and line, where a file is none of them, is broken, or Hadoop would refuse it; TooLarge where it is too much.
    """
    if not files:
        raise FormatError("no file is given")
    if len(files) > MOST_FILES or sum(len(data) for _, data in files) > MOST_BYTES:
        raise TooLarge(f"at most {MOST_FILES} files of {MOST_BYTES:,} bytes together make a configuration")
    documents = tuple(_document(name, data) for name, data in files)
    draft = draft_of(documents, WHOLE_STAND_IN)
    queues = [{"name": name, **values} for name, values in draft.queues.items()]
    name = scheduler_name(draft.scheduler["family"], draft.scheduler)
    return Configuration(documents, name, queues, draft.cluster, draft.scenario.get("users", []), draft.rules, draft.told.notes())


def _document(name: str, data: bytes) -> Document:
    root = parsed(name, data)
    if root.tag == "allocations":
        return Document(name, FAIR_XML, root)
    if root.tag != "configuration":
        raise Where(name, root.line).fault(f"<{root.tag[:60]}> stands where <allocations> or <configuration> must")
    capacity = any(_begins_capacity(child) for child in root.children)
    return Document(name, CAPACITY_XML if capacity else SITE_XML, root)


def _begins_capacity(element: Element) -> bool:
    names = [element.attributes.get("name", ""), *(child.text for child in element.children if child.tag == "name")]
    return any(name.strip().startswith(CAPACITY) for name in names)


def draft_of(documents: Sequence[Document], size: Size) -> Draft:
    """What the documents say of a cluster of this size. FormatError as `read_configuration` says."""
    draft = Draft(size)
    fair = [one for one in documents if one.kind == FAIR_XML]
    if len(fair) > 1:
        raise FormatError(f"{fair[0].file} and {fair[1].file} are both allocations of FairScheduler; one at a time can be read")
    properties: dict[str, Property] = {}
    for one in documents:
        if one.kind != FAIR_XML:
            properties_of(one.file, one.root, properties, draft.told)
    fill_in(properties, draft.told)
    read_family(properties, draft)
    if "family" not in draft.scheduler:
        draft.scheduler["family"] = "fair" if fair and not any(one.kind == CAPACITY_XML for one in documents) else "capacity"
        if any(one.kind == SITE_XML for one in documents) or len(documents) > 1:
            taken = "CapacityScheduler, Hadoop's default" if draft.scheduler["family"] == "capacity" else "FairScheduler, as its allocations are there"
            draft.told.add(Where(documents[0].file), f"no yarn.resourcemanager.scheduler.class is given: {taken}")
    for one in fair:
        read_fair(one.file, one.root, draft)
    by_fair, of_fair = draft.rules, draft.queues
    draft.queues = {}
    read_properties(properties, draft)
    first, second = (of_fair, draft.queues) if draft.scheduler["family"] == "fair" else (draft.queues, of_fair)
    draft.queues = _joined(draft, first, second)
    if draft.scheduler["family"] == "fair":
        draft.rules = by_fair or default_rules("fair", draft.placing)
    else:
        draft.rules = capacity_rules(draft.placing, draft.told) if draft.scheduler["family"] == "capacity" else default_rules("fifo", {})
    return draft


def _joined(draft: Draft, first: dict[str, dict[str, Any]], second: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The queues of the cluster's scheduler; another's file adds what it says of queues of the same names, and stands alone where it is alone."""
    found = dict(first or second)
    for name, values in second.items() if first else ():
        if name in found:
            hadoop = {**values.get("x_hadoop", {}), **found[name].get("x_hadoop", {})}
            found[name] = {**values, **found[name], **({"x_hadoop": hadoop} if hadoop else {})}
        elif name != ROOT:
            draft.told.add(Where("the configuration"), f"{name} is a queue of the other scheduler alone, and is not used")
    return found
