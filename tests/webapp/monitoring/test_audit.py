"""Who shared what when, without what it holds."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask, session

from webapp import settings
from webapp.url.links import Link, LinkStore, now

LINK = Link("0123456789abcdef", "My title", {"name": "My title"}, ("fifo",), [{}], "0.2.0", now())


def test_a_link_leaves_its_lines(url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    store, server = LinkStore(url), Flask("test")
    server.secret_key = settings.secret_key()
    with server.test_request_context("/"):
        session["visitor"] = "their cookie"
        assert store.save(LINK)
        assert not store.save(LINK)
    store.find(LINK.id)  # within a day of its keeping
    store.save(replace(LINK, id="f" * 16), opened=now() - timedelta(days=3))
    assert store.find("f" * 16) and store.find("f" * 16)
    store.save(replace(LINK, id="e" * 16), opened=now() - timedelta(days=99))
    assert store.count() == 3 and store.expire(50) == 1 and store.expire(50) == 0 and store.count() == 2
    lines = [record for record in caplog.records if record.name == "gantry.audit"]
    assert [(line.getMessage(), line.link) for line in lines] == [
        ("link kept", LINK.id),
        ("link kept", "f" * 16),
        ("link opened", "f" * 16),
        ("link kept", "e" * 16),
        ("link expired", "e" * 16),
    ]
    assert len(lines[0].visitor) == 12 and [line.visitor for line in lines[1:]] == [None] * 4
    assert "their cookie" not in str([line.__dict__ for line in lines]) and "My title" not in str(
        [line.__dict__ for line in lines]
    )
