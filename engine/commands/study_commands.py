"""sweep: many runs of a scenario, and how sure one is of what they say."""

from __future__ import annotations

import argparse
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
    print_out,
    write,
)
from engine.commands.study_options import (
    RANGE,
    SEEDS,
    integer_option,
    number_option,
    parse_range,
    read_plain,
)
from engine.commands.terminal import print_table, progress_bar
from engine.errors import Fault, ScenarioError
from engine.messages import msg

if TYPE_CHECKING:
    from engine.studies.result import StudyResult
    from engine.studies.study import Study

FIGURES = (".svg", ".pdf")
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
        "--executors",
        metavar="APPLICATION[=RANGE]",
        help=msg("commands.executor_sweep.executors"),
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
    from engine.commands.executor_sweep import executor_sweep
    from engine.output.study_json import study_plain
    from engine.output.study_table import study_table

    processes = integer_option("--processes", options.processes) if options.processes else None
    _check_files(options)
    run = lambda study: _run(study, processes, options.cluster)
    if options.executors is not None:
        result, shown_metrics, plain, table = executor_sweep(options, run)
    else:
        study, shown_metrics = _build_study(options)
        result = run(study)
        plain = lambda: study_plain(result)
        width = shutil.get_terminal_size((100, 24)).columns
        table = lambda: study_table(result, shown_metrics, width)
    if files := _output_files(options, result, shown_metrics):
        write(files)
    if options.json:
        print_out([json_lines(plain())])
    else:
        print_table(table())
    return EXIT_UNSUCCESSFUL if (result.state == RunState.DEADLOCK).any() else EXIT_OK


def _build_study(options: argparse.Namespace) -> tuple[Study, list[str]]:
    """The study, and which of its metrics are told; every fault of it at once, in the call's words."""
    from engine.studies.measures import COMPARED
    from engine.studies.study import Study

    plain, is_study = read_plain(options.scenario)
    shown_metrics = list(
        dict.fromkeys(options.metric or (plain["metrics"][:1] if is_study else COMPARED[:1]))
    )
    if options.scheduler:
        plain["schedulers"] = options.scheduler
    if options.vary:
        plain["vary"] = [_parse_vary(plain, text) for text in options.vary]
    if options.jitter is not None:
        plain["jitter"] = number_option("--jitter", options.jitter)
    plain["metrics"] = list(dict.fromkeys([*shown_metrics, *plain.get("metrics", COMPARED)]))
    seeds = integer_option("--seeds", options.seeds) if options.seeds is not None else plain.get("seeds")
    try:
        study = Study.of({**plain, "seeds": seeds or 1})
        return (study if seeds or not study.is_random else Study.of({**plain, "seeds": SEEDS})), shown_metrics
    except ScenarioError as error:
        raise ScenarioError([_name_option(fault, options) for fault in error.faults]) from None


def _parse_vary(plain: dict[str, Any], text: str) -> dict[str, Any]:
    """One parameter as a study file has it; CallError where the text says none."""
    path, sign, values_text = text.partition("=")
    path = path.strip()
    wrong = msg(
        "commands.study_commands.vary_must_be_parameter_range_range",
        text=text[:80],
        range=RANGE,
        example=EXAMPLE,
    )
    if not sign or not path:
        raise CallError(wrong)
    return {"path": path} | parse_range(plain, path, values_text, f"--vary {path[:80]}", wrong)


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
