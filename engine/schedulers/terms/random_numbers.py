"""Random numbers for a policy, the same everywhere: L'Ecuyer's combined generator (CACM 31(6), 1988, pp.
742-751; DRAW-4).

Two multiplicative generators in int64, started from View.seed, which the engine makes of the scenario's seed.
Period 2.3 x 10^18.
"""

from engine.schedulers.policy import RUN, StateArray

FIRST, FIRST_MODULUS = 40014, 2147483563
SECOND, SECOND_MODULUS = 40692, 2147483399
RANDOM = StateArray("random_state", RUN, "int64", size=2)


def next_uniform(state):
    """A number in (0, 1), and the state, two numbers, moved on by one."""
    state[0] = state[0] * FIRST % FIRST_MODULUS
    state[1] = state[1] * SECOND % SECOND_MODULUS
    difference = state[0] - state[1]
    if difference < 1:
        difference += FIRST_MODULUS - 1
    return difference / FIRST_MODULUS
