"""Long work as the page's script follows it, without a page."""

from __future__ import annotations

from typing import Any

from webapp.panels import long_work
from webapp.panels.long_work import LongWork


def ended(work: LongWork, sent: dict[str, Any]) -> dict[str, Any]:
    """The answer at its end."""
    return followed(work, sent, long_work.start(work, sent))


def followed(work: LongWork, sent: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    """The same of what was begun already."""
    while "job" in answer:
        assert answer["says"] and 0 <= answer["percent"] <= 100
        answer = long_work.follow(work, {**sent, "job": answer["job"]})
    return answer
