"""How many claims hold, and what that says of an experiment, a paper and all five, in a sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.messages import msg
from engine.papers.gallery import PAPERS, paper_experiments
from engine.papers.judge import Tally, tally
from engine.papers.schema import (
    ABSOLUTE,
    CAUSES,
    FAILS,
    GAIN,
    HOLDS,
    LAMPS,
    NOT_TESTABLE,
    ORDER,
    TEST_BED,
    Claim,
    Experiment,
    Paper,
    Theme,
)

# of every claim of an experiment, by "paper/experiment": a state by lamp
States = Mapping[str, Sequence[Mapping[str, str]]]
ALL = "all"
LAMP_WORDS = dict(
    zip(
        LAMPS,
        (
            msg("papers.summary.lamp_order"),
            msg("papers.summary.lamp_gain"),
            msg("papers.summary.lamp_absolute"),
        ),
    )
)


class ClaimStates(NamedTuple):
    """A claim with the states of its lamps."""

    claim: Claim
    states: Mapping[str, str]

    @property
    def first(self) -> str:
        """The state of the weakest thing that it says."""
        return next(iter(self.states.values()))


def claims_of(states: States, paper: str | None = None) -> Iterator[ClaimStates]:
    """The claims of these experiments, or of one paper's among them."""
    for name, of_claims in states.items():
        if paper in (None, name.partition("/")[0]):
            yield from map(ClaimStates, paper_experiments()[name].claims, of_claims)


def tallies(states: States, paper: str | None = None) -> dict[str, Tally]:
    """By lamp: how many of these claims hold, do not, and are not testable."""
    return tally(one.states for one in claims_of(states, paper))


def causes(experiment: Experiment, states: Sequence[Mapping[str, str]]) -> dict[str, int]:
    """How many claims of an experiment's test bed do not hold for which cause, the most frequent first."""
    by_cause = Counter(
        experiment.reasons[claim.reason].cause
        for claim, of_claim in zip(experiment.claims, states)
        if claim.reason in experiment.reasons and FAILS in of_claim.values()
    )
    return {
        cause: by_cause[cause] for cause in sorted(CAUSES, key=lambda one: -by_cause[one]) if by_cause[cause]
    }


def experiment_sentence(experiment: Experiment, states: Sequence[Mapping[str, str]]) -> str:
    """What holds of an experiment, and why the rest does not."""
    parts = [
        msg("papers.summary.holds_of", lamp=LAMP_WORDS[lamp], holds=one.holds, tested=one.tested)
        for lamp, one in tally(states).items()
        if one.tested
    ]
    if not parts:
        return msg("papers.summary.nothing_testable")
    why = ", ".join(
        msg("papers.summary.cause_count", cause=cause, count=count)
        for cause, count in causes(experiment, states).items()
    )
    sentence = "; ".join(parts)
    if not why:
        return msg("papers.summary.holds", sentence=sentence)
    return msg("papers.summary.with_causes", sentence=sentence, causes=why)


def paper_sentence(paper: Paper, states: States) -> str:
    """What holds of a paper, theme by theme, as far as its experiments are among these."""
    by_theme: dict[str, list[ClaimStates]] = {key: [] for key in paper.themes}
    for one in claims_of(states, paper.key):
        if one.claim.theme:
            by_theme[one.claim.theme].append(one)
    clauses = [_clause(theme, by_theme[key]) for key, theme in paper.themes.items() if by_theme[key]]
    return msg("papers.summary.paper", title=paper.title, clauses="; ".join(clauses))


def _clause(theme: Theme, claims: Sequence[ClaimStates]) -> str:
    tested = [one.first for one in claims if one.first != NOT_TESTABLE]
    holds = tested.count(HOLDS)
    if not tested:
        return msg("papers.summary.theme_not_testable", theme=theme.says)
    if len(tested) == 1:
        if holds:
            return msg("papers.summary.theme_holds", theme=theme.says)
        return msg("papers.summary.theme_fails", theme=theme.says)
    if holds == len(tested) == 2:
        return msg("papers.summary.theme_holds_in_both", theme=theme.says, of=theme.of)
    if holds == len(tested):
        return msg("papers.summary.theme_holds_in_all", theme=theme.says, count=holds, of=theme.of)
    if not holds:
        return msg("papers.summary.theme_fails_in_all", theme=theme.says, count=len(tested), of=theme.of)
    return msg("papers.summary.theme_holds_in", theme=theme.says, holds=holds, count=len(tested), of=theme.of)


class Counted(NamedTuple):
    """Claims apart by what they rest on. exact, exact_tested: those that need no test bed, how many hold and
    of how many; beds: by lamp, those of test beds.
    """

    exact: int
    exact_tested: int
    beds: dict[str, Tally]


def counted(claims: Sequence[ClaimStates]) -> Counted:
    """How many of these claims hold, of those that can be tested."""
    exact = [one.first for one in claims if one.claim.basis != TEST_BED and one.first != NOT_TESTABLE]
    beds = tally(one.states for one in claims if one.claim.basis == TEST_BED)
    return Counted(exact.count(HOLDS), len(exact), beds)


def overall_sentence(states: States) -> str:
    """What holds of all papers, by what it rests on."""
    exact, exact_tested, beds = counted(list(claims_of(states)))
    return msg(
        "papers.summary.overall",
        exact=exact,
        exact_tested=exact_tested,
        holds=beds[ORDER].holds,
        tested=beds[ORDER].tested,
        gains=beds[GAIN].holds,
        gains_tested=beds[GAIN].tested,
        numbers=beds[ABSOLUTE].holds,
        numbers_tested=beds[ABSOLUTE].tested,
    )


def summary_table(states: States) -> str:
    """How many claims of each paper hold, of those that can be tested, and how many can't, as a table of
    Markdown.
    """
    papers = [paper.key for paper in PAPERS if any(name.startswith(f"{paper.key}/") for name in states)]
    heads = ["paper", "formulas and rules", *(f"{lamp}, test bed" for lamp in LAMPS), "not testable"]
    lines = [heads]
    for row in [*papers, ALL]:
        claims = list(claims_of(states, None if row == ALL else row))
        exact, exact_tested, beds = counted(claims)
        lines.append(
            [
                row,
                _of(exact, exact_tested),
                *(_of(one.holds, one.tested) for one in beds.values()),
                str(sum(one.first == NOT_TESTABLE for one in claims)),
            ]
        )
    head, *body = ("| " + " | ".join(line) + " |\n" for line in lines)
    return head + "|---|" + "---:|" * (len(heads) - 1) + "\n" + "".join(body)


def _of(holds: int, tested: int) -> str:
    return f"{holds} of {tested}" if tested else ""
