"""sweep: many runs of a scenario, and how sure one is of what they say."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.commands.streams import DONE, STANDARD, STUCK, CallError, check_folder, opened, print_out, tell, write
from engine.errors import Fault, ScenarioError

if TYPE_CHECKING:
    from engine.studies.result import StudyResult
    from engine.studies.study import Study

SEEDS = 30
FIGURES = (".svg", ".pdf")
TELL_S = 0.2  # between two lines of progress
RANGE = "a,b,c or first:last:step or first:last"
EXAMPLE = "such as jobs[*].slowstart=0.05,0.8 or cluster.nodes.total=4:16:2"


def add_sweep(parser: argparse.ArgumentParser) -> None:
    """The arguments of sweep."""
    parser.add_argument("scenario", metavar="SCENARIO", help="a scenario or a study file, - for standard input; what is given replaces what a study says")
    parser.add_argument("--vary", metavar="PARAMETER=RANGE", action="append", help=f"{RANGE}, {EXAMPLE}; twice for two parameters")
    parser.add_argument(
        "--scheduler", metavar="NAME", action="append", help="by its name, as for run; may be repeated, the others are compared to the first; default: fair"
    )
    parser.add_argument("--seeds", metavar="N", help=f"how many, from the scenario's own on; default: {SEEDS}, 1 where nothing is drawn")
    parser.add_argument("--jitter", metavar="CV", help="coefficient of variation that durations are given which have none; default: 0")
    told = "what is told, such as mean_wait_s or worst_queue_p95_turnaround_s; may be repeated; default: makespan_s; files hold all that are compared"
    parser.add_argument("--metric", metavar="KEY", action="append", help=told)
    parser.add_argument("--processes", metavar="N", help="that run it; default: one a core")
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler, such as tcp://host:8786, whose workers run it; needs gantry[cluster]")
    parser.add_argument("--study", metavar="FILE", help="write the study itself as JSON, which sweep reads again")
    parser.add_argument("--csv", metavar="FILE", help="write a row a run")
    parser.add_argument("--parquet", metavar="FILE", help="the same as Parquet, with the study in its metadata; needs gantry[parquet]")
    parser.add_argument("--figure", metavar="FILE", action="append", help="draw the first metric for print, .svg or .pdf; may be repeated; needs gantry[print]")
    parser.add_argument("--wide", action="store_true", help="draw it 7 in wide, over two columns, instead of 3.4 in")
    parser.add_argument("--json", action="store_true", help="print the study, means, intervals, differences and winners as JSON")


def sweep(chosen: argparse.Namespace) -> int:
    """Runs a study, prints it and writes its files; STUCK where a run ends in a deadlock."""
    from engine.output.study_numbers import study_plain
    from engine.output.study_table import study_table
    from engine.studies.batches import DEADLOCK

    processes = _whole("--processes", chosen.processes) if chosen.processes else None
    _check_files(chosen)
    study, told = _asked(chosen)
    found = _run(study, processes, chosen.cluster)
    if files := _files(chosen, found, told):
        write(files)
    if chosen.json:
        print_out([json.dumps(study_plain(found), ensure_ascii=False, indent=1) + "\n"])
    else:
        print_out([study_table(found, told, shutil.get_terminal_size((100, 24)).columns)])
    return STUCK if (found.state == DEADLOCK).any() else DONE


def _asked(chosen: argparse.Namespace) -> tuple[Study, list[str]]:
    """The study, and which of its metrics are told; every fault of it at once, in the call's words."""
    from engine.studies.measures import COMPARED
    from engine.studies.study import Study

    plain, is_study = _read(chosen.scenario)
    told = list(dict.fromkeys(chosen.metric or (plain["metrics"][:1] if is_study else COMPARED[:1])))
    if chosen.scheduler:
        plain["schedulers"] = chosen.scheduler
    if chosen.vary:
        plain["vary"] = [_varied(plain, text) for text in chosen.vary]
    if chosen.jitter is not None:
        plain["jitter"] = _number("--jitter", chosen.jitter)
    plain["metrics"] = list(dict.fromkeys([*told, *plain.get("metrics", COMPARED)]))
    seeds = _whole("--seeds", chosen.seeds) if chosen.seeds is not None else plain.get("seeds")
    try:
        found = Study.of({**plain, "seeds": seeds or 1})
        return (found if seeds or not found.is_random else Study.of({**plain, "seeds": SEEDS})), told
    except ScenarioError as error:
        raise ScenarioError([_in_the_call(fault, chosen) for fault in error.faults]) from None


def _read(path: str) -> tuple[dict[str, Any], bool]:
    """A study's JSON values, checked, and whether the file is a study; a scenario makes one without seeds."""
    from engine.scenario.model import Scenario
    from engine.studies.study import VERSION, Study

    with opened(path) as stream:
        text = stream.read()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None  # which the scenario's reader says better
    if isinstance(data, dict) and "scenario" in data:
        return Study.read(text).plain(), True
    return {"version": VERSION, "scenario": Scenario.read(text).plain()}, False


def _varied(plain: dict[str, Any], text: str) -> dict[str, Any]:
    """One parameter as a study file has it; CallError where the text says none."""
    from engine.experiments.ranges import step_between

    path, sign, of = text.partition("=")
    path, ends = path.strip(), of.split(":")
    if not sign or not path or not of.strip() or len(ends) > 3:
        raise CallError(f"--vary {text[:80]!r} must be PARAMETER=RANGE, a range being {RANGE}, {EXAMPLE}")
    if len(ends) == 1:
        return {"path": path, "values": [_value(one) for one in of.split(",")]}
    numbers = [_number(f"--vary {path[:80]}", one) for one in ends]
    first, last = numbers[:2]
    if first > last or min(numbers[2:], default=1) <= 0:
        raise CallError(f"--vary {text[:80]!r} must go from the smaller to the larger number, in steps above 0")
    if len(numbers) == 2:
        whole, unit = _kind(plain, path, numbers)
        numbers.append(step_between(first, last, whole=whole, unit=unit))
    return {"path": path, "first": first, "last": last, "step": numbers[2]}


def _kind(plain: dict[str, Any], path: str, numbers: list[float]) -> tuple[bool, str]:
    """Whether a parameter is a whole number, and its unit."""
    from engine.errors import GantryError
    from engine.experiments.parameters import tunables
    from engine.scenario.model import Scenario

    try:
        known = {one.path: one for one in tunables(Scenario.of(plain["scenario"]), plain.get("schedulers", ["fair"]))}
    except GantryError:
        known = {}  # the study says what is wrong
    return (known[path].whole, known[path].unit) if path in known else (all(isinstance(one, int) for one in numbers), "")


def _value(text: str) -> float | str:
    """A number, or else a choice."""
    try:
        return _finite(text)
    except ValueError:
        return text.strip()


def _finite(text: str) -> float:
    text = text.strip()
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,15}", text) else float(text)


def _number(option: str, text: str) -> float:
    try:
        found = _finite(text)
    except ValueError:
        found = float("nan")
    if not abs(found) < float("inf"):
        raise CallError(f"{option}: {text.strip()[:80]!r} must be a number")
    return found


def _whole(option: str, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()) or not int(text):
        raise CallError(f"{option}: {text[:80]!r} must be a whole number from 1 on")
    return int(text)


def _in_the_call(fault: Fault, chosen: argparse.Namespace) -> Fault:
    """A fault of what was given as an option is told of the option."""
    field, place = re.match(r"(\w*)(?:\[(\d+)\])?", fault.path).groups()
    given = {"vary": chosen.vary, "schedulers": chosen.scheduler, "metrics": chosen.metric, "seeds": chosen.seeds, "jitter": chosen.jitter}
    option = {"vary": "--vary", "schedulers": "--scheduler", "metrics": "--metric", "seeds": "--seeds", "jitter": "--jitter"}
    if not given.get(field):
        return fault
    of = given[field][int(place)] if place and isinstance(given[field], list) else ""
    return Fault(f"{option[field]} {of.partition('=')[0] if field == 'vary' else of}".strip()[:200], fault.message)


def _check_files(chosen: argparse.Namespace) -> None:
    """CallError for what can't be written, before a long study; NotInstalled for what needs an extra that is not there."""
    from engine.output.study_figure import needs_matplotlib
    from engine.output.study_files import needs_pyarrow

    paths = [path for path in (chosen.study, chosen.csv, chosen.parquet, *(chosen.figure or [])) if path is not None]
    if chosen.json and paths:
        raise CallError("--json prints to standard output: it can't be given with --study, --csv, --parquet or --figure")
    if len({Path(path).resolve() for path in paths}) < len(paths):
        raise CallError("each file must have a name of its own")
    for path in chosen.figure or []:
        if Path(path).suffix.lower() not in FIGURES:
            raise CallError(f"--figure {path[:200]!r} must end in .svg or .pdf")
    for path in paths:
        if path == STANDARD or Path(path).is_dir():
            raise CallError(f"{path}: can't be written: it must be a file")
        check_folder(Path(path).parent)
    if chosen.parquet:
        needs_pyarrow()
    if chosen.figure:
        needs_matplotlib()


def _files(chosen: argparse.Namespace, found: StudyResult, told: list[str]) -> dict[Path, Any]:
    """What is to be written."""
    from engine.output.study_figure import NARROW_IN, WIDE_IN, study_figure
    from engine.output.study_files import study_csv, study_parquet

    files: dict[Path, Any] = {}
    if chosen.study:
        files[Path(chosen.study)] = [found.study.json()]
    if chosen.csv:
        files[Path(chosen.csv)] = study_csv(found)
    if chosen.parquet:
        files[Path(chosen.parquet)] = study_parquet(found)
    for path in chosen.figure or []:
        files[Path(path)] = study_figure(found, told[0], Path(path).suffix[1:].lower(), WIDE_IN if chosen.wide else NARROW_IN)
    return files


def _run(study: Study, processes: int | None, cluster: str | None) -> StudyResult:
    """Every run, with the time left on a terminal's standard error."""
    from engine import jit
    from engine.studies.run_study import run_study
    from engine.studies.runners import runner_for

    jit.report = tell
    if not jit.was_compiled():
        jit.announce(jit.KERNEL, "the simulator", jit.KERNEL_S)
    runner = runner_for(processes, cluster)
    progress = _Progress(study.runs) if sys.stderr.isatty() else None
    try:
        return run_study(study, runner, progress.tell if progress else lambda found, done: None)
    finally:
        runner.close()
        if progress:
            progress.end()


class _Progress:
    """One line that is written over: how many runs are done and how long the rest takes about."""

    def __init__(self, runs: int) -> None:
        self.runs, self.began, self.told, self.first = runs, time.monotonic(), 0.0, 0
        self._line(f"0 of {runs:,} runs")

    def tell(self, found: StudyResult, done: int) -> None:
        now = time.monotonic()
        if not self.first:  # from here on nothing is compiled or started any more
            self.first, self.began = done, now
        if now - self.told < TELL_S and done < self.runs:
            return
        self.told = now
        left = (now - self.began) / (done - self.first) * (self.runs - done) if done > self.first else None
        text = f"{done:,} of {self.runs:,} runs" + (f", about {left:,.0f} s left" if left is not None and done < self.runs else "")
        self._line(text)

    def end(self) -> None:
        self._line("")

    def _line(self, text: str) -> None:
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
