"""How often containers are released, by windows and a moving average (omo §IV-A, Eq. 1 and the two before it).

f = released in the window / its length; a = available containers at its end; F_o = ema x f + (1 - ema) x F_o, A_o likewise.
Ours: containers released are counted (the paper's YARN form counts what would fit), finished maps and reduces as their ends are
seen; the average begins with the first window; the weight, which the paper calls beta as it does the gap, has no value there.
"""

from engine.policies.policy import NOTES, Parameter, Term
from engine.view import CALM

WINDOWS, FREQUENCY, AVAILABLE, OBSERVED, RELEASED = range(5)  # places in notes; frequencies per ms
PLACES = RELEASED + 1
CHANGED = 0
WINDOW_S = Parameter("window_s", 10.0, "length of a window in s", "omo §V-C, Fig. 7", low=0.001, high=1e6)
EMA = Parameter("ema", 0.5, "weight of the newest window in the moving average", "ours; the paper gives none", low=0.01, high=1)
STRIP = "release frequency"
RELEASE_FACTS = (
    Term("release_frequency", "Release frequency", NOTES, FREQUENCY, "Containers released, moving average over the windows.", "per ms", strip=STRIP),
    Term("released", "Released in the last window", NOTES, OBSERVED, "Containers released in the last window that ended.", "per ms", strip=STRIP),
    Term("available", "Available containers", NOTES, AVAILABLE, "To be released soon, moving average over the windows.", "containers", strip="available"),
)


def close_window(window, notes, parameters, released, available):
    """One window ends: CALM when nothing was learnt. parameters: window_s, ema. Cost: constant."""
    observed = (released[0] - notes[RELEASED]) / window
    frequency, free = observed, float(available[0])
    if notes[WINDOWS] > 0.0:
        frequency = parameters[1] * observed + (1.0 - parameters[1]) * notes[FREQUENCY]
        free = parameters[1] * available[0] + (1.0 - parameters[1]) * notes[AVAILABLE]
    calm = notes[WINDOWS] > 0.0 and frequency == notes[FREQUENCY] and free == notes[AVAILABLE]
    notes[WINDOWS] = 1.0
    notes[FREQUENCY] = frequency
    notes[AVAILABLE] = free
    notes[OBSERVED] = observed
    notes[RELEASED] = released[0]
    return CALM if calm else CHANGED
