"""Where a request comes from when proxies stand before the server: they say it in headers, which anybody else
may send too.
"""

from __future__ import annotations

from flask import Flask, request
from flask.sessions import SecureCookieSessionInterface
from werkzeug.middleware.proxy_fix import ProxyFix

from webapp import settings
from webapp.http import embedding


class SecureCookies(SecureCookieSessionInterface):
    """Who came by https gets a cookie that goes by https alone; a frame of another site one that it may send
    back.
    """

    def get_cookie_secure(self, app: Flask) -> bool:
        return request.is_secure

    def get_cookie_samesite(self, app: Flask) -> str | None:
        return "None" if embedding.needs_foreign_cookie() else super().get_cookie_samesite(app)

    def get_cookie_partitioned(self, app: Flask) -> bool:
        return embedding.needs_foreign_cookie()


def start(server: Flask) -> None:
    """Believe so many proxies as there are the visitor's address and scheme. The host is in Host, as the
    visitor sent it, which every proxy can hand on.
    """
    server.session_interface = SecureCookies()
    if settings.proxies():
        server.wsgi_app = ProxyFix(  # type: ignore[method-assign]  # as Flask documents for middleware
            server.wsgi_app, x_for=settings.proxies(), x_proto=settings.proxies(), x_host=0
        )
