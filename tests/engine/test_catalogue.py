"""What every part of the catalogue is held to the day it is added."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from engine.policies.policy import ADMISSION, HOOKS, ORDER, REDUCE_START
from engine.run import Run
from engine.scenario import Scenario
from engine.catalogue import CATALOGUE
from engine.scheduler import parse
from engine.simulate import simulate
from engine.view import FIELDS
from tests import invariants
from tests.conftest import ROOT
from tests.engine.records import result_of
from tests.strategies import scenarios

EVERY = ["+".join(names) for names in product(*(CATALOGUE[role] for role in (ORDER, REDUCE_START, ADMISSION)))]
PLACES = {ORDER: "order", REDUCE_START: "reduce_start", ADMISSION: "admission"}


def digest(run: Run) -> str:
    found = hashlib.sha256(repr((run.status, run.at_ms, run.because)).encode())
    for column in (*run.containers, *run.jobs, *run.waiting):
        found.update(column.tobytes())
    return found.hexdigest()


def busy(seed: int = 7) -> Scenario:
    """Everything at once, with kills: random times, contention, two node sizes, iterations."""
    job = {"am": {"memory_mb": 1, "vcores": 1, "startup_s": 0.5}, "count": 4, "interval_s": {"dist": "exponential", "mean": 2}}
    job |= {"iterations": 2, "slowstart": 0.2, "shuffle_mb_per_map": 33}
    maps = {"count": 9, "memory_mb": 2, "vcores": 1, "duration_s": {"dist": "lognormal", "mean": 3, "sd": 2}}
    reduces = {"count": 4, "memory_mb": 3, "vcores": 2, "duration_s": {"dist": "normal", "mean": 4, "sd": 1}}
    nodes = [{"count": 2, "memory_mb": 8, "vcores": 6}, {"count": 1, "memory_mb": 5, "vcores": 9, "speed": 1.7}]
    return Scenario.of({"version": 1, "seed": seed, "cluster": {"nodes": nodes, "contention": 0.1}, "jobs": [{**job, "maps": maps, "reduces": reduces}]})


@pytest.mark.parametrize("scheduler", EVERY)
@settings(max_examples=60)
@given(scenario=scenarios())
def test_invariants_hold(scheduler, scenario):
    run = simulate(scenario, scheduler)
    invariants.check(scenario, result_of(run), run.memory_only)


@pytest.mark.parametrize("scheduler", EVERY)
def test_same_input_same_bytes_again_and_in_another_process(scheduler):
    expected = digest(simulate(busy(), scheduler))
    assert digest(simulate(busy(), scheduler)) == expected
    code = f"from tests.engine.test_catalogue import *; print(digest(simulate(busy(), {scheduler!r})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == expected, done.stderr


@pytest.mark.parametrize("scheduler", EVERY)
def test_another_seed_gives_another_run(scheduler):
    assert digest(simulate(busy(1), scheduler)) != digest(simulate(busy(2), scheduler))


@pytest.mark.parametrize("scheduler", EVERY)
def test_the_file_s_order_of_jobs_changes_nothing_but_ties(scheduler):
    """Jobs that arrive at different times are told apart by their arrival: shuffled in the file, each has the same containers."""
    data = busy().plain()
    base = data["jobs"][0]
    jobs = [{**base, "count": 1, "name": f"job-{letter}", "arrival_s": arrival, "weight": 1 + arrival} for letter, arrival in zip("abcd", (0.0, 1.1, 2.3, 2.9))]
    one = result_of(simulate(Scenario.of({**data, "jobs": jobs}), scheduler))
    other = result_of(simulate(Scenario.of({**data, "jobs": [jobs[place] for place in (2, 0, 3, 1)]}), scheduler))
    assert one == other


@pytest.mark.parametrize("scheduler", EVERY)
def test_names_of_jobs_change_nothing_without_random_times(scheduler):
    data = busy().plain()
    job = data["jobs"][0]
    fixed = {**job, "maps": {**job["maps"], "duration_s": 3.0}, "reduces": {**job["reduces"], "duration_s": 4.0}, "interval_s": 1.5}
    named = [result_of(simulate(Scenario.of({**data, "jobs": [{**fixed, "name": name}]}), scheduler)) for name in ("a", "zz")]
    one, other = ([c._replace(job=c.job.replace(name, "")) for c in result.containers] for result, name in zip(named, ("a", "zz")))
    assert one == other


@pytest.mark.parametrize(("role", "name"), [(role, name) for role in CATALOGUE for name in CATALOGUE[role]])
def test_a_policy_has_a_file_a_source_and_reads_what_the_view_has(role, name):
    policy = CATALOGUE[role][name]
    assert policy.role == role and policy.name == name and policy.title and policy.source
    assert policy.function.__module__ == f"engine.policies.{PLACES[role]}.{name.replace('-', '_')}"
    asked = policy.function.__code__.co_varnames[: policy.function.__code__.co_argcount]
    assert set(asked) <= set(FIELDS) | set(HOOKS[role])
    assert str(parse(name).order if role == ORDER else parse(f"fifo+{name}").name)
    for parameter in policy.parameters:
        assert parameter.meaning and parameter.source in ("paper", "Hadoop", "ours")


def test_runs_do_not_share_memory():
    first, second = simulate(busy(), "fair"), simulate(busy(), "fair")
    for one, other in zip(first.containers, second.containers):
        assert not np.shares_memory(one, other)
