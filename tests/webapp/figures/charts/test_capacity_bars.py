"""Where the capacity went, beside each other: bars as long as their runs, charts on the same axes, and totals
that thinning keeps.
"""

from __future__ import annotations

import numpy as np
import pytest

from engine.dashboard import PARTS, CapacitySplit, CapacityUse, ResourceSplit
from tests.webapp.figures.charts.accounts import ACCOUNTS
from tests.webapp.figures.timeline.splits import split as at_random
from tests.webapp.handmade_runs import numbers
from webapp import theme
from webapp.figures.charts.capacity_bars import (
    areas_figure,
    areas_table,
    average_split,
    capacity_figure,
    downsample_split,
    held_shares,
    parts_table,
)
from webapp.figures.timeline.capacity_areas import phase_of_part

USES = [account.uses["vcores"] for account in ACCOUNTS]


def test_a_bar_is_as_long_as_its_run() -> None:
    figure = capacity_figure(USES)
    lengths = sum(numbers(trace["x"]) for trace in figure["data"])
    assert lengths.tolist() == pytest.approx([10.0, 30.0])
    assert figure["layout"]["barmode"] == "stack"
    assert [note["text"] for note in figure["layout"]["annotations"][:2]] == [
        "<b>fifo</b>  makespan 10 s",
        "<b>fifo</b>  makespan 30 s",
    ]


def test_a_bar_has_the_phases_colours_and_a_number_where_it_has_room() -> None:
    # A map of 1 of 4 vcores for 10 s is 2.5 s of the whole cluster: 25 % of the short run, 8.3 % of the long
    # one.
    bars = {trace["name"]: trace for trace in capacity_figure(USES, width=700)["data"]}
    assert numbers(bars["Map"]["x"]).tolist() == [2.5, 2.5]
    assert bars["Map"]["marker"]["color"] == theme.colour("map", False)
    assert bars["Map"]["text"] == ["25 %", "8 %"]
    assert set(capacity_figure(USES, width=120)["data"][0]["text"]) == {""}
    assert "25 % of capacity × time" in bars["Map"]["hovertext"][0]


def test_a_number_on_a_hatch_has_a_ground_of_its_own() -> None:
    # A master of 1 of 4 vcores is wanted but not given all of the 10 s: 2.5 s, which lie behind 2.5 s of
    # maps.
    figure = capacity_figure(USES[:1], width=700)
    (hatched,) = (trace for trace in figure["data"] if trace["name"] == "Free but unassigned")
    assert hatched["text"] == [""]
    (chip,) = figure["layout"]["annotations"][1:]
    assert (chip["text"], chip["x"], chip["bgcolor"]) == (
        "25 %",
        2.5 + 2.5 / 2,
        theme.colour("not_given", False),
    )


def test_markup_in_a_name_is_text() -> None:
    figure = capacity_figure([USES[0]._replace(scheduler="<b>x")])
    assert "&lt;b&gt;x" in figure["layout"]["annotations"][0]["text"]
    assert all("<b>&lt;b&gt;x</b>" in trace["hovertext"][0] for trace in figure["data"])


def test_a_run_of_no_time_has_no_bar() -> None:
    figure = capacity_figure([CapacityUse("fair", False, 0, {part.key: 0.0 for part in PARTS})])
    assert figure["data"] == []
    assert figure["layout"]["annotations"][0]["text"] == "<b>fair</b>  deadlocked after 0 s"


def test_charts_stand_in_columns_where_there_is_room_and_have_the_same_axes() -> None:
    for width, columns in ((1000, 2), (340, 1)):
        layout = areas_figure(ACCOUNTS, "vcores", width=width)["layout"]
        assert layout["xaxis"]["range"] == layout["xaxis2"]["range"] == [0, 30]
        assert layout["yaxis"]["range"] == layout["yaxis2"]["range"]
        assert (layout["xaxis"]["domain"] == layout["xaxis2"]["domain"]) == (columns == 1)
        assert (layout["yaxis"]["domain"] == layout["yaxis2"]["domain"]) == (columns == 2)
        assert layout["xaxis2"]["domain"][1] == pytest.approx(1)


def test_the_height_has_its_unit() -> None:
    # A node of 4,096 MB is less than 8 GB.
    for resource, unit in (("vcores", "vcores"), ("memory", "MB")):
        layout = areas_figure(ACCOUNTS, resource, width=1000)["layout"]
        assert layout["yaxis"]["title"]["text"] == unit
        assert "title" not in layout["yaxis2"]


def test_a_part_is_named_once_in_the_legend_of_all_charts() -> None:
    named = [trace["name"] for trace in areas_figure(ACCOUNTS, "memory")["data"] if trace["showlegend"]]
    assert sorted(named) == sorted(set(named))
    assert "Map" in named


def test_thinning_keeps_the_total_of_every_part() -> None:
    result = at_random(3_000, killed=True)
    few = downsample_split(result, 100)
    assert len(few.times) == 101
    for before, after in ((result.memory, few.memory), (result.vcores, few.vcores)):
        assert (after.lengths @ after.parts).tolist() == pytest.approx(list(before.totals.values()))
        assert float(after.lengths @ after.wasted) == pytest.approx(before.wasted_total)
        assert after.parts.sum(axis=1) == pytest.approx(before.capacity)


def test_few_pieces_are_left_alone() -> None:
    result = at_random(50)
    assert downsample_split(result, 100) is result
    nothing = CapacitySplit(
        np.zeros(1, np.int64), *(ResourceSplit(4, np.zeros((0, len(PARTS) + 1), np.int64), np.zeros(0)),) * 2
    )
    assert average_split(nothing, 3) is nothing


def test_the_table_has_shares_that_sum_to_all() -> None:
    table = parts_table([USES[0], USES[1]._replace(scheduler="fair")])
    *parts, whole, killed = table
    occurs = {key for use in USES[:2] for key, ms in use.cluster_ms.items() if ms}
    assert [row["Use"] for row in parts] == [
        part.title for part in PARTS if part.key in occurs or phase_of_part(part.key) not in theme.OF_TASKS
    ]
    for name, length in (("fifo", 10.0), ("fair", 30.0)):
        assert (
            sum(row[f"{name} (s)"] for row in parts)
            == pytest.approx(whole[f"{name} (s)"])
            == pytest.approx(length)
        )
        assert sum(row[f"{name} (%)"] for row in parts) == pytest.approx(whole[f"{name} (%)"], abs=0.05)
        assert killed[f"{name} (s)"] == 0


def test_the_table_over_time_has_a_row_a_stretch() -> None:
    # 40 stretches of 30 s: the map holds 1 of 4 vcores in the first 10 s.
    rows = areas_table(ACCOUNTS[1:], "vcores")
    assert len(rows) == 40
    assert [row["Maps (%)"] for row in rows if row["Until (s)"] <= 10 - 0.75] == [25.0] * 12
    assert rows[-1]["Maps (%)"] == 0


def test_how_busy_each_third_of_a_run_is() -> None:
    # One of 4 vcores runs the map for the first third, another the reduce all the time.
    assert held_shares(ACCOUNTS[1], "vcores", 3) == pytest.approx([0.5, 0.25, 0.25])
