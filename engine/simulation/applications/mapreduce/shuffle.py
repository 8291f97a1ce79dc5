"""When a reduce has fetched its input (SHUFFLE-1).

With n map outputs that become available at F1 <= … <= Fn, each fetched in c ms, one after another, a reduce
launched at S has all of them at max(S + n c, max over k of Fk + (n - k + 1) c), rounded up to 1 ms.
The second part is the same for all reduces of an iteration, so it is kept as one running maximum.
"""

from __future__ import annotations

import math

from engine.codes import NOISE_MS


def after_map(latest, now, finished, maps, fetch_ms):
    """The running maximum after the `finished`-th of `maps` maps ended at `now`."""
    return max(latest, now + (maps - finished + 1) * fetch_ms)


def fetched(launched, latest, maps, fetch_ms):
    """The ms at which a reduce launched at `launched` has fetched everything; `latest` as after the last
    map.
    """
    return int(math.ceil(max(launched + maps * fetch_ms, latest) - NOISE_MS))
