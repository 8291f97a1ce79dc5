from __future__ import annotations

import numpy as np
import pytest

from engine.codes import RunState
from engine.errors import RunCancelled
from engine.experiments.overrides import with_overrides
from engine.simulation.cancellation import CancelToken
from engine.simulation.simulate import simulate
from engine.studies.batches import MAX_UNITS, batches, run_batch
from engine.studies.measures import measure_run
from engine.studies.study import Vary
from tests.engine.studies.small_studies import MEMORY, NODES, plain, study


@pytest.mark.parametrize("seeds", [1, 249, 250, 251, 1000])
def test_batches_are_all_units_in_their_order(seeds: int) -> None:
    of = study(seeds=seeds, vary=(Vary(NODES, (1, 2, 3)),))
    result = batches(of)
    assert [unit for units in result for unit in units] == list(range(3 * seeds))
    assert max(map(len, result)) <= MAX_UNITS


def test_a_batch_takes_about_a_tenth_of_a_second() -> None:
    """A run is reckoned 1.2 ms and 3 us a container: with 6 tasks and two schedulers a unit is 2.436 ms, and
    41 of them 0.1 s; with 100,000, 0.6 s, one.
    """
    assert {len(units) for units in batches(study(seeds=410))} == {41}
    assert {len(units) for units in batches(study(seeds=3, tasks=100_000))} == {1}


def test_a_batch_holds_what_each_run_alone_says() -> None:
    """Units 3 to 7 of 2 points by 4 seeds: the seeds 13, then 10 to 13 with the second number of nodes."""
    of = study(seeds=4, first_seed=10, vary=(Vary(NODES, (1, 3)),))
    result = run_batch(of, range(3, 8))
    assert (
        result.first == 3
        and result.values.shape == (5, 2, len(of.metrics))
        and (result.state == RunState.FINISHED).all()
    )
    for row, (nodes, seed) in enumerate([(1, 13), (3, 10), (3, 11), (3, 12), (3, 13)]):
        alone, _ = with_overrides(plain() | {"seed": seed}, of.schedulers, [(NODES, nodes)])
        for place, name in enumerate(of.schedulers):
            assert result.values[row, place].tolist() == measure_run(simulate(alone, name), of.metrics)


def test_what_is_refused_has_a_sentence_of_its_first_unit_and_no_numbers() -> None:
    """The second point asks for a container of 1 TB, which no node has; the first is run."""
    result = run_batch(study(seeds=2, vary=(Vary(MEMORY, (1024, 2**20)),)), range(4))
    assert result.state.tolist() == [[RunState.FINISHED] * 2] * 2 + [[RunState.REFUSED] * 2] * 2
    assert np.isnan(result.values[2:]).all() and not np.isnan(result.values[:2, :, 0]).any()
    assert [(unit, place) for unit, place, _ in result.because] == [(2, 0), (2, 1)]
    sentence = result.because[0][2]
    assert "jobs[0].maps" in sentence and "\n" not in sentence


def test_a_deadlock_is_told() -> None:
    """Two nodes of 4 GB hold 8 masters of 1 GB: those of 9 jobs fill them while they start up, and no map
    ever begins.
    """
    master = {"memory_mb": 1024, "vcores": 1, "startup_s": 5}
    stuck = plain() | {"jobs": [plain()["jobs"][0] | {"count": 9, "am": master}]}
    of = study(("fifo+slowstart+admit-all",), seeds=1)
    result = run_batch(type(of)(stuck, of.schedulers), range(1))
    assert result.state.tolist() == [[RunState.DEADLOCK]]
    assert result.because[0][:2] == (0, 0) and result.because[0][2]


def test_a_scheduler_that_a_parameter_does_not_move_is_run_once() -> None:
    """The parameter is of the second scheduler: at the second point the first is what it was at the first."""
    of = study(("fifo", "fair+slowstart"), seeds=1, vary=(Vary("schedulers[1].slowstart.at", (0.1, 0.9)),))
    assert run_batch(of, range(2)).state.tolist() == [
        [RunState.FINISHED, RunState.FINISHED],
        [RunState.NOT_RUN, RunState.FINISHED],
    ]


def test_a_batch_ends_when_it_is_asked_to() -> None:
    cancel_token = CancelToken()
    cancel_token.cancel()
    with pytest.raises(RunCancelled):
        run_batch(study(), range(30), cancel_token)
