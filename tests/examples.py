"""How many random examples a test tries: few in `make test`, many under `--everything`, the same ones on
every run; EXAMPLES=random looks further.

Few are no proof: on each fault of the history that random examples once found, tests/oracle/found_once.json
keeps an example that finds it again, unless a test of its own does.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

QUICK, EVERYTHING = "quick", "everything"

for profile, most in ((QUICK, 25), (EVERYTHING, 100)):
    settings.register_profile(
        profile,
        max_examples=most,
        derandomize=os.environ.get("EXAMPLES") != "random",
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


def examples(quick: int, everything: int) -> settings:
    """Of one test, where its profile's number is too many or too few."""
    return settings(max_examples=everything if settings.get_current_profile_name() == EVERYTHING else quick)


def some(things: list, quick: int) -> list:
    """The first few of what is compared one by one; under `--everything` all."""
    return things if settings.get_current_profile_name() == EVERYTHING else things[:quick]
