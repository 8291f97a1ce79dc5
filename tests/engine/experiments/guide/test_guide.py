"""What the guides say holds when it is run: each policy wins and loses where its page says so."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from engine import CATALOGUE, parse
from engine.dashboard import Case, Guide, container_count, guide, guides, labels, measure
from engine.experiments.guide.formula import names
from engine.experiments.guide.guide import FOLDER

OURS = {
    name
    for policies in CATALOGUE.values()
    for name, policy in policies.items()
    if policy.function.__module__.startswith("engine.")
}
PAGES = {page.name: page for one in guides().values() for page in (one, *one.variants)}
CLEAR = 0.10  # of the other's value: what is called to win, and to lose
MAX_CONTAINERS = 150
SEEDS = 30


def better(case: Case) -> float:
    """By which share of the other's value the case's scheduler is better, below 0 when it is worse."""
    share = measure(case).share
    return -share if case.metric.better == "smaller" else share


def test_every_policy_of_ours_has_a_guide_and_no_other_file_lies_there() -> None:
    assert set(guides()) == OURS
    assert {path.stem for path in Path(FOLDER).glob("*.json")} == OURS


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_guide_says_three_sentences_a_formula_a_source_and_what_is_ours(page: Guide) -> None:
    assert len(page.says) == 3
    for sentence in (*page.says, *page.assumptions):
        assert re.fullmatch(r"[`A-Za-z][^\n]*[.]", sentence), sentence
    assert page.formula and page.source and page.assumptions and page.title
    assert parse(
        page.name
        if page.role == "order"
        else f"fair+{page.name}"
        if page.name != "reserve"
        else "fair+reserve(vcores=1)"
    )


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_each_symbol_is_explained_and_so_are_those_of_its_meaning(page: Guide) -> None:
    explained = {symbol.name: symbol for symbol in page.symbols}
    for line in (*page.formula, *page.assumptions, *(symbol.meaning for symbol in page.symbols)):
        assert line.count("`") % 2 == 0
        assert set(names(line)) <= set(explained), line
    assert all(symbol.meaning for symbol in page.symbols)


def test_each_symbol_that_is_explained_stands_in_a_formula() -> None:
    tables = tomllib.loads((FOLDER / "symbols.toml").read_text("utf-8"))
    listed = {(name, *symbol) for table in tables.values() for name, symbol in table.items()}
    assert listed == {symbol for page in PAGES.values() for symbol in page.symbols}


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_it_wins_and_loses_by_a_tenth_where_its_page_says_so(page: Guide) -> None:
    assert better(page.wins) >= CLEAR
    assert better(page.loses) <= -CLEAR


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_case_is_small_about_its_policy_and_has_seeds_where_anything_is_random(page: Guide) -> None:
    for case in page.cases:
        chosen = parse(case.scheduler)
        own = {
            labels(case.schedulers)[0],
            chosen.order.policy.name,
            *(part.policy.name for _, part in chosen.rules),
        }
        assert page.name in own
        assert parse(case.against).name != chosen.name
        assert container_count(case.scenario.plain()) <= MAX_CONTAINERS
        drawn = "dist" in case.scenario.json() or "saf" in case.scheduler
        assert case.seeds == (SEEDS if drawn else 1)
        assert (measure(case).half is None) == (case.seeds == 1)


def test_a_difference_over_seeds_is_no_accident() -> None:
    for case in guide("saf").cases:
        result = measure(case)
        assert result.half < abs(result.mean - result.against)


def test_an_unknown_name_is_a_key_error() -> None:
    for name in ("nothing", "../fifo", ""):
        with pytest.raises(KeyError):
            guide(name)
