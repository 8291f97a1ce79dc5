"""Batsim's files: rows of jobs and containers, and vcores that nobody holds twice."""

from __future__ import annotations

import csv
import io

from hypothesis import given

from engine.codes import NONE
from engine.output.batsim_results import batsim_files, vcore_places
from engine.schedulers.view import MAP
from engine.simulation.run import Run
from engine.simulation.simulate import simulate
from tests.engine.output.odd import ODD, odd_run
from tests.strategies import BUSY, scenarios, scheduler_text, schedulers
from tests.webapp.handmade_runs import run


def rows(result: Run, file: str) -> list[dict[str, str]]:
    texts = {name: "".join(text) for name, text in batsim_files([result]).items()}
    return list(
        csv.DictReader(
            io.StringIO(next(text for name, text in texts.items() if name.endswith(f"_{file}.csv")))
        )
    )


def test_a_job_holds_what_its_containers_held_and_the_schedule_sums_up() -> None:
    containers = [
        {"kind": MAP, "start": 1000, "end": 4000},
        {"kind": MAP, "start": 2000, "end": 9000, "index": 1, "node": 1, "requested": 1000},
        {"kind": MAP, "start": 4000, "end": 6000, "index": 2},
    ]
    result = run(containers, nodes=2)
    (job,) = rows(result, "jobs")
    vcores = int(result.workload.node_vcores[0])
    expected = f"0 {vcores}" if vcores > 1 else "0-1"
    assert (job["job_id"], job["allocated_resources"], job["requested_number_of_resources"]) == (
        "j0",
        expected,
        "2",
    )
    first, second, third = rows(result, "containers")
    assert (first["allocated_resources"], third["allocated_resources"]) == ("0", "0")
    assert (second["waiting_time"], second["execution_time"], second["stretch"]) == (
        "1.0",
        "7.0",
        str(8 / 7),
    )
    (schedule,) = rows(result, "schedule")
    assert float(schedule["time_computing"]) == 3 + 7 + 2
    assert (schedule["nb_jobs"], int(schedule["nb_computing_machines"])) == ("1", 2 * vcores)


def test_odd_names_stand_as_they_are_and_what_still_runs_is_left_out() -> None:
    result = odd_run()
    assert rows(result, "jobs") == [] and rows(result, "schedule")[0]["nb_jobs_finished"] == "0"
    assert {row["workload_name"] for row in rows(result, "containers")} == {ODD}
    assert len(rows(result, "containers")) == 2


@given(scenarios(BUSY), schedulers())
def test_no_vcore_is_held_twice_at_once(scenario, scheduler) -> None:
    result = simulate(scenario, scheduler_text(scheduler))
    held, count = vcore_places(result)
    free_from = [0] * count
    ends = result.containers.end.tolist()
    for start, end, places in zip(result.containers.start.tolist(), ends, held, strict=True):
        for place in places:
            assert free_from[place] <= start
            free_from[place] = result.at_ms + 1 if end == NONE else end
