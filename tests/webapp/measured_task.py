"""A task with a record: what a simulated run did, as if a cluster had done it."""

from __future__ import annotations

from engine import Scenario, simulate
from tests.simulated_records import recorded, written_out
from webapp.services import runs
from webapp.services.runs import Task
from webapp.services.url_state import RunRequest


def scenario(plain: dict, scheduler: str = "fifo") -> dict:
    """The JSON values of a scenario whose record is what this scheduler makes of it."""
    return recorded(simulate(written_out(Scenario.of(plain)), scheduler)).plain()


def task(plain: dict, *schedulers: str) -> Task:
    """The task of a scenario with a record, under these schedulers."""
    return runs.build_task(RunRequest(scenario(plain), schedulers))
