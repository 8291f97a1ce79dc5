"""The answer above the charts: which scheduler is best, by how much, and how that compares to what is pinned; and the ways to all else."""

from __future__ import annotations

from dash import Dash, Input, Output, get_relative_path, html, no_update

from webapp import theme
from webapp.panels.sections import jumps
from webapp.report import summary_text
from webapp.services import runs
from webapp.services.runs import Shown, Task

SECTIONS = [
    ("charts", "Charts"),
    ("compare", "Compare"),
    ("capacity", "Where the capacity went"),
    ("difference", "What changed"),
    ("pictures", "More charts"),
    ("variation", "Variation over seeds"),
]


def layout() -> html.Div:
    """The sentences, and links to the sections."""
    ways = [jumps(SECTIONS), html.A("Limits", href=get_relative_path("/model"))]
    return html.Div([html.Div(id="answer-says", className="answer-says"), html.Div(ways, className="answer-ways")], id="answer", className="answer")


def sentences(task: Task) -> list[str]:
    """The best of the task's own schedulers, then each beside the same one of what is pinned."""
    found = summary_text.verdict(task.outcomes())
    pinned = {one.name: one for one in task.shown if one.task is not task}
    return [*found, *(_beside(one, pinned[one.name]) for one in task.shown if one.task is task and one.name in pinned)]


def _beside(own: Shown, pinned: Shown) -> str:
    now, before = own.outcome.metrics["makespan_s"], pinned.outcome.metrics["makespan_s"]
    if now is None or before is None:
        return f"{own.name} {'finishes' if now is not None else 'deadlocks'} here and {'finished' if before is not None else 'deadlocked'} in the pinned run."
    if now == before:
        return f"{own.name} takes as long as in the pinned run, {theme.amount(now, 's')}."
    apart = f"{theme.amount(abs(now - before), 's')} {'longer' if now > before else 'less'}"
    return f"{own.name} takes {apart} than in the pinned run ({theme.amount(before, 's')})."


def register(app: Dash) -> None:
    """The sentences of a new result."""

    @app.callback(Output("answer-says", "children"), Input("result", "data"), prevent_initial_call=True)
    def says(result: dict | None):
        task = runs.known(result["key"]) if result else None
        if task is None:
            return no_update
        first, *rest = sentences(task)
        return [html.P(html.Strong(first)), *([html.P(" ".join(rest))] if rest else [])]
