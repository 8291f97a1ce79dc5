"""A line for each link or class that is kept, opened or deleted: what, which, when, and of a link by whom as
far as that may be known; nothing of what it holds.
"""

from __future__ import annotations

import hashlib
import hmac
import logging

from flask import has_request_context, session

from webapp import settings

log = logging.getLogger("gantry.audit")
SAVED, OPENED, EXPIRED, DELETED = "link kept", "link opened", "link expired", "link deleted"
CLASS_MADE, CLASS_EXPIRED, CLASS_DELETED = "class made", "class expired", "class deleted"
PSEUDONYM_CHARS = 12


def log_link(what: str, id: str) -> None:
    """One of the above happened to the link with this id."""
    log.info(what, extra={"link": id, "visitor": _visitor_pseudonym()})


def log_class(what: str, id: str) -> None:
    """One of the above happened to the class with this id; by whom is not said."""
    log.info(what, extra={"class": id})


def _visitor_pseudonym() -> str | None:
    """A name for the visitor that is the same all term, and from which nobody finds their cookie; None of who
    has none.
    """
    name = session.get("visitor") if has_request_context() else None
    if not isinstance(name, str):
        return None
    key, text = settings.secret_key().encode(), b"gantry audit " + name.encode()
    return hmac.new(key, text, hashlib.sha256).hexdigest()[:PSEUDONYM_CHARS]
