"""Random scenarios with the physics of a cluster on: each part is drawn by a function of its own, and now and then left out."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.scenario.model import Scenario
from tests.strategies import BUSY, SMALL, scenarios

DRAWN = st.sampled_from(
    [0.0, 0.003, 0.1, 0.5, {"dist": "uniform", "low": 0.0, "high": 0.2}, {"dist": "exponential", "mean": 0.05}, {"dist": "normal", "mean": 0.05, "sd": 0.1}]
)


def launches(draw: DrawFn, plain: dict) -> None:
    plain["cluster"]["launch_s"] = draw(DRAWN)


def startups(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        if job.get("am"):
            job["am"]["startup_s"] = draw(DRAWN)


def stragglers(draw: DrawFn, plain: dict) -> None:
    some = {"share": st.sampled_from([0.0, 0.3, 1.0]), "factor": st.sampled_from([1.0, 1.5, 4.0]), "tail": st.sampled_from([None, 0.7, 2.0])}
    plain["cluster"]["stragglers"] = draw(st.fixed_dictionaries(some))


def locality(draw: DrawFn, plain: dict) -> None:
    for node in plain["cluster"]["nodes"]:
        node["rack"] = draw(st.sampled_from([None, "a", "b", "b", "c"]))
    some = {"replication": st.integers(1, 5), "rack_factor": st.sampled_from([1.0, 1.5, 3.0]), "off_rack_factor": st.sampled_from([1.0, 2.0, 7.0])}
    plain["cluster"]["locality"] = draw(st.fixed_dictionaries(some))


PARTS = (launches, startups, stragglers, locality)


@st.composite
def physical(draw: DrawFn, parts: tuple = PARTS) -> Scenario:
    """A scenario with some of these parts."""
    plain = draw(scenarios(SMALL) | scenarios(BUSY)).plain()
    for part in parts:
        if draw(st.integers(0, 3)):
            part(draw, plain)
    return Scenario.of(plain)
