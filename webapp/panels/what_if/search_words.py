"""The sentences of a search: how large one is, its settings by their titles, and its answer as the engine
says it.
"""

from __future__ import annotations

from engine import Scenario, Search, quantities
from engine.dashboard import (
    MEASURES,
    ConfirmedTrial,
    Metric,
    SearchResult,
    Trial,
    Tunable,
    answer_words,
    display_name,
    nothing_words,
    setting_words,
)
from webapp.jobs import searches, whatif
from webapp.messages import msg
from webapp.panels.what_if import slider_text

PRESENT = msg("panels.search_words.current_setting")
DRAWS_NOTHING = msg("panels.search_words.scenario_deterministic_so_each_setting_run")


def price_text(search: Search, seconds: float) -> str:
    """ "50 of 1,200 settings × 5 seeds, the answer on 30 fresh ones: about 310 runs, about 3 s"."""
    (seeds, fresh), space = searches.count_seeds(search), search.space.size
    settings = (
        msg("panels.search_words.all_settings", space=space)
        if space <= search.trials
        else msg("panels.search_words.settings", trials=search.trials, space=space)
    )
    replications = (
        msg(
            "panels.search_words.answer_compared_on_fresh_ones",
            count=quantities.count(seeds, "seeds"),
            fresh=fresh,
        )
        if fresh > 1
        else ""
    )
    time_text = (
        msg("shared.about", seconds=quantities.duration(1000 * round(seconds))) if seconds >= 1 else ""
    )
    hint = "" if fresh > 1 else f" {DRAWS_NOTHING}"
    return msg(
        "panels.search_words.about",
        settings=settings,
        replications=replications,
        count=quantities.count(searches.count_runs(search), "runs"),
        time_text=time_text,
        hint=hint,
    )


def by_path(search: Search) -> dict[str, Tunable]:
    """What can be turned in a search's scenario, also by the path of every scheduler where one is alone."""
    tunables_by_path = {
        tunable.path: tunable
        for tunable in whatif.titled_tunables(Scenario.of(search.scenario), search.schedulers)
    }
    if len(search.schedulers) == 1:
        tunables_by_path = {
            path.replace("schedulers[0]", "schedulers[*]", 1): tunable
            for path, tunable in tunables_by_path.items()
        } | tunables_by_path
    return tunables_by_path


def setting_text(result: SearchResult, trial: Trial, tunables: dict[str, Tunable]) -> str:
    """What a setting changes: "Nodes, total 12 instead of 8, fair instead of fifo"."""
    space, changes = result.search.space, []
    for dimension, present, without in zip(space.dimensions, space.present, space.without):
        if dimension.path in trial.changed:
            tunable, value = tunables.get(dimension.path), trial.changed[dimension.path]
            if tunable is None:
                changes.append(
                    msg(
                        "panels.search_words.instead",
                        value=display_name(str(value)),
                        present=display_name(str(present)) if present is not None else without,
                    )
                )
            else:
                now = slider_text.value_text(present, tunable)
                changes.append(
                    msg(
                        "panels.search_words.instead_2",
                        title=tunable.title,
                        value_text=slider_text.value_text(value, tunable),
                        now=now,
                    )
                )
    return ", ".join(changes) or PRESENT


def answer(result: SearchResult, candidate: ConfirmedTrial, tunables: dict[str, Tunable]) -> list[str]:
    """The engine's sentences, with titles in the place of paths; the first begins with the setting."""
    first, *others = answer_words(result, candidate)
    words = setting_words(result, candidate.trial)
    first = (
        first.replace(words or PRESENT, setting_text(result, candidate.trial, tunables), 1)
        if candidate.trial.number
        else first
    )
    return [_capitalized(line) for line in (first, *others)]


def nothing_feasible(result: SearchResult, tunables: dict[str, Tunable]) -> list[str]:
    """The same where no setting holds every constraint."""
    lines = nothing_words(result)
    if result.nearest:
        words = setting_words(result, result.nearest)
        lines[0] = (
            lines[0].replace(words, setting_text(result, result.nearest, tunables), 1) if words else lines[0]
        )
    return [_capitalized(line.strip()) for line in lines]


def metrics(result: SearchResult) -> list[Metric]:
    """Of the objectives."""
    return [MEASURES[objective.metric] for objective in result.search.objectives]


def _capitalized(line: str) -> str:
    return line[:1].upper() + line[1:]
