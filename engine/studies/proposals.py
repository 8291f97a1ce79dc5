"""Which setting is tried next: Optuna's samplers, asked and told.

Optuna (Akiba et al. 2019, KDD) is the kept library that is used here: version 5.0 is of this year, it has constraints and several objectives by itself, is
deterministic by a seed, and is asked and told, so that what runs a setting is ours. nevergrad has all of these as well (constraints as a penalty added to the
loss) and more algorithms, of which CMA's are at home where parameters are many and continuous; here they are few, on a grid and mixed with choices, which the
tree-structured Parzen estimator (Bergstra et al. 2011) takes as they are; engine/README.md has both measured. It learns from each trial, and what a question
takes grows with them; with two objectives beyond MOST_TPE trials NSGA-II (Deb et al. 2002) takes its place, of which a question costs little throughout.

Where there are no more settings than trials all of them are tried, and no library is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from engine.errors import GantryError
from engine.studies.search_space import SearchSpace, Setting
from engine.studies.setting_search import Search

MOST_TPE = 300  # trials, of two objectives


class SearchUnavailable(GantryError):
    """The library that a search needs is not installed."""


class Proposals(Protocol):
    """Each setting once; the present one is tried already."""

    def next(self) -> Setting | None:
        """The next one to try; None once there is no other."""
        ...

    def tell(self, losses: Sequence[float] | None, violations: Sequence[float]) -> None:
        """What came of it: smaller is better; None where it has no numbers. violations: above 0 what is broken, of about the size 1 or more."""
        ...


def proposals(search: Search) -> Proposals:
    """For a search. SearchUnavailable where Optuna is needed and is not there."""
    return EveryOne(search.space) if search.space.size <= search.trials else Sampled(search)


class EveryOne:
    """All settings, in their order."""

    def __init__(self, space: SearchSpace) -> None:
        present = space.of_present()
        self._left: Iterator[Setting] = (one for one in space.settings() if one != present)

    def next(self) -> Setting | None:
        return next(self._left, None)

    def tell(self, losses: Sequence[float] | None, violations: Sequence[float]) -> None:
        pass


class Sampled:
    """As Optuna proposes; where it proposes what was tried, the nearest setting that was not."""

    def __init__(self, search: Search) -> None:
        try:
            import optuna
        except ImportError:
            raise SearchUnavailable("A search needs Optuna: pip install 'gantry[search]'") from None
        self._failed = optuna.trial.TrialState.FAIL
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self._space = space = search.space
        several = len(search.objectives) > 1 and search.trials > MOST_TPE
        sampler = (optuna.samplers.NSGAIISampler if several else optuna.samplers.TPESampler)(seed=search.sampler_seed)
        self._study = optuna.create_study(directions=["minimize"] * len(search.objectives), sampler=sampler)
        integer, categorical = optuna.distributions.IntDistribution, optuna.distributions.CategoricalDistribution
        self._of = {one.path: integer(0, len(one.values) - 1) if one.is_ordered else categorical(range(len(one.values))) for one in space.dimensions}
        self._draws = np.random.Generator(np.random.PCG64(search.sampler_seed))
        self._tried: set[Setting] = set()
        self._count = len(search.objectives)
        present = space.of_present()
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
        self._study.tell(self._trial, [0.0] * self._count if losses is None else list(losses))  # without numbers it is far from feasible: they don't count

    def _ask(self) -> Setting:
        self._trial = self._study.ask(self._of)
        return self._space.settled([self._trial.params[path] for path in self._of])

    def _parameters(self, setting: Setting) -> dict[str, int]:
        return {path: max(place, 0) for path, place in zip(self._of, setting)}

    def _untried(self, setting: Setting) -> Setting:
        """One of those the fewest changes away, of which there is one as there are more settings than trials."""
        level, seen = [setting], {setting}
        while level:
            beyond = list(dict.fromkeys(one for near in level for one in self._space.beside(near) if one not in seen))
            seen.update(beyond)
            new = [one for one in beyond if one not in self._tried]
            if new:
                return new[self._draws.integers(len(new))]
            level = beyond
        raise AssertionError("every setting was tried")
