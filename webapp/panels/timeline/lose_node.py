"""What if a node is lost at Play's cursor: the names to choose from, and the scenario with that outage;
assets/scripts/what_if/lose_node.ts has the form and runs it.
"""

from __future__ import annotations

from dash import html

from engine import GantryError, Scenario, ScenarioError, quantities
from engine.dashboard import MEASURED
from webapp.http.fault_text import error_text
from webapp.jobs.whatif import ONLY_MEASURED
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.panels.timeline.viewport import is_number
from webapp.runs.task import Task
from webapp.url.url_state import RunRequest

MAX_NAMES = 2_000  # that are offered; any other may be typed
OUTAGES = "cluster.outages"


def layout() -> html.Section:
    """Room for the form, above the nodes."""
    label = attributes({"aria-label": msg("panels.lose_node.what_if_node_lost")})
    return html.Section(id="lose-node", className="lose-node", **label)


def names(task: Task, sent: dict) -> dict:
    """The cluster's nodes: {names}."""
    return {"names": task.shown[0].outcome.run.workload.node_names[:MAX_NAMES]}


def lose(task: Task, sent: dict) -> dict:
    """What is run: `of`, a scenario and schedulers as the page has them, with this node lost at this time, at
    in ms, for good: {scenario, schedulers, says}; {because} where that can't be. What was measured is left
    out, for it was of a cluster that lost no such node.
    """
    node, at = sent.get("node"), sent.get("at")
    try:
        base = RunRequest.of(sent.get("of"))
    except GantryError as error:
        return {"because": str(error)}
    if not isinstance(node, str) or not node or not is_number(at) or at < 0:
        return {"because": msg("panels.lose_node.choose_node_and_time")}
    schedulers = tuple(name for name in base.schedulers if name.strip() != MEASURED.name)
    if not schedulers:
        return {"because": ONLY_MEASURED}
    scenario = {key: value for key, value in base.scenario.items() if key != "measured"}
    cluster = scenario["cluster"] if isinstance(scenario.get("cluster"), dict) else {}
    outages = cluster["outages"] if isinstance(cluster.get("outages"), list) else []
    lost_s = round(at) / 1000
    scenario["cluster"] = {**cluster, "outages": [*outages, {"node": node, "lost_s": lost_s}]}
    try:
        Scenario.of(scenario)
    except GantryError as error:
        return {"because": _sentence(error, scenario)}
    says = msg("panels.lose_node.lost_at", node=node, clock=quantities.clock(lost_s))
    return {"scenario": scenario, "schedulers": schedulers, "says": says}


def _sentence(error: GantryError, scenario: dict) -> str:
    """What is wrong with the outage names the node."""
    message = error_text(error, scenario)
    if isinstance(error, ScenarioError) and error.faults[0].path.startswith(OUTAGES):
        message = error.faults[0].message
    return msg("panels.lose_node.not_run", message=message)
