"""Every plain route of the application, by its map of addresses: valid bodies that are changed, and any bytes
as paths and bodies.
"""

from __future__ import annotations

import io
import urllib.parse
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine import sample
from tests.fuzz import hostile
from tests.fuzz.bases import ASKED, LOOK, PLAIN, SCENARIOS, SMALL
from tests.fuzz.judged import Application, FuzzReport

ACTS = (
    "draw",
    "map",
    "at",
    "row",
    "next",
    "extent",
    "picture",
    "signals",
    "search",
    "placed",
    "nodes",
    "step",
    "names",
    "lost",
    "nothing",
)
FILES = tuple(
    sample(name).read_bytes() for name in ("rumen.json", "sls-jobs.json", "sls-nodes.json", "wordcount.json")
)
FILE_NAMES = ("a.json", "b.json.gz", "", "../x", "é\0", "a" * 300)
PARTS = (
    "/",
    "..",
    "%00",
    "%ff",
    "\ud800",
    "a" * 300,
    "0" * 16,
    "f" * 16,
    "report.html",
    "scenario.json",
    "runs.csv",
    "papers",
    "trace.json",
    "paje.trace",
    "batsim.zip",
    "é",
    "{{7*7}}",
)


class Routes:
    """What can be asked of this application; a run is there for charts and files of it."""

    def __init__(self) -> None:
        self.of = Application()
        begun = self.of.client.post("/jobs/run/start", json={**ASKED[0], "look": LOOK}).get_json()
        while "job" in begun:
            begun = self.of.client.post(
                "/jobs/run/follow", json={"job": begun["job"], "look": LOOK}
            ).get_json()
        self.result = begun["result"]
        key = self.result["key"]
        places = {"index": 0, "number": 0, "ms": 3_000, "row": 1.5, "container": 1, "by": 1, "at": 1}
        of = {"scenario": PLAIN, "schedulers": ["fifo"]}
        chart = {
            **LOOK,
            "key": key,
            **places,
            "text": "one",
            "all": True,
            "brief": False,
            "strip": "memory",
            "of": of,
            "node": "node1",
        }
        changes = [
            {"path": "jobs[0].slowstart.scale", "value": 2.5},
            {"path": "cluster.contention", "value": 0.2},
        ]
        asked = {"key": key, "note": "", "again": 1, "request": {"link": "0" * 16, "why": "example"}}
        job = {"id": "0" * 16, "asked": asked}
        axis = {"path": "cluster.nodes.total", "first": 1, "last": 3, "step": 1, "present": 1}
        parts = {
            "run": {},
            "costly": {"key": key, "place": 0},
            "optimum": {"key": key, "seconds": 10},
            "repeat": {"key": key, "run": True},
            "replay": {"key": key, "scheduler": "fifo"},
            "questions": {"key": key, "scheduler": "fifo", "question": "q", "values": {}, "price": ""},
            "study": {"key": key, "x": axis, "seeds": 1, "jitter": 0, "values": 5},
            "whatif-curve": {"key": key, **axis, "held": [], "goal": None},
            "best": {"key": key, "vary": [], "objectives": ["makespan_s"], "ended": True},
            "sensitivity": {"experiment": "haste/packing", "conditions": {"contention": 0.1}},
        }
        self.bases: tuple[tuple[str, tuple[Any, ...]], ...] = (
            ("/editor/check", SCENARIOS),
            ("/editor/check", SCENARIOS),
            (
                "/jobs/run/start",
                tuple(
                    {
                        **one,
                        "pinned": ASKED[1],
                        "spare": ASKED[0],
                        "base": key,
                        "why": "example",
                        "look": LOOK,
                    }
                    for one in ASKED[:2]
                ),
            ),
            ("/jobs/run/follow", ({"job": job, "look": LOOK},)),
            *(
                (f"/jobs/{name}/{act}", ({**one, "job": {"id": "0" * 16, "asked": one}},))
                for name, one in parts.items()
                for act in ("start", "follow", "cancel")
                if (name, act) != ("run", "start")
            ),
            *((f"/charts/{name}", (chart,)) for name in ACTS),
            (
                "/whatif/move",
                (
                    {"rest": False, "key": key, "changes": changes, "of": of},
                    {"rest": True, "key": "k", "changes": [], "of": {**of, "scenario": SMALL}},
                ),
            ),
            ("/papers/claim-map", ({"paper": "none", "x": 0.5, "y": 1},)),
        )
        rules = list(self.of.app.server.url_map.iter_rules())
        self.rules = tuple(
            sorted(
                {
                    (str(rule), method)
                    for rule in rules
                    for method in rule.methods or ()
                    if method in ("GET", "POST")
                }
            )
        )

    def inputs(self) -> SearchStrategy[tuple]:
        """A request: method, path, body, and its kind."""
        return st.builds(self._input, st.integers(0, 9), hostile.rng())

    def _input(self, kind: int, rng: Random) -> tuple:
        if kind < 7:
            address, bases = rng.choice(self.bases)
            return "POST", address, hostile.body(bases, rng), "application/json"
        if kind < 9:
            return self._any(rng)
        data = lambda: (
            hostile.body(SCENARIOS, rng) if rng.random() < 0.5 else hostile.cut(rng.choice(FILES), rng)
        )
        return (
            "POST",
            "/editor/open",
            [(rng.choice(FILE_NAMES), data()) for _ in range(rng.randrange(3))],
            "files",
        )

    def _any(self, rng: Random) -> tuple:
        """An address by one of the rules, its parts and its query any text."""
        rule, method = rng.choice(self.rules)
        part = lambda: rng.choice((*PARTS, self.result["key"], str(hostile.value(rng))[:50]))
        first, *more = rule.split("<")
        path = first + "".join(part() + one.partition(">")[2] for one in more)
        quoted = lambda text, safe: urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe=safe)
        query = f"?{quoted(part(), '=&%')}" if rng.random() < 0.3 else ""
        return (
            method,
            quoted(path, "/%") + query,
            rng.choice((*hostile.NONE, b"{}", b"[]", rng.randbytes(9))),
            "application/json",
        )

    def ask(self, tried: FuzzReport, one: tuple) -> None:
        """Try it."""
        method, path, body, kind = one
        if kind == "files":
            sent = {"file": [(io.BytesIO(data), name) for name, data in body]}
            self.of.ask(tried, method, path, repr(body), data=sent, content_type="multipart/form-data")
        else:
            self.of.ask(tried, method, path, repr(body), data=body, content_type=kind)
