"""A study is run: by whatever does its batches, in whatever order they come back, with the same result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from engine.errors import Halted
from engine.simulation.halt import Halt
from engine.studies.batches import Batch, batches, do_batch
from engine.studies.result import StudyResult
from engine.studies.study import Study


class Runner(Protocol):
    """What does batches: this process, several, or the machines of a cluster."""

    def run(self, study: Study, todo: Sequence[range], halt: Halt) -> Iterator[Batch]:
        """The batches as they are done, in any order; each once, however often it had to be begun. Raises Halted once `halt` is asked."""
        ...

    def close(self) -> None:
        """Let go of what it keeps from one study to the next; a later study begins it anew."""
        ...


class Serial:
    """One batch after the other, here."""

    def run(self, study: Study, todo: Sequence[range], halt: Halt) -> Iterator[Batch]:
        for units in todo:
            halt.go_on()
            yield do_batch(study, units, halt)

    def close(self) -> None:
        """There is nothing to let go of."""


def run_study(
    study: Study,
    runner: Runner | None = None,
    progress: Callable[[StudyResult, int], None] = lambda found, done: None,
    halt: Halt | None = None,
) -> StudyResult:
    """Every run of a study. progress(what there is, runs done) is called after each batch, in the caller's thread; `whole` of what it is given fills in what
    is not run twice. runner: what does the batches, by default this process alone. Raises Halted when it was ended by `halt`."""
    halt = halt or Halt()
    found = StudyResult.empty(study)
    done = 0
    for batch in (runner or Serial()).run(study, batches(study), halt):
        found.take(batch)
        done += int((batch.state != 0).sum())
        progress(found, done)
    if halt.asked:
        raise Halted("the study was ended before it was done")
    return found.whole()
