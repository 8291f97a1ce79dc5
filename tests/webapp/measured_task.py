"""A task with a record: what a simulated run did, as if a cluster had done it."""

from __future__ import annotations

from engine import Scenario, simulate
from tests.simulated_records import recorded, written_out
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


def scenario(plain: dict, scheduler: str = "fifo") -> dict:
    """The JSON values of a scenario whose record is what this scheduler makes of it."""
    return recorded(simulate(written_out(Scenario.of(plain)), scheduler)).plain()


def task(plain: dict, *schedulers: str) -> Task:
    """The task of a scenario with a record, under these schedulers."""
    return build_task(RunRequest(scenario(plain), schedulers))
