"""Random scenarios with the physics of a cluster on: each part is drawn by a function of its own, and now and
then left out.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.scenario.model import Scenario
from tests.strategies import BUSY, SMALL, among, perhaps, scenarios, seconds

DRAWN = st.sampled_from(
    [
        0.0,
        0.003,
        0.1,
        0.5,
        {"dist": "uniform", "low": 0.0, "high": 0.2},
        {"dist": "exponential", "mean": 0.05},
        {"dist": "normal", "mean": 0.05, "sd": 0.1},
    ]
)


def launches(draw: DrawFn, plain: dict) -> None:
    plain["cluster"]["launch_s"] = draw(DRAWN)


def startups(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        if job.get("am"):
            job["am"]["startup_s"] = draw(DRAWN)


def lingering(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        if job.get("am"):
            job["am"]["linger_s"] = draw(among(0.0, 0.001, 0.05, 0.1, 1.0, 3.0))


def master_beats(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        if job.get("am"):
            job["am"]["heartbeat_s"] = draw(among(0.0, 0.001, 0.003, 0.05, 0.1, 0.7, 2.0))


def beats_on_ends(draw: DrawFn, plain: dict) -> None:
    plain["cluster"]["out_of_band_heartbeats"] = True


def stragglers(draw: DrawFn, plain: dict) -> None:
    fields = {"share": among(0.0, 0.3, 1.0), "factor": among(1.0, 1.5, 4.0), "tail": among(None, 0.7, 2.0)}
    plain["cluster"]["stragglers"] = draw(st.fixed_dictionaries(fields))


def failures(draw: DrawFn, plain: dict) -> None:
    fields = {
        "probability": among(0.0, 0.2, 0.6, 1.0),
        "at": among(None, 0.0, 0.5, 1.0),
        "max_attempts": among(1, 2, 4),
    }
    plain["cluster"]["failures"] = draw(st.fixed_dictionaries(fields))


def outages(draw: DrawFn, plain: dict) -> None:
    """Groups of nodes join at a time, and nodes are lost for a time, now and then for good; all of them may
    be away at once, but not for good.
    """
    nodes = []
    for index, group in enumerate(plain["cluster"]["nodes"], start=1):
        if draw(st.integers(0, 2)) == 0:
            group["joins_s"] = _later(draw(seconds()), 0.0)
        nodes += [(name, group.get("joins_s", 0.0)) for name in _names(group, index)]
    outages_ = []
    for node, joins in draw(st.lists(st.sampled_from(nodes), unique=True, max_size=4)):
        lost = _later(draw(seconds(0.001) if joins else seconds() | st.just(0.0)), joins)
        more = seconds(0.001) if node == nodes[0][0] else perhaps(seconds(0.001))
        outages_.append({"node": node, "lost_s": lost, "back_s": _later(draw(more), lost)})
        if outages_[-1]["back_s"] is not None and draw(st.booleans()):
            again = _later(draw(seconds(0.001)), outages_[-1]["back_s"])
            outages_.append({"node": node, "lost_s": again, "back_s": _later(draw(more), again)})
    plain["cluster"]["outages"] = outages_


def _later(more: float | None, than: float) -> float | None:
    """In whole milliseconds."""
    return None if more is None else round(than + more, 3)


def _names(group: dict, index: int) -> list[str]:
    name, count = group.get("name") or f"node{index}", group["count"]
    return [name] if count == 1 else [f"{name}-{copy}" for copy in range(1, count + 1)]


def speculation(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        job["speculation"] = draw(among("none", "maps", "reduces", "both"))


def latencies(draw: DrawFn, plain: dict) -> None:
    plain["cluster"]["shuffle_latency_s"] = draw(among(0.0, 0.001, 0.0125, 0.5))


def partitions(draw: DrawFn, plain: dict) -> None:
    for job in plain["jobs"]:
        count = (job.get("reduces") or {"count": 0})["count"]
        sizes = st.lists(among(0.0, 0.5, 1.0, 3.0), min_size=count, max_size=count).filter(any)
        zipf = among(0.0, 0.7, 1.0, 3.0).map(lambda exponent: {"zipf": exponent})
        if draw(st.integers(0, 3)):
            job["partitions"] = draw(zipf | sizes.map(lambda values: {"sizes": values}) if count else zipf)


def fetch_weights(draw: DrawFn, plain: dict) -> None:
    plain["cluster"]["fetch_weight"] = draw(among(0.25, 0.4, 1.0, 2.0))
    plain["cluster"]["contention"] = draw(among(0.0, 0.1, 0.37, 1.0))


def locality(draw: DrawFn, plain: dict) -> None:
    for node in plain["cluster"]["nodes"]:
        node["rack"] = draw(among(None, "a", "b", "b", "c"))
    fields = {
        "replication": st.integers(1, 5),
        "rack_factor": among(1.0, 1.5, 3.0),
        "off_rack_factor": among(1.0, 2.0, 7.0),
    }
    plain["cluster"]["locality"] = draw(st.fixed_dictionaries(fields))


PARTS = (
    launches,
    startups,
    stragglers,
    lingering,
    master_beats,
    beats_on_ends,
    latencies,
    partitions,
    fetch_weights,
    failures,
    outages,
    speculation,
    locality,
)


ANY_SCALE = scenarios(SMALL) | scenarios(BUSY)


@st.composite
def physical(draw: DrawFn, parts: tuple = PARTS) -> Scenario:
    """A scenario with some of these parts."""
    plain = draw(ANY_SCALE).plain()
    for part in parts:
        if draw(st.integers(0, 3)):
            part(draw, plain)
    return Scenario.of(plain)
