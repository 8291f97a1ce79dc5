"""Compare with: more schedulers beside those that are shown, in one click; another scenario."""

from __future__ import annotations

from dash import html

from engine import CATALOGUE
from webapp.messages import msg
from webapp.panels.components import button
from webapp.panels.menu import menu
from webapp.panels.run import other_scenario

HADOOP = ("fifo", "fair", "drf", "capacity")
PAPERS = ("haste", "haste-a", "saf", "priority-fair", "omo", "fair+autoadmin")
NEEDS_PARAMETERS = ("weighted",)


def layout() -> html.Details:
    """The menu; a script adds what an entry names to the draft and runs it."""
    all_orders = (name for name in CATALOGUE["order"] if name not in NEEDS_PARAMETERS)
    groups = (
        (msg("panels.compare_with.hadoops_schedulers"), HADOOP),
        (msg("panels.compare_with.papers_schedulers"), PAPERS),
        (msg("shared.all_schedulers"), tuple(dict.fromkeys((*HADOOP, *PAPERS, *all_orders)))),
    )
    entries = [
        button([title, html.Small(", ".join(names))], {"data-add-schedulers": " ".join(names)})
        for title, names in groups
    ]
    only = button(msg("panels.compare_with.only_first_two"), {"data-first-schedulers": "2"})
    label = msg("panels.compare_with.compare_with")
    return menu(
        "compare-with",
        label,
        [*entries, only, other_scenario.entry()],
        "columns",
        msg("panels.compare_with.more_schedulers"),
    )
