"""What a proxy hands on, and what a visitor forges."""

from __future__ import annotations

import base64
import os
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from gunicorn.glogging import Logger

FORGED = {
    **dict.fromkeys(
        (
            "X-Forwarded-User",
            "X-Forwarded-Email",
            "X-Forwarded-Groups",
            "X-Forwarded-Preferred-Username",
            "X-Remote-User",
        ),
        "evil",
    ),
    **dict.fromkeys(
        (
            "X-Auth-Request-User",
            "X-Auth-Request-Email",
            "Remote-User",
            "X-Real-IP",
            "X-Forwarded-Prefix",
            "X-Forwarded-Host",
        ),
        "evil",
    ),
    **{
        "X-Forwarded-For": "evil",
        "X-Forwarded-Port": "evil",
        "Forwarded": "for=evil",
        "X-Request-ID": "evil",
        "X_Forwarded_User": "evil",
        "Path_Info": "/evil",
    },
    "X-Forwarded-Proto": "evil",
}
TEACHER = {"Authorization": "Basic " + base64.b64encode(b"teacher:chalk").decode()}


class Heard(BaseHTTPRequestHandler):
    """Keeps what comes, and says yes to one cookie as oauth2-proxy does."""

    heads: list[dict[str, str]] = []

    def do_GET(self) -> None:
        type(self).heads.append(
            {"path": self.path, **{key.lower(): value for key, value in self.headers.items()}}
        )
        signed_in = "ticket" in self.headers.get("Cookie", "")
        self.send_response(202 if signed_in or self.path != "/oauth2/auth" else 401)
        self.send_header("X-Auth-Request-Email", "teacher@school.example")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Says nothing."""


class Asked(Logger):
    """gunicorn's, which also writes down each request it has answered, whatever its log says: a line in the
    file that ASKED names.
    """

    def access(self, resp: Any, req: Any, environ: dict, request_time: Any) -> None:
        with Path(os.environ["ASKED"]).open("a") as lines:
            lines.write(f"{req.method} {req.uri}\n")
        super().access(resp, req, environ, request_time)
