"""The API for programs, /api/v1: check, run, follow, explain, sweep and link, by the page's own work and
limits. What the page asks of its server is no API.

May import: http, jobs, messages, runs, settings, store, url.
"""

from __future__ import annotations

from webapp.api.endpoints import VERSION, problem, register

__all__ = ["VERSION", "problem", "register"]
