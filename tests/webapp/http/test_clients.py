"""Whether the one who asked still waits."""

from __future__ import annotations

import socket

import pytest

from webapp.http.disconnects import is_disconnected


@pytest.mark.parametrize("name", ["gunicorn.socket", "werkzeug.socket"])
def test_a_closed_connection_is_noticed(name: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        assert not is_disconnected({name: ours})
        theirs.send(b"the next request")
        assert not is_disconnected({name: ours})
        ours.recv(100)
        theirs.close()
        assert is_disconnected({name: ours})


def test_where_nothing_is_shown_nobody_has_gone() -> None:
    assert not is_disconnected({}) and not is_disconnected({"werkzeug.socket": object()})
