"""Which setting is tried next: Optuna's samplers, through their ask-and-tell interface.

Optuna (Akiba et al. 2019, KDD) is the library used here: version 5.0 is of this year, it has constraints and
several objectives by itself, is deterministic by a seed, and has an ask-and-tell interface, so that we run
the settings ourselves. nevergrad has all of these as well (constraints as a penalty added to the loss) and
more algorithms, of which CMA's are at home where parameters are many and continuous; here they are few, on a
grid and mixed with choices, which the tree-structured Parzen estimator (Bergstra et al. 2011) takes as they
are; engine/docs/decisions/search.md has both measured. It learns from each trial, and the cost of a proposal
grows with them; with two objectives beyond MAX_TPE_TRIALS trials NSGA-II (Deb et al. 2002) takes its place,
whose proposals stay cheap.

Where there are no more settings than trials all of them are tried, and no library is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from engine.errors import GantryError
from engine.messages import msg
from engine.studies.search_space import SearchSpace, Setting
from engine.studies.setting_search import Search

MAX_TPE_TRIALS = 300  # trials, of two objectives


class SearchUnavailable(GantryError):
    """The library that a search needs is not installed."""


class Proposals(Protocol):
    """Each setting once; the present one is tried already."""

    def next(self) -> Setting | None:
        """The next one to try; None once there is no other."""
        ...

    def tell(self, losses: Sequence[float] | None, violations: Sequence[float]) -> None:
        """What came of it: smaller is better; None where it has no numbers. violations: above 0 what is
        broken, of about the size 1 or more.
        """
        ...


def proposals(search: Search) -> Proposals:
    """For a search. SearchUnavailable where Optuna is needed and is not there."""
    return (
        ExhaustiveProposals(search.space) if search.space.size <= search.trials else SampledProposals(search)
    )


class ExhaustiveProposals:
    """All settings, in their order."""

    def __init__(self, space: SearchSpace) -> None:
        present = space.present_setting()
        self._left: Iterator[Setting] = (setting for setting in space.settings() if setting != present)

    def next(self) -> Setting | None:
        return next(self._left, None)

    def tell(self, losses: Sequence[float] | None, violations: Sequence[float]) -> None:
        pass


class SampledProposals:
    """As Optuna proposes; where it proposes what was tried, the nearest setting that was not."""

    def __init__(self, search: Search) -> None:
        try:
            import optuna
        except ImportError:
            raise SearchUnavailable(msg("studies.proposals.search_needs_optuna_pip_install_gantry")) from None
        self._failed = optuna.trial.TrialState.FAIL
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._space = space = search.space
        use_nsga = len(search.objectives) > 1 and search.trials > MAX_TPE_TRIALS
        sampler = (optuna.samplers.NSGAIISampler if use_nsga else optuna.samplers.TPESampler)(
            seed=search.sampler_seed
        )
        self._study = optuna.create_study(directions=["minimize"] * len(search.objectives), sampler=sampler)
        integer, categorical = (
            optuna.distributions.IntDistribution,
            optuna.distributions.CategoricalDistribution,
        )
        self._of: dict[str, optuna.distributions.BaseDistribution] = {
            dimension.path: integer(0, len(dimension.values) - 1)
            if dimension.is_ordered
            else categorical(range(len(dimension.values)))
            for dimension in space.dimensions
        }
        self._draws = np.random.Generator(np.random.PCG64(search.sampler_seed))
        self._tried: set[Setting] = set()
        self._count = len(search.objectives)
        present = space.present_setting()
        if present is not None:
            self._study.enqueue_trial(self._parameters(present))
            self._tried.add(self._ask())

    def next(self) -> Setting:
        setting = self._ask()
        if setting in self._tried:
            self._study.tell(self._trial, state=self._failed)
            self._study.enqueue_trial(self._parameters(self._untried(setting)))
            setting = self._ask()
        self._tried.add(setting)
        return setting

    def tell(self, losses: Sequence[float] | None, violations: Sequence[float]) -> None:
        for number, violation in enumerate(violations):
            self._trial.set_constraint(str(number), violation)
        # without numbers it is far from feasible: they don't count
        self._study.tell(self._trial, [0.0] * self._count if losses is None else list(losses))

    def _ask(self) -> Setting:
        self._trial = self._study.ask(self._of)
        return self._space.normalized([self._trial.params[path] for path in self._of])

    def _parameters(self, setting: Setting) -> dict[str, int]:
        return {path: max(value_index, 0) for path, value_index in zip(self._of, setting)}

    def _untried(self, setting: Setting) -> Setting:
        """One of the nearest untried settings; there is one, as there are more settings than trials."""
        level, known = [setting], {setting}
        while level:
            next_level = list(
                dict.fromkeys(
                    neighbour
                    for visited in level
                    for neighbour in self._space.neighbours(visited)
                    if neighbour not in known
                )
            )
            known.update(next_level)
            untried = [neighbour for neighbour in next_level if neighbour not in self._tried]
            if untried:
                return untried[self._draws.integers(len(untried))]
            level = next_level
        raise AssertionError(msg("studies.proposals.every_setting_was_tried"))
