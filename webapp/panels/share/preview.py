"""How a chat shows a link: title, description and picture stand in the head of the document that is sent, and
the picture is drawn here.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from dash import Dash
from flask import Response, abort, g, has_request_context, request

from engine import GantryError, presets, quantities
from engine.dashboard import CancelToken, display_name
from webapp.figures import full_window
from webapp.figures.link_picture import HEIGHT, MAX_CHARTS, WIDTH, Panel, link_picture
from webapp.http.bundle import digest
from webapp.messages import msg
from webapp.report.summary_text import separated
from webapp.runs import run_cache
from webapp.runs.cache import shared_cache
from webapp.runs.task import Task, build_task
from webapp.runs.warm_up import FIRST_SCHEDULERS
from webapp.url import url_state, url_view
from webapp.url.links import Link, LinkSummary, link_store
from webapp.url.url_state import RunRequest

FIRST = "first"  # stands for a link's id in the address of the picture of the page without one
DRAWN_BY = 1  # another number where the picture of the same result is to be another
KEPT_S, NUMBERS_KEPT_S = 86_400, 60  # that others may keep a picture; one of numbers alone, until it is run
PAGE_TITLE = re.compile(r'<meta property="og:title" content="([^"]*)">')
NO_IMAGE = re.compile(r'<meta property="(?:og|twitter):image" content="">\s*')  # as Dash leaves it


def linked() -> LinkSummary | None:
    """What the address of the present request links to, looked up once; None without a link, and where it is
    not known.
    """
    if not has_request_context():
        return None
    if "linked" not in g:
        id = url_view.text(request.args, "r")
        try:
            g.linked = link_store().summary(id) if url_state.LINK_ID.fullmatch(id) else None
        except (GantryError, ValueError, TypeError):  # which the page says when it opens the link
            g.linked = None
    return g.linked


def set_title(title: str) -> None:
    """What the link is called that the present request lays a page out for; "" without one."""
    if has_request_context():
        g.link_title = title


def window_title(usual: str) -> str:
    """The title of the dashboard's window: the link's, else the usual one."""
    title = g.link_title if has_request_context() and "link_title" in g else getattr(linked(), "title", "")
    return msg("shared.gantry", title=title) if title else usual


def description(usual: str) -> str:
    """What a preview says of the dashboard: what a link's sharer says, else what came of it; the usual
    without a link.
    """
    link = linked()
    return (link.sentence or numbers(link)) if link else usual


def numbers(link: LinkSummary) -> str:
    """What came of it, in words: "Makespan: fair 4 min 32 s, haste 4 min 5 s"."""
    told = [f"{panel.name} {panel.words}" for panel in _panels_of_numbers(link)[:MAX_CHARTS]]
    return msg("panels.preview.makespan", each=separated(told))


def picture(id: str) -> tuple[bytes, int] | None:
    """The picture of a link, or of FIRST, and for how many seconds others may keep it; None where there is
    no such link.

    It is drawn once. Where its runs are not at hand and take too long for an answer, it has the numbers that
    the link keeps.
    """
    if id == FIRST:
        first = build_task(RunRequest(presets()[0].scenario.plain(), FIRST_SCHEDULERS))
        return _drawn(first, first.link), KEPT_S
    store = link_store()
    if not url_state.LINK_ID.fullmatch(id) or not store.existing_ids([id]):
        return None
    drawn = shared_cache.get(_key(id))
    if drawn is not None:
        return drawn, KEPT_S
    stored = store.find_stored(id)
    if stored is None:
        return None
    try:
        return _drawn(build_task(url_state.request_of_link(stored.link)[0]), id), KEPT_S
    except GantryError:
        panels = _panels_of_numbers(stored.link)
        return link_picture(panels[:MAX_CHARTS], (0, 1), len(panels[MAX_CHARTS:])), NUMBERS_KEPT_S


def _key(id: str) -> str:
    return f"preview:{DRAWN_BY}:{id}"


def _drawn(task: Task, id: str) -> bytes:
    """The picture of a task, by the id that it is kept under; a GantryError where it takes too long."""
    names = task.names
    outcomes = [task.outcome(name) for name in names[:MAX_CHARTS]]
    panels = [
        _panel(name, outcome.metrics)._replace(scene=outcome.scene) for name, outcome in zip(names, outcomes)
    ]

    def draw() -> bytes:
        with run_cache.answer_slot():
            return link_picture(panels, full_window([one.run for one in outcomes]), len(names) - len(panels))

    cancel_token = CancelToken()
    with cancel_token.cancel_after(run_cache.ANSWER_LIMIT_S):
        return shared_cache.get_or_compute(_key(id), draw, cancel_token)


def _panels_of_numbers(link: LinkSummary | Link) -> list[Panel]:
    return [_panel(name, metrics) for name, metrics in zip(link.schedulers, link.metrics)]


def _panel(name: str, metrics: dict[str, Any]) -> Panel:
    seconds = metrics.get("makespan_s")
    seconds = seconds if isinstance(seconds, (int, float)) and 0 <= seconds < 10**11 else None
    words = msg("panels.preview.ends_in_deadlock") if seconds is None else quantities.duration(1000 * seconds)
    return Panel(display_name(name), words, seconds)


def register(app: Dash) -> None:
    """The picture's address, and what the head of every document says of it."""
    fill, prefix = app.interpolate_index, app.config.requests_pathname_prefix

    def interpolated(*, metas: str, title: str, **parts: str) -> str:
        """Dash has written title and description of the page, no picture, and one window title for all."""
        link = linked()
        id = url_view.text(request.args, "r") if link else FIRST
        image = escape(f"{request.scheme}://{request.host}{prefix}preview/{id}.png")
        alt = escape(numbers(link) if link else msg("panels.preview.charts"))
        tags = {"og:image": image, "og:image:width": WIDTH, "og:image:height": HEIGHT, "og:image:alt": alt}
        tags |= {"og:image:type": "image/png", "og:site_name": "Gantry", "og:url": escape(request.url)}
        tags |= {"twitter:image": image, "twitter:image:alt": alt}
        metas = NO_IMAGE.sub("", metas) + "".join(
            f'\n<meta property="{name}" content="{content}">' for name, content in tags.items()
        )
        metas = metas.replace('property="twitter:', 'name="twitter:')  # as those who read them have it
        metas = metas.replace("{%", "&#123;%")  # which Dash would fill in
        named = PAGE_TITLE.search(metas)
        return fill(metas=metas, title=named[1] if named else title, **parts)

    # Dash means this method to be overridden
    app.interpolate_index = interpolated  # type: ignore[assignment, method-assign]

    @app.server.get(f"{app.config.routes_pathname_prefix}preview/<id>.png")
    def preview_picture(id: str) -> Response:
        try:
            drawn = picture(id)
        except GantryError as error:
            return Response(str(error), 503, mimetype="text/plain")
        if drawn is None:
            abort(404)
        response = Response(drawn[0], mimetype="image/png")
        # pages of chats on other hosts show it
        response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        response.cache_control.public, response.cache_control.max_age = True, drawn[1]
        response.set_etag(digest(drawn[0]))
        response.make_conditional(request)
        return response
