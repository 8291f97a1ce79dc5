"""The compiled run, the plain run and the naive oracle agree container for container."""

from __future__ import annotations

from hypothesis import given

from engine.run import KINDS, OUTCOMES, Run
from engine.simulate import simulate
from tests import oracle
from tests.strategies import scenarios, schedulers


def rows(run: Run) -> list[tuple]:
    """The Run's containers as the oracle writes them."""
    work = run.workload
    found = []
    for job, stage, kind, index, attempt, node, requested, start, shuffle_end, end, outcome in zip(*(column.tolist() for column in run.containers), strict=True):
        fetched, ended = (None if time < 0 else time for time in (shuffle_end, end))
        found.append((work.job_names[job], stage, KINDS[kind], index, attempt, work.node_names[node], requested, start, fetched, ended, OUTCOMES[outcome]))
    return found


def times(run: Run) -> list[tuple]:
    names = run.workload.job_names
    columns = [[None if time < 0 else time for time in column.tolist()] for column in run.jobs]
    return list(zip(names, *columns, strict=True))


def scheduler_text(chosen: dict) -> str:
    at = "" if chosen.get("at") is None else f"+slowstart(at={chosen['at']!r})"
    return f"{chosen['order']}(resources={chosen['resources']}){at}"


@given(scenarios(), schedulers())
def test_compiled_plain_and_oracle_place_the_same_containers(scenario, chosen):
    expected = oracle.simulate(scenario, **chosen)
    text = scheduler_text(chosen)
    for run in (simulate(scenario, text), simulate(scenario, text, plain=True)):
        assert rows(run) == [tuple(container[:11]) for container in expected.containers]
        assert times(run) == [tuple(job[:6]) for job in expected.jobs]
        assert (run.status, run.at_ms if run.status == "deadlock" else None) == (expected.status, expected.at_ms)
