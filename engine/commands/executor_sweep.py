"""sweep --executors: one Spark application over the number of its executors, and what the others feel."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.commands.streams import STANDARD, CallError, open_input, read_inputs, tell_assumptions
from engine.commands.study_options import (
    RANGE,
    SEEDS,
    integer_option,
    number_option,
    parse_range,
    read_plain,
)
from engine.commands.terminal import progress_bar
from engine.errors import Fault, ScenarioError
from engine.messages import msg

if TYPE_CHECKING:
    from engine.prediction.answer import PredictionBaseline
    from engine.scenario.model import Scenario
    from engine.studies.result import StudyResult
    from engine.studies.study import Study

OPTION = "--executors"


class Swept(NamedTuple):
    """What was run, which of its metrics are drawn, and what is printed, as JSON values and as text."""

    result: StudyResult
    metrics: list[str]
    plain: Callable[[], dict[str, Any]]
    table: Callable[[], str]


def executor_sweep(options: argparse.Namespace, run: Callable[[Study], StudyResult]) -> Swept:
    """Runs what the call asks for. Raises CallError and ScenarioError in the call's words."""
    from engine.output.hadoop_files import configuration_scheduler
    from engine.scenario.model import Scenario
    from engine.studies.executor_curve import bands_of, executor_curve, executor_study, spark_application
    from engine.studies.executor_text import executor_plain, executor_table
    from engine.studies.measures import OWN_TIME

    if options.vary or options.metric:
        raise CallError(msg("commands.executor_sweep.has_its_own"))
    seeds = integer_option("--seeds", options.seeds) if options.seeds is not None else None
    jitter = number_option("--jitter", options.jitter) if options.jitter is not None else None
    plain = _history(options.scenario) or read_plain(options.scenario)[0]
    scenario = Scenario.of(plain["scenario"])
    name, sign, text = _split_name(options.executors, scenario)
    usual = plain.get("schedulers") or [configuration_scheduler(scenario) or "fair"]
    schedulers = options.scheduler or usual
    try:
        application = spark_application(scenario, name.strip())
        numbers = _numbers(plain, scenario, application, name, text) if sign else ()
        baseline = _baseline(scenario, schedulers)
        bands = bands_of(baseline.turnaround, baseline.finish) if baseline else {}
        study = executor_study(
            baseline.scenario if baseline else scenario,
            schedulers,
            application,
            numbers,
            seeds,
            jitter,
            usual_seeds=SEEDS,
            is_fitted=bool(bands),
        )
    except ScenarioError as error:
        raise ScenarioError([_name_option(fault, name) for fault in error.faults]) from None
    curve = executor_curve(run(study), scenario, bands, baseline.says if baseline else "")
    return Swept(curve.result, [OWN_TIME], lambda: executor_plain(curve), lambda: executor_table(curve))


def _history(path: str) -> dict[str, Any] | None:
    """What a cluster's history makes, a file, a folder or an archive, as a study's JSON values; None for a
    file that may be a scenario or a study.
    """
    from engine.studies.study import VERSION

    if path == STANDARD or _may_be_study(path):
        return None
    imported = read_inputs([path])
    tell_assumptions(imported)
    schedulers = {"schedulers": [imported.scheduler]} if imported.scheduler else {}
    return {"version": VERSION, "scenario": imported.scenario.plain()} | schedulers


def _may_be_study(path: str) -> bool:
    """Is it JSON, and not that of an event log, a line an event?"""
    from engine.scenario.history.spark.event_log import is_event_log

    if os.path.isdir(path):
        return False
    with open_input(path) as stream:
        head = stream.read(512)
    return head.lstrip()[:1] in (b"", b"{") and not is_event_log(head)


def _split_name(text: str, scenario: Scenario) -> tuple[str, str, str]:
    """The application, the sign between it and its numbers, and those; "" twice without numbers. A name may
    have such signs too.
    """
    if any(job.name == text.strip() for job in scenario.jobs):
        return text, "", ""
    name, sign, numbers = text.rpartition("=")
    return (name, sign, numbers) if sign else (text, "", "")


def _numbers(
    plain: dict[str, Any], scenario: Scenario, application: int, name: str, text: str
) -> tuple[float | str, ...]:
    """Of executors, as the call has them."""
    from engine.experiments.executor_total import executors_path
    from engine.studies.executor_curve import require_numbers
    from engine.studies.study import read_values

    executors = scenario.jobs[application].executors
    assert executors
    wrong = msg("commands.executor_sweep.must_be_application_and_range", text=text[:80], range=RANGE)
    path = executors_path(executors, application)
    values = parse_range(plain, path, text, f"{OPTION} {name.strip()[:80]}", wrong)
    require_numbers([values[end] for end in ("first", "last") if end in values])
    return read_values(values)


def _baseline(scenario: Scenario, schedulers: list[str]) -> PredictionBaseline | None:
    """What a scenario with a cluster's record is when fitted to it, with its band; None without a record."""
    from engine.prediction.answer import has_record, make_baseline
    from engine.schedulers.scheduler import parse

    if not has_record(scenario):
        return None
    if len(schedulers) > 1:
        raise CallError(msg("commands.executor_sweep.record_is_fitted_under_one"))
    with progress_bar() as bar:
        return make_baseline(scenario, parse(schedulers[0]), report=bar.show)


def _name_option(fault: Fault, name: str) -> Fault:
    """A fault of the numbers is told of the option."""
    if fault.path == "executors" or fault.path.startswith("vary"):
        return Fault(f"{OPTION} {name}"[:200], fault.message)
    return fault
