"""What was measured on the page: first of what is shown, what others are compared to, never run anew, and
refused in a sentence where it does not fit.
"""

from __future__ import annotations

import copy
import json

import pytest

from engine import GantryError, ScenarioError
from engine.dashboard import RECORD_OF_OTHER_CLUSTER, names_of
from tests.phrases import phrase
from tests.webapp import measured_task
from tests.webapp.task_waiting import ended
from webapp.jobs import optima, seed_replications, whatif
from webapp.panels.compare.compare import measured_columns, metric_rows
from webapp.panels.editor import check, schedulers
from webapp.panels.run import headline
from webapp.panels.run.run_routes import chart_heads
from webapp.panels.timeline.viewport import View, preview
from webapp.panels.what_if import slider_text
from webapp.panels.what_if.sliders import run_at_rest
from webapp.report import summary_text
from webapp.report.page import report
from webapp.runs import rerun_details, saved_tasks
from webapp.runs.cache import SharedCache
from webapp.runs.identical_runs import equal_groups
from webapp.runs.task import ShownRun, build_task, with_pinned
from webapp.url.links import now
from webapp.url.url_state import RunRequest

NODES = "cluster.nodes[0].count"
SLOW = "jobs[*].slowstart"


@pytest.fixture
def batch(small: dict) -> dict:
    """Two jobs in turn, more than fit at once."""
    small["jobs"] = [
        small["jobs"][0] | {"name": name, "am": {"memory_mb": 1024, "vcores": 1}} for name in ("one", "two")
    ]
    return small


def test_it_stands_first_wherever_it_was_written(cache: SharedCache, batch: dict) -> None:
    task = measured_task.task(batch, "fair", "measured", "fifo")
    assert (task.names, names_of(task.simulated)) == (("measured", "fair", "fifo"), ("fair", "fifo"))
    assert [shown_run.name for shown_run in task.shown] == ["measured", "fair", "fifo"]


def test_it_stands_first_where_it_is_pinned(cache: SharedCache, batch: dict) -> None:
    both = with_pinned(build_task(RunRequest(batch, ("fifo", "fair"))), measured_task.task(batch, "measured"))
    assert [(shown_run.name, shown_run.task is both) for shown_run in both.shown] == [
        ("measured", False),
        ("fifo", True),
        ("fair", True),
    ]
    assert headline.sentences(both)[0].startswith(phrase("webapp.measured_batch_took") + " ")


def test_it_equals_nothing_and_is_never_the_best(cache: SharedCache, batch: dict) -> None:
    task = measured_task.task(batch, "measured", "fifo", "fifo+reserve(vcores=4)")
    assert equal_groups(task)[:2] == (0, 1)
    chips = summary_text.verdict_chips(task)
    assert (chips[0]["best"], chips[0]["difference"]) == (False, "")
    outcomes = task.outcomes()
    rows = metric_rows(
        [outcome.metrics for outcome in outcomes],
        never_best=measured_columns([outcome.run for outcome in outcomes]),
    )
    assert not any(row["s0"]["best"] for row in rows)
    assert all(row["s1"]["percent"] in (0, None) for row in rows)  # to what was measured, which it is


def test_beside_it_alone_no_optimum_is_looked_for(cache: SharedCache, batch: dict) -> None:
    assert optima.why_no_optimum(measured_task.task(batch, "measured")) == optima.ONLY_MEASURED_SHOWN
    assert optima.why_no_optimum(measured_task.task(batch, "measured", "fifo")) == ""


def test_the_headline_says_how_far_from_it_the_simulation_ends(cache: SharedCache, batch: dict) -> None:
    first, *_ = headline.sentences(measured_task.task(batch, "measured", "fifo"))
    assert first.startswith(phrase("webapp.fifo_simulated_finish_in") + " ") and first.endswith(
        ", as measured."
    )
    batch["jobs"][0]["maps"] = batch["jobs"][0]["maps"] | {"count": 9}
    plain = measured_task.scenario(batch)
    plain["jobs"] = [job | {"maps": job["maps"] | {"duration_s": 5}} for job in plain["jobs"]]
    first, *_ = headline.sentences(build_task(RunRequest(plain, ("measured", "fifo"))))
    assert first.endswith(" % earlier than measured.")
    assert len(headline.sentences(measured_task.task(batch, "measured"))) == 1
    assert (
        phrase("webapp.simulated_finish_fifo_as_measured")
        in headline.sentences(measured_task.task(batch, "measured", "fifo", "fair"))[0]
    )


def test_what_changes_never_runs_it_anew(cache: SharedCache, batch: dict) -> None:
    task = measured_task.task(batch, "measured", "fair")
    saved_tasks.save_task(task)
    assert phrase("webapp.stays_as_was") in slider_text.base(task)["hint"] and not any(
        tunable["path"].startswith("schedulers[1]") for tunable in slider_text.base(task)["tunables"]
    )
    moved = whatif.preview_changes(task, ((NODES, 2),))
    assert names_of(moved.schedulers) == ("fair",) and [
        outcome.run.scheduler for outcome in moved.outcomes
    ] == ["fair"]
    drawn = preview(task, moved.outcomes, View())
    assert sorted(drawn["charts"]) == [0, 1]
    assert slider_text.base(measured_task.task(batch, "measured"))["tunables"] == []
    ask = whatif.CurveRequest.of(
        {"key": task.key, "path": SLOW, "first": 0, "last": 1, "step": 0.5, "present": 0.05}
    )
    assert ended(*whatif.begin_curve(task, ask, 20)).state == "finished" and whatif.find_curve(
        ask
    ).sweep.schedulers == ["fair"]
    assert ended(*seed_replications.begin_replications(task, 20)).state == "finished"
    assert seed_replications.find_replications(task).schedulers == ["fair"]


def test_at_rest_it_stays_where_its_nodes_do(cache: SharedCache, batch: dict) -> None:
    task = measured_task.task(batch, "measured", "fair")
    plain = task.scenario.plain()
    of = {
        "scenario": plain | {"measured": {"of": plain["measured"]["of"]}},
        "schedulers": ["measured", "fair"],
    }
    kept = run_at_rest(task, of, [{"path": SLOW, "value": 0.5}])
    assert (kept["schedulers"], kept["left_out"], kept["scenario"]["measured"]) == (
        ["measured", "fair"],
        False,
        of["scenario"]["measured"],
    )
    gone = run_at_rest(task, of, [{"path": NODES, "value": 2}])
    assert (gone["schedulers"], gone["left_out"]) == (["fair"], True)


def test_a_draft_is_told_where_it_no_longer_fits(batch: dict) -> None:
    plain = measured_task.scenario(batch)
    assert check.check_result(plain, 1000)["unmeasured"] is None
    assert phrase("common.this_scenario_has_none") in check.check_result(batch, 1000)["unmeasured"]
    light = plain | {"measured": {"of": plain["measured"]["of"], "checked": True}}
    assert (check.check_result(light, 1000)["unmeasured"], check.check_result(light, 1000)["faults"]) == (
        None,
        [],
    )
    for one in (plain, light):
        other = copy.deepcopy(one)
        other["cluster"]["nodes"][0]["count"] = 2
        assert check.check_result(other, 1000)["unmeasured"] == RECORD_OF_OTHER_CLUSTER
    broken = plain | {"measured": {"of": plain["measured"]["of"]}}
    assert [fault["path"] for fault in check.check_result(broken, 1000)["faults"]] == [
        "measured.jobs",
        "measured.containers",
    ]


def test_a_run_of_it_is_refused_in_a_sentence_where_it_does_not_fit(cache: SharedCache, batch: dict) -> None:
    plain = measured_task.scenario(batch)
    plain["cluster"]["nodes"][0]["count"] = 2
    for scenario, said in (
        (plain, RECORD_OF_OTHER_CLUSTER),
        (batch, phrase("common.this_scenario_has_none")),
    ):
        with pytest.raises(ScenarioError, match=said[:40]):
            build_task(RunRequest(scenario, ("measured",)))


def test_what_has_no_sense_for_it_is_said(
    cache: SharedCache, batch: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = measured_task.task(batch, "measured", "fair")
    monkeypatch.setattr(rerun_details, "MAX_RETRACED", 1)
    for container in (0, 5):
        with pytest.raises(GantryError, match=phrase("webapp.from_clusters_history_which_does")):
            rerun_details.explain_container(ShownRun(task, "measured"), container)
    assert [chart_head["signals"] for chart_head in chart_heads(task)] == [False, True]
    assert "history" in json.dumps(
        schedulers.chosen_item("measured").to_plotly_json(), default=lambda part: part.to_plotly_json()
    )


def test_a_report_stars_what_is_simulated(cache: SharedCache, batch: dict) -> None:
    text = "".join(report(measured_task.task(batch, "measured", "fair"), now()))
    assert phrase("webapp.under_fair_beside_what_was") in text and "★ " not in text.replace("★ and bold", "")
