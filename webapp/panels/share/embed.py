"""In other pages: the snippet that shows a page of ours in a frame, the same by oEmbed for sites that ask,
and the way out of the frame.
"""

from __future__ import annotations

from html import escape
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from dash import Dash, get_relative_path, html
from flask import Response, abort, jsonify, request

from engine import GantryError
from webapp import settings
from webapp.classroom.shared_exercises import exercise_of_name
from webapp.http import embedding
from webapp.messages import msg
from webapp.url import url_state
from webapp.url.links import link_store

WIDTH_PX, HEIGHT_PX = 960, 600  # of a frame, where who asks names less by oEmbed
OEMBED = "oembed"
MAX_ADDRESS_CHARS = 4_000
ROOT = '<html lang="en"'


def snippet(address: str, title: str, width: int | str = "100%", height: int = HEIGHT_PX) -> str:
    """HTML that shows the page at this address in a frame; title: what a screen reader says of it."""
    framed = f"{address}{'&' if '?' in address else '?'}{embedding.KEY}=1"
    return (
        f'<iframe src="{escape(framed)}" title="{escape(title or "Gantry")}" '
        f'width="{width}" height="{height}" style="border: 0" loading="lazy"></iframe>'
    )


def allowed_text() -> str:
    """Which sites may show it."""
    return msg("panels.share.snippet_is_for_sites", sites=", ".join(settings.embed_origins()))


def way_out() -> html.Footer:
    """The link to the same page outside of the frame, which a script points there; only a frame shows it."""
    words: list[Any] = [html.Span(msg("panels.share.open_in_gantry")), " ↗"]
    return html.Footer(html.A(words, id="open-outside", href="", target="_blank"), className="way-out")


def oembed(address: str, max_width: int | None, max_height: int | None) -> dict[str, Any] | None:
    """What oEmbed 1.0 says of a page of this server, by its address; None of any other."""
    try:
        parts = urlsplit(address[:MAX_ADDRESS_CHARS])
    except ValueError:
        return None
    is_own = parts.netloc == request.host and parts.scheme in ("http", "https")
    title = _title(parts.path, dict(parse_qsl(parts.query))) if is_own else None
    if title is None:
        return None
    width, height = _at_most(max_width, WIDTH_PX), _at_most(max_height, HEIGHT_PX)
    root = f"{request.scheme}://{request.host}"
    query = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] != embedding.KEY])
    page = f"{root}{quote(parts.path)}{f'?{query}' if query else ''}"
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": "Gantry",
        "provider_url": f"{root}/",
        "html": snippet(page, title, width, height),
        "width": width,
        "height": height,
    }


def _at_most(asked: int | None, usual: int) -> int:
    """px: the usual, or what was asked for where that is less."""
    return usual if asked is None else max(1, min(asked, usual))


def _title(path: str, query: dict[str, str]) -> str | None:
    """Of a page that may stand in a frame: the dashboard or an exercise; None of any other."""
    base = get_relative_path("/")
    if not f"{path}/".startswith(base):
        return None
    below = path.removeprefix(base).strip("/")
    section, _, name = below.partition("/")
    if section == "exercises":
        exercise = exercise_of_name(name)
        return exercise.title if exercise else None
    if below:
        return None
    seen = url_state.read(query)
    try:
        link = link_store().summary(seen.link) if seen.link else None
    except GantryError:
        return None
    named = link.title if link else seen.request.scenario.get("name") if seen.request else ""
    return str(named) or msg("pages.pages.gantry_yarn_schedulers_side_by_side")


def register(app: Dash) -> None:
    """The address of oEmbed, what documents say of it, and their mark where they stand in a frame."""
    fill, prefix = app.interpolate_index, app.config.requests_pathname_prefix
    routes = app.config.routes_pathname_prefix

    def interpolated(*, metas: str, **parts: str) -> str:
        if embedding.is_embedded():
            return fill(metas=metas, **parts).replace(ROOT, f'{ROOT} class="embedded"', 1)
        below = request.path.removeprefix(routes)
        if embedding.is_framable(below):
            root = f"{request.scheme}://{request.host}{prefix}"
            query = request.query_string.decode("utf-8", "replace")
            asked = urlencode({"url": f"{root}{below}{f'?{query}' if query else ''}", "format": "json"})
            href = escape(f"{root}{OEMBED}?{asked}")
            metas += f'\n<link rel="alternate" type="application/json+oembed" href="{href}">'
        return fill(metas=metas, **parts)

    # Dash means this method to be overridden
    app.interpolate_index = interpolated  # type: ignore[assignment, method-assign]

    @app.server.get(f"{routes}{OEMBED}")
    def answer_oembed() -> Response:
        if request.args.get("format", "json") != "json":
            abort(501)  # as oEmbed says of a format that there is none of
        told = oembed(
            request.args.get("url", ""),
            request.args.get("maxwidth", type=int),
            request.args.get("maxheight", type=int),
        )
        if told is None or not settings.embed_origins():
            abort(404)
        return jsonify(told)
