"""Makes the Dash application and `server`, the WSGI application that gunicorn runs."""

from __future__ import annotations

import logging
import time
from datetime import timedelta
from functools import partial

from dash import Dash, set_props
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from engine import GantryError
from webapp import api, page_assets, pages, probes, settings
from webapp.http import compression, embedding, json_bodies, trusted_proxies
from webapp.jobs import job_manager
from webapp.messages import msg
from webapp.monitoring import logs, request_log
from webapp.runs import run_cache, warm_up
from webapp.runs.cache import shared_cache
from webapp.runs.code_version import code_version

log = logging.getLogger("gantry")
# of every answer, beside the policy of what a page may load; HSTS is the proxy's, which has the certificate
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{name}=()" for name in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
    ),
}


POLICY = (
    "default-src 'self'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; " + embedding.OWN_FRAMES
)


def make() -> Dash:
    """The application with all pages, callbacks and headers."""
    settings.check()  # an invalid one stops the start, not a visitor
    server = Flask(__package__)
    server.config.update(
        SECRET_KEY=settings.secret_key(),
        SESSION_COOKIE_NAME="gantry",
        SESSION_COOKIE_SAMESITE="Lax",
        # a student who comes back is the same as long as a class may last; pages renew it, not each answer
        PERMANENT_SESSION_LIFETIME=timedelta(days=settings.class_days()),
        SESSION_REFRESH_EACH_REQUEST=False,
    )
    request_log.start(server)
    json_bodies.start(server)
    trusted_proxies.start(server)
    shared_cache.start(server, code_version())
    app = Dash(
        __package__,
        server=server,  # type: ignore[arg-type]  # Dash documents a Flask, but does not annotate it
        use_pages=True,
        pages_folder="",
        assets_folder=str(page_assets.ASSETS),
        assets_ignore=page_assets.OWN_ASSETS,
        title="Gantry",
        update_title=None,  # type: ignore[arg-type]  # as Dash documents
        suppress_callback_exceptions=True,
        on_error=_on_callback_error,
    )
    pages.register(app)
    probes.register(server, app.config.routes_pathname_prefix)
    api.register(server, app.config.routes_pathname_prefix)

    # Dash makes itself ready at its first request, and refuses those that come meanwhile
    with server.test_request_context("/"):
        server.preprocess_request()
        page_assets.start(app, partial(pages.first_paint, app))
    # set after the request above, which is to no host of theirs; who asks after the server's health is of
    # this machine
    hosts = settings.trusted_hosts()
    server.config["TRUSTED_HOSTS"] = [*hosts, *probes.LOOPBACK] if hosts else None
    policy = POLICY.format(scripts=" ".join(app.csp_hashes()))
    headers = HEADERS | {"Content-Security-Policy": policy}
    anywhere = f"{app.config.routes_pathname_prefix}<path:path>"
    api_address = f"{app.config.routes_pathname_prefix}{api.VERSION}/"
    documents = (anywhere, app.config.routes_pathname_prefix)

    compression.start(server)

    @server.before_request
    def greet() -> None:
        """A page names its visitor, so that what it asks for later is known to be of one (HttpOnly and signed
        by Flask).
        """
        if request.method == "GET" and request.endpoint in documents:
            job_manager.name_visitor()

    @server.after_request
    def guard(response: Response) -> Response:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        path = request.path.removeprefix(app.config.routes_pathname_prefix).rstrip("/")
        if request.endpoint == anywhere and not pages.has_page(path):
            response.status_code = 404
        elif request.endpoint in documents and embedding.is_embedded() and embedding.is_framable(path):
            embedding.allow_frames(response.headers)
        return response

    @server.errorhandler(Exception)
    def bad_request(error: Exception):
        """Callbacks answer their own errors, so what arrives here is a request that no page makes, or a bug
        in a plain route: the log has the traceback.
        """
        if isinstance(error, RequestEntityTooLarge):
            status, says = 413, msg("top.app.request_too_large", why=json_bodies.too_large_text())
        elif isinstance(error, HTTPException):  # no route had a part in it
            return api.problem(error) if request.path.startswith(api_address) else error
        elif isinstance(error, run_cache.ResultExpired):
            status, says = 410, str(error)
        elif isinstance(error, GantryError):
            status, says = 400, msg("shared.not_read", error=error)
        else:
            log.warning("refused a request to %s", request.url_rule, exc_info=error)
            status, says = 400, msg("top.app.bad_request")
        return Response(says, status, mimetype="text/plain")

    return app


def _on_callback_error(error: Exception) -> None:
    """A result that is no longer at hand, which the page runs again; or a bug: the log has the traceback, the
    page a sentence, and the draft stays.
    """
    if isinstance(error, run_cache.ResultExpired):
        set_props("run-again", {"data": time.time()})
        return
    log.exception("a callback failed", exc_info=error)
    set_props("notice", {"children": msg("shared.server_error_its_log_has_details")})


logs.start()
app = make()
server = app.server
warm_up.start()
