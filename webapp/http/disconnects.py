"""Whether the one who asked still waits for the answer: a request whose connection was closed is not worth
its computing.
"""

from __future__ import annotations

import socket
from typing import Any

CLIENT_CLOSED_REQUEST = 499  # as nginx logs it; nobody reads this answer


def is_disconnected(environ: dict[str, Any]) -> bool:
    """Has the client closed its connection? False where the server does not show it. A proxy closes its own
    when its client does.
    """
    connection = environ.get("gunicorn.socket") or environ.get("werkzeug.socket")
    if not isinstance(connection, socket.socket):
        return False
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except (OSError, ValueError):  # reset; or encrypted, where nothing can be peeked at
        return not hasattr(connection, "context")
