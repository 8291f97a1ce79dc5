"""Every plain route of the application, by its map of addresses: valid bodies that are changed, and any bytes as paths and bodies."""

from __future__ import annotations

import io
import urllib.parse
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from engine import sample
from tests.fuzz import hostile
from tests.fuzz.bases import ASKED, LOOK, PLAIN, SCENARIOS, SMALL
from tests.fuzz.judged import Application, Tried

ACTS = ("draw", "map", "at", "row", "next", "extent", "picture", "signals", "search", "placed", "nodes", "step", "nothing")
FILES = tuple(sample(name).read_bytes() for name in ("rumen.json", "sls-jobs.json", "sls-nodes.json", "wordcount.json"))
PARTS = ("/", "..", "%00", "%ff", "\ud800", "a" * 300, "0" * 16, "f" * 16, "report.html", "scenario.json", "runs.csv", "papers", "trace.json", "é", "{{7*7}}")


class Routes:
    """What can be asked of this application; a run is there for charts and files of it."""

    def __init__(self) -> None:
        self.of = Application()
        begun = self.of.client.post("/runs/start", json={**ASKED[0], "look": LOOK}).get_json()
        while "work" in begun:
            begun = self.of.client.post("/runs/follow", json={"work": begun["work"], "look": LOOK}).get_json()
        self.result = begun["result"]
        key = self.result["key"]
        places = {"index": 0, "number": 0, "ms": 3_000, "row": 1.5, "container": 1, "by": 1, "at": 1}
        chart = {**LOOK, "key": key, **places, "text": "one", "all": True, "brief": False, "strip": "memory"}
        of = {"scenario": PLAIN, "schedulers": ["fifo"]}
        changes = [{"path": "jobs[0].slowstart.scale", "value": 2.5}, {"path": "cluster.contention", "value": 0.2}]
        work = {"id": "0" * 16, "key": key, "note": "", "again": 1, "request": {"link": "0" * 16, "why": "example"}}
        self.bases: tuple[tuple[str, tuple[Any, ...]], ...] = (
            ("/editor/check", SCENARIOS),
            ("/editor/check", SCENARIOS),
            ("/runs/start", tuple({**one, "pinned": ASKED[1], "spare": ASKED[0], "why": "example", "link": None, "look": LOOK} for one in ASKED[:2])),
            ("/runs/follow", ({"work": work, "look": LOOK},)),
            ("/runs/cancel", ({"id": "0" * 16},)),
            *((f"/charts/{name}", (chart,)) for name in ACTS),
            (
                "/whatif/move",
                ({"rest": False, "key": key, "changes": changes, "of": of}, {"rest": True, "key": "k", "changes": [], "of": {**of, "scenario": SMALL}}),
            ),
            ("/papers/what-it-takes", ({"experiment": "none/here", "conditions": {"contention": 0.1}, "resting": False, "work": "0" * 16, "cancel": None},)),
            ("/papers/claim-map", ({"paper": "none", "x": 0.5, "y": 1},)),
        )
        rules = list(self.of.app.server.url_map.iter_rules())
        self.rules = tuple(sorted({(str(rule), method) for rule in rules for method in rule.methods or () if method in ("GET", "POST")}))

    def inputs(self) -> SearchStrategy[tuple]:
        """A request: method, path, body, and its kind."""
        return st.integers(0, 9).flatmap(lambda kind: self._json() if kind < 7 else self._any() if kind < 9 else self._files())

    @st.composite
    @staticmethod
    def _changed(draw: DrawFn, bases: tuple) -> tuple:
        address, some = draw(st.sampled_from(bases))
        return "POST", address, draw(hostile.bodies(some)), "application/json"

    def _json(self) -> SearchStrategy[tuple]:
        return Routes._changed(self.bases)

    def _any(self) -> SearchStrategy[tuple]:
        part = st.sampled_from(PARTS) | st.text(max_size=12) | st.just(self.result["key"])
        body = st.sampled_from([b"", b"{}", b"[]", b"null"]) | st.binary(max_size=30)

        def fill(rule: tuple[str, str], parts: list[str], query: str, body: bytes) -> tuple:
            path, method = rule
            names, at = path.split("<"), iter(parts)
            filled = names[0] + "".join(next(at) + name.partition(">")[2] for name in names[1:])
            safe = lambda text, safe: urllib.parse.quote(text.encode("utf-8", "surrogatepass"), safe=safe)
            return method, safe(filled, "/%") + (f"?{safe(query, '=&%')}" if query else ""), body, "application/json"

        return st.builds(fill, st.sampled_from(self.rules), st.lists(part, min_size=3, max_size=3), st.just("") | st.text(max_size=20), body)

    def _files(self) -> SearchStrategy[tuple]:
        whole = st.sampled_from(FILES)
        changed = lambda data, at, more, length: data[: at % (len(data) + 1)] + more + data[at % (len(data) + 1) + length :]
        cut = st.builds(changed, whole, st.integers(0, 9_000), st.binary(max_size=6), st.integers(0, 6))
        data = hostile.bodies(SCENARIOS) | cut | st.binary(max_size=60)
        name = st.sampled_from(["a.json", "b.json.gz", "", "../x", "é\0", "a" * 300])
        return st.tuples(st.just("POST"), st.just("/editor/open"), st.lists(st.tuples(name, data), max_size=2), st.just("files"))

    def ask(self, tried: Tried, one: tuple) -> None:
        """Try it."""
        method, path, body, kind = one
        if kind == "files":
            sent = {"file": [(io.BytesIO(data), name) for name, data in body]}
            self.of.ask(tried, method, path, repr(body), data=sent, content_type="multipart/form-data")
        else:
            self.of.ask(tried, method, path, repr(body), data=body, content_type=kind)
