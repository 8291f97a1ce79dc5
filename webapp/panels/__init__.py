"""One panel a file: its layout and its callbacks.

May import: figures, report, services, settings, theme.
"""

from __future__ import annotations

from importlib import import_module

from dash import Dash

PANELS = (
    "run.headline", "run.runbar", "compare.capacity_use", "timeline.cards", "compare.compare", "editor.editor", "compare.difference", "papers.experiment",
    "share.export", "papers.guide", "compare.more_charts", "run.pin", "timeline.play", "decision.drawer", "run.recent", "compare.replications",
    "editor.schedulers", "share.share", "timeline.signals", "timeline.interval", "editor.weights", "what_if.sliders",
)  # fmt: skip


def register(app: Dash) -> None:
    """The callbacks of all panels."""
    for name in PANELS:
        import_module(f"webapp.panels.{name}").register(app)
