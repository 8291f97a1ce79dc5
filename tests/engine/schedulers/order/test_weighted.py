"""Weighted terms: each weight alone orders as its term says, a negative one the other way round; the sum is
what is shown.
"""

from __future__ import annotations

import pytest

from engine.simulation.simulate import simulate
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy
from tests.engine.schedulers.decisions import decisions
from tests.small_scenarios import job, node, placed, scenario, tasks

TERMS = ("fitness", "urgency", "alignment", "share", "waiting", "remaining", "arrival")


def alone(term, weight=1.0):
    others = "" if term == "fitness" else "fitness=0, "
    return f"weighted({others}{term}={weight})"


def without_masters(found):
    return [one for one in found if not any(name.endswith(" am") for name in one.candidates)]


@pytest.mark.parametrize("weight", [1, -1, 3.5])
@pytest.mark.parametrize("term", TERMS)
def test_one_weight_alone_chooses_by_its_term(term, weight):
    """The first of those with the largest term (the smallest, by a negative weight)."""
    seen = differs = 0
    for one in without_masters(decisions(busy(), alone(term, weight))):
        values = {name: weight * value for name, value in one.each(term).items()}
        assert one.chosen == next(name for name, value in values.items() if value == max(values.values()))
        seen += 1
        differs += len(set(values.values())) > 1
    assert seen > 20 and differs > 5


def test_the_preference_is_the_weighted_sum_of_the_terms_shown():
    weights = dict(zip(TERMS, (1.5, 2, -0.5, 0.25, 3, -1, 0.75)))
    text = f"weighted({', '.join(f'{key}={value}' for key, value in weights.items())})"
    for one in without_masters(decisions(busy(), text)):
        columns = {term: one.each(term) for term in TERMS}
        for name, preference in one.each("preference").items():
            total = 0.0
            for term, values in columns.items():
                least, most = min(values.values()), max(values.values())
                total += weights[term] * ((values[name] - least) / (most - least) if most > least else 0.0)
            assert preference == pytest.approx(total)
        assert one.each("preference")[one.chosen] == max(one.each("preference").values())


def late(names="ab"):
    """One map of 10 s at a time; a at 0, b at 5 s."""
    return scenario(
        [node(1, 1)], [job(name, tasks(3, 10.0), arrival_s=5 * number) for number, name in enumerate(names)]
    )


@pytest.mark.parametrize(
    ("term", "values", "order", "reversed_order"),
    [
        # at 10 s a's maps have waited 10 s, b's 5; every later time a's still 5 s longer
        ("waiting", (10_000, 5000), "aaabbb", "abbbaa"),
        # arrivals of 0 and 5 s
        ("arrival", (0, -5000), "aaabbb", "abbbaa"),
        # of a's 3 tasks 2 are left at 10 s, of b's 3: a, then 1 < 3
        ("remaining", (-2, -3), "aaabbb", "abaabb"),
    ],
)
def test_terms_by_hand(term, values, order, reversed_order):
    result = next(one for one in decisions(late(), alone(term)) if one.at == 10)
    assert tuple(result.each(term).values()) == values
    assert placed(result_of(simulate(late(), alone(term)))) == order
    if term != "remaining":
        assert placed(result_of(simulate(late(), alone(term, -1)))) == reversed_order
    else:  # the most tasks left first: b 3 > 2, then 2, 2: a by order of candidates; a 1 < b 2: b; 1, 1: a; b
        assert placed(result_of(simulate(late(), alone(term, -1)))) == "ababab"


def test_share_is_the_dominant_share_by_weight():
    """a has weight 2, node of 6 MB: a 0, b 0: a; .083, 0: b; .083, .167: a; .167, .167: a; .25, .167: b; .25,
    .333: a, as drf does.
    """
    two = scenario([node(6)], [job("a", tasks(6, 9.0), weight=2.0), job("b", tasks(6, 9.0))])
    assert (
        placed(result_of(simulate(two, alone("share"))))[:6]
        == placed(result_of(simulate(two, "drf")))[:6]
        == "abaaba"
    )
    assert decisions(two, alone("share"))[4].each("share") == {
        "a map": pytest.approx(-0.25),
        "b map": pytest.approx(-1 / 6),
    }
    # vcores dominate: 1 of 2 against 1 of 100 MB
    assert decisions(scenario([node(100, 2)], [job("a", tasks(3, 9.0))]), alone("share"))[1].each(
        "share"
    ) == {"a map": -0.5}


def test_remaining_counts_reduces_and_later_iterations():
    """2 maps and 1 reduce in 3 iterations: 9 at first, 8 after one map of the first, 5 after one of the
    second.
    """
    one = job("a", tasks(2, 5.0), tasks(1, 5.0), iterations=3, slowstart=1.0)
    by_name = {
        each.at: each.terms[each.chosen]["remaining"]
        for each in decisions(scenario([node(1)], [one]), alone("remaining"))
    }
    assert by_name == {0: -9, 5: -8, 10: -7, 15: -6, 20: -5, 25: -4, 30: -3, 35: -2, 40: -1}


def test_alignment_is_the_running_iteration_over_all():
    """a (4 iterations) against b with one: 0; its own 1/4, 2/4, ..."""
    jobs = [job("b", tasks(4, 5.0)), job("a", tasks(1, 5.0), iterations=4)]
    result = decisions(scenario([node(1, 1)], jobs), alone("alignment"))
    assert placed(result_of(simulate(scenario([node(1, 1)], jobs), alone("alignment")))) == "aaaabbbb"
    assert [one.each("alignment")["a map"] for one in result[:4]] == [0.25, 0.5, 0.75, 1] and result[0].each(
        "alignment"
    )["b map"] == 0


def test_fitness_alone_is_the_default_and_ffd_dp_without_reduces():
    """They differ in ties within a job alone: there a map goes first under ffd-dp, here the first
    candidate.
    """
    jobs = [
        job(name, tasks(5, 9.0, memory, vcores))
        for name, memory, vcores in (("a", 4, 1), ("b", 1, 4), ("c", 2, 2))
    ]
    result = scenario([node(8, 8), node(9, 5)], jobs)
    assert (
        result_of(simulate(result, "weighted")).containers == result_of(simulate(result, "ffd-dp")).containers
    )


def test_without_any_weight_the_first_candidate_goes():
    nothing = "weighted(fitness=0)"
    assert result_of(simulate(late(), nothing)).containers == result_of(simulate(late(), "fifo")).containers
