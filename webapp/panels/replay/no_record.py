"""What stands in the tab of a result that has nothing to replay: how to bring a history, and a sample to look at."""

from __future__ import annotations

from dash import get_relative_path, html

from engine import presets
from webapp.panels.papers import static_charts
from webapp.panels.replay import collector
from webapp.services.runs import Task

NO_RECORD = "This result has no record of a real cluster, so there is nothing to set its simulation beside."
NO_SCHEDULER = (
    "Only what was measured is shown. Add the scheduler that your cluster runs, such as capacity or fair, and run: it is then set beside what was measured."
)
SAMPLE_SCHEDULERS = ("measured", "capacity")


def layout(task: Task) -> html.Div:
    """Why there is nothing, in a sentence, and what one does about it."""
    if task.scenario.measured:
        return html.Div(html.P(html.Strong(NO_SCHEDULER)), className="finding")
    steps = [
        html.Li(["Where your cluster is, run ", collector.link(), ": it asks the cluster for a span of time and writes one archive."]),
        html.Li("Drop the archive on this page; or drop job histories (.jhist) with their _conf.xml, your queue file and a list of nodes, all at once."),
        html.Li("Run: what was measured stands first in every chart, and this tab says how far off the simulation of it is, and why."),
    ]
    return html.Div([html.P(html.Strong(NO_RECORD)), html.Ol(steps, className="replay-steps"), html.P(_more())], className="finding")


def _more() -> list:
    """To a sample, if one has a record, and to what was tried on a real cluster."""
    sample = next((one for one in presets() if one.scenario.measured), None)
    look = [html.A("Look at a recorded batch", href=static_charts.address(sample.scenario, SAMPLE_SCHEDULERS)), ". "] if sample else []
    return [*look, html.A("How well does it predict?", href=get_relative_path("/prediction"))]
