"""What a report says in words: the question, which scheduler is best by how much, and what the scenario is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine import Scenario
from webapp import theme
from webapp.services.runs import Outcome, Task


def listed(names: Sequence[str], last: str = "and") -> str:
    """ "a", "a and b", "a, b and c"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def question(task: Task) -> str:
    """What the report answers."""
    work = task.outcomes()[0].run.workload
    jobs, nodes = theme.count(len(work.job_names), "jobs"), theme.count(len(work.node_names), "nodes")
    return f"How does YARN run {'this job' if len(work.job_names) == 1 else f'these {jobs}'} on {nodes} under {listed(task.schedulers)}?"


def verdict(outcomes: Sequence[Outcome]) -> list[str]:
    """Sentences: the shortest makespan and mean turnaround, by how much, and what ended in a deadlock."""
    finished = [one for one in outcomes if one.run.status == "finished"]
    stuck = [f"{one.run.scheduler} ends in a deadlock at {theme.seconds(one.run.at_ms)}: {one.run.because}" for one in outcomes if one not in finished]
    if not finished:
        return ["No scheduler finishes the batch." if len(outcomes) > 1 else "The batch is never finished.", *stuck]
    return [_least("The batch is finished first under", "The makespan", "makespan_s", finished), _mean(finished), *stuck]


def _mean(finished: Sequence[Outcome]) -> str:
    return _least("A job's mean turnaround is shortest under", "The mean turnaround of a job", "mean_turnaround_s", finished)


def _least(best: str, same: str, key: str, finished: Sequence[Outcome]) -> str:
    values = [one.metrics[key] for one in finished]
    low, high = min(values), max(values)
    shortest = theme.duration(1000 * low)
    if len(finished) == 1:
        return f"{same} under {finished[0].run.scheduler} is {shortest}."
    if low == high:
        return f"{same} is {shortest} under {'both' if len(finished) == 2 else f'all {len(finished)}'} schedulers that finish."
    first, last = ([one.run.scheduler for one, value in zip(finished, values) if value == end] for end in (low, high))
    saved = theme.percent((high - low) / high)
    return f"{best} {listed(first)}: {shortest}, {saved} less than under {listed(last, 'or')} with {theme.duration(1000 * high)}."


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
    return f"{beat} and {each}; a reduce fetches {of.shuffle_mb_s:,g} MB/s.{slower} The seed of random durations is {scenario.seed}."


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
