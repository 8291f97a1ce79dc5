"""Terms on one scale: norm(x) = (x - min) / (max - min) over the candidates (haste), 0 where all are equal
(ours; HASTE-7).
"""


def bounds(values, candidates, count):
    """The least and the most of the candidates' values."""
    minimum = maximum = values[candidates[0]]
    for position in range(1, count):
        value = values[candidates[position]]
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    return minimum, maximum


def norm(value, minimum, maximum):
    """Where a value lies between least and most, 0 to 1; 0 where there is no range."""
    return (value - minimum) / (maximum - minimum) if maximum > minimum else 0.0
