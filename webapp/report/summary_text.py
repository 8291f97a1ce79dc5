"""What a report says in words: the question, which scheduler is best by how much, and what the scenario is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

from engine import MEASURED, Scenario
from webapp import theme
from webapp.report import best_possible
from webapp.services.outcome import Outcome
from webapp.services.runs import Task
from webapp.services.same_runs import first_equal

HowFar = Callable[[Outcome, str], str]


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def question(task: Task) -> str:
    """What the report answers."""
    work = task.outcomes()[0].run.workload
    jobs, nodes = theme.count(len(work.job_names), "jobs"), theme.count(len(work.node_names), "nodes")
    batch = f"{'this job' if len(work.job_names) == 1 else f'these {jobs}'} on {nodes}"
    if not task.simulated:
        return f"How did a cluster run {batch}?"
    beside = ", beside what was measured" if len(task.simulated) < len(task.schedulers) else ""
    return f"How does YARN run {batch} under {listed(task.simulated)}{beside}?"


class Chip(TypedDict):
    """The verdict on one scheduler. place: of its colour, as Task.places; makespan: as on a clock, of a deadlock when it came to be.

    difference: to what was measured, or else to the best, "+110 %", "" of that and of a deadlock; best: of those that are simulated it finishes first
    and not all do so at once; above, about: how far it is above the best possible and what that means, "" where that can't be told.
    """

    place: int
    makespan: str
    difference: str
    best: bool
    deadlock: bool
    above: str
    about: str


def verdict_chips(task: Task) -> list[Chip]:
    """One for each of what is shown, in its order; the best is one of the task's own schedulers, of those under which the fewest jobs fail."""
    own = [one.outcome.metrics for one in task.shown if one.task is task and one.is_scheduled]
    failed = least_failed(own)
    makespans = [None if one["failed_jobs"] > failed else one["makespan_s"] for one in own]
    low = min((makespan for makespan in makespans if makespan is not None), default=None)
    outcomes = [one.outcome for one in task.shown]
    reference = next((one.outcome.metrics["makespan_s"] for one in task.shown if one.is_measured), None)
    found = []
    for place, one in enumerate(task.shown):
        metrics = one.outcome.metrics
        makespan, above = metrics["makespan_s"], best_possible.above_best(one.outcome, "makespan_s", outcomes)
        deadlock = makespan is None
        candidate = one.task is task and one.is_scheduled
        best = not deadlock and makespan == low and candidate and metrics["failed_jobs"] == failed and len(set(makespans)) > 1
        found.append(
            Chip(
                place=task.places[place],
                makespan=theme.clock((one.outcome.run.until_ms - one.outcome.run.first_ms) / 1000),
                difference="" if deadlock or one.is_measured or (best and reference is None) else _more(makespan, low if reference is None else reference),
                best=best,
                deadlock=deadlock,
                above=above.sign if above else "",
                about=above.about if above else "",
            )
        )
    return found


def least_failed(metrics: Sequence[dict[str, Any]]) -> int:
    """The fewest jobs that fail under a scheduler that finishes; a run is no better for work that it gave up."""
    return min((one["failed_jobs"] for one in metrics if one["makespan_s"] is not None), default=0)


def _more(makespan: float, low: float | None) -> str:
    """By how much it is longer than another, "" where that is nothing or means nothing."""
    percent = round(100 * (makespan - low) / low) if low else 0
    return f"{'+' if percent > 0 else '−'}{abs(percent):,} %" if percent else ""


def verdict(outcomes: Sequence[Outcome], above: HowFar | None = None) -> list[str]:
    """Sentences: what was measured, and how far from it what is simulated ends; then which scheduler is best, where there are several; how
    good the optimum is.

    above: how far an outcome's metric is above the best possible, "" where that can't be told; by the bounds of what is among them without.
    """
    above = above or (lambda one, metric: best_possible.words(one, metric, outcomes))
    measured = [one for one in outcomes if one.run.scheduler == MEASURED.name]
    simulated = [one for one in outcomes if one.is_scheduled]
    optimum = [best_possible.optimum_words(one.planned) for one in outcomes if one.planned]
    if not measured:
        return [*_best_of(simulated, above), *optimum]
    against = _against(measured[0], simulated)
    alone = len(simulated) == 1 and simulated[0].run.status == "finished"
    return [*against, *(_best_of(simulated, above) if simulated and not alone else []), *optimum]


def _against(measured: Outcome, simulated: Sequence[Outcome]) -> list[str]:
    """What was measured, and how far from it what is simulated and finishes ends; of one alone its mean turnaround too."""
    makespan, turnaround = (measured.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
    failed = _failed([measured], "as measured")
    done = [one for one in simulated if one.run.status == "finished"]
    if len(simulated) == len(done) == 1:
        (one,) = done
        ends, mean = (one.metrics[key] for key in ("makespan_s", "mean_turnaround_s"))
        found = [f"{one.run.scheduler} is simulated to finish in {theme.duration(1000 * ends)}, {_apart(ends, makespan, 'earlier', 'later')}."]
        if mean is not None and turnaround is not None:
            found.append(f"A job takes {theme.duration(1000 * mean)} in the mean, {_apart(mean, turnaround, 'less', 'more')}.")
        return [*found, *failed, *_failed(done)]
    found = f"Measured: the batch took {theme.duration(1000 * makespan)}"
    if not done:
        return [f"{found}{'' if turnaround is None else f', a job in the mean {theme.duration(1000 * turnaround)}'}.", *failed]
    apart = [f"{one.run.scheduler} {_apart(one.metrics['makespan_s'], makespan, 'earlier', 'later', '')}" for one in done]
    return [f"{found}. Simulated to finish: {'; '.join(apart)}.", *failed]


def _apart(seconds: float, measured: float, less: str, more: str, than: str = " than measured") -> str:
    """How far from what was measured: "3 % earlier than measured"."""
    if seconds == measured or not measured:
        return "as measured" if seconds == measured else f"{more}{than}"
    return f"{theme.percent(abs(seconds - measured) / measured)} {less if seconds < measured else more}{than}"


def _best_of(outcomes: Sequence[Outcome], above: HowFar) -> list[str]:
    """Sentences: what ended in a deadlock, first; the shortest makespan and mean turnaround, and by how much; and which runs are equal."""
    first = first_equal(outcomes)
    stuck = [_stuck(one, alone=len(outcomes) == 1) for place, one in enumerate(outcomes) if one.run.status != "finished" and first[place] == place]
    if all(one.run.status != "finished" for one in outcomes):
        return [*([f"{_every(len(outcomes)).capitalize()} schedulers deadlock."] if len(outcomes) > 1 else []), *stuck, *_equal(outcomes, first)]
    done = [(one, first[place] == place) for place, one in enumerate(outcomes) if one.run.status == "finished"]
    failed = least_failed([one.metrics for one, _ in done])
    finished = [(one, named) for one, named in done if one.metrics["failed_jobs"] == failed]
    which = " with the fewest failed jobs" if len(finished) < len(done) else " that finish" if len(done) < len(outcomes) else ""
    who = f"{_every(len(finished))} schedulers{which}"
    makespan = _least("The batch is finished first under", "The makespan", "makespan_s", finished, who, above)
    turnaround = _least("A job's mean turnaround is shortest under", "The mean turnaround of a job", "mean_turnaround_s", finished, who, above)
    return [*stuck, *_failed([one for one, named in done if named]), makespan, *([turnaround] if turnaround else []), *_equal(outcomes, first)]


def _failed(finished: Sequence[Outcome], measured: str = "") -> list[str]:
    """How many jobs fail, in a sentence; none where none does. measured: said instead of the scheduler's name."""
    counts = [(one.metrics["failed_jobs"], measured or f"under {one.run.scheduler}") for one in finished]
    verb = "failed" if measured else ""
    said = [f"{theme.count(count, 'jobs')} {verb or ('fails' if count == 1 else 'fail')} {how}" for count, how in counts if count]
    return [f"{'; '.join(said)}."] if said else []


def _stuck(one: Outcome, alone: bool) -> str:
    never = " and never finishes the batch" if alone else ""
    return f"{one.run.scheduler} deadlocks at {theme.moment(one.run.at_ms)}{never}: {one.run.because}"


def _equal(outcomes: Sequence[Outcome], first: Sequence[int]) -> list[str]:
    """Which runs are the same, in a sentence; none where all differ."""
    names = [one.run.scheduler for one in outcomes]
    groups = [[name for name, place in zip(names, first) if place == head] for head in dict.fromkeys(first)]
    same = [" = ".join(reversed(group)) for group in groups if len(group) > 1]
    return [f"{'; '.join(same)}: container for container the same run."] if same else []


def _every(count: int) -> str:
    return "both" if count == 2 else f"all {count}"


def _least(best: str, same: str, key: str, finished: Sequence[tuple[Outcome, bool]], who: str, above: HowFar) -> str:
    """finished: each with whether it is the first of its equals, for these alone are named; who: all of them in words. "" where one has no such number."""
    if any(one.metrics[key] is None for one, _ in finished):
        return ""
    values = [one.metrics[key] for one, _ in finished]
    low, high = min(values), max(values)
    shortest = theme.duration(1000 * low)
    far = above(finished[values.index(low)][0], key)
    far = f", {far}" if far else ""
    if len(finished) == 1:
        return f"{same} under {finished[0][0].run.scheduler} is {shortest}{far}."
    if low == high:
        return f"{same} is {shortest} under {who}{far}."
    first, last = ([one.run.scheduler for (one, named), value in zip(finished, values) if named and value == end] for end in (low, high))
    saved = theme.percent((high - low) / high)
    return f"{best} {listed(first)}: {shortest}{f'{far} and' if far else ','} {saved} less than under {listed(last, 'or')} with {theme.duration(1000 * high)}."


def lasts(value: Any) -> str:
    """A duration of a scenario: "20 s", "normal(20, 5) s"."""
    if not isinstance(value, dict):
        return f"{value:,g} s"
    if "values" in value:
        values = value["values"]
        return f"values({', '.join(f'{one:g}' for one in values[:6])}{', …' if len(values) > 6 else ''}) s"
    return f"{value['dist']}({', '.join(f'{one:g}' for key, one in value.items() if key != 'dist')}) s"


def nodes(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the cluster's groups of nodes."""
    rows = []
    for number, group in enumerate(scenario.cluster.nodes, start=1):
        sizes = [f"{group.count:,}", theme.memory(group.memory_mb), f"{group.vcores:,}", f"{group.speed:g} x"]
        rows.append([group.name or f"node{number}", *sizes, group.rack or theme.NOTHING])
    return ["Nodes", "Count", "Memory of each", "Vcores of each", "Speed", "Rack"], rows


def cluster(scenario: Scenario) -> str:
    """What is the same for all nodes, in a sentence."""
    of = scenario.cluster
    beat = f"A node sends a heartbeat every {theme.duration(of.heartbeat_ms)}" if of.heartbeat_ms else "Nodes are served at once, without heartbeats"
    each = f"gets at most {theme.count(of.containers_per_heartbeat, 'containers')} then" if of.containers_per_heartbeat else "gets whatever fits then"
    slower = f" Tasks on one node slow each other with contention {of.contention:g}." if of.contention else ""
    return f"{beat} and {each}; a reduce fetches {of.shuffle_mb_s:,g} MB/s.{slower}{_physics(scenario)} The seed of random durations is {scenario.seed}."


def _physics(scenario: Scenario) -> str:
    """What of the physics of a cluster is on, in a sentence; "" where nothing is."""
    of = scenario.cluster
    plain = of.model_dump()
    found = [f"a launch of {lasts(plain['launch_s'])}"] if of.launch_s else []
    found += [f"{theme.percent(of.stragglers.share)} stragglers"] if of.stragglers else []
    found += [f"attempts that fail with probability {of.failures.probability:g}"] if of.failures else []
    found += [f"{theme.count(len(of.outages), 'outages')}"] if of.outages else []
    found += [f"blocks on {theme.count(of.locality.replication, 'nodes')} each"] if of.locality else []
    found += ["speculation"] if any(job.speculation != "none" for job in scenario.jobs) else []
    return f" It has {listed(found)}." if found else ""


def queues(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the queues that are written down."""
    share = lambda value: theme.NOTHING if value is None else f"{value:g} %"
    rows = [[one.name, f"{one.weight:g}", share(one.capacity_pct), share(one.max_capacity_pct), one.policy or "as the scheduler"] for one in scenario.queues]
    return ["Queue", "Weight", "Capacity", "Largest capacity", "Policy"], rows


def jobs(scenario: Scenario) -> tuple[list[str], list[list[str]]]:
    """Heads and rows of the groups of jobs."""
    plain = scenario.model_dump()["jobs"]
    rows = []
    for number, (job, values) in enumerate(zip(scenario.jobs, plain), start=1):
        arrival = f"{job.arrival_s:,g} s"
        if job.count > 1:
            arrival += f", then every {lasts(values['interval_s'])}"
        stages = [_stage(values["maps"]), _stage(values["reduces"])]
        rows.append([job.name or f"job{number}", f"{job.count:,}", arrival, *stages, f"{job.shuffle_mb_per_map:,g} MB"])
    return ["Jobs", "Copies", "Arrival", "Maps", "Reduces", "Output of a map"], rows


def _stage(stage: dict | None) -> str:
    if not stage or not stage["count"]:
        return theme.NOTHING
    return f"{stage['count']:,} of {lasts(stage['duration_s'])}, {theme.memory(stage['memory_mb'])}, {theme.vcores(stage['vcores'])}"
