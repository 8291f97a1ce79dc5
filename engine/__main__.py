"""The command line: run, schedulers, check, convert, fs2cs, explain, diagnose, regret, bound, replay,
what-if, sweep, search, exercise, papers and completion.

Each command imports what it needs, because importing all of it takes longer than a small run. Exit codes: 0
done; 1 a run ended in a deadlock, or a search found nothing feasible; 2 the input or the call is wrong: one
line a fault on standard error, nothing written.
"""

from __future__ import annotations

import argparse
import math
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from engine.commands.streams import (
    EXIT_INTERRUPTED,
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    EXIT_USAGE,
    STANDARD,
    CallError,
    check_folder,
    json_lines,
    open_input,
    print_out,
    read_inputs,
    read_scenario,
    replace_closed_streams,
    system_reason,
    tell_assumptions,
    write,
)
from engine.errors import GantryError
from engine.messages import msg
from engine.version import VERSION

if TYPE_CHECKING:
    from engine.scenario.model import Scenario
    from engine.schedulers.scheduler import Scheduler
    from engine.simulation.run import Run


COMPLETION, SHELLS = "completion", ("bash", "zsh", "fish")
PROG = "python -m engine"  # how the command line is called unless a caller says otherwise


class Program(NamedTuple):
    """A command of somebody else's: it is listed and completed among the others, and parses its arguments
    itself.
    """

    help: str
    main: Callable[[list[str]], int]  # arguments after the command's name -> exit code
    parser: Callable[[], argparse.ArgumentParser]


def main(
    arguments: list[str] | None = None, prog: str = PROG, programs: Mapping[str, Program] | None = None
) -> int:
    """Does what the arguments (default: the process's) say; returns the exit code.

    prog: how it was called, as texts say it; programs: by name, what else it has as commands.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    programs = programs or {}
    replace_closed_streams()
    try:
        if arguments and arguments[0] in programs:
            return programs[arguments[0]].main(arguments[1:])
        options = _parser(arguments, prog, programs).parse_args(arguments)
        code = options.command(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OSError as error:
        # what is still buffered can't be written either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        fault = msg("top.main.standard_output_cant_be_written", system_reason=system_reason(error))
    except MemoryError:
        fault = msg("top.main.not_enough_memory_fewer_containers_or")
    except GantryError as error:
        fault = str(error)
    from engine.commands.terminal import print_fault

    print_fault(fault)
    return EXIT_USAGE


def _run(options: argparse.Namespace) -> int:
    from engine.commands.terminal import print_table, progress_bar
    from engine.experiments.side_by_side import compare
    from engine.output.hadoop_files import configuration_scheduler
    from engine.output.result_format import csv_tables, json_text
    from engine.output.trace_files import trace_files
    from engine.schedulers.scheduler import parse

    folder = Path(options.csv) if options.csv is not None else None
    traces = Path(options.traces) if options.traces is not None else None
    scenario, schedulers = _load_all(options.scenario, options.scheduler or [], folder or traces)
    schedulers = sorted(
        schedulers or [parse(configuration_scheduler(scenario) or "fair")],
        key=lambda scheduler: not scheduler.is_measured,
    )
    with progress_bar():
        runs = compare(scenario, schedulers).runs
    if folder:
        write({folder / name: text for name, text in csv_tables(runs).items()})
    elif options.json:
        print_out(json_text(scenario, runs))
    elif traces:
        write({traces / name: text for name, text in trace_files(runs).items()})
    else:
        print_table(_result_table(scenario, runs))
    return EXIT_UNSUCCESSFUL if any(run.status == "deadlock" for run in runs) else EXIT_OK


def _result_table(scenario: Scenario, runs: Sequence[Run]) -> str:
    """The table, and below it how far the runs are above the lower bound, and what is not rounded."""
    from engine.analysis.metrics import summary
    from engine.bounds.bound_text import run_notes
    from engine.output.run_table import table
    from engine.simulation.unrounded import unrounded_note

    unrounded = unrounded_note(scenario)
    notes = [*run_notes(scenario, runs, [summary(run) for run in runs]), *([unrounded] if unrounded else [])]
    return "".join(
        [
            table(scenario, runs, shutil.get_terminal_size((100, 24)).columns),
            *(["\n"] if notes else []),
            *(f"{note}\n" for note in notes),
        ]
    )


def _schedulers(options: argparse.Namespace) -> int:
    from engine.output.scheduler_parts import parts_json, parts_text

    print_out([parts_json() if options.json else parts_text()])
    return EXIT_OK


def _check(options: argparse.Namespace) -> int:
    from engine.simulation.unrounded import unrounded_note

    scenario = read_scenario(options.scenario)
    note = unrounded_note(scenario)
    no_errors = msg("top.main.no_errors", value=scenario.name or "The scenario")
    print_out([no_errors, *([f"{note}\n"] if note else [])])
    return EXIT_OK


def _convert(options: argparse.Namespace) -> int:
    from engine.output.hadoop_files import configuration_scheduler, configuration_text
    from engine.output.scheduler_conf_update import SCHEDULER_CONF_UPDATES, scheduler_conf_text
    from engine.output.workloads.workload_files import WORKLOADS, workload_text
    from engine.scenario.formats.import_notes import Notes
    from engine.scenario.formats.time_window import Part
    from engine.schedulers.scheduler import parse

    files = [*options.file, *([options.nodes] if options.nodes else [])]
    imported = read_inputs(files, options.kind, Part(options.skip_jobs, options.since, options.until))
    notes = Notes()
    if options.to == "scenario":
        text: Iterable[str] = [imported.scenario.json()]
    elif options.to in WORKLOADS:
        text = workload_text(imported.scenario, options.to, notes)
    else:
        scheduler = parse(options.scheduler or configuration_scheduler(imported.scenario) or "fair")
        if options.to in SCHEDULER_CONF_UPDATES:
            text = [scheduler_conf_text(imported.scenario, scheduler, options.to, _against(options.against))]
        else:
            text = [configuration_text(imported.scenario, scheduler, options.to)]
    if options.out == STANDARD:
        print_out(text)
    else:
        write({Path(options.out): text})
    tell_assumptions(imported)
    for sentence in notes.sentences():
        print(f"lost: {sentence}", file=sys.stderr)
    return EXIT_OK


def _against(path: str | None) -> tuple[str, bytes] | None:
    """(name, bytes) of the configuration that changes are told from, None where none is named."""
    if path is None:
        return None
    with open_input(path) as stream:
        return Path(path).name, stream.read()


def _explain(options: argparse.Namespace) -> int:
    from engine.commands.terminal import progress_bar
    from engine.explanation.explain import explain
    from engine.output.hadoop_files import configuration_scheduler
    from engine.schedulers.scheduler import parse
    from engine.simulation.simulate import simulate

    scenario, named = _load_all(options.scenario, [options.scheduler] if options.scheduler else [], None)
    scheduler = named[0] if named else parse(configuration_scheduler(scenario) or "fair")
    with progress_bar():
        run = simulate(scenario, scheduler)
    decision = explain(run, scheduler, options.container)
    print_out([json_lines(decision) if options.json else f"{decision!r}\n"])
    return EXIT_OK


def _papers(options: argparse.Namespace) -> int:
    from engine import jit
    from engine.commands.terminal import progress_bar
    from engine.papers import Result, reproduce_all, result_text, results_json, summary_table

    names = _experiments(options.id)
    finished: list[str] = []
    results: dict[str, Result] = {}
    with progress_bar() as bar:
        if len(names) > 1 and not jit.was_compiled():
            jit.announce(jit.KERNEL_NAME, msg("top.main.simulator_for_every_order"), jit.ALL_S)

        def report_finished(name: str) -> None:
            finished.append(name)
            bar.show(name, len(finished), len(names))

        for name, result in reproduce_all(names, report_finished):
            results[name] = result
            if not options.json:
                bar.hide()
                print_out([result_text(name, result)])
                sys.stdout.flush()
    print_out(
        [
            results_json(results)
            if options.json
            else summary_table(
                {
                    name: [finding.states for finding in result.shown.findings]
                    for name, result in results.items()
                }
            )
        ]
    )
    return EXIT_OK


def _completion(options: argparse.Namespace) -> int:
    from engine.commands.completion import completion

    print_out([completion(options.parser, options.shell)])
    return EXIT_OK


def _experiments(experiment_id: str | None) -> list[str]:
    """The names of the experiments that an ID means: a paper's, one alone, or all of them; CallError where
    there is none.
    """
    from engine.papers import PAPERS, paper_experiments

    names = [name for name in paper_experiments() if experiment_id in (None, name, name.partition("/")[0])]
    if experiment_id and not names:
        from difflib import get_close_matches

        close = get_close_matches(
            experiment_id.lower(), [*paper_experiments(), *(paper.key for paper in PAPERS)], 1
        )
        hint = (
            msg("top.main.did_you_mean", close=close[0])
            if close
            else msg("top.main.papers", key=", ".join(paper.key for paper in PAPERS))
        )
        raise CallError(
            msg("top.main.papers_there_no_experiment", experiment_id=experiment_id[:80], hint=hint)
        )
    return names


def _load_all(path: str, names: list[str], folder: Path | None) -> tuple[Scenario, list[Scheduler]]:
    """The scenario and the schedulers, or every fault of theirs and of the folder at once."""
    from engine.schedulers.scheduler import parse

    faults, loaded = [], []
    loaders: list[Callable[[], Any]] = [
        lambda: read_scenario(path),
        *(lambda name=name: parse(name, files=True) for name in names),
    ]
    if folder:
        loaders.append(lambda: check_folder(folder))
    for load in loaders:
        try:
            loaded.append(load())
        except GantryError as error:
            faults.append(str(error))
    if faults:
        raise CallError("\n".join(faults))
    return loaded[0], loaded[1 : 1 + len(names)]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CallError(msg("top.main.help_lists_options", message=message, prog=self.prog))


def _parser(arguments: list[str], prog: str, programs: Mapping[str, Program]) -> _Parser:
    """Of every command; what takes long to look up is there only for the command that is called, and all of
    it for completion.
    """
    called = next((argument for argument in arguments if not argument.startswith("-")), None)

    whole = _Parser(
        prog=prog,
        description=msg("top.main.runs_batch_mapreduce_jobs_on_yarn"),
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"Gantry {VERSION}")
    commands: argparse._SubParsersAction[argparse.ArgumentParser] = whole.add_subparsers(
        title="commands", required=True, metavar="COMMAND", parser_class=_Parser
    )

    def add(name: str, help: str) -> argparse.ArgumentParser | None:
        """None where its arguments are not needed."""
        subparser = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        return subparser if called in (name, COMPLETION) else None

    if parser := add("run", msg("top.main.run_scenario_and_print_what_measured")):
        parser.set_defaults(command=_run)
        parser.add_argument(
            "scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input")
        )
        scheduler_help = msg("top.main.such_as_fair_or_fifo_resources")
        parser.add_argument("--scheduler", metavar="NAME", action="append", help=scheduler_help)
        output = parser.add_mutually_exclusive_group()
        output.add_argument("--json", action="store_true", help=msg("top.main.print_result_as_json"))
        output.add_argument("--csv", metavar="DIR", help=msg("top.main.write_runs_csv_jobs_csv_and"))
        output.add_argument("--traces", metavar="DIR", help=msg("top.main.write_traces_for_other_tools"))
    if parser := add("schedulers", msg("top.main.list_every_part_scheduler_with_its")):
        parser.set_defaults(command=_schedulers)
        parser.add_argument("--json", action="store_true", help=msg("shared.print_them_as_json"))
    if parser := add("check", msg("top.main.check_scenario_and_print_its_errors")):
        parser.set_defaults(command=_check)
        parser.add_argument(
            "scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input")
        )
    if parser := add("convert", msg("top.main.turn_file_another_tool_into_scenario")):
        _add_convert(parser)
    if parser := add("fs2cs", msg("top.main.convert_to_other_scheduler")):
        from engine.commands.fs2cs_command import add_fs2cs

        add_fs2cs(parser)
    if parser := add("explain", msg("top.main.say_why_container_was_placed_there")):
        parser.set_defaults(command=_explain)
        parser.add_argument(
            "scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input")
        )
        parser.add_argument("--scheduler", metavar="NAME", help=msg("top.main.as_for_run"))
        name, name_help = "JOB/STAGE/KIND/INDEX[/ATTEMPT]", msg("top.main.kind_am_map_or_reduce_without")
        parser.add_argument("--container", metavar=name, required=True, help=name_help)
        parser.add_argument("--json", action="store_true", help=msg("top.main.print_decision_as_json"))
    if parser := add("diagnose", msg("top.main.say_what_resourcemanagers_diagnostics_mean")):
        from engine.commands.diagnose_command import add_diagnose

        add_diagnose(parser)
    if parser := add("regret", msg("top.main.list_decisions_run_cost_its_makespan")):
        from engine.commands.regret_command import add_regret

        add_regret(parser)
    if parser := add("bound", msg("top.main.say_what_no_scheduler_can_beat")):
        from engine.commands.bound_command import add_bound

        add_bound(parser)
    if parser := add("replay", msg("top.main.compare_clusters_recorded_history_with_its")):
        from engine.commands.prediction_commands import add_replay

        add_replay(parser)
    if parser := add("what-if", msg("top.main.ask_what_change_would_give_with")):
        from engine.commands.prediction_commands import add_what_if

        add_what_if(parser)
    if parser := add("sweep", msg("top.main.run_scenario_over_ranges_its_numbers")):
        from engine.commands.study_commands import add_sweep

        add_sweep(parser)
    if parser := add("search", msg("top.main.find_best_setting_up_to_six")):
        from engine.commands.search_commands import add_search

        add_search(parser)
    if parser := add("exercise", msg("top.main.ask_exercise")):
        from engine.commands.exercise_command import add_exercise

        add_exercise(parser)
    if parser := add("papers", msg("top.main.run_experiments_papers_and_compare_their")):
        parser.set_defaults(command=_papers)
        parser.add_argument("id", metavar="ID", nargs="?", help=msg("top.main.paper_such_as_saf_or_one"))
        parser.add_argument("--json", action="store_true", help=msg("top.main.print_results_as_json"))
    if parser := add(COMPLETION, msg("top.main.print_completion")):
        parser.set_defaults(command=_completion, parser=whole)
        parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=msg("top.main.shell"))
    _add_programs(commands, programs, called == COMPLETION)
    return whole


def _add_programs(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    programs: Mapping[str, Program],
    with_arguments: bool,
) -> None:
    for name, program in programs.items():
        commands.add_parser(name, help=program.help)
        if with_arguments:
            commands.choices[name] = program.parser()


def _add_convert(convert: argparse.ArgumentParser) -> None:
    from engine.output.scheduler_conf_update import SCHEDULER_CONF_UPDATES
    from engine.output.workloads.workload_files import WORKLOADS
    from engine.scenario.configuration.configuration_writer import KINDS
    from engine.scenario.formats.readers import READERS

    convert.set_defaults(command=_convert)
    kinds = ("scenario", *KINDS, *SCHEDULER_CONF_UPDATES, *WORKLOADS)
    file_help = msg("top.main.file_gzip_or_plain_for_standard")
    convert.add_argument("file", metavar="FILE", nargs="+", help=file_help)
    convert.add_argument(
        "--from",
        dest="kind",
        metavar="KIND",
        choices=READERS,
        help=msg("top.main.format_first_file_detected_if_not", readers=", ".join(READERS)),
    )
    convert.add_argument(
        "--skip-jobs", metavar="N", type=_jobs, default=0, help=msg("top.main.jobs_to_leave_out_first")
    )
    convert.add_argument(
        "--since", metavar="SECONDS", type=float, default=0.0, help=msg("top.main.part_since")
    )
    convert.add_argument(
        "--until", metavar="SECONDS", type=float, default=math.inf, help=msg("top.main.part_until")
    )
    convert.add_argument("--nodes", metavar="FILE", help=msg("top.main.nodes_file_sls_or_topology_rumen"))
    convert.add_argument(
        "--to",
        metavar="KIND",
        choices=kinds,
        default="scenario",
        help=msg("top.main.what_to_write_what_cant_hold", kinds=", ".join(kinds)),
    )
    convert.add_argument(
        "--scheduler",
        metavar="NAME",
        help=msg("top.main.under_to_whose_settings_written_default"),
    )
    convert.add_argument("--against", metavar="FILE", help=msg("top.main.against"))
    convert.add_argument(
        "--out", metavar="FILE", default=STANDARD, help=msg("top.main.where_to_write_default_standard_output")
    )


def _jobs(text: str) -> int:
    """How many jobs; argparse tells what it raises."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(msg("top.main.must_be_whole_number", text=text))
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
