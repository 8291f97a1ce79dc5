from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given

from engine.errors import Halted
from engine.simulation.halt import Halt
from engine.studies.batches import Batch, do_batch
from engine.studies.run_study import Serial, run_study
from engine.studies.study import Study, Vary
from tests.engine.studies.small_studies import MEMORY, same, studies, study
from tests.examples import examples


class Backwards:
    """Units one at a time, the last first."""

    def run(self, of: Study, todo: Sequence[range], halt: Halt) -> Iterator[Batch]:
        yield from (do_batch(of, range(unit, unit + 1), halt) for units in reversed(todo) for unit in reversed(units))

    def close(self) -> None: ...


@examples(3, 25)
@given(studies())
def test_the_same_bytes_in_whatever_order_and_size_batches_come(of: Study) -> None:
    assert same(run_study(of, Serial()), run_study(of, Backwards()))


def test_progress_counts_runs_up_to_all_of_them() -> None:
    """100 seeds under two schedulers, 41 units a batch: 82, 164, 200 runs."""
    told = []
    found = run_study(study(seeds=100), progress=lambda so_far, done: told.append((so_far.done, done)))
    assert told == [(82, 82), (164, 164), (200, 200)] and found.done == 200


def test_a_sentence_is_that_of_the_first_seed_that_has_one() -> None:
    of = study(seeds=3, vary=(Vary(MEMORY, (1024, 2**20)),))
    found = run_study(of, Backwards())
    assert set(found.because) == {(1, 0), (1, 1)} and "jobs[0].maps" in found.because[1, 0]
    assert found.missing(0, 0) == 0 and found.missing(1, 0) == 3


def test_it_ends_when_it_is_asked_to() -> None:
    halt = Halt()
    with pytest.raises(Halted):
        run_study(study(seeds=1000), progress=lambda found, done: halt.ask(), halt=halt)
