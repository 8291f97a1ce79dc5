"""What HaSTE-A's preference is made of over the time of a run: fitness, urgency and alignment of three jobs."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from engine.experiments.replications import in_parallel
from engine.explanation.replay import replay
from engine.papers.haste.bed import FIRST, Bed, readings
from engine.papers.haste.workloads import iterative
from engine.papers.measuring import AS_IT_IS, simulated
from engine.papers.schema import Experiment, Measured, Ordered, Picture, Series, Show
from engine.papers.trial import Trial
from engine.scenario.model import Scenario
from engine.schedulers.names_of_0_1 import parse_in_full
from engine.schedulers.policy import ORDER_AT
from engine.schedulers.terms.normalised import bounds, norm
from engine.schedulers.view import MASTER, job_of
from engine.simulation.policy_calls import Answer
from engine.simulation.run import Run

JOBS = ("terasort", "kmeans", "scan")
OTHERS = ("fifo", "ffd-dp", "haste")
TERMS = ("fitness", "urgency", "alignment", "preference")
COLUMNS = 100  # of a curve
REPLAYED = 20  # seeds: each is run uncompiled, for its decisions
KMEANS = "kmeans_starts_s"
FIGURE = "fitness, urgency and alignment over time"
DERIVED = "our Scan asks for as little as it does because the paper says this"
DEFINED = "urgency grows with the maps and reduces that were assigned, by its definition"


class Weighed(NamedTuple):
    """A job in one decision, by its request of highest preference. fitness to alignment: as they enter the sum; raw: urgency before it is normalised."""

    at_s: float
    fitness: float
    urgency: float
    alignment: float
    preference: float
    raw: float


def weighed(scenario: Scenario, scheduler: str, trial: Trial = AS_IT_IS) -> tuple[Run, dict[str, list[Weighed]]]:
    """A run under HaSTE-A, and its real-time decisions by the jobs that stood for them."""
    names = [job.name for job in scenario.jobs]  # all arrive at once: the order of jobs is that of the file
    found: dict[str, list[Weighed]] = {name: [] for name in names}

    def look(answer: Answer) -> None:
        if answer.place != ORDER_AT:
            return
        for job, one in _by_job(answer.view, answer.second).items():
            found[names[job]].append(one)

    return replay(trial.conditions.of(scenario), trial.conditions.under(parse_in_full(scheduler)), look), found


def _by_job(view: SimpleNamespace, count: int) -> dict[int, Weighed]:
    """Nothing in a decision that is not made by preference: a master, or the first filling of a node."""
    candidates = view.candidates[:count].tolist()
    if np.isnan(view.preference[candidates[0]]):
        return {}
    arrays = (view.fitness, view.urgency, view.alignment)
    spans = [bounds(values, candidates, count) for values in arrays]
    best: dict[int, Weighed] = {}
    for request in candidates:
        raw = [float(values[request]) for values in arrays]
        fitness, urgency, alignment = (norm(value, *ends) for value, ends in zip(raw, spans))
        one = Weighed(float(view.now[0]) / 1000, fitness, urgency, float(view.factor[0]) * alignment, float(view.preference[request]), raw[1])
        job = job_of(request)
        if job not in best or one.preference > best[job].preference:
            best[job] = one
    return best


def of_seed(seed: int, bed: Bed, trial: Trial) -> dict[str, float]:
    """Means of the terms over a job's decisions, Scan's urgency in both halves of its own, and when KMeans' tasks start under each scheduler."""
    scenario, schedulers = iterative(seed, bed.mb_s), bed.columns("haste-a", *OTHERS)
    run, found = weighed(scenario, schedulers["haste-a"], trial)
    samples = {f"{job}/{term}": float(np.mean([getattr(one, term) for one in found[job]])) for job in JOBS for term in TERMS}
    raw = [one.raw for one in found["scan"]]
    samples |= {"scan/urgency, first half": float(np.mean(raw[: len(raw) // 2])), "scan/urgency, second half": float(np.mean(raw[len(raw) // 2 :]))}
    runs = {"haste-a": run, **{name: simulated(scenario, schedulers[name], trial) for name in OTHERS}}
    return samples | {f"{name}/{KMEANS}": start_s(one, "kmeans") for name, one in runs.items()}


def start_s(run: Run, job: str) -> float:
    """When the tasks of a job start, on average."""
    tasks = (run.containers.job == run.workload.job_names.index(job)) & (run.containers.kind != MASTER)
    return float(run.containers.start[tasks].mean()) / 1000


def measure(bed: Bed, trial: Trial) -> Measured:
    seeds = trial.seeds[:REPLAYED]
    runs = in_parallel(partial(of_seed, bed=bed, trial=trial), seeds, trial.progress)
    samples = {key: [run[key] for run in runs] for key in runs[0]}

    def pictures() -> tuple[Picture, ...]:
        _, drawn = weighed(iterative(seeds[0], bed.mb_s), bed.columns("haste-a")["haste-a"], trial)
        return tuple(_picture(term, drawn) for term in TERMS)

    return Measured(samples, pictures)


def _picture(term: str, drawn: dict[str, list[Weighed]]) -> Picture:
    title = term.capitalize()
    return Picture(f"{title}, one of the runs", "lines", "Time (s)", title, tuple(_curve(job, drawn[job], term) for job in JOBS))


def _curve(job: str, decisions: list[Weighed], term: str) -> Series:
    """Means over columns of equal time; no point where the job stood for no decision."""
    at = np.array([one.at_s for one in decisions])
    edges = np.linspace(0, at.max(), COLUMNS + 1)
    column = np.clip(np.searchsorted(edges, at, side="right") - 1, 0, COLUMNS - 1)
    values = np.array([getattr(one, term) for one in decisions])
    filled = np.unique(column)
    return Series(job, tuple(float(edges[one] + edges[one + 1]) / 2 for one in filled), tuple(float(values[column == one].mean()) for one in filled))


OVER_TIME = Experiment(
    key="terms",
    title="Fitness, urgency and alignment over time",
    where="Figure of fitness, urgency and alignment of TeraSort, KMeans and Scan",
    setting="The workload with iterative jobs under HaSTE-A. Each time a node is given a container by preference, the terms of TeraSort, KMeans and Scan are "
    "written down as they enter the sum: from 0 to 1 over the requests that fit the node, alignment times its factor.",
    notice="A large request fits best, a small one least; KMeans has its preference from alignment. Scan is small, so it has to wait until its urgency has "
    "grown with the maps and reduces it was given.",
    shows=lambda: (Show("HaSTE-A's workload with iterative jobs", iterative(1, FIRST.mb_s), FIRST.in_full("haste-a", "haste")),),
    readings=readings(measure),
    claims=(
        Ordered("TeraSort has the highest fitness of the three", (("kmeans/fitness", "scan/fitness"), "terasort/fitness"), FIGURE),
        Ordered("Alignment is the largest part of KMeans' preference", (("kmeans/fitness", "kmeans/urgency"), "kmeans/alignment"), FIGURE),
        Ordered("KMeans' tasks start earlier than under the other schedulers", (f"haste-a/{KMEANS}", tuple(f"{one}/{KMEANS}" for one in OTHERS)), FIGURE),
        Ordered("Scan has the lowest fitness of the three", ("scan/fitness", ("terasort/fitness", "kmeans/fitness")), FIGURE, unjudged=DERIVED),
        Ordered("Scan's urgency rises in the course of the run", ("scan/urgency, first half", "scan/urgency, second half"), FIGURE, unjudged=DEFINED),
    ),
    ours=(
        "Of a job's two requests, that of higher preference stands for it; the mean is over the decisions in which the job had a request that fitted.",
        "That KMeans is begun earlier is judged by when its tasks start on average, over all iterations; 20 seeds.",
        "The urgency of the first and of the second half of Scan's decisions is compared before it is normalised.",
        "The curves are of the first seed.",
        "The equations of urgency and alignment are reconstructions; their operators are lost.",
    ),
    why="KMeans' map is the largest request of all, so its fitness is high whenever it fits; and once the other jobs have ended, the iterative ones are the "
    "majority and the factor is 0. What is left of alignment is smaller than fitness on average. At OMO's rate FFD-DP starts KMeans as early, "
    "by fitness alone.",
    thousands=250,
)
