"""What machines ask of a server: whether it lives, whether it is ready, and its numbers. A question that
hangs is not waited for.

May import: jobs, messages, monitoring, runs, settings, store, url.
"""

from __future__ import annotations

from flask import Flask

from webapp.probes import health, scrape
from webapp.probes.scrape import LOOPBACK

__all__ = ["LOOPBACK", "register"]


def register(server: Flask, prefix: str) -> None:
    """The routes of this server, whose application is at the prefix, with slashes at both ends."""
    health.register(server, prefix)
    scrape.register(server, prefix)
