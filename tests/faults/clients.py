"""Clients that send half a request or read slowly, straight at gunicorn: fewer of them than it has threads
leave room for others.
"""

from __future__ import annotations

import contextlib
import re
import socket
import urllib.request
from collections.abc import Iterator

from tests.faults.fault import Found, fault
from tests.faults.visit import Visit, visiting

# of the sixteen threads of two processes: eight of them belong to each, and chance says which process takes a
# connection
HELD = 6
RAN = r"^Long \d+: 4 schedulers"


@contextlib.contextmanager
def held(visit: Visit, said: bytes) -> Iterator[None]:
    """So many connections on which this was sent, and nothing is read."""
    with contextlib.ExitStack() as every:
        for _ in range(HELD):
            one = every.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", visit.served.port))
            one.sendall(said)
        yield


@fault("half a head and half a body are sent, and no more")
def half_a_request() -> Found:
    with visiting() as visit:
        body = (
            b"POST /jobs/run/start HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            b"Content-Length: 1000\r\n\r\n{"
        )
        with held(visit, b"GET / HTTP/1.1\r\nHost: a\r\nX-Half: "):
            visit.whole()
        with held(visit, body):
            visit.whole()
            said = visit.hears(RAN)
        visit.over()
        return visit.found(said)


@fault("the page's largest file is asked for and not read")
def slow_reader() -> Found:
    with visiting() as visit:
        with urllib.request.urlopen(visit.served.url) as answer:
            path = re.search(r'src="(/bundle/[^"]+)"', answer.read().decode()).group(1)
        with held(visit, f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()):
            visit.whole()
            said = visit.hears(RAN)
        visit.over()
        return visit.found(said)
