"""Whether the one who asked still waits for the answer: a request whose connection was closed is not worth its computing."""

from __future__ import annotations

import socket
from typing import Any

GONE = 499  # as nginx logs it; nobody reads this answer


def gone(environ: dict[str, Any]) -> bool:
    """Has the client closed its connection? False where the server does not show it. A proxy closes its own when its client does."""
    found = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    if not isinstance(found, socket.socket):
        return False
    try:
        return found.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except (OSError, ValueError):  # reset; or encrypted, where nothing can be peeked at
        return not hasattr(found, "context")
