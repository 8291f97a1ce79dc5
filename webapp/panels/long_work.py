"""Long work as panels show it: begun, followed and cancelled by the page's script (assets/scripts/jobs),
which fills in what the panel has of it: a sentence, a bar with Cancel, and the store of what was found.

Plain addresses, no callbacks: a callback that is asked each second makes Dash walk the whole page each time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import dash_mantine_components as dmc
from dash import ClientsideFunction, Dash, Input, State, dcc, html
from flask import Response, jsonify

from engine import GantryError
from webapp.http import json_bodies
from webapp.jobs.job_manager import TASK_EXPIRED, Progress, job_manager
from webapp.messages import msg

LOCAL_WAIT_S = 0.25  # that an answer waits for what this process does, which is soon done
QUEUED_POLL_S = 1.0  # between two questions after what waits to begin
STARTED_STEP = 0.3  # of a step is thought to be done once it is under way
MAX_BEGUN_AGAIN = 10  # times in one answer


class Begun(NamedTuple):
    """A piece of work that was begun. id: "" of what was done already; asked: what names it, as JSON, which
    comes back with every question after it.
    """

    id: str
    progress: Progress
    asked: Any


@dataclass(frozen=True)
class LongWork:
    """A kind of long work. name: in its address, and the first part of its elements' ids.

    begin: of what the page sent, which may be anything; its GantryError is told. says: while it is under way.

    answer: of (what names it, how far it is, what the page sent): fields of the answer, of which `found`
    fills the panel's store; a Begun where it has to be begun again.

    not_kept, cancelled: said at an end without a result. is_shared: with other visitors, so that nobody's
    leaving ends it.
    """

    name: str
    begin: Callable[[dict], Begun]
    says: Callable[[Progress], str]
    answer: Callable[[Any, Progress, dict], dict[str, Any] | Begun]
    not_kept: str = ""
    cancelled: str = "Cancelled."
    poll_s: float = 1.0
    is_shared: bool = False


def layout(name: str, label: str, cancelling: str = "") -> list:
    """Sentence, bar and stores. label: of the bar, for a screen reader; cancelling: said once Cancel is
    pressed.
    """
    return [sentence(name), progress_bar(name, label, cancelling), *stores(name)]


def sentence(name: str) -> html.P:
    """What is said of it."""
    return html.P(id=f"{name}-says", role="status", className="help")


def progress_bar(name: str, label: str, cancelling: str = "") -> html.Div:
    """How far it is, and Cancel, hidden while there is nothing to follow."""
    bar = dmc.Progress(id=f"{name}-progress", value=0, striped=True, animated=True, **{"aria-label": label})
    button = dmc.Button(
        "Cancel",
        id=f"{name}-cancel",
        variant="default",
        size="compact-sm",
        **{"data-says": cancelling or msg("shared.cancelling")},
    )
    return html.Div([bar, button], id=f"{name}-under-way", className="under-way", hidden=True)


def stores(name: str) -> list[dcc.Store]:
    """NAME-ask: what is asked for, None to end and clear it; NAME-found: what there is of it; NAME-state."""
    return [dcc.Store(id=f"{name}-{one}") for one in ("ask", "found", "state")]


def bind(app: Dash, work: LongWork) -> None:
    """The addresses of a panel's work, and its following of what is asked for."""
    register(app, work)
    app.clientside_callback(
        ClientsideFunction("gantry", "followJob"),
        Input(f"{work.name}-ask", "data"),
        State(f"{work.name}-ask", "id"),
        prevent_initial_call=True,
    )


def register(app: Dash, work: LongWork) -> None:
    """The addresses: jobs/NAME/start, follow and cancel."""
    prefix = f"{app.config.routes_pathname_prefix}jobs/{work.name}"
    acts = {"start": start, "follow": follow, "cancel": cancel}

    def serve(act: str) -> Response | tuple[str, int]:
        try:
            sent = json_bodies.request_json()
        except GantryError as error:
            return jsonify(_failed(msg("shared.not_run", error=error)))
        if act not in acts or not isinstance(sent, dict):
            return msg("shared.expected_json_object"), 400
        return jsonify(acts[act](work, sent))

    app.server.add_url_rule(f"{prefix}/<act>", f"jobs-{work.name}", serve, methods=["POST"])


def start(work: LongWork, sent: dict) -> dict[str, Any]:
    """Begins what is asked for."""
    try:
        return status(work, work.begin(sent), sent)
    except GantryError as error:
        return _failed(str(error)) | {"found": None}


def follow(work: LongWork, sent: dict) -> dict[str, Any]:
    """How far it is, or what came of it: of {job: {id, asked}}."""
    job = sent.get("job")
    if not isinstance(job, dict) or not isinstance(job.get("id"), str):
        return _failed(TASK_EXPIRED)
    try:
        progress = job_manager.progress(job["id"], LOCAL_WAIT_S)
        return status(work, Begun(job["id"], progress, job.get("asked")), sent)
    except GantryError as error:
        return _failed(str(error))


def cancel(work: LongWork, sent: dict) -> dict[str, Any]:
    """Ends it: {job: {id}}."""
    job = sent.get("job")
    if not work.is_shared and isinstance(job, dict) and isinstance(job.get("id"), str):
        job_manager.cancel(job["id"])
    return {}


def _failed(says: str) -> dict[str, Any]:
    return {"says": says, "state": "failed"}


def status(work: LongWork, begun: Begun, sent: dict) -> dict[str, Any]:
    """{says, state}, with {job, percent, wait} while it is under way, wait in ms until the next question;
    lost: it ended without anybody's wish; and what the panel adds.
    """
    for _ in range(MAX_BEGUN_AGAIN):
        fields = work.answer(begun.asked, begun.progress, sent)
        if isinstance(fields, dict):
            break
        begun = fields
    else:
        return _failed(work.not_kept)
    progress = begun.progress
    if progress.is_active:
        is_queued = progress.state == "queued"
        steps = progress.done + STARTED_STEP * (not is_queued)
        poll_s = 0.0 if progress.is_local else max(QUEUED_POLL_S, work.poll_s) if is_queued else work.poll_s
        return {
            "says": work.says(progress),
            "state": progress.state,
            "job": {"id": begun.id, "asked": begun.asked},
            "percent": min(100 * steps / max(progress.total, 1), 100),
            "wait": round(1000 * poll_s),
        } | fields
    if progress.state == "finished":
        is_kept = not work.not_kept or fields.get("found") is not None
        return ({"says": "", "state": "finished"} if is_kept else _failed(work.not_kept)) | fields
    if progress.state == "cancelled":
        says, is_lost = progress.because or work.cancelled, bool(progress.because)
    else:
        says, is_lost = progress.because, progress.because == TASK_EXPIRED
    return {"says": says, "state": progress.state} | ({"lost": True} if is_lost else {}) | fields
