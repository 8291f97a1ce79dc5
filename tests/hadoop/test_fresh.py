"""Scripts that nobody has seen before: Hadoop's own code decides them now, and Gantry the same."""

from __future__ import annotations

import random
import secrets

import pytest

from tests.hadoop.gantry_decisions import difference
from tests.hadoop.referee import MISSING, NotFetched, can_run, decide
from tests.hadoop.scripts import limits_masters, scripts

PART = 0.03  # of the scripts of the golden files


@pytest.mark.parametrize("most", [30, pytest.param(None, marks=pytest.mark.everything)])
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_a_fresh_sample_gets_the_same_decisions(most: int | None) -> None:
    seed = secrets.token_hex(4)
    # a script says that masters have no limit, and Hadoop must be able to do so
    every = [one for one in scripts(seed, PART) if not limits_masters(one)]
    asked = random.Random(seed).sample(every, most or len(every))
    try:
        decided = decide(asked)
    except NotFetched as error:
        pytest.skip(str(error))
    rows = [difference(script, real) for script, real in zip(asked, decided, strict=True)]
    assert not any(rows), f"seed {seed}: " + "\n".join(filter(None, rows))
