"""A scenario of FairScheduler as CapacityScheduler has it, or the other way round, with its files."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.conversion.capacity_to_fair import fair_scenario
from engine.conversion.conversion_rule import ConversionRule
from engine.conversion.fair_to_capacity import CapacityProperties, capacity_properties
from engine.errors import FormatError
from engine.messages import msg
from engine.output.hadoop_files import configuration_text, properties_text
from engine.scenario.configuration.configuration_notes import Remarks
from engine.scenario.configuration.configuration_reader import (
    CAPACITY_XML,
    FAIR_XML,
    SITE_XML,
    Configuration,
    build_draft,
    read_configuration,
)
from engine.scenario.configuration.configuration_writer import KINDS
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.scenario.configuration.properties import Property, collect_properties, expand_variables
from engine.scenario.configuration.site_table import FAIR, FAIR_SITE
from engine.scenario.configuration.value_parsing import Size
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler

SITE_FILE, FAIR_FILE, CAPACITY_FILE = KINDS[SITE_XML], KINDS[FAIR_XML], KINDS[CAPACITY_XML]
FAIR_ORDERS, CAPACITY_ORDER = ("fair", "drf"), "capacity"


class SchedulerConversion(NamedTuple):
    """scenario, scheduler: what runs under the other scheduler; rules: what became of each setting, what is
    lost first; files: Hadoop's by name, those of the scheduler and yarn-site.xml.
    """

    scenario: Scenario
    scheduler: Scheduler
    rules: tuple[ConversionRule, ...]
    files: dict[str, str]


def convert_scheduler(
    scenario: Scenario, scheduler: Scheduler | str, percentages: bool = False
) -> SchedulerConversion:
    """FairScheduler's scenario as CapacityScheduler's, as Hadoop's fs2cs converts it; CapacityScheduler's as
    FairScheduler's, by rules of our own. Jobs stay in their queues.

    percentages: to CapacityScheduler, weights become percentages (fs2cs --percentage). FormatError for
    another scheduler, or where CapacityScheduler would not start with what fs2cs writes.
    """
    chosen = as_scheduler(scheduler)
    order = chosen.order.policy.name
    if order in FAIR_ORDERS:
        return _to_capacity(scenario, chosen, percentages)
    if order == CAPACITY_ORDER:
        fair, name, rules = fair_scenario(scenario, chosen)
        texts = {KINDS[kind]: configuration_text(fair, name, kind) for kind in (FAIR_XML, SITE_XML)}
        return SchedulerConversion(fair, _with_reduce_start(name, chosen), rules, texts)
    raise FormatError(msg("conversion.scheduler_conversion.no_such_scheduler", scheduler=chosen.name))


def _to_capacity(scenario: Scenario, scheduler: Scheduler, percentages: bool) -> SchedulerConversion:
    given = [
        (KINDS[kind], configuration_text(scenario, scheduler, kind).encode()) for kind in (SITE_XML, FAIR_XML)
    ]
    groups = scenario.cluster.nodes
    size = Size(
        *(sum(group.count * getattr(group, key) for group in groups) for key in ("memory_mb", "vcores"))
    )
    configuration = read_configuration(given)
    used = list(dict.fromkeys(job.queue for job in scenario.jobs if not job.rejected))
    written = convert_configuration(
        configuration, size, sum(group.count for group in groups), percentages, used
    )
    kept = {
        name: prop.plain()
        for name, prop in site_properties(configuration).items()
        if not name.startswith(FAIR) and name not in FAIR_SITE.by_name
    }
    files = {
        CAPACITY_FILE: properties_text(written.capacity),
        SITE_FILE: properties_text(kept | written.site),
    }
    try:
        converted = read_configuration([(name, text.encode()) for name, text in files.items()])
        configured = configure_scenario(_without_fair(scenario), converted, place_jobs=False)
    except FormatError as error:
        raise FormatError(msg("conversion.scheduler_conversion.does_not_start", error=error)) from None
    chosen = _with_reduce_start(configured.scheduler, scheduler)
    return SchedulerConversion(configured.scenario, chosen, written.rules.sorted(), files)


def _with_reduce_start(name: str, before: Scheduler) -> Scheduler:
    """When reduces are asked for is MapReduce's, and stays."""
    return replace(as_scheduler(name), reduce_start=before.reduce_start)


def convert_configuration(
    configuration: Configuration, size: Size, nodes: int, percentages: bool, used: list[str]
) -> CapacityProperties:
    """FairScheduler's files as CapacityScheduler's properties, for a cluster of this size; used: queues that
    jobs ran in, which are listed too, as FairScheduler made them.
    """
    draft = build_draft(configuration.documents, size)
    for queue in used:
        parts = queue.split(".")
        for end in range(2, len(parts) + 1):
            draft.queue(".".join(parts[:end]))
    site = {name: prop.expanded for name, prop in site_properties(configuration).items()}
    return capacity_properties(draft, site, nodes, percentages)


def site_properties(configuration: Configuration) -> dict[str, Property]:
    """Those of yarn-site.xml, with variables filled in."""
    properties: dict[str, Property] = {}
    for document in configuration.documents:
        if document.kind == SITE_XML:
            collect_properties(document.file, document.root, properties, Remarks())
    expand_variables(properties, Remarks())
    return properties


def _without_fair(scenario: Scenario) -> Scenario:
    """The scenario without what FairScheduler's files said."""
    plain = scenario.plain()
    kept = plain.get("x_hadoop")
    if isinstance(kept, dict):
        plain["x_hadoop"] = {name: part for name, part in kept.items() if name not in (FAIR_FILE, SITE_FILE)}
    return Scenario.of(plain)
