"""What every part of the catalogue is held to the day it is added."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from engine.jit import PLAIN, VIEW_PARAMETER, address
from engine.scenario.model import Scenario
from engine.schedulers.catalogue import CATALOGUE, installed
from engine.schedulers.policy import ADMISSION, HOOKS, INDEX_HOOK, JOBS_HOOK, ORDER, REDUCE_START, WINDOW_HOOK
from engine.schedulers.scheduler import parse
from engine.schedulers.view import View
from engine.simulation.policy_binding import CATALOGUE_PLACES
from engine.simulation.simulate import simulate
from tests import invariants
from tests.conftest import ROOT
from tests.engine.results import result_of
from tests.engine.schedulers.busy import busy, digest
from tests.examples import examples
from tests.phrases import phrase
from tests.strategies import scenarios

EXAMPLES = {"reserve": "reserve(vcores=1)"}  # of what must be told something
RULES = {role: [EXAMPLES.get(name, name) for name in CATALOGUE[role]] for role in (REDUCE_START, ADMISSION)}
ALL = ["+".join(names) for names in product(CATALOGUE[ORDER], *RULES.values())]
EVERY = [name for name in ALL if not name.startswith("omo+") or "+lazy-start+" in name]
ALONE = [*CATALOGUE[ORDER], *(f"fair+{name}" for role in RULES for name in RULES[role])]
PLACES = {ORDER: "order", REDUCE_START: "reduce_start", ADMISSION: "admission"}


@pytest.mark.parametrize("scheduler", ALONE)
@examples(3, 30)
@given(scenario=scenarios())
def test_invariants_hold(scheduler, scenario):
    run = simulate(scenario, scheduler)
    invariants.check(scenario, result_of(run), run.memory_only)


@pytest.mark.parametrize("scheduler", EVERY)
@settings(max_examples=2)
@given(scenario=scenarios())
def test_invariants_hold_for_every_combination(scheduler, scenario):
    run = simulate(scenario, scheduler)
    invariants.check(scenario, result_of(run), run.memory_only)


def test_same_input_same_bytes_again_and_in_another_process():
    expected = [digest(simulate(busy(), scheduler)) for scheduler in EVERY]
    assert [digest(simulate(busy(), scheduler)) for scheduler in EVERY] == expected
    code = (
        "from tests.engine.schedulers.test_catalogue import *; print(*(digest(simulate(busy(), "
        "scheduler)) for scheduler in EVERY))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.stdout.split() == expected, done.stderr


@pytest.mark.parametrize("scheduler", ALONE)
def test_another_seed_gives_another_run(scheduler):
    assert digest(simulate(busy(1), scheduler)) != digest(simulate(busy(2), scheduler))


@pytest.mark.parametrize("scheduler", ALONE)
def test_the_file_s_order_of_jobs_changes_nothing_but_ties(scheduler):
    """Jobs that arrive at different times are told apart by their arrival: shuffled in the file, each has the
    same containers.
    """
    data = busy().plain()
    base = data["jobs"][0]
    jobs = [
        {**base, "count": 1, "name": f"job-{letter}", "arrival_s": arrival, "weight": 1 + arrival}
        for letter, arrival in zip("abcd", (0.0, 1.1, 2.3, 2.9))
    ]
    one = result_of(simulate(Scenario.of({**data, "jobs": jobs}), scheduler))
    other = result_of(
        simulate(Scenario.of({**data, "jobs": [jobs[place] for place in (2, 0, 3, 1)]}), scheduler)
    )
    assert one == other


@pytest.mark.parametrize("scheduler", ALONE)
def test_names_of_jobs_change_nothing_without_random_times(scheduler):
    data = busy().plain()
    job = data["jobs"][0]
    fixed = {
        **job,
        "maps": {**job["maps"], "duration_s": 3.0},
        "reduces": {**job["reduces"], "duration_s": 4.0},
        "interval_s": 1.5,
    }
    named = [
        result_of(simulate(Scenario.of({**data, "jobs": [{**fixed, "name": name}]}), scheduler))
        for name in ("a", "zz")
    ]
    one, other = (
        [c._replace(job=c.job.replace(name, "")) for c in result.containers]
        for result, name in zip(named, ("a", "zz"))
    )
    assert one == other


@pytest.mark.parametrize(("role", "name"), [(role, name) for role in CATALOGUE for name in CATALOGUE[role]])
def test_a_policy_has_a_file_a_source_and_reads_what_the_view_has(role, name):
    policy = CATALOGUE[role][name]
    assert policy.role == role and policy.name == name and policy.title and policy.source
    assert policy.function.__module__ == f"engine.schedulers.{PLACES[role]}.{name.replace('-', '_')}"
    asked = policy.function.__code__.co_varnames[: policy.function.__code__.co_argcount]
    assert set(asked) <= {
        *View.layout.fields,
        *policy.arrays,
        *(one.name for one in policy.parameters),
        *HOOKS[role],
        VIEW_PARAMETER,
    }
    assert parse(name if role == ORDER else f"fifo+{EXAMPLES.get(name, name)}").name
    for parameter in policy.parameters:
        assert parameter.meaning and parameter.source


@pytest.mark.parametrize(("role", "name"), [(role, name) for role in CATALOGUE for name in CATALOGUE[role]])
def test_a_policy_of_ours_can_be_compiled(role, name):
    """One that can't runs plain, which nobody would notice but by its speed."""
    policy = CATALOGUE[role][name]
    asked = [
        (policy.function, HOOKS[role]),
        (policy.windows.on_end if policy.windows else None, WINDOW_HOOK),
        (policy.preempt, HOOKS[role]),
        (policy.on_jobs, JOBS_HOOK),
        (policy.index and policy.index.find, INDEX_HOOK),
    ]
    names = tuple(parameter.name for parameter in policy.parameters)
    assert PLAIN or all(
        address(function, CATALOGUE_PLACES, hook, names) for function, hook in asked if function
    )


def test_runs_do_not_share_memory():
    first, second = simulate(busy(), "fair"), simulate(busy(), "fair")
    for one, other in zip(first.containers, second.containers):
        assert not np.shares_memory(one, other)


THEIRS = """
from engine.schedulers.policy import JOBS_HOOK, ADMISSION, ORDER, Policy


def choose(count):
    return count - 1


BACKWARDS = Policy("backwards", "Last first", ORDER, choose, "a package")
SAME = Policy("fair", "Another fair", ORDER, choose, "a package")
RULE = Policy("rule", "A rule", ADMISSION, choose, "a package")
NUMBER = 7
"""


def install(folder, package, points):
    """A distribution as pip leaves it: a module and its metadata with entry points of ours."""
    (folder / f"{package}.py").write_text(THEIRS)
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = "".join(f"{name} = {package}:{value}\n" for name, value in points.items())
    (info / "entry_points.txt").write_text(f"[gantry.orders]\n{lines}")


def test_an_order_of_an_installed_package_is_found_and_run(tmp_path):
    """In a process of its own, as after pip install: it is parsed, runs compiled and plain; a broken
    neighbour is told and left out.
    """
    install(tmp_path, "gantry_theirs", {"backwards": "BACKWARDS"})
    install(tmp_path, "gantry_broken", {"lost": "MISSING"})
    code = """
from engine.schedulers.catalogue import CATALOGUE
from engine.simulation.simulate import simulate
from tests.engine.schedulers.busy import busy, digest
plain, run = [simulate(busy(), "backwards+autoadmin", plain=plain) for plain in (True, False)]
print(run.scheduler, run.status, digest(run) == digest(plain), digest(simulate(busy(), "fifo+autoadmin")) == digest(run), "lost" in CATALOGUE["order"])
"""  # noqa: E501
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stdout.split() == ["backwards+autoadmin", "finished", "True", "False", "False"], done.stderr
    assert (
        phrase("schedulers.package_entry_point_lost_cant", "gantry_broken", "gantry_broken:MISSING")
        in done.stderr
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("MISSING", phrase("schedulers.cant_be_loaded_attributeerror")),
        ("NUMBER", phrase("schedulers.must_be_policy_role", "'order'")),
        ("RULE", phrase("schedulers.must_be_policy_role", "'order'")),
        ("SAME", phrase("schedulers.scheduler_named_and_there_one", "'fair'")),
    ],
)
def test_an_entry_point_that_can_not_be_used_is_left_out_with_a_warning(tmp_path, monkeypatch, value, words):
    package = f"gantry_{value.lower()}"
    install(tmp_path, package, {"first": "BACKWARDS", "odd": value})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(
        UserWarning, match=phrase("schedulers.package_entry_point_odd", package, f".*{re.escape(words)}")
    ) as told:
        result = installed(CATALOGUE)
    assert list(result) == ["backwards"] and len(told) == 1


def test_two_packages_with_one_name_the_first_stays(tmp_path, monkeypatch):
    for package in ("gantry_one", "gantry_two"):
        install(tmp_path, package, {"backwards": "BACKWARDS"})
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.warns(UserWarning, match=phrase("schedulers.scheduler_named_and_there_one", "'backwards'")):
        result = installed(CATALOGUE)
    assert list(result) == ["backwards"]


def test_without_packages_there_is_nothing_to_find():
    assert installed(CATALOGUE) == {}
