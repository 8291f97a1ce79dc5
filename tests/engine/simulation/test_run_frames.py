"""Runs as pandas tables say what the result says."""

from __future__ import annotations

import pandas as pd

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy


def test_containers_and_jobs_are_those_of_the_run():
    run = simulate(busy(), "fair")
    expected = result_of(run)
    result = run.frame()
    assert len(result) == len(expected.containers)
    for row, container in zip(result.itertuples(index=False), expected.containers):
        assert (row.job, row.stage, row.kind, row.node, row.outcome) == (
            container.job,
            container.stage,
            container.kind,
            container.node,
            container.outcome,
        )
        assert row.start_s == container.start / 1000
        assert (
            pd.isna(row.shuffle_end_s)
            if container.shuffle_end is None
            else row.shuffle_end_s == container.shuffle_end / 1000
        )
    table = run.frame("jobs")
    assert list(table.index) == [job.name for job in expected.jobs]
    assert list(table["finish_s"]) == [job.finish / 1000 for job in expected.jobs]
    assert set(table["queue"]) == {"root.default"}


def test_the_text_of_a_run_says_what_ran_and_how_it_ended():
    scenario = busy().model_copy(update={"name": "Batch"})
    run = simulate(scenario, "fair")
    assert repr(run).startswith("Batch under fair: ") and "finished at" in repr(run)
