"""Which tests a change reaches."""

from __future__ import annotations

from tests import affected
from tests.suite import HOUSE


def test_nothing_changed_reaches_the_rules_of_the_house_alone() -> None:
    assert affected.tests(set()) == ([HOUSE], [HOUSE])


def test_a_part_of_the_kernel_reaches_all_that_runs_and_nothing_that_does_not() -> None:
    near, reached = affected.tests({"engine/simulation/applications/mapreduce/speculation.py"})
    assert "tests/engine/simulation/test_agreement.py" in reached and set(near) < set(reached)
    assert "tests/webapp/test_settings.py" not in near and "tests/assets/test_state.py" not in reached


def test_a_changed_test_is_near() -> None:
    near, reached = affected.tests({"tests/engine/test_jit.py"})
    assert near == reached == sorted(["tests/engine/test_jit.py", HOUSE])


def test_what_the_lock_pins_reaches_every_test() -> None:
    assert len(affected.tests({"requirements.txt"})[1]) >= 390
