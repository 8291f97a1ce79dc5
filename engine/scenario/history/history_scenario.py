"""A cluster's history as a scenario with what was measured.

- arrival: submitTime less the earliest; maps last from their attempt's start to its finish, reduces from the end of their shuffle on, at least 1 ms; of
  several attempts that which finished counts. Sizes, slow start, speculation, priority: the job's _conf.xml, else Hadoop's defaults.
- the master's start-up: from the ResourceManager's launchTime less 0.05 s, else from its JVM's start, to its first ask, 1 s after JOB_INITED.
- nodes: those that ran something, those that the ResourceManager knows and those of a nodes file; equal ones on a rack are a group.
- applications without a history become jobs of maps that hold what they held, in the mean, for as long as they ran.
- every attempt stands in `measured`, also what failed, was killed or was a master.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.errors import FormatError, ScenarioError, TooLarge
from engine.scenario.configuration.site_table import CLASSES
from engine.scenario.field_types import MOST_COUNT
from engine.scenario.formats.assumptions import Notes
from engine.scenario.formats.batch import HEARTBEAT_MS, Imported
from engine.scenario.formats.nodes import Node
from engine.scenario.formats.unique_names import Names, label
from engine.scenario.history import clocks
from engine.scenario.history.hosts import Held, Hosts
from engine.scenario.history.job_run import LONGEST_MS, JobRun, job_run
from engine.scenario.history.others import others_of
from engine.scenario.history.record import record_of
from engine.scenario.history.records import History
from engine.scenario.history.recurring import groups
from engine.scenario.history.scheduler_answer import scheduler_answer
from engine.scenario.history.sizes import SLOWSTART_DEFAULT, largest, slowstart
from engine.scenario.history.stages import job_of
from engine.scenario.measured import fingerprint
from engine.scenario.model import VERSION, Scenario
from engine.scenario.queue_validation import DEFAULT_QUEUE

NODE = {"memory_mb": "yarn.nodemanager.resource.memory-mb", "vcores": "yarn.nodemanager.resource.cpu-vcores"}
SCHEDULER = "yarn.resourcemanager.scheduler.class"
LIMITS = {"minimum": "minimum-allocation", "increment": "increment-allocation", "maximum": "maximum-allocation"}


def made(history: History, nodes: set[Node] | None, title: str, most_tasks: int | None = None) -> Imported:
    """The scenario of a history, on the nodes it names and those of a nodes file. FormatError where nothing in it ran, TooLarge beyond `most_tasks`.

    The history's attempts are used up, as they take more memory than all else.
    """
    notes = Notes()
    _same_clock(history, notes)
    hosts = Hosts(history, nodes)
    runs = list(_runs(history, notes))
    runs.sort(key=lambda one: (one[0].arrival, one[0].job.id))
    if not runs:
        raise FormatError("the history holds no job that ran")
    tasks = sum(len(run.maps) + len(run.reduces) for run, _ in runs)
    if tasks > (MOST_COUNT if most_tasks is None else most_tasks):
        raise TooLarge(f"the history holds {tasks:,} tasks, at most {MOST_COUNT if most_tasks is None else most_tasks:,}")
    _check_span(runs)
    origin = runs[0][0].arrival
    names = Names()
    jobs = _jobs(runs, origin, names, notes)
    groups_, place = _nodes(history, hosts, runs, jobs, notes)
    runs_only = [run for run, _ in runs]
    others, ends = others_of(history, origin, groups_, names, notes)
    jobs += others
    answer = scheduler_answer(history.scheduler)
    _in_leaves(jobs, [queue["name"] for queue in answer.queues] if answer else [], notes)
    measured = record_of(runs_only, ends, place, sum(group["count"] for group in groups_), origin, notes)
    _tell_outcomes(runs_only, notes)
    cluster = {"nodes": groups_, "heartbeat_ms": HEARTBEAT_MS, "out_of_band_heartbeats": True, **_allocation(history, jobs)}
    cluster |= answer.cluster if answer else {}
    queues = answer.queues if answer else []
    unknown = {job["queue"] for job in jobs} - {DEFAULT_QUEUE, *(queue["name"] for queue in queues)}
    queues = [*queues, *({"name": name} for name in sorted(unknown))]
    notes.count("queue", "have no weight and no capacity in the history: equal ones stand in", len(unknown))
    data = {"version": VERSION, "name": title[:500], "cluster": cluster, "queues": queues, "jobs": jobs}
    try:
        scenario = Scenario.of(data)
        scenario = Scenario.of(data | {"measured": measured | {"of": fingerprint(scenario)}})
    except ScenarioError as error:
        more = f" (and {len(error.faults) - 1:,} more)" if len(error.faults) > 1 else ""
        raise FormatError(f"what the history says makes no scenario: {error.faults[0]}{more}") from None
    return Imported(scenario, [*history.notes, *(answer.notes if answer else ()), *notes.sentences()], answer.scheduler if answer else _scheduler(history))


def _runs(history: History, notes: Notes) -> Iterator[tuple[JobRun, float]]:
    """Each job that ran, with its slow start."""
    for job in history.jobs:
        start = slowstart(job, notes) if job.reduces or any(one.kind == "reduce" for one in job.attempts) else SLOWSTART_DEFAULT
        run = job_run(job, start, notes)
        job.attempts = []
        if run:
            yield run, start


def _in_leaves(jobs: list[dict[str, Any]], known: list[str], notes: Notes) -> None:
    """Jobs of a queue that has had queues below it, at another time, go to one below it."""
    queues = {*known, *(job["queue"] for job in jobs)}
    above = {".".join(parts[:end]) for parts in (queue.split(".") for queue in queues) for end in range(1, len(parts))}
    for job in jobs:
        if job["queue"] in above:
            notes.count("job", "are in a queue that has queues below it: its queue default stands in")
            job["queue"] += ".default"


def _same_clock(history: History, notes: Notes) -> None:
    """Moves the times of hosts whose clocks are behind."""
    behind = clocks.of_masters(history.jobs)
    for job in history.jobs:
        if job.masters and (by := behind.get(job.masters[-1].host)):
            clocks.shifted_job(job, by)
    own = clocks.of_attempts(one for job in history.jobs for one in job.attempts)
    for job in history.jobs if own else ():
        job.attempts = [clocks.shifted(one, own[one.host]) if one.host in own else one for one in job.attempts]
    for host, by in list({**behind, **own}.items())[:10]:
        notes.count(f"clock of {label(host) or 'an unnamed host'}", f"do not agree with the others: its times are {by:,} ms later here")


def _check_span(runs: list[tuple[JobRun, float]]) -> None:
    first, last = runs[0][0], max((run for run, _ in runs), key=lambda run: max(one.end for one in run.all))
    if max(one.end for one in last.all) - first.arrival >= LONGEST_MS:
        raise FormatError(f"{first.job.id} and {last.job.id} ran years apart: give the histories of one time, or of one cluster's clock")


def _jobs(runs: list[tuple[JobRun, float]], origin: int, names: Names, notes: Notes) -> list[dict[str, Any]]:
    found = []
    for (run, start), group in zip(runs, groups(run.job.name for run, _ in runs)):
        wanted = label(run.job.name.strip() or run.job.id)
        name = names.give(wanted)
        notes.count("job", "have a name that stands before: a number is added to it", name != wanted)
        found.append(job_of(run, name, start, origin, notes) | ({"x_group": group} if group else {}))
    return found


def _nodes(
    history: History, hosts: Hosts, runs: list[tuple[JobRun, float]], jobs: list[dict[str, Any]], notes: Notes
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    sizes = [{"am": job.get("am", job["maps"]), "map": job["maps"], "reduce": job.get("reduces", job["maps"])} for job in jobs]
    held = (Held(one.host, one.start, one.end, size[one.kind]["memory_mb"], size[one.kind]["vcores"]) for (run, _), size in zip(runs, sizes) for one in run.all)
    most = tuple(max(part[key] for size in sizes for part in size.values()) for key in NODE)
    given = {key: amount for key, name in NODE.items() if (amount := largest(history.jobs, name))}
    return hosts.groups(held, given, most, notes)


def _allocation(history: History, jobs: list[dict[str, Any]]) -> dict[str, Any]:
    """To what requests are rounded, where the jobs' configuration has what the cluster's says."""
    found: dict[str, Any] = {}
    for key, name in LIMITS.items():
        size = {unit: largest(history.jobs, f"yarn.scheduler.{name}-{unit.partition('_')[2] or unit}") for unit in NODE}
        if all(size.values()):
            found[key] = size
    asked = [part for job in jobs for part in (job.get("am"), job["maps"], job.get("reduces")) if part]
    if "minimum" not in found or any(part[unit] > found.get("maximum", {}).get(unit, 0) for part in asked for unit in NODE):
        return {}
    return {"allocation": found}


def _scheduler(history: History) -> str:
    """The cluster's scheduler, as the jobs' configuration names it; "" where none does."""
    for job in history.jobs:
        if found := CLASSES.get(job.properties.get(SCHEDULER, "").rpartition(".")[2]):
            return found
    return ""


def _tell_outcomes(runs: list[JobRun], notes: Notes) -> None:
    """How many attempts failed, and how many ran beside another; neither is drawn in the scenario."""
    attempts = [one for run in runs for one in run.all if one.kind != "am"]
    for outcome, words in (("failed", "have failed"), ("killed", "have been killed, as second attempts are that come too late")):
        count = sum(one.outcome == outcome for one in attempts)
        share = f"{count / len(attempts):.1%} of all: they stand in the record, and the scenario draws none of its own" if attempts else ""
        notes.count("attempt", f"{words}, {share}", count)
