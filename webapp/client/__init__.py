"""A client of the API for programs: the standard library alone, so that it needs no page.

May import: messages.
"""

from __future__ import annotations

from webapp.client.api_client import ApiError, Client

__all__ = ["ApiError", "Client"]
