"""Makes the Dash application and `server`, the WSGI application that gunicorn runs."""

from __future__ import annotations

import logging
import time

from dash import Dash, set_props
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine import VERSION, GantryError
from webapp import libraries, pages, settings
from webapp.services import bodies, compression, proxies, runs, tasks, warm_up
from webapp.services.cache import shared
from webapp.work import tickets

log = logging.getLogger("gantry")


def make() -> Dash:
    """The application with all pages, callbacks and headers."""
    for name in settings.LIMITS:
        settings.limit(name)  # an invalid one stops the start, not a visitor
    server = Flask("webapp")
    server.config.update(SECRET_KEY=settings.secret_key(), SESSION_COOKIE_NAME="gantry", SESSION_COOKIE_SAMESITE="Lax")
    bodies.start(server)
    proxies.start(server)
    shared.start(server, VERSION)
    made = Dash(
        "webapp",
        server=server,
        use_pages=True,
        pages_folder="",
        assets_folder=str(libraries.ASSETS),
        assets_ignore=libraries.OURS,
        title="Gantry",
        update_title=None,
        suppress_callback_exceptions=True,
        on_error=_failed,
    )
    pages.register(made)

    with server.test_request_context("/"):  # Dash makes itself ready at its first request, and refuses those that come meanwhile
        server.preprocess_request()
        libraries.start(made)
    server.config["TRUSTED_HOSTS"] = settings.trusted_hosts() or None  # after the request above, which is to no host of theirs
    allowed = {"default-src": "'self'", "script-src": " ".join(["'self'", *made.csp_hashes()]), "style-src": "'self' 'unsafe-inline'"}
    allowed |= {"img-src": "'self' data: blob:", "font-src": "'self' data:", "object-src": "'none'", "base-uri": "'self'", "frame-ancestors": "'self'"}
    headers = {"Content-Security-Policy": "; ".join(f"{key} {value}" for key, value in allowed.items())}
    anywhere = f"{made.config.routes_pathname_prefix}<path:path>"
    headers |= {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin"}

    compression.start(server)

    @server.before_request
    def greet() -> None:
        """A page names its visitor, so that what it asks for later is known to be of one (HttpOnly and signed by Flask)."""
        if request.method == "GET" and request.endpoint in (anywhere, made.config.routes_pathname_prefix):
            tasks.welcome()

    @server.after_request
    def guard(response: Response) -> Response:
        response.headers.update(headers)
        if request.endpoint == anywhere and not pages.exists((made.strip_relative_path(request.path) or "").strip("/")):
            response.status_code = 404
        return response

    @server.errorhandler(Exception)
    def bad_request(error: Exception):
        """Callbacks answer their own errors, so what arrives here is a request that no page makes, or a bug in a plain route: the log has the traceback."""
        if isinstance(error, RequestEntityTooLarge):
            return Response(f"Not read: {bodies.too_large()}.", 413, mimetype="text/plain")
        if isinstance(error, HTTPException):
            return error
        if isinstance(error, runs.NotAtHand):
            return Response(str(error), 410, mimetype="text/plain")
        if isinstance(error, GantryError):
            return Response(f"Not read: {error}.", 400, mimetype="text/plain")
        log.warning("refused a request: %s", request.path, exc_info=error)
        return Response("Bad request.", 400, mimetype="text/plain")

    return made


def _failed(error: Exception) -> None:
    """A result that is no longer at hand, which the page runs again; or a bug: the log has the traceback, the page a sentence, and the draft stays."""
    if isinstance(error, runs.NotAtHand):
        set_props("run-again", {"data": time.time()})
        return
    log.exception("a callback failed", exc_info=error)
    set_props("notice", {"children": "Server error; its log has the details. Your draft is kept."})


logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
app = make()
server = app.server
tasks.works.on_queued(tickets.sender())
warm_up.start()
