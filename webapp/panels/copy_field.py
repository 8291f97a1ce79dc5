"""A text that is only read, and a button beside it that copies it."""

from __future__ import annotations

from collections.abc import Iterable

from dash import ClientsideFunction, Dash, Input, Output, dcc, html
from dash.development.base_component import Component

from webapp.messages import msg
from webapp.panels import components


def copy_field(id: str, label: str, help: str, placeholder: str = "") -> html.Div:
    """A text with its label, its button, and a sentence below."""
    mark = {"aria-label": msg("panels.copy_field.copy", label=label)}
    copy = components.button("Copy", mark, id=f"{id}-copy", className="share-do")
    copier = dcc.Clipboard(id=f"{id}-copier", target_id=id, children="", copied_children="Copied")
    tool = html.Div([copy, copier], className="share-copy")
    # the placeholder says to the style sheet that there is nothing to copy
    field = dcc.Input(id=id, readOnly=True, placeholder=placeholder or " ")
    return labelled_field(id, label, field, tool, html.P(help, className="help"))


def labelled_field(id: str, label: str, *parts: Component) -> html.Div:
    """A field under its label; parts: the field, what stands beside it, what below."""
    return html.Div([html.Label(label, htmlFor=id), *parts], className="share-field")


def register_copies(app: Dash, ids: Iterable[str]) -> None:
    """The callbacks of these fields' buttons: a Clipboard is no button to a keyboard."""
    for id in ids:
        copied, pressed = Output(f"{id}-copier", "n_clicks"), Input(f"{id}-copy", "n_clicks")
        app.clientside_callback(
            ClientsideFunction("gantry", "clicked"), copied, pressed, prevent_initial_call=True
        )
