"""The tables' arithmetic: the best, the difference to the first, and nothing where there is nothing."""

from __future__ import annotations

import pytest

from engine import METRICS, Scenario, quantities, simulate, summary
from tests.phrases import phrase
from webapp.panels.compare import compare, metric_tables
from webapp.panels.compare.compare import percent
from webapp.runs import identical_runs
from webapp.runs.cache import SharedCache
from webapp.runs.task import build_task
from webapp.url.url_state import RunRequest


@pytest.mark.parametrize(
    ("number", "first", "more"),
    [
        (15, 10, 50.0),  # (15 - 10) / 10
        (5, 10, -50.0),
        (10, 10, 0.0),
        (0, 0, 0.0),  # equal, though a share of nothing is none
        (1, 0, None),
        (None, 10, None),
        (10, None, None),
    ],
)
def test_percent_more_than_the_first(number: float | None, first: float | None, more: float | None) -> None:
    assert percent(number, first) == more


def cells(values: list, better: str | None) -> list[dict]:
    (row,) = compare.rows([{"title": "x"}], [values], [better], [str])
    return [row[f"s{place}"] for place in range(len(values))]


@pytest.mark.parametrize(
    ("values", "better", "best"),
    [
        ([3, 1, 2], "smaller", [False, True, False]),
        ([3, 1, 2], "larger", [True, False, False]),
        ([1, 3, 1], "smaller", [True, False, True]),
        ([2, 2, 2], "smaller", [False, False, False]),  # no winner among equals
        ([None, 2, 3], "smaller", [False, True, False]),
        ([None, 2, None], "smaller", [False, False, False]),  # one alone has won nothing
        ([None, None], "smaller", [False, False]),
        ([3, 1], None, [False, False]),
    ],
)
def test_the_best_is_marked(values: list, better: str | None, best: list[bool]) -> None:
    assert [cell["best"] for cell in cells(values, better)] == best


def test_the_first_has_no_difference_to_itself() -> None:
    assert [cell["percent"] for cell in cells([10, 15], "smaller")] == [None, 50.0]


def test_every_metric_is_a_row_and_counted_things_go_without_their_noun(small: dict) -> None:
    metrics = summary(simulate(Scenario.of(small), "fair"))
    rows = {row["title"]: row for row in compare.metric_rows([metrics, metrics])}
    assert list(rows) == [metric.title for metric in METRICS]
    assert rows["Containers"]["s0"]["text"] == "3"
    assert rows["Makespan"]["s0"]["text"].endswith(" s")
    assert rows["Memory utilization"]["s0"]["text"].endswith(" %")


def test_a_deadlock_leaves_dashes(small: dict) -> None:
    small["jobs"][0] |= {"count": 4, "am": {"memory_mb": 1024, "vcores": 1}}
    run = simulate(Scenario.of(small), "fair+admit-all")
    assert run.status == "deadlock"
    rows = {row["title"]: row for row in compare.metric_rows([summary(run)])}
    assert rows["Makespan"]["s0"]["text"] == "–"
    assert [row["s0"]["text"] for row in compare.job_rows([run], "finish")] == ["–"] * 4


def test_held_capacity_wins_no_star(small: dict) -> None:
    one, other = (summary(simulate(Scenario.of(small), "fair")) for _ in range(2))
    rows = {
        row["title"]: row
        for row in compare.metric_rows([one | {"vcore_utilization": 0.9}, other | {"makespan_s": 1}])
    }
    assert rows["Makespan"]["s1"]["best"]
    assert not any(rows["Vcore utilization"][column]["best"] for column in ("s0", "s1"))


def test_a_run_that_refused_jobs_wins_no_star_though_it_is_shorter(small: dict) -> None:
    one = summary(simulate(Scenario.of(small), "fair"))
    table = compare.metric_rows([one, one | {"makespan_s": one["makespan_s"] / 2, "refused_jobs": 1}])
    best = {row["title"]: (row["s0"]["best"], row["s1"]["best"]) for row in table}
    assert best.pop("Refused jobs") == (True, False)
    assert set(best.values()) == {(False, False)}
    assert next(row for row in table if row["title"] == "Makespan")["s1"]["percent"] == -50.0


def test_equal_runs_have_one_column(cache: SharedCache, small: dict) -> None:
    task = build_task(
        RunRequest(small, ("fifo", "fair", "fifo(resources=memory)+slowstart(at=1)", "fair+slowstart(at=1)"))
    )
    assert compare.group_equal((0, 0, 2, 2, 4)) == [[0, 1], [2, 3], [4]]
    places, heads = compare.distinct_columns(task)
    groups = compare.group_equal(identical_runs.equal_groups(task))
    assert places == [group[0] for group in groups]
    assert heads == [" = ".join(task.names[place] for place in group) for group in groups]
    assert len(heads) < 4


def test_files_have_the_full_texts_of_what_heads_and_rows_name() -> None:
    full = {"fair, textbook": "FULL", "fair": "fair"}
    row = {"title": "fair, textbook", "s0": {"value": 1, "text": "1"}}
    heads = ["fair", "fair, textbook = drf"]
    table = metric_tables.grid("metrics", "Metric", [row], heads, width_px=900, full_names=full)
    _, plain, named = table.columnDefs
    assert "context" not in plain
    assert (named["headerName"], named["headerTooltip"]) == ("fair, textbook = drf", "FULL = drf")
    assert named["context"] == {"full": "FULL = drf"}
    assert (table.rowData[0]["title"], table.rowData[0]["full"]) == ("fair, textbook", "FULL")


def test_which_scheduler_has_which_rule() -> None:
    assert compare.other_rules_sentence(["fair", "drf"]) == ""
    assert compare.other_rules_sentence(["fair", "drf", "fair+admit-all"]) == (
        phrase("compare.these_schedulers_differ_in_more", "fair+admit-all")
    )
    simple = "capacity(reservations=no)"
    told = compare.other_rules_sentence(["fair", simple])
    assert told == phrase("compare.rules_in_words", 500, simple)


def test_times_of_jobs(small: dict) -> None:
    run = simulate(Scenario.of(small), "fifo")
    (finish,) = compare.job_rows([run], "finish")
    assert finish["title"] == "one"
    assert finish["s0"]["value"] == int(run.jobs.finish[0]) / 1000
    assert finish["s0"]["text"] == quantities.moment(int(run.jobs.finish[0]))
    (wait,) = compare.job_rows([run], "wait")
    assert wait["s0"]["text"] == "0 s"


def test_a_refused_job_says_why_in_the_table_of_jobs(small: dict) -> None:
    small["jobs"].append(small["jobs"][0] | {"name": "y", "rejected": "unwanted"})
    runs = [simulate(Scenario.of(small), scheduler) for scheduler in ("fair", "fifo")]
    for measure in compare.JOB_TIMES:
        first, refused = compare.job_rows(runs, measure)
        assert "about" not in first["s0"] and not refused["s0"]["best"]
        assert (refused["s0"]["text"], refused["s0"]["about"]) == ("refused", "unwanted")
