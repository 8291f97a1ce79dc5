"""The draft's scheduler converted: FairScheduler to CapacityScheduler as Hadoop's fs2cs does, or back."""

from __future__ import annotations

from typing import Any

from dash import Dash, html

from engine import FormatError, GantryError
from engine.dashboard import convert_scheduler, has_record, rule_sentences
from webapp.messages import msg
from webapp.panels.editor.configuration import FILES, first_scheduler
from webapp.panels.editor.written_files import check_kind, choices, draft_scenario, register_writer

ADDRESS = "editor/convert"
FAIR, CAPACITY = FILES["fair-xml"][2], FILES["capacity-xml"][2]
# title, sentence, the orders that are converted, whether weights become percentages
KINDS = {
    "weights": ("CapacityScheduler", msg("panels.conversion.weights_about"), FAIR, False),
    "percentages": (
        msg("panels.conversion.percentages"),
        msg("panels.conversion.percentages_about"),
        FAIR,
        True,
    ),
    "fair": ("FairScheduler", msg("panels.conversion.fair_about"), CAPACITY, False),
}


def converted_draft(kind: Any, scenario: Any, schedulers: Any) -> dict[str, Any]:
    """draft: the converted scenario with its scheduler and what becomes of each setting (assumed); pinned:
    what was converted, to be set beside it; name: of the scheduler. FormatError, one sentence, where it can't
    be converted.
    """
    check_kind(kind, KINDS)
    name, _, orders, percentages = KINDS[kind]
    given = draft_scenario(scenario, name)
    before = first_scheduler(schedulers if isinstance(schedulers, list) else [], orders)
    try:
        converted = convert_scheduler(given, before, percentages)
    except GantryError as error:
        raise FormatError(msg("panels.conversion.cant_be_converted", error=error)) from None
    shown = ["measured", before] if has_record(given) else [before]
    title = given.name or msg("shared.untitled")
    after = converted.scenario.plain()
    after.pop("measured", None)  # the record is of the other scheduler
    return {
        "draft": {
            "scenario": after,
            "schedulers": [converted.scheduler.name],
            "assumed": rule_sentences(converted.rules),
        },
        "pinned": {"scenario": given.plain(), "schedulers": shown, "name": title},
        "name": name,
    }


def menu() -> html.Details:
    """To which scheduler it can be converted, with a sentence each."""
    return choices(
        "editor-converts",
        msg("panels.conversion.convert"),
        "data-convert",
        [(kind, name, about) for kind, (name, about, _, _) in KINDS.items()],
        title=msg("panels.conversion.convert_scheduler"),
    )


def register(app: Dash) -> None:
    """The address that converts."""
    register_writer(
        app, ADDRESS, lambda sent: converted_draft(*map(sent.get, ("kind", "scenario", "schedulers")))
    )
