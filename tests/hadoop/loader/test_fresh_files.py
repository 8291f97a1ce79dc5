"""Files that are in no golden file: Hadoop's own loader reads them now, and Gantry the same, but for the
kinds of value that are known to differ. Under --everything nobody has seen them before; the few that are
always tried are the same each time, as not every kind that may differ is known yet.
"""

from __future__ import annotations

import secrets

import pytest

from tests.hadoop.loader.cases import cases
from tests.hadoop.loader.hadoop_answers import ask
from tests.hadoop.loader.known import REASONS
from tests.hadoop.loader.tally import SCHEDULERS, compared
from tests.hadoop.referee import MISSING, NotFetched, can_run


@pytest.mark.parametrize(
    ("most", "seed"), [(40, "fresh"), pytest.param(400, None, marks=pytest.mark.everything)]
)
@pytest.mark.skipif(not can_run(), reason=MISSING)
def test_fresh_files_are_read_the_same(most: int, seed: str | None) -> None:
    seed = seed or secrets.token_hex(4)
    asked = {family: list(cases(seed, most, family)) for family in SCHEDULERS}
    try:
        answers = iter(ask(case for own in asked.values() for case in own))
    except NotFetched as error:
        pytest.skip(str(error))
    different = [
        (case.id, value)
        for family, own in asked.items()
        for case in own
        for value in compared(family, case, next(answers))
        if not value.is_same and (family, value.kind) not in REASONS
    ]
    assert not different, f"seed {seed}: " + "\n".join(map(str, different))
