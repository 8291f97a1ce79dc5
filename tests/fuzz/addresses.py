"""Addresses of the page: states of url_state, packed scenarios and any text, read by the callback that lays
out the page.
"""

from __future__ import annotations

import base64
import json
import zlib
from random import Random
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine import presets
from tests.fuzz import hostile
from tests.fuzz.bases import ASKED, NAMES
from tests.fuzz.judged import FuzzReport
from tests.fuzz.routes import Routes

KEYS = (
    "r",
    "preset",
    "s",
    "pin",
    "x0",
    "x1",
    "y0",
    "y1",
    "job",
    "user",
    "queue",
    "node",
    "rack",
    "phase",
    "rows",
    "sort",
    "find",
    "colour",
    "folded",
    "t",
    "span",
    "why",
    "tab",
    "drawer",
    "dock",
    "present",
    "unknown",
)
PLAUSIBLE = (
    "0",
    "1",
    "-1",
    "5000",
    "1e9",
    "nan",
    "inf",
    "1-2",
    "0:5",
    "9:9",
    "job",
    "jobs",
    "closed",
    "bottom",
    "300",
    "0,1",
    "phase",
    *NAMES,
    *(one.key for one in presets()),
)
PATHS = (
    "/",
    "/papers",
    "/papers/saf",
    "/schedulers",
    "/model",
    "/help/..",
    "/help/x",
    "/checked",
    "/nothing",
    "/papers/../..",
    "//",
    "/\0",
)


class Addresses(Routes):
    """What may stand in the browser's address."""

    def inputs(self) -> SearchStrategy[tuple]:
        """A path, a query, and whether the page asks."""
        return st.builds(self._address, hostile.rng(), st.booleans())

    def _address(self, rng: Random, page: bool) -> tuple:
        plain = lambda: rng.choice(PLAUSIBLE) if rng.random() < 0.6 else str(hostile.value(rng))[:500]
        part = lambda: ("s", _packed(rng)) if rng.random() < 0.3 else (rng.choice(KEYS), plain())
        query = urlencode(
            [
                (key, value.encode("utf-8", "surrogatepass"))
                for key, value in (part() for _ in range(rng.randrange(6)))
            ]
        )
        return rng.choice(PATHS[:1] * 5 + PATHS), query, page

    def ask(self, tried: FuzzReport, one: tuple) -> None:
        """Ask for the page as the browser does, or for its layout as the page does."""
        path, query, page = one
        if page:
            name = next(key for key in self.of.app.callback_map if "_pages_content" in key)
            outputs = [
                {"id": "_pages_content", "property": "children"},
                {"id": "_pages_store", "property": "data"},
            ]
            inputs = [
                {"id": "_pages_location", "property": key, "value": value}
                for key, value in (("pathname", path), ("search", f"?{query}"))
            ]
            body = {
                "output": name,
                "outputs": outputs,
                "inputs": inputs,
                "changedPropIds": ["_pages_location.search"],
            }
            self.of.ask(
                tried,
                "POST",
                "/_dash-update-component",
                f"{path}?{query}",
                data=json.dumps(body),
                content_type="application/json",
            )
        else:
            self.of.ask(tried, "GET", f"{quote(path)}?{query}", "")


def _packed(rng: Random) -> str:
    """A scenario in an address, whole or changed."""
    packed = zlib.compress(hostile.body(ASKED, rng, 2))
    packed = hostile.cut(packed, rng) if rng.random() < 0.1 else packed
    return rng.choice(("v1.", "v2.", "v3.", "")) + base64.urlsafe_b64encode(packed).decode().rstrip("=")
