"""Where the capacity went, in words; and that whatever ran can be shown."""

from __future__ import annotations

import json

from hypothesis import given, settings
from plotly.graph_objects import Figure

from engine import capacity_split, simulate
from engine.dashboard import PARTS
from tests.phrases import phrase
from tests.strategies import scenarios, scheduler_text, schedulers
from tests.webapp.figures.charts.accounts import ACCOUNTS
from webapp.figures.charts.capacity_bars import capacity_account
from webapp.panels.compare.capacity_use import OVERBOOKED, pictures


def test_the_story_names_each_runs_largest_uses() -> None:
    # The short run: a map of 1 vcore of 4 for 10 s, and its job's master waits for 1 all the time.
    _, (spent, areas) = pictures(tuple(ACCOUNTS), "vcores", False, 700)
    assert spent.story.startswith(
        phrase("compare.fifo_takes_s_s_idle", 10, 50, 5, 25, 2.5, 25, 2.5, 30) + " "
    )
    assert areas.story.endswith(phrase("compare.fifo_containers_hold_vcores_in", 50, 25, 25))


def test_more_vcores_than_there_are_is_told() -> None:
    use = ACCOUNTS[0].uses["vcores"]
    over = ACCOUNTS[0]._replace(
        uses={
            "vcores": use._replace(
                cluster_ms={part.key: -1.0 if part.key == "unwanted" else 1.0 for part in PARTS}
            )
        }
    )
    assert OVERBOOKED in pictures((over,), "vcores", False, 700)[1][0].reading
    assert OVERBOOKED not in pictures((ACCOUNTS[0],), "vcores", False, 700)[1][0].reading


@settings(max_examples=40)
@given(scenarios(), schedulers(), schedulers())
def test_any_runs_can_be_shown(of, first, second) -> None:
    runs = [simulate(of, scheduler_text(chosen)) for chosen in (first, second)]
    accounts = tuple(capacity_account(one, capacity_split(one)) for one in runs)
    for resource in ("vcores", "memory"):
        comparison, shown = pictures(accounts, resource, True, 360)
        assert comparison.difference.endswith(".")
        for one in shown:
            Figure(one.figure)  # plotly knows every property
            json.dumps([one.figure, one.table], allow_nan=False)
