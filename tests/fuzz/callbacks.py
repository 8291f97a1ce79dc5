"""Every callback of Dash that the server answers, with values of the page and with hostile ones."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz import hostile
from tests.fuzz.bases import ASKED, LOOK, NAMES, SCENARIOS
from tests.fuzz.judged import FuzzReport
from tests.fuzz.routes import Routes

ADDRESS = "/_dash-update-component"


class Callbacks(Routes):
    """What the page could post, and what it could not."""

    def __init__(self) -> None:
        super().__init__()
        result = self.of.app.callback_map
        self.known = tuple((name, one) for name, one in sorted(result.items()) if "callback" in one)
        key = self.result["key"]
        self.plausible = (
            None,
            0,
            1,
            2,
            True,
            [],
            "memory",
            "vcores",
            "fifo",
            "both",
            "job",
            list(NAMES[:3]),
            self.result,
            key,
            {"key": key},
            {"key": key, **LOOK},
            {"key": key, "index": 0, "container": 1, "number": 0, "at": 1_000, "x0": 0, "x1": 9_000},
            {"scenario": SCENARIOS[0], "schedulers": ["fifo"]},
            {"id": "0" * 16, "key": key, "note": ""},
            "/papers",
            "/schedulers",
            "/model",
            "/",
            "?preset=wordcount&s=fifo",
            f"?r={'0' * 16}",
            "makespan_s",
            3.5,
            {
                "draft": ASKED[0],
                "key": key,
                "metric": "makespan_s",
                "path": "cluster.contention",
                "low": 0,
                "high": 1,
            },
            [0, 1],
            ["fifo", "fair"],
            600,
            "dark",
        )

    def inputs(self) -> SearchStrategy[tuple]:
        """A callback's body."""
        return st.builds(self._body, hostile.rng())

    def _body(self, rng: Random) -> tuple:
        name, one = rng.choice(self.known)
        given = lambda some: [self._given(part, rng) for part in some]
        inputs, state = given(one["inputs"]), given(one["state"])
        outputs = [
            _named(part) for part in (one["output"] if isinstance(one["output"], list) else [one["output"]])
        ]
        pressed = rng.randrange(max(len(inputs), 1))
        name_of = lambda part: part["id"] if isinstance(part["id"], str) else json.dumps(part["id"])
        changed = [f"{name_of(part)}.{part['property']}" for part in _flat(inputs)[pressed : pressed + 1]]
        body: Any = {
            "output": name,
            "outputs": outputs if isinstance(one["output"], list) else outputs[0],
            "inputs": inputs,
            "state": state,
        }
        body["changedPropIds"] = changed
        if rng.random() < 0.1:
            return "POST", ADDRESS, hostile.body((body,), rng, 2), "application/json"
        return "POST", ADDRESS, hostile.text_of(body), "application/json"

    def _given(self, part: dict, rng: Random) -> Any:
        """An input or a state with its value; one that stands for many is a list."""
        some = lambda: hostile.changed(self.plausible, rng, 1) if rng.random() < 0.6 else hostile.value(rng)
        if part["id"].startswith("{"):
            pattern = {
                key: value if isinstance(value, (str, int)) else f"a{number}"
                for number, (key, value) in enumerate(json.loads(part["id"]).items())
            }
            return [
                {"id": pattern, "property": part["property"], "value": some()}
                for _ in range(rng.randrange(3))
            ]
        return {"id": part["id"], "property": part["property"], "value": some()}

    def ask(self, tried: FuzzReport, one: tuple) -> None:
        """Try it."""
        method, path, body, kind = one
        self.of.ask(tried, method, path, repr(body), data=body, content_type=kind)


def _named(output: Any) -> dict:
    """An output as the page names it."""
    id = output.component_id
    return {
        "id": id
        if isinstance(id, str)
        else {key: value if isinstance(value, str) else 0 for key, value in id.items()},
        "property": output.component_property,
    }


def _flat(parts: list) -> list[dict]:
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]
