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
from webapp.panels.what_if.study_text import time_text

PRESENT = msg("panels.search_words.current_setting")
DRAWS_NOTHING = msg("panels.search_words.scenario_deterministic_so_each_setting_run")


def price_text(search: Search, seconds: float) -> str:
    """ "50 of 1,200 settings × 5 seeds, the answer on 30 fresh ones: about 310 runs, about 3 s"."""
    (seeds, fresh), space = searches.count_seeds(search), search.space.size
    settings = msg("panels.search_words.settings", trials=search.trials, space=space)
    if space <= search.trials:
        settings = msg("panels.search_words.all_settings", space=space)
    replications, hint = "", f" {DRAWS_NOTHING}"
    if fresh > 1:
        count, hint = quantities.count(seeds, "seeds"), ""
        replications = msg("panels.search_words.answer_compared_on_fresh_ones", count=count, fresh=fresh)
    return msg(
        "panels.search_words.about",
        settings=settings,
        replications=replications,
        count=quantities.count(searches.count_runs(search), "runs"),
        time_text=time_text(seconds),
        hint=hint,
    )


def by_path(search: Search) -> dict[str, Tunable]:
    """What can be turned in a search's scenario, also by the path of every scheduler where one is alone."""
    tunables = whatif.titled_tunables(Scenario.of(search.scenario), search.parsed)
    titled = {tunable.path: tunable for tunable in tunables}
    if len(search.schedulers) > 1:
        return titled
    return {path.replace("schedulers[0]", "schedulers[*]", 1): one for path, one in titled.items()} | titled


def setting_text(result: SearchResult, trial: Trial, tunables: dict[str, Tunable]) -> str:
    """What a setting changes: "Nodes, total 12 instead of 8, fair instead of fifo"."""
    space, changes = result.search.space, []
    for dimension, present, without in zip(space.dimensions, space.present, space.without):
        if dimension.path in trial.changed:
            tunable, value = tunables.get(dimension.path), trial.changed[dimension.path]
            if tunable is None:
                now = display_name(str(present)) if present is not None else without
                text = msg("panels.search_words.instead", value=display_name(str(value)), present=now)
            else:
                text = slider_text.change_text(tunable, value, present)
            changes.append(text)
    return ", ".join(changes) or PRESENT


def answer(result: SearchResult, candidate: ConfirmedTrial, tunables: dict[str, Tunable]) -> list[str]:
    """The engine's sentences, with titles in the place of paths; the first begins with the setting."""
    first, *others = answer_words(result, candidate)
    if candidate.trial.number:
        first = retold(first, result, candidate.trial, tunables)
    return [capitalized(line) for line in (first, *others)]


def nothing_feasible(result: SearchResult, tunables: dict[str, Tunable]) -> list[str]:
    """The same where no setting holds every constraint."""
    lines = nothing_words(result)
    if result.nearest:
        lines[0] = retold(lines[0], result, result.nearest, tunables)
    return [capitalized(line.strip()) for line in lines]


def retold(line: str, result: SearchResult, trial: Trial, tunables: dict[str, Tunable]) -> str:
    """A sentence of the engine about a setting, with titles in the place of paths."""
    words = setting_words(result, trial)
    return line.replace(words, setting_text(result, trial, tunables), 1) if words else line


def metrics(result: SearchResult) -> list[Metric]:
    """Of the objectives."""
    return [MEASURES[objective.metric] for objective in result.search.objectives]


def capitalized(line: str) -> str:
    """With a capital at its beginning."""
    return line[:1].upper() + line[1:]
