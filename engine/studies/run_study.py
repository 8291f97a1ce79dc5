"""Runs a study: with any runner and in any order of its batches the result is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from engine.errors import RunCancelled
from engine.messages import msg
from engine.simulation.cancellation import CancelToken
from engine.studies.batches import Batch, batches, run_batch
from engine.studies.result import StudyResult
from engine.studies.study import Study


class Runner(Protocol):
    """What does batches: this process, several, or the machines of a cluster."""

    def run(self, study: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        """The batches as they are done, in any order; each once, however often it had to be begun. Raises
        RunCancelled once `cancel_token` is asked.
        """
        ...

    def close(self) -> None:
        """Release what is kept between studies; a later study starts it again."""
        ...


class SerialRunner:
    """One batch after the other, here."""

    def run(self, study: Study, todo: Sequence[range], cancel_token: CancelToken) -> Iterator[Batch]:
        for units in todo:
            cancel_token.raise_if_cancelled()
            yield run_batch(study, units, cancel_token)

    def close(self) -> None:
        """There is nothing to let go of."""


def run_study(
    study: Study,
    runner: Runner | None = None,
    progress: Callable[[StudyResult, int], None] = lambda result, done: None,
    cancel_token: CancelToken | None = None,
) -> StudyResult:
    """Every run of a study. progress(what there is, runs done) is called after each batch, in the caller's
    thread; `filled` of what it is given fills in what is not run twice. runner: what does the batches, by
    default this process alone. Raises RunCancelled when it was ended by `cancel_token`."""
    cancel_token = cancel_token or CancelToken()
    result = StudyResult.empty(study)
    done = 0
    for batch in (runner or SerialRunner()).run(study, batches(study), cancel_token):
        result.add_batch(batch)
        done += int((batch.state != 0).sum())
        progress(result, done)
    if cancel_token.is_cancelled:
        raise RunCancelled(msg("studies.run_study.study_was_ended_before_was_done"))
    return result.filled()
