"""What stands in the tab of a result that has nothing to replay: how to bring a history, and a sample to look
at.
"""

from __future__ import annotations

from typing import Any

from dash import ClientsideFunction, Dash, Input, Output, get_relative_path, html, no_update

from engine import Scenario, sample
from webapp.messages import msg
from webapp.panels.components import button
from webapp.panels.replay import collector
from webapp.runs.task import Task
from webapp.url.url_state import RunRequest

NO_RECORD = msg("panels.no_record.result_has_no_record_real_cluster")
NO_SCHEDULER = msg("panels.no_record.only_what_was_measured_shown_add")
SAMPLE, SAMPLE_SCHEDULERS = "recorded-batch.json", ("measured", "fair")


def layout(task: Task) -> html.Div:
    """Why there is nothing, in a sentence, and what one does about it."""
    if task.scenario.measured:
        return html.Div(html.P(html.Strong(NO_SCHEDULER)), className="finding")
    where = msg("panels.no_record.where_your_cluster_run")
    collects = msg("panels.no_record.collects_period_time_from_cluster_and")
    steps = [
        html.Li([where, collector.link(), collects]),
        html.Li(msg("panels.no_record.drop_archive_on_page_or_drop")),
        html.Li(msg("panels.no_record.run_measured_run_comes_first_in")),
    ]
    look = msg("panels.no_record.look_at_fourteen_jobs_recorded_on")
    sample_button = button(look, id="replay-sample", className="replay-use")
    link = html.A(msg("shared.how_well_does_predict"), href=get_relative_path("/prediction"))
    more = html.P([sample_button, " ", link])
    ways = html.Ol(steps, className="replay-steps")
    return html.Div([html.P(html.Strong(NO_RECORD)), ways, more], className="finding")


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
