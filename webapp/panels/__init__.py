"""One panel a file: its layout and its callbacks."""

from __future__ import annotations

from importlib import import_module

from dash import Dash

PANELS = (
    "answer", "runbar", "capacity", "charts", "compare", "compose", "difference", "experiment", "export", "guide", "pictures", "pin", "play", "reasons",
    "recent", "repeat", "schedulers", "share", "signals", "span", "weights", "whatif",
)  # fmt: skip


def register(app: Dash) -> None:
    """The callbacks of all panels."""
    for name in PANELS:
        import_module(f"webapp.panels.{name}").register(app)
