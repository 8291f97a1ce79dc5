"""The cluster's own configuration on the page: Hadoop's XML files put on a draft, and written of it."""

from __future__ import annotations

from typing import Any

from dash import Dash, html

from engine import FormatError, GantryError, Scenario, ScenarioError, SchedulerError, parse
from engine.dashboard import (
    SCHEDULER_CONF_UPDATES,
    Configuration,
    ConfigurationNote,
    configuration_scheduler,
    configuration_text,
    configure_scenario,
    scheduler_conf_text,
)
from webapp.messages import msg
from webapp.panels.editor.written_files import check_kind, choices, draft_scenario, register_writer

ADDRESS = "editor/write"
FILES = {
    "fair-xml": ("fair-scheduler.xml", msg("panels.configuration.fair_xml_about"), ("fair", "drf")),
    "capacity-xml": ("capacity-scheduler.xml", msg("panels.configuration.capacity_xml_about"), ("capacity",)),
    "yarn-site": (
        "yarn-site.xml",
        msg("panels.configuration.yarn_site_about"),
        ("fair", "drf", "capacity", "fifo"),
    ),
}
# what was changed of the cluster's own capacity-scheduler.xml
CHANGES = {
    kind: (name, about, ("capacity",))
    for (kind, name), about in zip(
        SCHEDULER_CONF_UPDATES.items(),
        (
            msg("panels.configuration.change_xml_about"),
            msg("panels.configuration.change_json_about"),
            msg("panels.configuration.stop_about"),
            msg("panels.configuration.diff_about"),
        ),
        strict=True,
    )
}
KINDS = {*FILES, "mapred-site"}  # that are read


def apply_configuration(configuration: Configuration, draft: Any) -> dict[str, Any]:
    """A draft's scenario (JSON values) with a configuration: scenario, assumed (what is to be told,
    as `draft_note` says), scheduler ("" of mapred-site.xml alone).

    FormatError, one sentence, where the configuration makes no scenario or the draft has errors.
    """
    try:
        scenario = Scenario.of(draft)
    except ScenarioError as error:
        count = len(error.faults)
        errors = (
            msg("panels.configuration.errors", count=count)
            if count > 1
            else msg("panels.configuration.error")
        )
        raise FormatError(msg("panels.configuration.only_on_draft_without_errors", errors=errors)) from None
    result = configure_scenario(scenario, configuration)
    scheduler = msg("panels.configuration.scheduler", scheduler=result.scheduler)
    return {
        "scenario": result.scenario.plain(),
        "assumed": [*([scheduler] if result.scheduler else []), *map(draft_note, result.notes)],
        "scheduler": result.scheduler,
    }


def draft_note(note: str | ConfigurationNote) -> str | dict[str, str]:
    """A note as the page takes it: a sentence, of a configuration with its kind; one that names no file
    begins large.
    """
    text = f"{str(note).removesuffix('.')}."
    if isinstance(note, str):
        return text
    return {"kind": note.kind.value, "text": text if "." in note.file else text[:1].upper() + text[1:]}


def draft_file(kind: Any, scenario: Any, schedulers: Any) -> dict[str, str]:
    """A draft's file of Hadoop's: name and content, by the first of these schedulers that it is for, else the
    configuration's; FormatError where it can't be written.
    """
    check_kind(kind, FILES | CHANGES)
    name, _, orders = (FILES | CHANGES)[kind]
    draft = draft_scenario(scenario, name)
    write = scheduler_conf_text if kind in CHANGES else configuration_text
    names = [*(schedulers if isinstance(schedulers, list) else ()), configuration_scheduler(draft)]
    try:
        text = write(draft, first_scheduler(names, orders), kind)
    except GantryError as error:
        raise FormatError(msg("panels.configuration.cant_be_written", name=name, error=error)) from None
    return {"name": name, "content": text}


def first_scheduler(schedulers: list[Any], orders: tuple[str, ...]) -> str:
    """The first of these schedulers that has one of the orders, otherwise the first order."""
    for name in schedulers:
        try:
            if parse(str(name)).order.policy.name in orders:
                return str(name)
        except SchedulerError:
            continue
    return orders[0]


def menu() -> html.Details:
    """What can be written for a cluster, with a sentence each."""
    return choices(
        "editor-writes",
        msg("panels.configuration.write_for_hadoop"),
        "data-write",
        [(kind, name, about) for kind, (name, about, _) in (FILES | CHANGES).items()],
        title=msg("panels.configuration.write_configuration_for_cluster"),
    )


def register(app: Dash) -> None:
    """The address that writes a file."""
    register_writer(app, ADDRESS, lambda sent: draft_file(*map(sent.get, ("kind", "scenario", "schedulers"))))
