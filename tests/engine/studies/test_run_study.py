from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given

from engine.errors import RunCancelled
from engine.simulation.cancellation import CancelToken
from engine.studies.batches import Batch, run_batch
from engine.studies.run_study import SerialRunner, run_study
from engine.studies.study import Study, Vary
from tests.engine.studies.small_studies import MEMORY, same, studies, study
from tests.examples import examples


class Backwards:
    """Units one at a time, the last first."""

    def run(self, of: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        yield from (
            run_batch(of, range(unit, unit + 1), cancel_token)
            for units in reversed(todo)
            for unit in reversed(units)
        )

    def close(self) -> None: ...


@examples(3, 25)
@given(studies())
def test_the_same_bytes_in_whatever_order_and_size_batches_come(of: Study) -> None:
    assert same(run_study(of, SerialRunner()), run_study(of, Backwards()))


def test_progress_counts_runs_up_to_all_of_them() -> None:
    """100 seeds under two schedulers, 41 units a batch: 82, 164, 200 runs."""
    observed = []
    result = run_study(study(seeds=100), progress=lambda so_far, done: observed.append((so_far.done, done)))
    assert observed == [(82, 82), (164, 164), (200, 200)] and result.done == 200


def test_a_sentence_is_that_of_the_first_seed_that_has_one() -> None:
    of = study(seeds=3, vary=(Vary(MEMORY, (1024, 2**20)),))
    result = run_study(of, Backwards())
    assert set(result.because) == {(1, 0), (1, 1)} and "jobs[0].maps" in result.because[1, 0]
    assert result.missing(0, 0) == 0 and result.missing(1, 0) == 3


def test_it_ends_when_it_is_asked_to() -> None:
    cancel_token = CancelToken()
    with pytest.raises(RunCancelled):
        run_study(
            study(seeds=1000), progress=lambda found, done: cancel_token.cancel(), cancel_token=cancel_token
        )
