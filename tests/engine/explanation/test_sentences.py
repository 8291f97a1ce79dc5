"""What a decision's sentence says of time."""

from __future__ import annotations

from engine import quantities
from engine.explanation.sentences import chosen_sentence
from engine.schedulers.catalogue import CATALOGUE
from tests.phrases import phrase


def test_a_time_late_in_a_long_run_is_said_to_the_millisecond() -> None:
    """It once said 50123.5 s, and 1e+06 s after eleven days."""
    for at in (50_123.456, 1_000_000.001):
        seen = {
            "node": "n",
            "free_memory_mb": 1024,
            "free_vcores": 1,
            "at_s": at,
            "candidates": [{"chosen": True, "kind": "map", "job": "a"}],
        }
        assert chosen_sentence(seen, CATALOGUE["order"]["fifo"]) == phrase(
            "explanation.n_had_mb_and_vcore", "1 GB", 1, quantities.moment(1000 * at)
        )
    assert chosen_sentence(seen | {"at_s": 3.0}, CATALOGUE["order"]["fifo"]).startswith(
        "n had 1 GB and 1 vcore free at 0:03;"
    )
