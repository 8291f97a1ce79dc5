"""Share: a link made by one click, what its sharer says of it, the address that needs no store, and the link
as a code for cameras; and what stands over a page that such a link opens.
"""

from __future__ import annotations

from typing import Any

import dash_mantine_components as dmc
import segno
from dash import ClientsideFunction, Dash, Input, Output, State, ctx, dcc, get_relative_path, html, no_update

from engine import GantryError
from webapp import settings
from webapp.messages import msg
from webapp.panels import components
from webapp.panels.components import CLOSE, icon
from webapp.panels.copy_field import copy_field, labelled_field, register_copies
from webapp.panels.share import embed
from webapp.panels.share.export import dashboard_address
from webapp.runs import saved_tasks
from webapp.runs.task import Task
from webapp.runs.task_link import make_link, printable, with_title
from webapp.url import url_state
from webapp.url.links import MAX_SENTENCE_CHARS, MAX_TITLE_CHARS

# browsers let a page write to the clipboard there alone
SECURE = ("https://", "http://localhost", "http://127.0.0.1")
IN_CLIPBOARD = msg("panels.share.link_copied_to_clipboard")
BY_HAND = msg("panels.share.link_made_copy_from_its_field")
AGAIN = msg("panels.share.server_no_longer_has_result_run")
OUTPUTS = {
    "shared": Output("shared", "data"),
    "opened": Output("share-dialog", "opened"),
    "title": Output("share-title", "value"),
    "sentence": Output("share-sentence", "value"),
    "read_only": Output("share-read-only", "checked"),
    "link": Output("share-link", "value"),
    "inline": Output("share-inline", "value"),
    "no_inline": Output("share-inline-room", "hidden"),
    "embed": Output("share-embed", "value"),
    "code": Output("share-code", "children"),
    "copied": Output("share-copied", "data"),
    "says": Output("share-says", "children"),
    "again": Output("share-again", "data"),
    "exercise": Output("share-exercise", "href"),
}


def layout() -> html.Div:
    """The dialog, the store of what is looked at (an address's keys, page: the dashboard's own address, and
    read_only: whether a read-only link opened it), and the store of the link made.
    """
    title = dcc.Input(id="share-title", maxLength=MAX_TITLE_CHARS)
    sentence = dcc.Input(id="share-sentence", maxLength=MAX_SENTENCE_CHARS)
    read_only = dmc.Checkbox(
        id="share-read-only", label=msg("panels.share.for_students"), checked=False, size="xs"
    )
    retitle = components.button(msg("panels.share.new_link"), id="share-retitle", className="share-do")
    unmade = msg("panels.share.press_new_link")
    link = copy_field("share-link", "Link", msg("panels.share.opens_result_with_current_view_time"), unmade)
    inline = copy_field(
        "share-inline",
        msg("panels.share.same_not_stored_on_server"),
        msg("panels.share.whole_scenario_stands_in_address"),
        unmade,
    )
    snippet = copy_field("share-embed", msg("panels.share.snippet"), embed.allowed_text(), unmade)
    no_snippet = html.P(msg("panels.share.owner_must_allow_sites"), className="help")
    says = [
        labelled_field("share-title", "Title", title),
        labelled_field("share-sentence", msg("panels.share.sentence"), sentence),
    ]
    fields = [
        html.Div(says, className="share-words"),
        html.Div([read_only, retitle], className="share-choice"),
        link,
        html.Div(inline, id="share-inline-room"),
        html.A(msg("panels.share.make_exercise"), id="share-exercise"),
        html.Div(snippet, hidden=not settings.embed_origins()),
        html.Div(id="share-code", className="share-code"),
        None if settings.embed_origins() else no_snippet,
        html.P("", id="share-says", role="status", className="help"),
    ]
    dialog = dmc.Modal(
        html.Div(fields, className="share"),
        id="share-dialog",
        title=msg("panels.share.share_result"),
        size="lg",
        closeButtonProps=CLOSE,
    )
    stores = [dcc.Store(id=id) for id in ("looked-at", "shared", "share-again", "share-copied")]
    return html.Div([dialog, *stores])


def button() -> html.Button:
    """One click makes the link and copies it."""
    title = msg("panels.share.link_to_result_with_current_view")
    return components.button([icon("link"), "Share"], id="share", title=title)


def line(shared: dict | None) -> html.Div | None:
    """What stands over a page that a link opens, where its sharer says something of it or it is read-only.
    shared: as `pages.main` tells the page.
    """
    if not shared or not (shared["sentence"] or shared["read_only"]):
        return None
    title = html.Strong(shared["title"] or msg("shared.untitled"))
    says = [html.Span([title, " ", shared["sentence"]], id="shared-words")]
    if shared["read_only"]:
        copy = components.button(msg("panels.share.copy_of_your_own"), id="own-copy", className="link-button")
        says.append(html.Span([html.Span(msg("panels.share.read_only"), id="own-copy-says"), " ", copy]))
    return html.Div(says, id="shared-line", className="shared-line", role="status", tabIndex="-1")


def fault(title: str, sentence: str) -> str:
    """What is wrong with what a sharer writes; "" where nothing is."""
    for name, text, most in (
        ("Title", title, MAX_TITLE_CHARS),
        (msg("panels.share.sentence"), sentence, MAX_SENTENCE_CHARS),
    ):
        if len(text) > most:
            return msg("panels.share.too_long", name=name, count=len(text), most=most)
    return ""


def dialog_values(
    task: Task,
    viewed: dict | None,
    retitled: bool,
    original: Task | None = None,
    sentence: str = "",
    read_only: bool = False,
) -> dict[str, Any]:
    """What the dialog shows of a task that is kept by its link, and what is copied; its keys are those of
    OUTPUTS.

    viewed: of the store looked-at; original, sentence, read_only: as `make_link` has them.
    """
    view, page = url_state.parse_view(viewed), dashboard_address(str((viewed or {}).get("page", "")))
    inline = url_state.address(view, request=task.request)
    link, base, says = None, None, IN_CLIPBOARD if page.startswith(SECURE) else BY_HAND
    try:
        own = make_link(task, original, sentence, read_only).id
        pinned = make_link(task.pinned).id if task.pinned else None
        link = url_state.address(view, link=own, pinned=pinned)
        base = (url_state.address(link=own, pinned=pinned) or "").removeprefix("?")
    except GantryError as error:
        says = str(error)
    address = link or inline
    return {
        "shared": {"key": task.key, "address": base} if base and not retitled and not read_only else None,
        "opened": True,
        "title": task.scenario.name,
        "sentence": sentence,
        "read_only": read_only,
        "link": page + link if link else "",
        "inline": page + inline if inline else "",
        "no_inline": not inline,
        "embed": embed.snippet(page + link, task.scenario.name) if link else "",
        "code": qr_code(page + address) if address else None,
        "copied": page + link if link else None,
        "says": says,
        "again": None,
        "exercise": base and get_relative_path(f"/exercises/new?{base}"),
    }


def qr_code(address: str) -> html.Img | None:
    """An address as a QR code; None where it holds more than one can."""
    try:
        qr = segno.make(address, error="m", micro=False)
    except segno.DataOverflowError:
        return None
    return html.Img(
        src=qr.svg_data_uri(omitsize=True, dark="#000", light="#fff"),
        alt=msg("panels.share.qr_code", address=address),
    )


def register(app: Dash) -> None:
    """The callback that makes a link, shows and copies it, at one blow: a title never stands beside another
    title's link.
    """

    @app.callback(
        OUTPUTS,
        Input("share", "n_clicks"),
        Input("share-retitle", "n_clicks"),
        State("share-title", "value"),
        State("share-sentence", "value"),
        State("share-read-only", "checked"),
        State("result", "data"),
        State("looked-at", "data"),
        prevent_initial_call=True,
    )
    def share(
        clicks: Any,
        retitles: Any,
        title: Any,
        sentence: Any,
        read_only: Any,
        result: dict | None,
        viewed: Any,
    ):
        unchanged = dict.fromkeys(OUTPUTS, no_update) | {"opened": True}
        if not result:
            return unchanged | {"says": msg("panels.share.there_no_result_to_share_yet")}
        task = saved_tasks.task_of_result(result)
        if task is None or not task.is_available:
            return unchanged | {"again": {"by": ctx.triggered_id}, "says": AGAIN}
        looked = viewed if isinstance(viewed, dict) else None
        if ctx.triggered_id == "share-retitle" and isinstance(title, str):
            sentence = printable(sentence) if isinstance(sentence, str) else ""
            if wrong := fault(printable(title), sentence):
                return unchanged | {"says": wrong}
            values = dialog_values(with_title(task, title), looked, True, task, sentence, read_only is True)
        else:
            # what was opened read-only is passed on so
            values = dialog_values(task, looked, False, read_only=bool(looked and looked.get("read_only")))
        copied = {"text": values["copied"], "otherwise": BY_HAND, "of": [clicks, retitles]}
        return values | {"copied": copied if values["copied"] else no_update}

    for function, store in (
        ("shared", "shared"),
        ("shareAgain", "share-again"),
        ("shareCopied", "share-copied"),
    ):
        app.clientside_callback(
            ClientsideFunction("gantry", function), Input(store, "data"), prevent_initial_call=True
        )
    register_copies(app, ("share-link", "share-inline", "share-embed"))
