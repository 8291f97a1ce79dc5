"""The fold of bounds: a row a bound, by how much each scheduler is above it, and where it does not hold."""

from __future__ import annotations

import math

from dash import no_update

from engine import lower_bounds, presets
from engine.quantities import amount
from tests.phrases import phrase
from webapp.panels.compare import bounds_table, compare
from webapp.panels.compare.bounds_table import output_values, rows
from webapp.panels.compare.metric_tables import grid
from webapp.report import optimality_gap
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest

WIDE = 1400


def task(*names: str) -> Task:
    return build_task(RunRequest(presets()[0].scenario.plain(), names))


def columns(of: Task) -> list:
    return [(one.name, place, one.outcome) for one, place in zip(of.shown, of.places)]


def test_a_row_a_bound_with_each_schedulers_share(cache) -> None:
    of = task("fifo", "fair", "fifo(resources=memory)")
    outcomes = of.outcomes()
    bounds = lower_bounds(of.scenario)
    table = rows(bounds, outcomes)
    assert [row["s0"]["value"] for row in table] == [one.at_least for one in bounds]
    for row, bound in zip(table, bounds, strict=True):
        share = 100 * (outcomes[1].metrics[bound.metric] / bound.at_least - 1)
        assert row["s0"]["text"] == amount(bound.at_least, "s")
        assert row["s2"]["text"] == f"≤ {math.ceil(share)} %"
        assert (row["s3"]["text"] == "–") == ("vcores" in bound.title)
    assert table[0]["title"] == phrase("compare.makespan_area_vcores")
    assert {row["title"].partition(":")[0] for row in table} == set(bounds_table.METRIC_TITLES.values())


def test_the_table_is_made_when_it_is_unfolded(cache) -> None:
    of = task("fifo", "fair")
    closed = output_values(of, columns(of), WIDE, None)
    assert closed[0] is False
    assert closed[1].startswith(phrase("compare.what_no_scheduler_can_beat", "2 min 43 s") + " ")
    assert (closed[2], closed[3]) == ("", no_update)
    heads = [column["headerName"] for column in output_values(of, columns(of), WIDE, True)[3].columnDefs]
    assert heads == ["Bound", "At least", "fifo", "fair", "What it is"]


def test_what_holds_for_all_stands_in_the_fold_of_runs_that_count_other_resources(cache) -> None:
    of = task("fifo", "fifo(resources=memory)")
    assert "vcores" not in output_values(of, columns(of), WIDE, None)[1]


def test_a_reason_stands_in_the_place_of_the_fold(cache) -> None:
    plain = presets()[0].scenario.plain()
    plain["cluster"]["failures"] = {"probability": 0.1}
    of = build_task(RunRequest(plain, ("fifo",)))
    assert output_values(of, columns(of), WIDE, True) == (True, "", optimality_gap.why_no_bounds(of), [])
    assert optimality_gap.why_no_bounds(of).startswith(phrase("compare.no_bound_can_be_told"))


def test_cells_of_times_say_how_far_they_are_above_the_best(cache) -> None:
    of = task("fifo", "fair")
    outcomes = of.outcomes()
    table = compare.metric_rows([one.metrics for one in outcomes])
    compare.add_gap_to_best(table, outcomes, is_narrow=False)
    assert [row["title"] for row in table if "above" in row["s1"]] == ["Makespan", "Mean turnaround"]
    makespan = optimality_gap.gap_of(outcomes[1], "makespan_s")
    assert (table[0]["s1"]["above"], table[0]["s1"]["about"]) == (
        f"{makespan.sign} above best",
        makespan.about,
    )
    narrow = compare.metric_rows([one.metrics for one in outcomes])
    compare.add_gap_to_best(narrow, outcomes, is_narrow=True)
    assert narrow[0]["s1"]["above"] == makespan.sign
    high = {
        row["title"]: row["px"]
        for row in grid("metrics", "Metric", table, ["fifo", "fair"], width_px=WIDE).rowData
    }
    assert high["Makespan"] == high["Mean wait"] + 16
