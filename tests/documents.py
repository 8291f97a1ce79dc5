"""`make docs`: writes the parts of the documents that follow from the code, each between its two marks.

A document may have text of its own around them. tests/test_documents.py fails when a part differs from the
code.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import engine
from engine.__main__ import main as command_line
from engine.analysis.metrics import METRICS
from engine.exercises.course import course
from engine.exercises.model import Exercise
from engine.output import result_format
from engine.run_records import Field, Record
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE
from engine.schedulers.policy import Parameter
from engine.schedulers.view import View
from engine.simulation.kernel.state import State
from webapp.api.openapi import OPERATIONS, summary
from webapp.settings import LIMITS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "engine" / "docs"
FOLDERS = (DOCS, ROOT / "webapp" / "docs")
PART = re.compile(r"(<!-- generated: ([\w-]+) -->\n)(.*?)(<!-- end of generated: \2 -->)", re.DOTALL)
RULE = re.compile(r"^### ([A-Z][A-Z-]*-\d+)\n\*\*(.*?)\*\*", re.MULTILINE | re.DOTALL)
COMMANDS = (
    "run",
    "schedulers",
    "check",
    "convert",
    "fs2cs",
    "explain",
    "diagnose",
    "regret",
    "bound",
    "replay",
    "what-if",
    "sweep",
    "search",
    "exercise",
    "papers",
    "completion",
)
TITLES = {"order": "Orders", "reduce start": "Reduce-start rules", "admission": "Admission rules"}
DISTRIBUTIONS = ("Spread", "Uniform", "Exponential", "Listed")
VARIABLE = re.compile(r"([A-Z]+(?:_[A-Z]+)*): (.*)", re.DOTALL)

# Variables that no function of webapp/settings.py explains in its first words.
VARIABLES = {
    "FORCE_COLOR": "Anything: the command line writes colours into pipes and files too.",
    "NO_COLOR": "Anything: the command line writes no colours.",
    "GANTRY_DATA": "folder of links and cached runs; empty: `gantry` in the user's data folder. It is made private",  # noqa: E501
    "GANTRY_CACHE_DIR": "folder of compiled code; empty: `gantry` in the user's cache folder",
    "GANTRY_BIND": "in place of the port: an address, or `unix:PATH`; read by gunicorn",
    "SECRET_KEY": "signs what the server hands out and keeps in its cache; empty: made once and kept in "
    "`GANTRY_DATA`. "
    "Machines that share a Redis need the same one",
    "NUMBA_DISABLE_JIT": "numba's own; 1: everything runs as plain Python",
    "NUMBA_BOUNDSCHECK": "numba's own; 1: compiled code checks every index",
}

FIELDS = {  # of the result
    "version": "of the format, 1",
    "engine": "version of Gantry",
    "scenario": (
        "SHA-256 of the canonical scenario: defaults filled in, keys sorted, no spaces, UTF-8, times as "
        "whole ms"
    ),
    "runs": "one object a scheduler, in the order in which they were asked for",
    "scheduler": "its full name",
    "status": "`finished`, `deadlock`, or `refused` where every job is",
    "stuck": "of a deadlock: `at_s`, the last start or end of a container, and `because`, one sentence; "
    "makespan, mean turnaround and "
    "unfinished times are then null, and utilization runs to `at_s`",
    "because": "where every job is refused, one sentence",
    "metrics": "an object with every metric by its key; [metrics.md](metrics.md)",
    "jobs": "one object a job, in job order",
    "containers": "one object a container, in the order of their start",
    "tasks": "where executors or containers of Tez ran any, one object a task's attempt, in the order of "
    "their start",
}
JOB_FIELDS = {
    "name": "of the job; copies are numbered",
    "arrival_s": "when it was submitted",
    "start_s": "start of its first container",
    "maps_end_s": "end of its last map, in the last iteration",
    "shuffle_end_s": "end of its last shuffle, in the last iteration",
    "finish_s": "end of its last task; of a failed job its failure",
    "outcome": "`finished`, `failed` or `refused`",
    "because": "of a refused job why, as Hadoop says it",
    "stages": "of an application of stages, where any task ran: `name`, `start_s` of the first task, "
    "`end_s` of the last; in no CSV",
}
CONTAINER_FIELDS = {
    "job": "name of its job",
    "stage": "iteration, from 1; of a task the number of its stage, of a container of Tez of the one that it "
    "was asked for",
    "kind": "`am`, `map`, `reduce`, `task`, which is one of a stage, or `executor`: one of Spark, or a "
    "container that Tez holds",
    "index": "of the task, from 0; of an executor in the order in which the job was given them, of a "
    "container of Tez those for its stage",
    "attempt": "of the task, from 1",
    "node": "name of its node",
    "requested_s": "when the request was made that it was served from (REQUEST-4)",
    "start_s": "when it was placed",
    "shuffle_end_s": "of a reduce, or a task whose stage comes after others: when it had fetched all",
    "end_s": "its real end; the scheduler sees it at the node's next beat (HEARTBEAT-3)",
    "outcome": "`finished`, `killed`, `failed`, `lost`, or `running` in a deadlock",
    "begin_s": "when its task began, after the launch (LAUNCH-1); of an executor when it registered "
    "(SPARK-4), of a container of Tez when it had been launched (TEZ-4)",
}
TASK_FIELDS = {
    "job": "name of its job",
    "executor": "the index of its executor, or of the container of Tez that it ran in",
    "slot": "of the executor, from 0; a container of Tez has one",
    "stage": "name of its stage",
    "index": "of the task in its stage, from 0",
    "attempt": "of the task, from 1",
    "node": "name of its node",
    "start_s": "when it began in its slot",
    "end_s": "when it ended",
    "outcome": "`finished`, `killed` or `lost` with its executor, or `running` in a deadlock",
    "executor_stage": "where Tez runs: the number of the stage that its container was asked for",
    "shuffle_end_s": "where Tez runs: of its tasks whose stages come after others when they had fetched all",
}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [
        heads,
        ["---"] * len(heads),
        *([cell.replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows),
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def rules(name: str) -> dict[str, str]:
    """The rules of a document of the reference: name -> title."""
    return dict(RULE.findall((DOCS / "reference" / name).read_text("utf-8")))


def rule_table(name: str) -> str:
    return table(
        ("name", "what it says"),
        ((f"[{rule}](#{rule.lower()})", title.rstrip(".")) for rule, title in rules(name).items()),
    )


def schedulers() -> str:
    """Every policy with its parameters, in the order of the catalogue."""
    parts = []
    for role, policies in CATALOGUE.items():
        parts.append(f"## {TITLES[role]}\n\n")
        for policy in policies.values():
            first = _first_sentence(policy.function.__module__)
            parts.append(f"### {policy.name}\n{policy.title}. {first}\n\nSource: {policy.source}.\n\n")
            if policy.parameters:
                cells = (
                    (f"`{one.name}`", _default(one), _values(one), one.meaning, one.source)
                    for one in policy.parameters
                )
                parts.append(table(("parameter", "default", "values", "meaning", "source"), cells) + "\n")
    return "".join(parts)


def _first_sentence(module: str) -> str:
    text = (
        ast.get_docstring(ast.parse(ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")))
        or ""
    )
    about = " ".join(text.split("\n\n")[0].split()).partition(": ")[2]
    return about[:1].upper() + about[1:]


def _default(one: Parameter) -> str:
    if one.default is None:
        return one.none_word or "not given"
    return one.default if isinstance(one.default, str) else _number(one.default)


def _values(one: Parameter) -> str:
    if one.choices:
        return ", ".join(one.choices)
    limits = [
        _number(one.low) if one.low > float("-inf") else "",
        _number(one.high) if one.high < float("inf") else "",
    ]
    span = (
        f"{limits[0]} to {limits[1]}"
        if all(limits)
        else f"at least {limits[0]}"
        if limits[0]
        else f"at most {limits[1]}"
        if limits[1]
        else "a number"
    )
    return span + (f", but {_number(one.excluded)}" if one.excluded is not None else "")


def fields(whole: type[BaseModel]) -> str:
    """Every field of a scenario, or an exercise, with its type, default, unit and help, a table an object."""
    schema = whole.model_json_schema()
    outcome, ahead = {}, [whole.__name__]
    while ahead:
        name = ahead.pop(0)
        if name in outcome or name in DISTRIBUTIONS:
            continue
        shape = schema if name == whole.__name__ else schema["$defs"][name]
        outcome[name] = shape
        ahead += re.findall(r"#/\$defs/(\w+)", repr(shape["properties"]))
    parts = []
    for name, shape in outcome.items():
        about = " ".join(shape.get("description", "").split("\n\n")[0].split())
        required = shape.get("required", [])
        rows = []
        for key, one in shape["properties"].items():
            default = "required" if key in required else _json(one.get("default"))
            rows.append((f"`{key}`", _type(one), default, one.get("unit", ""), one.get("description", "")))
        parts.append(
            f"## {name}\n{about}\n\n{table(('field', 'type', 'default', 'unit', 'meaning'), rows)}\n"
        )
    return "".join(parts)


def _json(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {None: "null", True: "true", False: "false"}[value]
    return _number(value) if isinstance(value, int | float) else f"`{json.dumps(value)}`"


def _number(value: float) -> str:
    return f"{int(value):,}" if value == int(value) else f"{value:g}"


def _type(one: dict[str, Any]) -> str:
    if "const" in one:
        return str(one["const"])
    if "enum" in one:
        return " or ".join(f"`{value}`" for value in one["enum"])
    if "$ref" in one:
        name = one["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if choices := one.get("anyOf") or one.get("oneOf"):
        names = dict.fromkeys(
            "a distribution" if choice.get("$ref", "").rpartition("/")[2] in DISTRIBUTIONS else _type(choice)
            for choice in choices
        )
        return " or ".join(names)
    if one["type"] == "array":
        most = f"at most {one['maxItems']} " if "maxItems" in one else ""
        return f"list of {most}{_type(one['items'])}"
    if one["type"] == "object":
        return "object"
    kind = {
        "integer": "whole number",
        "number": "number",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
    }[one["type"]]
    return kind + _limits(one)


def _limits(one: dict[str, Any]) -> str:
    low = max((one[key] for key in ("minimum", "ge") if key in one), default=None)
    high = min((one[key] for key in ("maximum", "le") if key in one), default=None)
    above = max((one[key] for key in ("exclusiveMinimum", "gt") if key in one), default=None)
    is_above = above is not None and (low is None or above >= low)
    words = [
        f"above {_number(above)}" if is_above else "",
        f"at least {_number(low)}" if low is not None and not is_above else "",
        f"at most {_number(high)}" if high is not None else "",
        f"at most {one['maxLength']:,} characters" if "maxLength" in one else "",
    ]
    return "".join(f", {word}" for word in words if word)


def view() -> str:
    """Every field of the View: its type, what it has entries for, its unit and meaning."""
    return fields_table(View.layout.fields)


def state() -> str:
    """The kernel's records: who writes each, and its fields."""
    parts = []
    for record in State.__bases__:
        if issubclass(record, Record):
            fields = {name: field for name, field in vars(record).items() if isinstance(field, Field)}
            path = record.__module__.replace(".", "/")
            about = _with_code(inspect.getdoc(record) or "", State.layout.fields)
            parts.append(f"## {record.__name__}\n`{path}.py`: {about}\n\n{fields_table(fields)}\n")
    return "\n".join(parts)


def fields_table(fields: Mapping[str, Field]) -> str:
    rows = [
        (_names(name, field), field.kind, _entries(field), field.unit, _with_code(field.meaning, fields))
        for name, field in fields.items()
    ]
    return table(("field", "type", "an entry for each", "unit", "what it holds"), rows)


def _names(name: str, field: Field) -> str:
    """A field's name, and how policies call the rows of amounts."""
    rows = ", ".join(f"`{row}`" for row in field.row_names)
    return f"`{name}`: {rows}" if rows else f"`{name}`"


def _entries(field: Field) -> str:
    of_resource = "resource" if field.is_amount else ""
    if field.size is None:
        return of_resource or "one number"
    per = field.size.per.replace("_", " ")
    per = per if field.size.times == 1 else f"{per}, {field.size.times}"
    return f"{of_resource}, {per}" if of_resource else per


def _with_code(text: str, fields: Collection[str]) -> str:
    """The text with the names of fields in it as code."""
    return re.sub(r"`?\b([a-z]+(_[a-z]+)+)\b`?", lambda at: f"`{at[1]}`" if at[1] in fields else at[0], text)


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of a command, which the command line makes when it is called."""
    made: list[argparse.ArgumentParser] = []

    def stop(self: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        made.append(self)
        raise SystemExit

    parse, argparse.ArgumentParser.parse_args = argparse.ArgumentParser.parse_args, stop
    try:
        command_line([name])
    except SystemExit:
        pass
    finally:
        argparse.ArgumentParser.parse_args = parse
    (commands,) = (action for action in made[0]._actions if isinstance(action, argparse._SubParsersAction))
    assert tuple(commands.choices) == COMMANDS, (
        f"COMMANDS of tests/documents.py are not those there are: {tuple(commands.choices)}"
    )
    return commands.choices[name]


def commands() -> str:
    """Every command with its arguments and options."""
    parts = []
    for name in COMMANDS:
        parser = command_parser(name)
        rows = [
            (f"`{_call(action)}`", (action.help or "").replace("%%", "%"))
            for action in parser._actions
            if action.dest != "help"
        ]
        about = parser.description or ""
        parts.append(
            f"## {name}\n{about[:1].upper()}{about[1:]}.\n\n{table(('argument', 'meaning'), rows)}\n"
        )
    return "".join(parts)


def _call(action: argparse.Action) -> str:
    value = (
        ""
        if action.nargs == 0
        else f" {action.metavar or action.dest.upper()}" + ("…" if action.nargs == "+" else "")
    )
    if action.option_strings:
        return " ".join(action.option_strings) + value
    return f"[{value.strip()}]" if action.nargs == "?" else value.strip()


def environment() -> str:
    """Every variable that the server and the engine read."""
    outcome = dict(VARIABLES)
    tree = ast.parse((ROOT / "webapp" / "settings.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and (match := VARIABLE.fullmatch(ast.get_docstring(node) or "")):
            outcome[match[1]] = " ".join(match[2].split())
    rows = []
    for name, about in sorted(outcome.items()):
        default = f"{LIMITS[name].default:,} {LIMITS[name].unit}" if name in LIMITS else ""
        if name == "GANTRY_WORKERS":
            default = "one process fewer than the cores"
        rows.append((f"`{name}`", default, f"{about[:1].upper()}{about[1:].rstrip('.')}."))
    return table(("name", "default", "what it sets"), rows)


def result() -> str:
    """Every field of the result; a KeyError where one has no description here."""
    columns = lambda keys, about: table(("field", "meaning"), ((f"`{key}`", about[key]) for key in keys))
    return "\n".join(
        (
            columns(FIELDS, FIELDS),
            "## A job\n\n" + columns((*result_format.JOBS, "stages"), JOB_FIELDS),
            "## A container\n\n" + columns(result_format.CONTAINERS, CONTAINER_FIELDS),
            "## A task of an executor\n\n" + columns(result_format.TASKS_OF_TEZ, TASK_FIELDS),
        )
    )


def metrics() -> str:
    better = {None: "", "smaller": "smaller", "larger": "larger"}
    return table(
        ("key", "title", "unit", "better", "what it is"),
        ((f"`{one.key}`", one.title, one.unit, better[one.better], one.formula) for one in METRICS),
    )


def public() -> str:
    """The public functions and classes of the engine with the first sentence of what they say, a table a
    folder.
    """
    folders: dict[str, list[tuple[str, str]]] = {}
    for name in engine.__all__:
        value = getattr(engine, name)
        if not (inspect.isfunction(value) or inspect.isclass(value)) or not value.__module__.startswith(
            "engine."
        ):
            continue
        about = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
        if about.startswith(f"{name}("):  # what a tuple says of itself
            about = ""
        arguments = f"({', '.join(inspect.signature(value).parameters)})" if inspect.isfunction(value) else ""
        folders.setdefault(value.__module__.split(".")[1], []).append((f"`{name}{arguments}`", about))
    return "\n".join(
        f"## {folder}\n\n{table(('name', 'what it is'), sorted(rows))}"
        for folder, rows in sorted(folders.items())
    )


def lessons() -> str:
    """The exercises of the course, lesson by lesson."""
    rows = [
        (f"{number}. {lesson.title}", one.title, _task_kind(one), one.learn)
        for number, lesson in enumerate(course(), 1)
        for one in lesson.exercises.values()
    ]
    return table(("lesson", "exercise", "task", "what a student learns"), rows)


def _task_kind(exercise: Exercise) -> str:
    """Such as "compute: fair share"."""
    task = exercise.task.model_dump()
    detail = task.get("ask") or task.get("quantity") or ("at the least cost" if task.get("cost") else "")
    return f"{task['kind']}: {detail}" if detail else task["kind"]


def api() -> str:
    """Every operation of the API with its answers."""
    rows = (
        (f"`{one.method} {one.rule}`", summary(one), ", ".join(map(str, one.answers))) for one in OPERATIONS
    )
    return table(("operation", "what it does", "answers"), rows)


PARTS: dict[str, Callable[[], str]] = {
    "api": api,
    "rules": lambda: rule_table("model.md"),
    "formulas": lambda: rule_table("formulas.md"),
    "schedulers": schedulers,
    "fields": lambda: fields(Scenario),
    "exercises": lambda: fields(Exercise),
    "lessons": lessons,
    "view": view,
    "state": state,
    "command-line": commands,
    "environment": environment,
    "result": result,
    "metrics": metrics,
    "public": public,
}


def generated() -> Iterator[tuple[Path, str, str]]:
    """Each document with a generated part: its path, its text, and its text as it should be."""
    for path in (path for folder in FOLDERS for path in sorted(folder.rglob("*.md"))):
        text = path.read_text("utf-8")
        if PART.search(text):
            yield (
                path,
                text,
                PART.sub(lambda match: f"{match[1]}\n{PARTS[match[2]]().strip()}\n\n{match[4]}", text),
            )


def main() -> None:
    for path, text, new in generated():
        if new != text:
            path.write_text(new, "utf-8")
            print(f"{path.relative_to(ROOT)} is written anew")


if __name__ == "__main__":
    main()
