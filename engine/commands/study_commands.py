"""sweep: many runs of a scenario, and how sure one is of what they say."""

from __future__ import annotations

import argparse
import json
import re
import shutil
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.codes import RunState
from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    STANDARD,
    CallError,
    check_folder,
    json_lines,
    open_input,
    print_out,
    write,
)
from engine.commands.terminal import print_table, progress_bar
from engine.errors import Fault, ScenarioError
from engine.messages import msg

if TYPE_CHECKING:
    from engine.studies.result import StudyResult
    from engine.studies.study import Study

SEEDS = 30
FIGURES = (".svg", ".pdf")
RANGE = msg("commands.study_commands.b_c_or_first_last_step")
EXAMPLE = msg("commands.study_commands.such_as_jobs_slowstart_or_cluster")


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """The arguments of sweep."""
    parser.set_defaults(command=sweep)
    add = parser.add_argument
    add(
        "scenario",
        metavar="SCENARIO",
        help=msg("commands.study_commands.scenario_or_study_file_for_standard"),
    )
    add(
        "--vary",
        metavar="PARAMETER=RANGE",
        action="append",
        help=msg("commands.study_commands.twice_for_two_parameters", range=RANGE, example=EXAMPLE),
    )
    add(
        "--scheduler",
        metavar="NAME",
        action="append",
        help=msg("commands.study_commands.by_its_name_as_for_run"),
    )
    add(
        "--seeds",
        metavar="N",
        help=msg("commands.study_commands.number_seeds_starting_with_scenarios_default", seeds=SEEDS),
    )
    add(
        "--jitter",
        metavar="CV",
        help=msg("commands.study_commands.coefficient_variation_for_durations_have_non"),
    )
    metric_help = msg("commands.study_commands.what_told_such_as_mean_wait")
    add("--metric", metavar="KEY", action="append", help=metric_help)
    add("--processes", metavar="N", help=msg("commands.study_commands.run_default_one_core"))
    add("--cluster", metavar="ADDRESS", help=msg("commands.study_commands.dask_scheduler_such_as_tcp_host"))
    add("--study", metavar="FILE", help=msg("commands.study_commands.write_study_itself_as_json_which"))
    add("--csv", metavar="FILE", help=msg("commands.study_commands.write_row_run"))
    add("--parquet", metavar="FILE", help=msg("commands.study_commands.same_as_parquet_with_study_in"))
    add(
        "--figure",
        metavar="FILE",
        action="append",
        help=msg("commands.study_commands.draw_first_metric_for_print_svg"),
    )
    add("--wide", action="store_true", help=msg("commands.study_commands.draw_in_wide_over_two_columns"))
    add(
        "--json",
        action="store_true",
        help=msg("commands.study_commands.print_study_means_intervals_differences_and"),
    )


def sweep(options: argparse.Namespace) -> int:
    """Runs a study, prints it and writes its files; EXIT_UNSUCCESSFUL where a run ends in a deadlock."""
    from engine.output.study_json import study_plain
    from engine.output.study_table import study_table

    processes = _integer_option("--processes", options.processes) if options.processes else None
    _check_files(options)
    study, shown_metrics = _build_study(options)
    result = _run(study, processes, options.cluster)
    if files := _output_files(options, result, shown_metrics):
        write(files)
    if options.json:
        print_out([json_lines(study_plain(result))])
    else:
        print_table(study_table(result, shown_metrics, shutil.get_terminal_size((100, 24)).columns))
    return EXIT_UNSUCCESSFUL if (result.state == RunState.DEADLOCK).any() else EXIT_OK


def _build_study(options: argparse.Namespace) -> tuple[Study, list[str]]:
    """The study, and which of its metrics are told; every fault of it at once, in the call's words."""
    from engine.studies.measures import COMPARED
    from engine.studies.study import Study

    plain, is_study = _read_plain(options.scenario)
    shown_metrics = list(
        dict.fromkeys(options.metric or (plain["metrics"][:1] if is_study else COMPARED[:1]))
    )
    if options.scheduler:
        plain["schedulers"] = options.scheduler
    if options.vary:
        plain["vary"] = [_parse_vary(plain, text) for text in options.vary]
    if options.jitter is not None:
        plain["jitter"] = _number_option("--jitter", options.jitter)
    plain["metrics"] = list(dict.fromkeys([*shown_metrics, *plain.get("metrics", COMPARED)]))
    seeds = _integer_option("--seeds", options.seeds) if options.seeds is not None else plain.get("seeds")
    try:
        study = Study.of({**plain, "seeds": seeds or 1})
        return (study if seeds or not study.is_random else Study.of({**plain, "seeds": SEEDS})), shown_metrics
    except ScenarioError as error:
        raise ScenarioError([_name_option(fault, options) for fault in error.faults]) from None


def _read_plain(path: str) -> tuple[dict[str, Any], bool]:
    """A study's JSON values, checked, and whether the file is a study; a scenario makes one without seeds."""
    from engine.scenario.model import Scenario
    from engine.studies.study import VERSION, Study

    with open_input(path) as stream:
        text = stream.read()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None  # which the scenario's reader says better
    if isinstance(data, dict) and "scenario" in data:
        return Study.read(text).plain(), True
    return {"version": VERSION, "scenario": Scenario.read(text).plain()}, False


def _parse_vary(plain: dict[str, Any], text: str) -> dict[str, Any]:
    """One parameter as a study file has it; CallError where the text says none."""
    from engine.experiments.ranges import step_between

    path, sign, values_text = text.partition("=")
    path, ends = path.strip(), values_text.split(":")
    if not sign or not path or not values_text.strip() or len(ends) > 3:
        raise CallError(
            msg(
                "commands.study_commands.vary_must_be_parameter_range_range",
                text=text[:80],
                range=RANGE,
                example=EXAMPLE,
            )
        )
    if len(ends) == 1:
        return {"path": path, "values": [_parse_value(part) for part in values_text.split(",")]}
    numbers = [_number_option(f"--vary {path[:80]}", part) for part in ends]
    first, last = numbers[:2]
    if first > last or min(numbers[2:], default=1) <= 0:
        raise CallError(msg("commands.study_commands.vary_must_go_from_smaller_to", text=text[:80]))
    if len(numbers) == 2:
        is_whole, unit = _unit_of(plain, path, numbers)
        numbers.append(step_between(first, last, is_integer=is_whole, unit=unit))
    return {"path": path, "first": first, "last": last, "step": numbers[2]}


def _unit_of(plain: dict[str, Any], path: str, numbers: list[float]) -> tuple[bool, str]:
    """Whether a parameter is a whole number, and its unit."""
    from engine.errors import GantryError
    from engine.experiments.parameters import tunables
    from engine.scenario.model import Scenario

    try:
        parameters = {
            item.path: item
            for item in tunables(Scenario.of(plain["scenario"]), plain.get("schedulers", ["fair"]))
        }
    except GantryError:
        parameters = {}  # the study says what is wrong
    return (
        (parameters[path].whole, parameters[path].unit)
        if path in parameters
        else (all(isinstance(item, int) for item in numbers), "")
    )


def _parse_value(text: str) -> float | str:
    """A number, or else a choice."""
    try:
        return _parse_number(text)
    except ValueError:
        return text.strip()


def _parse_number(text: str) -> float:
    text = text.strip()
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else float(text)


def _number_option(option: str, text: str) -> float:
    try:
        number = _parse_number(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise CallError(msg("commands.study_commands.must_be_number", option=option, strip=text.strip()[:80]))
    return number


def _integer_option(option: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not int(text):
        raise CallError(
            msg("commands.study_commands.must_be_whole_number_from_on", option=option, text=text[:80])
        )
    return int(text)


def _name_option(fault: Fault, options: argparse.Namespace) -> Fault:
    """A fault of what was given as an option is told of the option."""
    match = re.match(r"(\w*)(?:\[(\d+)\])?", fault.path)
    assert match is not None  # every text begins so
    field, index = match.groups()
    given_values = {
        "vary": options.vary,
        "schedulers": options.scheduler,
        "metrics": options.metric,
        "seeds": options.seeds,
        "jitter": options.jitter,
    }
    option = {
        "vary": "--vary",
        "schedulers": "--scheduler",
        "metrics": "--metric",
        "seeds": "--seeds",
        "jitter": "--jitter",
    }
    if not given_values.get(field):
        return fault
    value = given_values[field][int(index)] if index and isinstance(given_values[field], list) else ""
    return Fault(
        f"{option[field]} {value.partition('=')[0] if field == 'vary' else value}".strip()[:200],
        fault.message,
    )


def _check_files(options: argparse.Namespace) -> None:
    """CallError for what can't be written, before a long study; MissingDependency for what needs an extra
    that is not there.
    """
    from engine.output.study_figure import require_matplotlib
    from engine.output.study_files import require_pyarrow

    paths = [
        path
        for path in (options.study, options.csv, options.parquet, *(options.figure or []))
        if path is not None
    ]
    if options.json and paths:
        raise CallError(msg("commands.study_commands.json_prints_to_standard_output_cant"))
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise CallError(msg("commands.study_commands.each_file_must_have_name_its"))
    for path in options.figure or []:
        if Path(path).suffix.lower() not in FIGURES:
            raise CallError(msg("commands.study_commands.figure_must_end_in_svg_or", path=path[:200]))
    for path in paths:
        if path == STANDARD or Path(path).is_dir():
            raise CallError(msg("commands.study_commands.cant_be_written_must_be_file", path=path))
        check_folder(Path(path).parent)
    if options.parquet:
        require_pyarrow()
    if options.figure:
        require_matplotlib()


def _output_files(options: argparse.Namespace, result: StudyResult, metrics: list[str]) -> dict[Path, Any]:
    """What is to be written."""
    from engine.output.study_figure import NARROW_IN, WIDE_IN, study_figure
    from engine.output.study_files import study_csv, study_parquet

    files: dict[Path, Any] = {}
    if options.study:
        files[Path(options.study)] = [result.study.json()]
    if options.csv:
        files[Path(options.csv)] = study_csv(result)
    if options.parquet:
        files[Path(options.parquet)] = study_parquet(result)
    for path in options.figure or []:
        files[Path(path)] = study_figure(
            result, metrics[0], Path(path).suffix[1:].lower(), WIDE_IN if options.wide else NARROW_IN
        )
    return files


def _run(study: Study, processes: int | None, cluster: str | None) -> StudyResult:
    """Every run, with how far they are on a terminal."""
    from engine import jit
    from engine.studies.run_study import run_study
    from engine.studies.runners import make_runner

    runner = make_runner(processes, cluster)
    with closing(runner), progress_bar() as bar:
        if not jit.was_compiled():
            jit.announce(jit.KERNEL_NAME, msg("commands.study_commands.simulator"), jit.KERNEL_S)

        def show(result: StudyResult, done: int) -> None:
            text = msg("commands.study_commands.runs", done=done, runs=study.runs)
            bar.show(text, done, study.runs)

        return run_study(study, runner, show)
