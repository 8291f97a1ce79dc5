"""What is the same on all nodes, the seed and the title: fields of the scenario itself, shown by the form
that rows have too.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from engine import Cluster, Scenario
from webapp.messages import msg
from webapp.panels.editor import folds
from webapp.panels.editor.fields import entries

SCENARIO_ENTRIES = entries(Scenario)
TITLE = [entry for entry in SCENARIO_ENTRIES if entry.path == "name"]
SETTINGS = entries(Cluster, prefix="cluster.") + [entry for entry in SCENARIO_ENTRIES if entry.path != "name"]


def facts() -> dict[str, Any]:
    """What the page's scripts need to know of the fields, as JSON: of the title and the settings, and what of
    a form is folded.
    """
    folded = {"settings": folds.SETTINGS, "queues": folds.QUEUES, "jobs": folds.JOBS}
    return {
        "title": [asdict(entry) | {"title": msg("panels.form.title_scenario")} for entry in TITLE],
        "settings": [asdict(entry) for entry in SETTINGS],
        "folds": {key: [fold._asdict() for fold in of_form] for key, of_form in folded.items()},
    }
