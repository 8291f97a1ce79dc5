"""The command line: run, schedulers, check, convert, explain, regret, bound, replay, what-if, sweep, search and papers.

Each command imports what it needs, because importing all of it takes longer than a small run.
Exit codes: 0 done; 1 a run ended in a deadlock, or a search found nothing feasible; 2 the input or the call is wrong: one line a fault on
standard error, nothing written.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from engine.commands.streams import DONE, INTERRUPTED, STANDARD, STUCK, WRONG, CallError, check_folder, opened, print_out, reason, tell, together, write
from engine.errors import GantryError

if TYPE_CHECKING:
    from engine.scenario.model import Scenario
    from engine.schedulers.names import Scheduler
    from engine.simulation.run import Run


def main(arguments: list[str] | None = None) -> int:
    """Does what the arguments (default: the process's) say; returns the exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        chosen = _parser(arguments).parse_args(arguments)
        code = chosen.command(chosen)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is still buffered can't be written either
        fault = f"standard output can't be written: {reason(error)}"
    except MemoryError:
        fault = "not enough memory: fewer containers, or fewer schedulers at a time, need less"
    except GantryError as error:
        fault = str(error)
    print(fault, file=sys.stderr)
    return WRONG


def _run(chosen: argparse.Namespace) -> int:
    from engine.output.contract import csv_tables, json_text
    from engine.output.hadoop_files import kept_scheduler
    from engine.schedulers.names import parse

    folder = Path(chosen.csv) if chosen.csv is not None else None
    scenario, schedulers = _all_of(chosen.scenario, chosen.scheduler or [], folder)
    schedulers = sorted(schedulers or [parse(kept_scheduler(scenario) or "fair")], key=lambda one: not one.is_measured)
    runs = _runs(scenario, schedulers)
    if folder:
        write({folder / name: text for name, text in csv_tables(runs).items()})
    else:
        print_out(json_text(scenario, runs) if chosen.json else _for_people(scenario, runs))
    return STUCK if any(run.status == "deadlock" for run in runs) else DONE


def _for_people(scenario: Scenario, runs: list[Run]) -> list[str]:
    """The table, and below it how far the runs are above what no scheduler can beat."""
    from engine.analysis.metrics import summary
    from engine.bounds.bound_words import run_notes
    from engine.output.table import table

    notes = run_notes(scenario, runs, [summary(run) for run in runs])
    return [table(scenario, runs, shutil.get_terminal_size((100, 24)).columns), *(["\n"] if notes else []), *(f"{note}\n" for note in notes)]


def _runs(scenario: Scenario, schedulers: list[Scheduler]) -> list[Run]:
    """A run a scheduler, in their order; what has to be compiled for them is announced on standard error."""
    from engine import jit
    from engine.simulation.simulate import simulate

    jit.report = tell
    if len(schedulers) == 1:
        return [simulate(scenario, schedulers[0])]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda scheduler: simulate(scenario, scheduler), schedulers))


def _schedulers(chosen: argparse.Namespace) -> int:
    from engine.output.parts import parts_json, parts_text

    print_out([parts_json() if chosen.json else parts_text()])
    return DONE


def _check(chosen: argparse.Namespace) -> int:
    scenario = _scenario(chosen.scenario)
    print_out([f"{scenario.name or 'The scenario'}: nothing is wrong\n"])
    return DONE


def _convert(chosen: argparse.Namespace) -> int:
    from engine.output.hadoop_files import kept_scheduler, written
    from engine.output.workloads.workload_files import WORKLOADS, workload_text
    from engine.scenario.formats.assumptions import Notes

    imported = together([*chosen.file, *([chosen.nodes] if chosen.nodes else [])], chosen.kind)
    notes = Notes()
    if chosen.to == "scenario":
        text = [imported.scenario.json()]
    elif chosen.to in WORKLOADS:
        text = workload_text(imported.scenario, chosen.to, notes)
    else:
        text = [written(imported.scenario, chosen.scheduler or kept_scheduler(imported.scenario) or "fair", chosen.to)]
    if chosen.out == STANDARD:
        print_out(text)
    else:
        write({Path(chosen.out): text})
    for word, sentences in (("assumed", imported.assumed), ("lost", notes.sentences())):
        for sentence in sentences:
            print(f"{word}: {sentence}", file=sys.stderr)
    return DONE


def _explain(chosen: argparse.Namespace) -> int:
    from engine.explanation.explain import explain
    from engine.output.decision import decision_text

    scenario, (scheduler,) = _all_of(chosen.scenario, [chosen.scheduler], None)
    (run,) = _runs(scenario, [scheduler])
    found = explain(run, scheduler, chosen.container)
    print_out([json.dumps(found, ensure_ascii=False, indent=1) + "\n" if chosen.json else decision_text(found)])
    return DONE


def _regret(chosen: argparse.Namespace) -> int:
    from engine.commands.regret_command import regret

    return regret(chosen)


def _bound(chosen: argparse.Namespace) -> int:
    from engine.commands.bound_command import bound

    return bound(chosen)


def _replay(chosen: argparse.Namespace) -> int:
    from engine.commands.prediction_commands import replay

    return replay(chosen)


def _what_if(chosen: argparse.Namespace) -> int:
    from engine.commands.prediction_commands import what_if

    return what_if(chosen)


def _sweep(chosen: argparse.Namespace) -> int:
    from engine.commands.study_commands import sweep

    return sweep(chosen)


def _search(chosen: argparse.Namespace) -> int:
    from engine.commands.search_commands import search

    return search(chosen)


def _papers(chosen: argparse.Namespace) -> int:
    from engine import jit
    from engine.papers import Result, reproduce_all, result_text, results_json, verdict_table
    from engine.papers.baseline import record

    jit.report = tell
    names = _experiments(chosen.id)
    if len(names) > 1 and not jit.was_compiled():
        jit.announce(jit.KERNEL, "the simulator for every order", jit.ALL_S)
    count = 0

    def ended(name: str) -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            print(f"{count} of {len(names)}: {name}", file=sys.stderr)

    found: dict[str, Result] = {}
    for name, result in reproduce_all(names, ended):
        found[name] = result
        if not chosen.json:
            print_out([result_text(name, result)])
    print_out([results_json(found) if chosen.json else verdict_table({name: record(one) for name, one in found.items()})])
    return DONE


def _experiments(asked: str | None) -> list[str]:
    """The names of the experiments that an ID means: a paper's, one alone, or all of them; CallError where there is none."""
    from engine.papers import PAPERS, paper_experiments

    names = [name for name in paper_experiments() if asked in (None, name, name.partition("/")[0])]
    if not names:
        from difflib import get_close_matches

        close = get_close_matches(asked.lower(), [*paper_experiments(), *(paper.key for paper in PAPERS)], 1)
        hint = f", did you mean {close[0]}?" if close else f"; papers are {', '.join(paper.key for paper in PAPERS)}"
        raise CallError(f"papers: there is no experiment {asked[:80]!r}{hint}")
    return names


def _all_of(path: str, names: list[str], folder: Path | None) -> tuple[Scenario, list[Scheduler]]:
    """The scenario and the schedulers, or every fault of theirs and of the folder at once."""
    from engine.schedulers.names import parse

    faults, found = [], []
    asked = [lambda: _scenario(path), *(lambda name=name: parse(name, files=True) for name in names)]
    if folder:
        asked.append(lambda: check_folder(folder))
    for question in asked:
        try:
            found.append(question())
        except GantryError as error:
            faults.append(str(error))
    if faults:
        raise CallError("\n".join(faults))
    return found[0], found[1 : 1 + len(names)]


def _scenario(path: str) -> Scenario:
    from engine.scenario.model import Scenario

    with opened(path) as stream:
        return Scenario.read(stream.read())


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise CallError(f"{message}; {self.prog} --help says what can be given")


def _parser(arguments: list[str]) -> _Parser:
    """Of every command, but what can be converted is looked up for that command alone."""
    parser = _Parser(prog="python -m engine", description="Runs a batch of MapReduce jobs on a YARN cluster under any scheduler.", allow_abbrev=False)
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    def add(name: str, command: object, help: str) -> argparse.ArgumentParser:
        found = commands.add_parser(name, help=help, description=help, allow_abbrev=False)
        found.set_defaults(command=command)
        return found

    run = add("run", _run, "run a scenario and print what is measured; exit code 1 when a run ends in a deadlock")
    run.add_argument("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    named = "such as fair, or fifo(resources=memory)+slowstart(at=0.8), or the path of a Python file; may be repeated; default: its configuration's, else fair"
    run.add_argument("--scheduler", metavar="NAME", action="append", help=named)
    output = run.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the result as JSON")
    output.add_argument("--csv", metavar="DIR", help="write runs.csv, jobs.csv and containers.csv into this folder")
    schedulers = add("schedulers", _schedulers, "list every part of a scheduler with its parameters, defaults and source")
    schedulers.add_argument("--json", action="store_true", help="print them as JSON")
    check = add("check", _check, "say what is wrong with a scenario, one line a fault with its JSON path")
    check.add_argument("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    convert = add("convert", _convert, "turn a file of another tool into a scenario; what it does not say is assumed, and reported on standard error")
    if "convert" in arguments:
        _add_convert(convert)
    why = add("explain", _explain, "say why a container was placed there and then: what else fitted, and what decided")
    why.add_argument("scenario", metavar="SCENARIO", help="a scenario file, - for standard input")
    why.add_argument("--scheduler", metavar="NAME", required=True, help="as for run")
    why.add_argument("--container", metavar="JOB/STAGE/KIND/INDEX[/ATTEMPT]", required=True, help="kind: am, map or reduce; without ATTEMPT the last one")
    why.add_argument("--json", action="store_true", help="print the decision as JSON")
    regretted = add("regret", _regret, "list the decisions of a run that cost its makespan most, each with what it would be had another job been served")
    if "regret" in arguments:
        from engine.commands.regret_command import add_regret

        add_regret(regretted)
    bounded = add("bound", _bound, "say what no scheduler can beat, and how far above it schedulers are")
    if "bound" in arguments:
        from engine.commands.bound_command import add_bound

        add_bound(bounded)
    replayed = add("replay", _replay, "set what a cluster's history recorded beside its simulation, job by job, and say how well the rest is predicted")
    asked = add("what-if", _what_if, "ask what a change would give, with a band around each time where a cluster's record goes with the scenario")
    if {"replay", "what-if"} & set(arguments):
        from engine.commands.prediction_commands import add_replay, add_what_if

        add_replay(replayed)
        add_what_if(asked)
    swept = add("sweep", _sweep, "run a scenario over ranges of its numbers, under several schedulers and many seeds, and say who is best and how sure that is")
    if "sweep" in arguments:
        from engine.commands.study_commands import add_sweep

        add_sweep(swept)
    sought = add("search", _search, "find the best setting of up to six numbers and choices by a metric or two, within constraints, and say how sure that is")
    if "search" in arguments:
        from engine.commands.search_commands import add_search

        add_search(sought)
    papers = add("papers", _papers, "run the experiments of the papers and compare their numbers with ours")
    papers.add_argument("id", metavar="ID", nargs="?", help="a paper, such as saf, or one of its experiments, such as dynamic-priority/table-1; default: all")
    papers.add_argument("--json", action="store_true", help="print the results as JSON")
    return parser


def _add_convert(convert: argparse.ArgumentParser) -> None:
    from engine.output.workloads.workload_files import WORKLOADS
    from engine.scenario.configuration.writing import KINDS
    from engine.scenario.formats.readers import READERS

    kinds = ("scenario", *KINDS, *WORKLOADS)
    several = "the file, gzip or plain, - for standard input; or a folder or archive of them; what belongs together makes one scenario"
    convert.add_argument("file", metavar="FILE", nargs="+", help=several)
    convert.add_argument("--from", dest="kind", metavar="KIND", choices=READERS, help=f"what the first is, else it is seen: {', '.join(READERS)}")
    convert.add_argument("--nodes", metavar="FILE", help="a nodes file of SLS or a topology of Rumen: the cluster")
    convert.add_argument(
        "--to", metavar="KIND", choices=kinds, default="scenario", help=f"what to write, {', '.join(kinds)}; what it can't hold is told; default: scenario"
    )
    convert.add_argument("--scheduler", metavar="NAME", help="under --to, whose settings are written; default: the configuration's, else fair")
    convert.add_argument("--out", metavar="FILE", default=STANDARD, help="where to write it; default: standard output")


if __name__ == "__main__":
    sys.exit(main())
