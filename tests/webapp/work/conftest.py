"""Servers that work processes need."""

from __future__ import annotations

from tests.webapp.services.test_cache import redis
from tests.webapp.store.conftest import postgres, url

__all__ = ["postgres", "redis", "url"]
