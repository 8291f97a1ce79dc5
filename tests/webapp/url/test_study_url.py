"""A study in an address, and what is none."""

from __future__ import annotations

import pytest

from webapp.url import url_state
from webapp.url.study_url import SliderState, StudyView

TEXT = "30,0.2,20,makespan_s,2;jobs[0].maps.memory_mb,1024,256,3072,64;cluster.nodes.total,,1,10,1;schedulers[1].drf.resources,memory,0,1,1"  # noqa: E501


def test_it_is_written_as_it_is_read() -> None:
    result = StudyView.of(TEXT)
    assert (result.seeds, result.jitter, result.values, result.metric, result.axes) == (
        30,
        0.2,
        20,
        "makespan_s",
        2,
    )
    assert result.sliders[0] == SliderState("jobs[0].maps.memory_mb", 1024, 256, 3072, 64)
    assert (result.sliders[1].value, result.sliders[2].value) == (None, "memory")
    assert result.text == TEXT
    assert (
        StudyView.of("1,0,5,fairness,1;a.b,0.05,-1.5,2,0.05").text == "1,0,5,fairness,1;a.b,0.05,-1.5,2,0.05"
    )


@pytest.mark.parametrize(
    "text",
    [
        "", ";", "30", "30,0.2,20,makespan_s,1", "30,0.2,20,makespan_s,2;a,1,0,2,1", "30,0.2,20,makespan_s,0;a,1,0,2,1", "0,0.2,20,makespan_s,1;a,1,0,2,1",  # noqa: E501
        "30,much,20,makespan_s,1;a,1,0,2,1", "30,0.2,20,<b>,1;a,1,0,2,1", "30,0.2,20,makespan_s,1;a,1,2,0,1", "30,0.2,20,makespan_s,1;a,1,0,2,0",  # noqa: E501
        "30,0.2,20,makespan_s,1;a b,1,0,2,1", "30,0.2,20,makespan_s,1;a,<x>,0,2,1", "30,0.2,20,makespan_s,1;a,nan,0,inf,1",  # noqa: E501
        "30,0.2,20,makespan_s,1" + ";a,1,0,2,1" * 21, "30,0.2,20,makespan_s,1;" + "a" * 2_000 + ",1,0,2,1",
    ],
)  # fmt: skip
def test_what_is_none_is_none_and_the_link_opens_without_it(text: str) -> None:
    assert StudyView.of(text) is None
    state = url_state.read({"study": text})
    assert state.study is None
    assert len(state.complaints) == bool(text)


def test_a_link_has_it() -> None:
    state = url_state.parse_view({"study": TEXT, "tab": "whatif"})
    assert state.start()["study"]["sliders"][0]["path"] == "jobs[0].maps.memory_mb"
    address = url_state.address(state, link="0" * 16)
    assert (
        address.startswith("?r=0000000000000000&") and "&study=30%2C0.2%2C20%2Cmakespan_s%2C2%3B" in address
    )
