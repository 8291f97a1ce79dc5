"""What stands in the tab of a result that has nothing to replay: how to bring a history, and a sample to look
at.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, get_relative_path, html, no_update

from engine import Scenario, sample
from webapp.panels.replay import collector
from webapp.services.runs import Task
from webapp.services.url_state import RunRequest

NO_RECORD = "This result has no record of a real cluster, so there is nothing to set its simulation beside."
NO_SCHEDULER = (
    "Only what was measured is shown. Add the scheduler that your cluster runs, such as capacity or fair, "
    "and run: it is then set beside what was measured."
)
SAMPLE, SAMPLE_SCHEDULERS = "recorded-batch.json", ("measured", "fair")


def layout(task: Task) -> html.Div:
    """Why there is nothing, in a sentence, and what one does about it."""
    if task.scenario.measured:
        return html.Div(html.P(html.Strong(NO_SCHEDULER)), className="finding")
    steps = [
        html.Li(
            [
                "Where your cluster is, run ",
                collector.link(),
                ": it asks the cluster for a span of time and writes one archive.",
            ]
        ),
        html.Li(
            "Drop the archive on this page; or drop job histories (.jhist) with their _conf.xml, your "
            "queue file and a list of nodes, all at once."
        ),
        html.Li(
            "Run: what was measured stands first in every chart, and this tab says how far off the "
            "simulation of it is, and why."
        ),
    ]
    sample_button = html.Button(
        "Look at fourteen jobs recorded on a real cluster",
        id="replay-sample",
        type="button",
        className="replay-use",
    )
    more = [sample_button, " ", html.A("How well does it predict?", href=get_relative_path("/prediction"))]
    return html.Div(
        [html.P(html.Strong(NO_RECORD)), html.Ol(steps, className="replay-steps"), html.P(more)],
        className="finding",
    )


def sample_batch() -> dict[str, Any]:
    """What was recorded of a real cluster, and the scheduler it ran under, as a draft."""
    return RunRequest(Scenario.read(sample(SAMPLE).read_bytes()).plain(), SAMPLE_SCHEDULERS).plain()


def register(app: Dash) -> None:
    """Callbacks: the sample, once it is asked for."""
    app.clientside_callback(
        ClientsideFunction("gantry", "replaySample"),
        Input("replay-sample-asked", "data"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("replay-sample-asked", "data"), Input("replay-sample", "n_clicks"), prevent_initial_call=True
    )
    def ask(clicks: int | None):
        return sample_batch() if clicks else no_update
