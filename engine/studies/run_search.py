"""A search is run: a small study a trial, then the answer and the present setting on fresh seeds.

The best of many trials looks better than it is on the seeds that chose it (the winner's curse); what is said
of the answer is therefore measured on others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import nan
from typing import NamedTuple

import numpy as np

from engine.codes import RunState
from engine.errors import GantryError, RunCancelled
from engine.messages import msg
from engine.simulation.cancellation import CancelToken
from engine.studies.proposals import Proposals, proposals
from engine.studies.run_study import Runner, SerialRunner, run_study
from engine.studies.search_result import ConfirmedTrial, Interval, SearchResult, Trial, front_of, shares
from engine.studies.search_space import Setting
from engine.studies.setting_search import Search
from engine.studies.statistics import means
from engine.studies.study import Study

UNKNOWN_VIOLATION = 1e6  # a constraint's violation where seeds have no value; larger than any real one


class Progress(NamedTuple):
    """trials: those done, of so many at most; confirmed: settings run over the fresh seeds, of so many, 0
    until that begins.
    """

    trials: Sequence[Trial]
    most: int
    confirmed: int = 0
    to_confirm: int = 0


class Sample(NamedTuple):
    """Of a setting: float64[metrics, seeds], nan without a value; is_random: does it depend on the seed?
    Otherwise one seed stands for all.
    """

    values: np.ndarray
    is_random: bool
    because: str = ""


def run_search(
    search: Search,
    runner: Runner | None = None,
    progress: Callable[[Progress], None] = lambda progress: None,
    cancel_token: CancelToken | None = None,
) -> SearchResult:
    """The answer. runner: what does the runs, by default this process alone; the result is the same whichever
    does. progress is called after each trial and each setting of the answer. Ended by `cancel_token`, it
    answers with what it has found by then. SearchUnavailable where Optuna is needed and not there."""
    evaluator = _SettingEvaluator(search, runner or SerialRunner(), cancel_token or CancelToken())
    trials: list[Trial] = []
    size, present_is_extra = search.space.size, search.space.present_setting() is None
    # all of them, and the present setting if it is not among them
    max_trials = size + present_is_extra if size <= search.trials else search.trials
    proposer = proposals(search)
    try:
        trials.append(evaluator.trial(0, None))
        if not present_is_extra:
            _tell(search, proposer, trials[0])
        progress(Progress(trials, max_trials))
        while len(trials) < max_trials and (setting := proposer.next()) is not None:
            trials.append(evaluator.trial(len(trials), setting))
            _tell(search, proposer, trials[-1])
            progress(Progress(trials, max_trials))
        chosen = _front(search, trials)
        present_sample = evaluator.fresh(None)
        evaluated = []
        for number, trial in enumerate(chosen):
            progress(Progress(trials, max_trials, number, len(chosen)))
            evaluated.append(
                _compared(
                    search,
                    trial,
                    present_sample if trial.number == 0 else evaluator.fresh(trial.setting),
                    present_sample,
                )
            )
        progress(Progress(trials, max_trials, len(chosen), len(chosen)))
    except RunCancelled:
        return SearchResult(
            search,
            tuple(trials),
            tuple(map(ConfirmedTrial, _front(search, trials))),
            ConfirmedTrial(trials[0] if trials else _nothing(search)),
            True,
        )
    values = [
        [setting_result.estimates[objective.metric].mean for objective in search.objectives]
        for setting_result in evaluated
    ]
    front_indices = (
        front_of(search, [setting_result.trial for setting_result in evaluated], values)
        if len(search.objectives) > 1
        else range(len(evaluated))
    )
    return SearchResult(
        search,
        tuple(trials),
        tuple(evaluated[index] for index in front_indices),
        _compared(search, trials[0], present_sample, present_sample),
    )


def _front(search: Search, trials: Sequence[Trial]) -> list[Trial]:
    feasible = [trial for trial in trials if trial.is_feasible]
    return [
        feasible[index]
        for index in front_of(
            search, feasible, [trial.values[: len(search.objectives)] for trial in feasible]
        )
    ]


def _tell(search: Search, proposer: Proposals, trial: Trial) -> None:
    losses = [objective.sign * value for objective, value in zip(search.objectives, trial.values)]
    if trial.because:
        proposer.tell(None, [UNKNOWN_VIOLATION] * (1 + len(search.constraints)))
    else:
        proposer.tell(losses, [0.0, *shares(search.constraints, trial.violations)])


class _SettingEvaluator:
    """Runs settings over their seeds."""

    def __init__(self, search: Search, runner: Runner, cancel_token: CancelToken) -> None:
        self._search, self._runner, self._cancel_token = search, runner, cancel_token

    def trial(self, number: int, setting: Setting | None) -> Trial:
        """Over the search's seeds. None: the present setting."""
        search, space = self._search, self._search.space
        self._cancel_token.raise_if_cancelled()
        scheduler, because = search.parsed[0].name, ""
        changed = {} if setting is None else space.values(setting)
        changed = {
            path: value
            for path, value in changed.items()
            if value != space.present[[parameter.path for parameter in space.dimensions].index(path)]
        }
        values = [nan] * len(search.metrics)
        try:
            study = self._study(setting, 0, search.seeds)
        except GantryError as error:
            because = str(error).partition("\n")[0]
        else:
            scheduler, sample = study.schedulers[0], self._sample(study)
            values, because = sample.values.mean(-1).tolist(), sample.because
        by_metric = dict(zip(search.metrics, values))
        return Trial(
            number,
            setting,
            changed,
            scheduler,
            tuple(values),
            tuple(parameter.violation(by_metric[parameter.metric]) for parameter in search.constraints),
            because,
        )

    def fresh(self, setting: Setting | None) -> Sample:
        """Over the fresh seeds."""
        return self._sample(self._study(setting, self._search.seeds, self._search.fresh_seeds))

    def _study(self, setting: Setting | None, first: int, count: int) -> Study:
        """Of one setting, over `count` seeds from that of number `first` on, or one where nothing is drawn.
        GantryError where the setting is refused.
        """
        search = self._search
        plain, scheduler = (
            (search.scenario, search.parsed[0]) if setting is None else search.space.at(setting)
        )
        study = Study(
            plain,
            (scheduler.name,),
            seeds=1,
            first_seed=search.seed(first),
            metrics=search.metrics,
            jitter=search.jitter,
        )
        return replace(study, seeds=count) if study.is_random and count > 1 else study

    def _sample(self, study: Study) -> Sample:
        result = run_study(study, self._runner, cancel_token=self._cancel_token)
        values = np.where(result.state[0, 0][:, None] == RunState.FINISHED, result.values[0, 0], nan).T
        because = result.because.get((0, 0), "")
        if not because and np.isnan(values).any():
            because = msg(
                "studies.run_search.has_no_value",
                metrics=study.metrics[int(np.isnan(values).any(-1).argmax())],
            )
        return Sample(values, study.is_random, because)


def _compared(search: Search, trial: Trial, sample: Sample, present_sample: Sample) -> ConfirmedTrial:
    """A setting with the present one, on the same seeds."""
    differences_of_seeds = sample.values - present_sample.values
    is_random = sample.is_random or present_sample.is_random
    estimates, differs = means(sample.values, sample.is_random), means(differences_of_seeds, is_random)
    by_metric = lambda means_of_values: {
        key: Interval(*(array[index].item() for array in means_of_values))
        for index, key in enumerate(search.metrics)
    }
    return ConfirmedTrial(
        trial,
        by_metric(estimates),
        {} if trial.number == 0 else by_metric(differs),
        int(np.isnan(sample.values).any(0).sum()),
    )


def _nothing(search: Search) -> Trial:
    """The present setting where not even that was run."""
    return Trial(
        0,
        None,
        {},
        search.parsed[0].name,
        (nan,) * len(search.metrics),
        (nan,) * len(search.constraints),
        msg("studies.run_search.was_not_run"),
    )
