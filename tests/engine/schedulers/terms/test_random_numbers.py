"""The policies' random numbers are L'Ecuyer's combined generator (CACM 31(6), 1988), the same everywhere."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.jit import compiled
from engine.schedulers.terms.random_numbers import FIRST, FIRST_MODULUS, SECOND, SECOND_MODULUS, next_uniform
from engine.simulation.durations import policy_seed
from tests.engine.schedulers.terms.schrage import by_schrage

# of the modulus less one
FACTORS = {
    FIRST_MODULUS: (2, 3, 7, 631, 81031),
    SECOND_MODULUS: (2, 19, 31, 1019, 1789),
}
BOOST_S_10000TH = 2060321752  # boost::random::ecuyer1988, its validation value: the 10 000th number from 1, 1


def numbers(one, two, count):
    """So many numbers as integers, and the state after them."""
    state = np.array([one, two], np.int64)
    return [round(next_uniform(state) * FIRST_MODULUS) for _ in range(count)], state.tolist()


def test_a_published_value():
    assert numbers(1, 1, 10_000)[0][-1] == BOOST_S_10000TH


def test_the_first_one_by_hand():
    """From 1, 1: 40014 - 40692 = -678, + 2147483562 = 2147482884, / 2147483563."""
    assert next_uniform(np.array([1, 1])) == 2147482884 / 2147483563


@given(st.integers(1, FIRST_MODULUS - 1), st.integers(1, SECOND_MODULUS - 1))
def test_as_the_paper_s_program(one, two):
    result, state = numbers(one, two, 50)
    expected = []
    for _ in range(50):
        one, two, z = by_schrage(one, two)
        expected.append(z)
    assert result == expected and state == [one, two]
    assert all(1 <= z <= FIRST_MODULUS - 1 for z in result)


@given(st.integers(1, FIRST_MODULUS - 1), st.integers(1, SECOND_MODULUS - 1), st.integers(1, 2000))
def test_the_state_far_on_is_a_power_of_the_multiplier(one, two, steps):
    """s_n = a^n s_0 mod m: so nothing is lost on the way."""
    expected = [
        pow(FIRST, steps, FIRST_MODULUS) * one % FIRST_MODULUS,
        pow(SECOND, steps, SECOND_MODULUS) * two % SECOND_MODULUS,
    ]
    assert numbers(one, two, steps)[1] == expected


def test_the_multipliers_are_primitive_roots_so_the_period_is_2_3e18():
    """a^((m - 1) / q) is 1 for no prime factor q of m - 1; together (m1 - 1)(m2 - 1) / 2 = 2.30584e18 (the
    paper, §3).
    """
    for multiplier, modulus in ((FIRST, FIRST_MODULUS), (SECOND, SECOND_MODULUS)):
        assert np.prod(FACTORS[modulus]) == modulus - 1
        assert all(pow(multiplier, (modulus - 1) // factor, modulus) != 1 for factor in FACTORS[modulus])
        assert multiplier * (modulus - 1) < 2**53
    assert f"{(FIRST_MODULUS - 1) * (SECOND_MODULUS - 1) / 2:.5e}" == "2.30584e+18"


def test_one_step_by_the_paper_s_program():
    state = np.array([12345, 67890])
    assert round(next_uniform(state) * FIRST_MODULUS) == by_schrage(12345, 67890)[2]
    assert state.tolist() == list(by_schrage(12345, 67890)[:2])


def test_compiled_and_plain_are_the_same():
    step = compiled(next_uniform).fast
    one, other = np.array([1234567890, 123456789]), np.array([1234567890, 123456789])
    assert [step(one) for _ in range(1000)] == [next_uniform(other) for _ in range(1000)]


@given(st.integers(0, 2**63 - 1))
def test_every_seed_starts_both_halves_where_they_may(seed):
    one, two = policy_seed(seed)
    assert 1 <= one < FIRST_MODULUS and 1 <= two < SECOND_MODULUS
    assert policy_seed(seed) == (one, two) != policy_seed(seed ^ 1)


def test_numbers_are_spread_evenly():
    """Of 10 000 numbers in ten classes chi squared is below 27.88, its 99.9 % point with 9 degrees of
    freedom.
    """
    counts = np.bincount([10 * z // FIRST_MODULUS for z in numbers(*policy_seed(0), 10_000)[0]], minlength=10)
    assert ((counts - 1000) ** 2 / 1000).sum() < 27.88
