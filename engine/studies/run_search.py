"""A search is run: a small study a trial, then the answer and the present setting on seeds that nothing was chosen by.

The best of many trials looks better than it is on the seeds that chose it (the winner's curse); what is said of the answer is therefore measured on others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from typing import NamedTuple

import numpy as np

from engine.errors import GantryError, Halted
from engine.simulation.halt import Halt
from engine.studies.batches import FINISHED
from engine.studies.proposals import Proposals, proposals
from engine.studies.run_study import Runner, Serial, run_study
from engine.studies.search_result import Found, Interval, SearchResult, Trial, front_of, shares
from engine.studies.search_space import Setting
from engine.studies.setting_search import Search
from engine.studies.statistics import means
from engine.studies.study import Study

FAR = 1e6  # a constraint's violation where seeds have no value; more than any share of a bound that occurs


class Progress(NamedTuple):
    """trials: those done, of so many at most; confirmed: settings run over the fresh seeds, of so many, 0 until that begins."""

    trials: Sequence[Trial]
    most: int
    confirmed: int = 0
    to_confirm: int = 0


class Sample(NamedTuple):
    """Of a setting: float64[metrics, seeds], nan without a value; is_random: does it depend on the seed? Otherwise one seed stands for all."""

    values: np.ndarray
    is_random: bool
    because: str = ""


def run_search(
    search: Search, runner: Runner | None = None, progress: Callable[[Progress], None] = lambda progress: None, halt: Halt | None = None
) -> SearchResult:
    """The answer. runner: what does the runs, by default this process alone; the result is the same whichever does. progress is called after each trial and
    each setting of the answer. Ended by `halt`, it answers with what it has found by then. SearchUnavailable where Optuna is needed and not there."""
    judge = _Judge(search, runner or Serial(), halt or Halt())
    trials: list[Trial] = []
    size, beside = search.space.size, search.space.of_present() is None
    most = size + beside if size <= search.trials else search.trials  # all of them, and the present one beside them where it is none of them
    asked = proposals(search)
    try:
        trials.append(judge.trial(0, None))
        if not beside:
            _tell(search, asked, trials[0])
        progress(Progress(trials, most))
        while len(trials) < most and (setting := asked.next()) is not None:
            trials.append(judge.trial(len(trials), setting))
            _tell(search, asked, trials[-1])
            progress(Progress(trials, most))
        chosen = _front(search, trials)
        there = judge.fresh(None)
        found = []
        for number, trial in enumerate(chosen):
            progress(Progress(trials, most, number, len(chosen)))
            found.append(_compared(search, trial, there if trial.number == 0 else judge.fresh(trial.setting), there))
        progress(Progress(trials, most, len(chosen), len(chosen)))
    except Halted:
        return SearchResult(search, tuple(trials), tuple(map(Found, _front(search, trials))), Found(trials[0] if trials else _nothing(search)), True)
    values = [[one.estimates[objective.metric].mean for objective in search.objectives] for one in found]
    again = front_of(search, [one.trial for one in found], values) if len(search.objectives) > 1 else range(len(found))
    return SearchResult(search, tuple(trials), tuple(found[at] for at in again), _compared(search, trials[0], there, there))


def _front(search: Search, trials: Sequence[Trial]) -> list[Trial]:
    feasible = [one for one in trials if one.is_feasible]
    return [feasible[at] for at in front_of(search, feasible, [one.values[: len(search.objectives)] for one in feasible])]


def _tell(search: Search, asked: Proposals, trial: Trial) -> None:
    losses = [one.sign * value for one, value in zip(search.objectives, trial.values)]
    if trial.because:
        asked.tell(None, [FAR] * (1 + len(search.constraints)))
    else:
        asked.tell(losses, [0.0, *shares(search.constraints, trial.violations)])


class _Judge:
    """Runs settings."""

    def __init__(self, search: Search, runner: Runner, halt: Halt) -> None:
        self._search, self._runner, self._halt = search, runner, halt

    def trial(self, number: int, setting: Setting | None) -> Trial:
        """Over the search's seeds. None: the present setting."""
        search, space = self._search, self._search.space
        self._halt.go_on()
        scheduler, because = search.schedulers[0], ""
        changed = {} if setting is None else space.values(setting)
        changed = {path: value for path, value in changed.items() if value != space.present[[one.path for one in space.dimensions].index(path)]}
        values = [nan] * len(search.metrics)
        try:
            study = self._study(setting, 0, search.seeds)
        except GantryError as error:
            because = str(error).partition("\n")[0]
        else:
            scheduler, sample = study.schedulers[0], self._sample(study)
            values, because = sample.values.mean(-1).tolist(), sample.because
        of = dict(zip(search.metrics, values))
        return Trial(number, setting, changed, scheduler, tuple(values), tuple(one.violation(of[one.metric]) for one in search.constraints), because)

    def fresh(self, setting: Setting | None) -> Sample:
        """Over the seeds that nothing is chosen by."""
        return self._sample(self._study(setting, self._search.seeds, self._search.fresh_seeds))

    def _study(self, setting: Setting | None, first: int, count: int) -> Study:
        """Of one setting, over `count` seeds from that of number `first` on, or one where nothing is drawn. GantryError where the setting is refused."""
        search = self._search
        plain, scheduler = (search.scenario, search.schedulers[0]) if setting is None else search.space.at(setting)
        study = Study(plain, (scheduler,), seeds=1, first_seed=search.seed(first), metrics=search.metrics, jitter=search.jitter)
        return replace(study, seeds=count) if study.is_random and count > 1 else study

    def _sample(self, study: Study) -> Sample:
        found = run_study(study, self._runner, halt=self._halt)
        values = np.where(found.state[0, 0][:, None] == FINISHED, found.values[0, 0], nan).T
        because = found.because.get((0, 0), "")
        if not because and np.isnan(values).any():
            because = f"{study.metrics[int(np.isnan(values).any(-1).argmax())]} has no value"
        return Sample(values, study.is_random, because)


def _compared(search: Search, trial: Trial, here: Sample, there: Sample) -> Found:
    """A setting with the present one, on the same seeds."""
    apart = here.values - there.values
    is_random = here.is_random or there.is_random
    known, differs = means(here.values, here.is_random), means(apart, is_random)
    of = lambda found: {key: Interval(*(one[place].item() for one in found)) for place, key in enumerate(search.metrics)}
    return Found(trial, of(known), {} if trial.number == 0 else of(differs), int(np.isnan(here.values).any(0).sum()))


def _nothing(search: Search) -> Trial:
    """The present setting where not even that was run."""
    return Trial(0, None, {}, search.schedulers[0], (nan,) * len(search.metrics), (nan,) * len(search.constraints), "it was not run")
