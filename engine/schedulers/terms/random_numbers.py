"""Random numbers for a policy, the same everywhere: L'Ecuyer's combined generator (CACM 31(6), 1988, pp. 742-751).

Two multiplicative generators whose products stay below 2^53, so that integers kept as float64 lose nothing.
The start is View.seed, which the engine makes of the scenario's seed. Period 2.3 x 10^18.
"""

FIRST, FIRST_MODULUS = 40014, 2147483563
SECOND, SECOND_MODULUS = 40692, 2147483399


def next_uniform(notes, at):
    """A number in (0, 1) and the state in notes[at], notes[at + 1] moved on by one."""
    one = int(notes[at]) * FIRST % FIRST_MODULUS
    two = int(notes[at + 1]) * SECOND % SECOND_MODULUS
    notes[at], notes[at + 1] = one, two
    difference = one - two
    if difference < 1:
        difference += FIRST_MODULUS - 1
    return difference / FIRST_MODULUS
