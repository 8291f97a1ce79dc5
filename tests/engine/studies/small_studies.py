"""Studies of a few small runs, and what makes two results the same."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.studies.result import StudyResult
from engine.studies.study import Study, Vary
from tests.handmade_runs import scenario, stage
from tests.strategies import scenarios

LAW = {"dist": "lognormal", "mean": 5, "sd": 2}
NODES = "cluster.nodes[0].count"
MEMORY = "jobs[0].maps.memory_mb"


def plain(tasks: int = 6) -> dict:
    """Two nodes of 4 GB and one job whose maps' durations are drawn; without an ApplicationMaster."""
    maps = stage(tasks, 1024, 1) | {"duration_s": LAW}
    return scenario([(4096, 4)] * 2, [{"maps": maps}]).plain()


def study(schedulers: tuple[str, ...] = ("fifo", "fair"), seeds: int = 30, tasks: int = 6, **given) -> Study:
    return Study(plain(tasks), schedulers, seeds=seeds, **given)


def same(found: StudyResult, other: StudyResult) -> bool:
    """To the byte: numbers, states and sentences."""
    sizes = found.values.shape == other.values.shape
    return (
        sizes
        and found.values.tobytes() == other.values.tobytes()
        and found.state.tobytes() == other.state.tobytes()
        and found.because == other.because
    )


@st.composite
def studies(draw: DrawFn) -> Study:
    """Any small scenario, one to three of Hadoop's schedulers, a few seeds; now and then nodes vary, or a
    memory that no node has, which is refused.
    """
    schedulers = draw(
        st.lists(st.sampled_from(["fifo", "fair", "fifo+slowstart"]), min_size=1, max_size=3, unique=True)
    )
    two = Vary(NODES, (2, 3)), Vary("schedulers[0].slowstart.at", (0.1, 1))
    varied = draw(st.sampled_from([(), two[:1], two, (Vary(MEMORY, (1, 10**6)),)]))
    jitter = draw(st.sampled_from([0.0, 0.3]))
    seeds, first = draw(st.integers(1, 4)), draw(st.integers(0, 1000))
    return Study(draw(scenarios()).plain(), tuple(schedulers), varied, seeds, first, jitter=jitter)
