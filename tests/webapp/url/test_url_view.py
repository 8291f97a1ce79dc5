"""What is looked at, in an address: what is forged is left out with one sentence."""

from __future__ import annotations

import pytest

from tests.phrases import phrase
from webapp.url import url_state, url_view
from webapp.url.url_view import Decision, Drawer

FORGED = [
    *({"t": text} for text in ("-1", "1.5", "1e3", "soon", "1" * 15)),
    *({"span": text} for text in ("5", "5-", "-5", "9-5", "5-5", "a-b", "5-9-12", "-5-9")),
    *({"why": text} for text in ("1", "1:", ":5", "1:2:3", "-1:5", "32:5", "1:1000000000", "1:x", "٣:١")),
    *({"executors": text} for text in ("etl", "0:", ":etl", "32:etl", "x:etl", f"0:{'e' * 301}")),
    *({"tab": text} for text in ("Why", "settings", "<script>")),
    *({"drawer": text} for text in ("open", "39", "4001", "300px", "-300")),
    *({"dock": text} for text in ("left", "top")),
    *({"colour": text} for text in ("red", "Job", "node")),
    *({"present": text} for text in ("0", "yes")),
    *({"folded": text} for text in ("a", "0,", "0;1", "32", "-1")),
]


@pytest.mark.parametrize("forged", FORGED, ids=str)
def test_a_forged_part_is_dropped_with_one_sentence(forged: dict[str, str]) -> None:
    read = url_state.read(forged)
    assert len(read.complaints) == 1 and read.complaints[0].endswith(phrase("services.opens_without_2"))
    assert url_state.address(read) == "?"


def test_the_parts_are_typed() -> None:
    complaints: list[str] = []
    asked = {
        "colour": "queue",
        "folded": "2,0,2",
        "t": "1500",
        "span": "5-9",
        "why": "1:20",
        "tab": "whatif",
        "drawer": "300",
        "dock": "right",
        "present": "1",
    }
    result = url_view.read_view(asked, complaints)
    assert complaints == []
    assert result == {
        "colour": "queue",
        "folded": (0, 2),
        "time": 1500,
        "span": {"x0": 5, "x1": 9},
        "decision": Decision(1, 20),
        "drawer": Drawer("whatif", True, "right", 300),
        "present": True,
    }
    assert url_view.read_view({"drawer": "closed"}, complaints) == {"drawer": Drawer(open=False)}
    assert url_view.read_view({"colour": ["job", "queue"], "dock": "below"}, complaints) == {}
