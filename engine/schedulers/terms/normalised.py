"""Terms on one scale: norm(x) = (x - min) / (max - min) over the candidates (haste), 0 where all are equal (ours)."""


def bounds(values, candidates, count):
    """The least and the most of the candidates' values."""
    least = most = values[candidates[0]]
    for position in range(1, count):
        value = values[candidates[position]]
        least = min(least, value)
        most = max(most, value)
    return least, most


def norm(value, least, most):
    """Where a value lies between least and most, 0 to 1; 0 where there is no range."""
    return (value - least) / (most - least) if most > least else 0.0
