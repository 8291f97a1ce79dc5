"""A scheduler file of one's own that is wrong is told in a sentence, compiled or plain; it never ends the
process or the run's truth.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import PolicyError, SchedulerError
from engine.schedulers.catalogue import load
from engine.schedulers.scheduler import parse
from engine.simulation.simulate import simulate
from tests.conftest import ROOT
from tests.phrases import phrase
from tests.small_scenarios import job, node, scenario, tasks

TWO_JOBS = scenario([node(4)], [job("a", tasks(6)), job("b", tasks(6))])
MANY_JOBS = scenario([node(4)], [job(f"job{number}", tasks(2)) for number in range(40)])
FILE = """
from engine.schedulers.policy import JOB, ORDER, REQUEST, Index, StateArray, Policy, Term


def choose(node, candidates, count, job_maps, rank):
    {body}


OWN = Policy({name!r}, "Own", {role}, {function}, "ours", memory=({memory}){more})
"""


RANK = 'StateArray("rank", REQUEST),'


def written(
    folder: Path,
    body: str = "return 0",
    name: str = "own-order",
    role: str = "ORDER",
    function: str = "choose",
    memory: str = RANK,
    more: str = "",
) -> str:
    path = folder / "own.py"
    path.write_text(FILE.format(body=body, name=name, role=role, function=function, memory=memory, more=more))
    return str(path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"more": ', terms=(Term("rank", "Rank", JOB, ""),)'},
            phrase("schedulers.array_declared_twice", "'rank'"),
        ),
        (
            {"memory": 'StateArray("job_maps", JOB),'},
            phrase("schedulers.array_must_have_name_own", "'job_maps'"),
        ),
        (
            {"memory": 'StateArray("rank", "task"),'},
            phrase("schedulers.array_must_be_run_job", "'rank'", "'task'"),
        ),
        (
            {"memory": 'StateArray("rank", JOB, "int8"),'},
            phrase("schedulers.array_must_be_or_not", "'rank'", "float64", "int64", "'int8'"),
        ),
        (
            {"more": ', rule=("one", "other"), ground="why"'},
            phrase("schedulers.ground_must_name_array_policy", "'why'"),
        ),
        ({"function": "5"}, "the function must be a plain Python function, not int"),
        ({"role": "'zzz'"}, phrase("schedulers.role_must_be_order", "'zzz'")),
        ({"name": "a b+c("}, phrase("schedulers.must_be_small_letters_digits")),
        ({"name": "fair"}, phrase("schedulers.name_taken_by_policy_catalogue", "'fair'")),
        (
            {"body": "job_maps[0] = 99\n    return 0"},
            phrase("schedulers.line_writes_which_engines", 6, "job_maps"),
        ),
        ({"function": "exit(3)"}, phrase("schedulers.cant_be_loaded_systemexit", 3)),
    ],
)
def test_a_file_that_can_not_work_is_refused_when_it_is_loaded(
    tmp_path: Path, given: dict, words: str
) -> None:
    with pytest.raises(SchedulerError) as told:
        load(written(tmp_path, **given))
    assert words in str(told.value)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("return candidates[10**9]", "IndexError"),
        ("rank[candidates[0] + 99] = 1.0\n    return 0", "IndexError"),
        ("return count // (count - count)", "ZeroDivisionError"),
        ("return 999", phrase("schedulers.chose_request_was_not_offered")),
        ("return -77", phrase("schedulers.chose_request_was_not_offered")),
    ],
)
def test_a_fault_while_it_runs_is_the_same_compiled_and_plain(
    tmp_path: Path, body: str, words: str, plain: bool
) -> None:
    with pytest.raises(PolicyError, match=words):
        simulate(TWO_JOBS, parse(written(tmp_path, body), files=True), plain=plain)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("found", ["10**9", "-77", "len(request_waiting)"])
def test_an_index_that_finds_no_request_is_told(tmp_path: Path, found: str, plain: bool) -> None:
    body = f"return 0\n\n\ndef find(request_waiting):\n    return {found}"
    path = written(tmp_path, body, more=", index=Index(find)")
    with pytest.raises(PolicyError, match=phrase("schedulers.chose_request_was_not_offered")):
        simulate(MANY_JOBS, parse(path, files=True), plain=plain)


def test_an_index_is_not_asked_where_few_jobs_are(tmp_path: Path) -> None:
    body = "return 0\n\n\ndef find():\n    return -77"
    own = written(tmp_path, body, more=", index=Index(find)")
    assert len(simulate(TWO_JOBS, parse(own, files=True)).containers.job) == 12


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "engine",
        "run",
        "engine/scenario/samples/wordcount.json",
        "--scheduler",
        written(tmp_path, "return candidates[10**9]"),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and "own-order failed" in done.stderr


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("saf(k=1, k=2)", phrase("schedulers.saf_given_k_twice")),
        ("fair++slowstart", "'fair++slowstart' can't be read"),
        ("saf(k=1_0)", phrase("common.must_be_number_2")),
    ],
)
def test_slips_in_a_name_are_told(name: str, words: str) -> None:
    with pytest.raises(SchedulerError) as told:
        parse(name)
    assert words in str(told.value)
