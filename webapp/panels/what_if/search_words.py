"""The sentences of a search: how large one is, its settings by their titles, and its answer as the engine says it."""

from __future__ import annotations

from engine import MEASURES, Found, Metric, Scenario, Search, SearchResult, Trial, Tunable, answer_words, nothing_words, setting_words, tunables
from webapp import theme
from webapp.panels.what_if import slider_text
from webapp.services import searches

PRESENT = "the present setting"
DRAWS_NOTHING = "The scenario draws nothing, so each setting is run once; add jitter to see how much of a difference is luck."


def price_text(search: Search, seconds: float) -> str:
    """ "50 of 1,200 settings × 5 seeds, the answer on 30 fresh ones: about 310 runs, about 3 s"."""
    (seeds, fresh), space = searches.seeds_of(search), search.space.size
    many = f"All {space:,} settings" if space <= search.trials else f"{search.trials:,} of {space:,} settings"
    random = f" × {theme.count(seeds, 'seeds')}, the answer compared on {fresh} fresh ones" if fresh > 1 else ""
    long = f", about {theme.duration(1000 * round(seconds))}" if seconds >= 1 else ""
    hint = "" if fresh > 1 else f" {DRAWS_NOTHING}"
    return f"{many}{random}: about {theme.count(searches.runs_of(search), 'runs')}{long}.{hint}"


def by_path(search: Search) -> dict[str, Tunable]:
    """What can be turned in a search's scenario, also by the path of every scheduler where one is alone."""
    found = {one.path: one for one in tunables(Scenario.of(search.scenario), search.schedulers)}
    if len(search.schedulers) == 1:
        found = {path.replace("schedulers[0]", "schedulers[*]", 1): one for path, one in found.items()} | found
    return found


def setting_text(result: SearchResult, trial: Trial, known: dict[str, Tunable]) -> str:
    """What a setting changes: "Nodes, total 12 instead of 8, fair instead of fifo"."""
    space, found = result.search.space, []
    for one, present, without in zip(space.dimensions, space.present, space.without):
        if one.path in trial.changed:
            tunable, value = known.get(one.path), trial.changed[one.path]
            if tunable is None:
                found.append(f"{value} instead of {present if present is not None else without}")
            else:
                now = slider_text.value_text(present, tunable)
                found.append(f"{tunable.title} {slider_text.value_text(value, tunable)} instead of {now}")
    return ", ".join(found) or PRESENT


def answer(result: SearchResult, found: Found, known: dict[str, Tunable]) -> list[str]:
    """The engine's sentences, with titles in the place of paths; the first begins with the setting."""
    first, *others = answer_words(result, found)
    words = setting_words(result, found.trial)
    first = first.replace(words or PRESENT, setting_text(result, found.trial, known), 1) if found.trial.number else first
    return [_begun(line) for line in (first, *others)]


def nothing(result: SearchResult, known: dict[str, Tunable]) -> list[str]:
    """The same where no setting holds every constraint."""
    lines = nothing_words(result)
    if result.nearest:
        words = setting_words(result, result.nearest)
        lines[0] = lines[0].replace(words, setting_text(result, result.nearest, known), 1) if words else lines[0]
    return [_begun(line.strip()) for line in lines]


def metrics(result: SearchResult) -> list[Metric]:
    """Of the objectives."""
    return [MEASURES[one.metric] for one in result.search.objectives]


def _begun(line: str) -> str:
    return line[:1].upper() + line[1:]
