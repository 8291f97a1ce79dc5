"""One panel a file: its layout and its callbacks."""

from __future__ import annotations

from dash import Dash


def register(app: Dash) -> None:
    """The callbacks of all panels."""
    from webapp.panels import charts, compare, compose, export, guide, reasons, recent, repeat, runbar, schedulers, share, signals, weights, whatif

    for panel in (runbar, charts, compare, compose, export, guide, reasons, recent, repeat, schedulers, share, signals, weights, whatif):
        panel.register(app)
