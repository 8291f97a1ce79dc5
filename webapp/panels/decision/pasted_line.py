"""A diagnostics line that is pasted: what a ResourceManager says, what it means, and the properties that
would change it, with their values on the cluster that is open.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, Output, State, html

from engine import diagnose
from engine.dashboard import MAX_DIAGNOSTICS, names_of
from webapp.messages import msg
from webapp.panels.components import attributes
from webapp.runs import saved_tasks

PAUSE_MS = 400  # after the last key


def layout() -> html.Section:
    """The field and the room of its answer, below the decision in its tab."""
    field = dmc.Textarea(
        id="diagnostics-text",
        label=msg("panels.pasted_line.paste_diagnostics_line"),
        description=msg("panels.pasted_line.what_resourcemanager_says_of_application_that"),
        placeholder=msg("panels.pasted_line.such_as"),
        size="xs",
        autosize=True,
        minRows=2,
        maxRows=8,
        debounce=PAUSE_MS,
        value="",
        attributes={"input": {"maxLength": MAX_DIAGNOSTICS, "spellCheck": "false"}},
    )
    answer = html.Div(id="diagnostics-answer", role="status", **attributes({"aria-live": "polite"}))
    return html.Section(
        [field, answer],
        id="diagnostics",
        className="diagnostics",
        **attributes({"aria-label": msg("panels.pasted_line.diagnostics_of_resourcemanager")}),
    )


def register(app: Dash) -> None:
    """The answer follows what is in the field, on the cluster of the result that is shown then, and the page
    scrolls to it.
    """
    app.clientside_callback(
        ClientsideFunction("gantry", "diagnosed"),
        Input("diagnostics-answer", "children"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("diagnostics-answer", "children"),
        Input("diagnostics-text", "value"),
        State("result", "data"),
        prevent_initial_call=True,
    )
    def answer(text: Any, result: Any):
        if not isinstance(text, str) or not text.strip():
            return []
        task = saved_tasks.task_of_result(result) if result else None
        if task is None:
            return content(diagnose(text))
        return content(diagnose(text, task.scenario, names_of(task.schedulers)))


def content(diagnosis: dict[str, Any]) -> list:
    """What engine's diagnose says, entry by entry, then what is beside them."""
    parts = [part for entry in (diagnosis, *diagnosis["further"]) for part in _entry(entry)]
    return [*parts, html.P(diagnosis["beside"])] if diagnosis["beside"] else parts


def _entry(entry: dict[str, Any]) -> list:
    """First what it comes to, then each sentence of Hadoop's with what would change it, then the numbers."""
    parts: list[Any] = [html.P(text) for text in (entry["compared"],) if text]
    for reading in entry["readings"]:
        changes = [html.Li(one["sentence"]) for one in reading["properties"]]
        parts += [
            html.H3(html.Q(reading["said"])),
            html.P(reading["meaning"]),
            html.Ul(changes) if changes else None,
            html.P(msg("panels.pasted_line.said_by", rule=reading["rule"]), className="quiet"),
        ]
    if entry["says"]:
        parts.append(html.P(entry["says"]))
    numbers = [html.Div([html.Dt(one["title"]), html.Dd(one["text"])]) for one in entry["numbers"]]
    return [*(part for part in parts if part), html.Dl(numbers, className="facts")] if numbers else parts
