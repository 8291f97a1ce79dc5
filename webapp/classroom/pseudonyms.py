"""Who a student is, and what is kept of that: of the visitor's signed cookie a keyed hash, another one in
each class; of a teacher's secret link a hash.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

from flask import has_request_context, session

from webapp import settings

SECRET_BYTES = 16


def visitor() -> str | None:
    """The random name in the visitor's signed cookie; None of who sends none back."""
    name = session.get("visitor") if has_request_context() else None
    return name if isinstance(name, str) else None


def pseudonym(scope: str, visitor: str) -> str:
    """A name for the visitor that is the same within this scope, such as a class's id, and tells nothing of
    who they are in another.
    """
    text = f"gantry class {scope} {visitor}".encode()
    return hmac.new(settings.secret_key().encode(), text, hashlib.sha256).hexdigest()


def new_secret() -> str:
    """Of a class's overview: 32 hexadecimal digits that nobody guesses."""
    return secrets.token_hex(SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_hash_of(kept: str, secret: str) -> bool:
    """Is this what is kept of the secret? It takes as long wherever they differ."""
    return hmac.compare_digest(kept, secret_hash(secret))
