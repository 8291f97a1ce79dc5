"""What becomes of a claim follows from numbers alone: each rule by hand."""

from __future__ import annotations

import math

import pytest

from engine.papers import paper_experiments
from engine.papers.judge import (
    FITTED,
    IN_PART,
    NOT_REPRODUCED,
    REPEATED,
    REPRODUCED,
    WITHIN_NOISE,
    judge_claim,
    standing,
    tally,
)
from engine.papers.schema import (
    ABSOLUTE,
    ALGORITHM,
    FAILS,
    FORMULA,
    GAIN,
    HOLDS,
    LAMPS,
    NOT_TESTABLE,
    ORDER,
    TEST_BED,
    Claim,
    Ordered,
    Printed,
    Similar,
)


def printed(number: float, **more) -> Printed:
    return Printed("what", "x", number, "s", "Table 1", **more)


@pytest.mark.parametrize(
    ("claim", "ours", "holds"),
    [
        (printed(100), 115.5, True),  # 15, and half of the last digit
        (printed(100), 115.6, False),
        (printed(100, noise=6), 121.5, True),
        (printed(100, noise=6), 121.6, False),
        (printed(100, basis=FORMULA), 100.5, True),  # a formula must give what is printed
        (printed(100, basis=FORMULA), 100.6, False),
        (printed(1.5), 1.775, True),
        (printed(1.5), 1.776, False),
        (printed(97, relative_to=100), 97.4, True),  # 2.6 below 100 against 3
        (printed(97, relative_to=100), 98.1, False),  # within 15 % of 97, but a third of its distance
        (printed(99.7, relative_to=100), 99.64, True),
        (printed(99.7, relative_to=100), 99.6, False),
        (printed(100.0, relative_to=100), 99.96, True),
        (printed(100.0, relative_to=100), 99.9, False),
        (printed(9, rounding=2), 12.3, True),  # "about 9"
        (printed(90, is_minimum=True), 170, True),
        (printed(90, is_minimum=True), 80, True),
        (printed(90, is_minimum=True), 70, False),
        (printed(26), math.inf, False),
    ],
)
def test_a_number_holds_within_15_percent_of_what_the_print_allows(
    claim: Printed, ours: float, holds: bool
) -> None:
    (lamp,) = judge_claim(claim, {"x": [ours]}).lamps.values()
    assert (lamp.state == HOLDS, lamp.paper, lamp.ours) == (holds, claim.number, ours)


def test_a_level_makes_no_claim_on_an_order() -> None:
    assert list(judge_claim(printed(9), {"x": [9.0]}).lamps) == [ABSOLUTE]


@pytest.mark.parametrize(
    ("claim", "ours", "order", "gain"),
    [
        (printed(-50, side=True), [-43.0], HOLDS, HOLDS),
        (printed(-50, side=True), [-3.0], HOLDS, FAILS),
        (printed(-50, side=True), [3.0], FAILS, FAILS),
        (printed(154, side=True), [3.0, -2.0, 1.0], FAILS, FAILS),  # it may be nothing
        (printed(90, side=True, is_minimum=True), [170.0], HOLDS, HOLDS),
        (printed(1.6, ratio=True), [1.5], HOLDS, HOLDS),
        (printed(1.6, ratio=True), [1.1], HOLDS, FAILS),
        (printed(1.6, ratio=True), [0.9], FAILS, FAILS),
    ],
)
def test_a_change_and_a_quotient_claim_an_order_and_a_gain(
    claim: Printed, ours: list[float], order: str, gain: str
) -> None:
    assert judge_claim(claim, {"x": ours}).states == {ORDER: order, GAIN: gain}


def test_a_number_against_another_claims_all_three() -> None:
    claim = printed(20, against=("base", 40))

    def states(ours: float, base: float) -> list[str]:
        return list(judge_claim(claim, {"x": [ours], "base": [base]}).states.values())

    assert states(20, 40) == [HOLDS, HOLDS, HOLDS]
    assert states(10, 20) == [HOLDS, HOLDS, FAILS]  # half of it too, on a test bed twice as fast
    assert states(30, 40) == [HOLDS, FAILS, FAILS]
    assert states(20, 19) == [FAILS, FAILS, HOLDS]
    assert states(20, math.inf) == [HOLDS, FAILS, HOLDS], "a deadlock is longer than any run"
    gain = judge_claim(claim, {"x": [30.0], "base": [40.0]}).lamps[GAIN]
    assert (gain.paper, gain.ours, gain.unit) == (-50, -25, "%")
    # 15 % of 50, and half a second of 40 each way: 1.25 + 0.625
    assert gain.band == pytest.approx(7.5 + 1.25 + 0.625)


def test_two_numbers_within_the_papers_noise_tell_no_order() -> None:
    lamps = judge_claim(printed(38, against=("base", 40), noise=2), {"x": [20.0], "base": [40.0]}).lamps
    assert [lamps[name].because for name in (ORDER, GAIN)] == [WITHIN_NOISE] * 2
    assert lamps[ABSOLUTE].state == FAILS


def test_an_order_needs_every_pair() -> None:
    def holds(claim: Claim, **samples: float) -> bool:
        states = judge_claim(claim, {key: [value] for key, value in samples.items()}).states
        assert list(states) == [ORDER]
        return states[ORDER] == HOLDS

    claim = Ordered("haste is the shortest", ("a", ("b", "c"), "d"), "text")
    assert holds(claim, a=1, b=3, c=2, d=4)
    assert not holds(claim, a=1, b=3, c=2, d=3)
    assert holds(Ordered("", ("a", "b"), "", ties=True), a=1, b=1)
    assert holds(Ordered("", ("a", "b"), ""), a=1, b=math.inf)
    assert not holds(Ordered("", ("a", "b"), ""), a=math.inf, b=math.inf)


def test_a_random_order_needs_an_interval_of_paired_differences() -> None:
    claim = Ordered("", ("a", "b"), "")
    assert judge_claim(claim, {"a": [1, 10, 100], "b": [2, 11, 101.1]}).states[ORDER] == HOLDS, (
        "the seeds differ widely, the differences hardly"
    )
    assert judge_claim(claim, {"a": [1, 10, 100], "b": [2, 9, 101]}).states[ORDER] == FAILS


def test_similar_is_within_15_percent_of_the_mean() -> None:
    claim = Similar("", ("a", "b"), "")
    assert judge_claim(claim, {"a": [85], "b": [115]}).states == {ORDER: HOLDS}
    assert judge_claim(claim, {"a": [84], "b": [116]}).states == {ORDER: FAILS}


def test_what_cannot_be_tested_says_why() -> None:
    lost = Ordered("", ("a", "b"), "", gain_not_given="the digits are lost")
    lamps = judge_claim(lost, {"a": [1.0], "b": [2.0]}).lamps
    assert (lamps[ORDER].state, lamps[GAIN].state) == (HOLDS, NOT_TESTABLE)
    assert lamps[GAIN].because == "the digits are lost"
    for claim, fitted, because in (
        (printed(10, against=("b", 20), untestable="no rate"), set(), "no rate"),
        (printed(10, against=("b", 20)), {"x"}, FITTED),
    ):
        finding = judge_claim(claim, {"x": [10.0], "b": [20.0]}, fitted)
        assert {(one.state, one.because) for one in finding.lamps.values()} == {(NOT_TESTABLE, because)}
        assert finding.standing == NOT_TESTABLE


@pytest.mark.parametrize(
    ("basis", "states", "says"),
    [
        (FORMULA, (HOLDS,), REPEATED),
        (ALGORITHM, (HOLDS, NOT_TESTABLE), REPEATED),
        (TEST_BED, (HOLDS, HOLDS), REPRODUCED),
        (TEST_BED, (HOLDS, FAILS), IN_PART),
        (FORMULA, (FAILS,), NOT_REPRODUCED),
        (TEST_BED, (FAILS, NOT_TESTABLE), NOT_REPRODUCED),
        (TEST_BED, (NOT_TESTABLE,), NOT_TESTABLE),
    ],
)
def test_the_words_of_artifact_evaluation(basis: str, states: tuple[str, ...], says: str) -> None:
    assert standing(basis, dict(zip(LAMPS, states))) == says


def test_claims_are_counted_lamp_by_lamp() -> None:
    counted = tally([{ORDER: HOLDS, GAIN: FAILS}, {ORDER: FAILS}, {ORDER: NOT_TESTABLE, GAIN: NOT_TESTABLE}])
    assert counted == {ORDER: (1, 1, 1), GAIN: (0, 1, 1), ABSOLUTE: (0, 0, 0)}
    assert counted[ORDER].tested == 2


@pytest.mark.parametrize("name", list(paper_experiments()))
def test_no_lamp_is_lit_by_a_claim_that_cannot_fail(name: str) -> None:
    """Every lamp that can be lit goes out under some numbers: the opposite order, none at all, twice as much
    and half.
    """
    for claim in paper_experiments()[name].claims:
        if claim.untestable:
            continue
        seen: dict[str, set[str]] = {}
        for samples in _numbers(claim):
            for lamp, state in judge_claim(claim, samples).states.items():
                seen.setdefault(lamp, set()).add(state)
        assert all(states == {NOT_TESTABLE} or states >= {HOLDS, FAILS} for states in seen.values()), (
            claim.what
        )


def _numbers(claim: Claim) -> list[dict[str, list[float]]]:
    """Samples under which a claim should hold, and others under which it should not."""
    if isinstance(claim, Printed):
        number = claim.number
        ours = [number, -number, 3 * number + 1, number / 3 - 1]
        if claim.against is None:
            return [{claim.key: [one]} for one in ours]
        baseline, its = claim.against
        return [
            {claim.key: [one], baseline: [base]} for one in ours for base in (its, number, 2 * number - its)
        ]
    ranks = claim.keys if isinstance(claim, Similar) else claim.ranks
    keys = [[rank] if isinstance(rank, str) else list(rank) for rank in ranks]
    rising = {key: [float(place + 1)] for place, rank in enumerate(keys) for key in rank}
    same = {key: [1.0] for rank in keys for key in rank}
    falling = {key: [-value] for key, (value,) in rising.items()}
    return [rising, same, falling]
