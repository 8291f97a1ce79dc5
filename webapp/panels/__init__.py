"""One panel a file: its layout and its callbacks.

May import: classroom, documents, figures, http, jobs, messages, report, runs, settings, theme, url.
"""

from __future__ import annotations

from importlib import import_module

from dash import Dash

PANELS = (
    "run.runbar",
    "timeline.chart_area",
    "timeline.drawing",
    "compare.capacity_use",
    "compare.compare",
    "editor.editor",
    "compare.difference",
    "papers.sensitivity_panel",
    "papers.claim_map",
    "papers.experiment",
    "exercises.class_dialog",
    "exercises.class_entry",
    "exercises.class_overview",
    "exercises.author_form",
    "exercises.course_list",
    "exercises.exercise_page",
    "share.embed",
    "share.export",
    "share.preview",
    "papers.guide",
    "compare.more_charts",
    "decision.why",
    "decision.costly",
    "decision.pasted_line",
    "run.recent",
    "compare.optimum_search",
    "compare.replications",
    "compare.scenario_differences",
    "editor.schedulers",
    "job.job",
    "share.share",
    "timeline.interval",
    "editor.weights",
    "what_if.sliders",
    "questions.ask",
    "replay.collector",
    "replay.no_record",
    "replay.replay_tab",
)


def register(app: Dash) -> None:
    """The callbacks of all panels."""
    for name in PANELS:
        import_module(f"{__package__}.{name}").register(app)
