"""python -m engine search: an answer, the curve, what is not feasible, an interrupt, and every way a call can be wrong."""

from __future__ import annotations

import json

import pytest

from engine import Scenario, simulate, summary
from engine.scenario.presets import sample
from engine.studies import run_search
from tests.engine.commands.interrupting import Interrupt
from tests.engine.studies.toys import one_map, two_jobs

WORDCOUNT = str(sample("wordcount.json"))


@pytest.fixture
def file(tmp_path):
    def write(plain: dict) -> str:
        path = tmp_path / "scenario.json"
        path.write_text(json.dumps(plain))
        return str(path)

    return write


@pytest.fixture
def run(run):
    return lambda *arguments: run("search", *arguments)


def test_the_answer_is_a_sentence_and_a_scenario_that_runs(run, tmp_path) -> None:
    out = tmp_path / "best.json"
    vary = ("--vary", "jobs[*].slowstart=0.05:1:0.05", "--scheduler", "fifo", "--scheduler", "fair")
    code, said, err = run(WORDCOUNT, *vary, "--minimize", "makespan_s", "--out", str(out))
    assert code == 0 and said == (
        "Tried all 40 settings, each over 5 seeds where anything is drawn: 40 feasible.\n"
        "fair instead of fifo, jobs[*].slowstart 0.85 instead of 0.05: makespan 213 s instead of 292 s, -78.6 s.\n"
        "makespan: better, and exactly so, as nothing is drawn.\n"
    )
    assert err == [f"{out}: to be run with --scheduler 'fair'"]
    assert summary(simulate(Scenario.read(out.read_bytes()), "fair"))["makespan_s"] == pytest.approx(213.114)


def test_json_has_every_trial(run, file) -> None:
    arguments = (file(one_map()), "--vary", "jobs[0].maps.duration_s=1:9:1", "--minimize", "makespan_s", "--at-least", "makespan_s=6.5", "--json")
    code, said, err = run(*arguments)
    found = json.loads(said)
    assert (code, err) == (0, []) and len(found["trials"]) == 9 and found["feasible"] == 3
    assert found["front"][0]["changed"] == {"jobs[0].maps.duration_s": 7}
    assert found["scenario"]["jobs"][0]["maps"]["duration_s"] == 7 and found["scheduler"] == "fair"
    assert run(*arguments)[1] == said


def test_over_seeds_it_says_how_sure_it_is(run) -> None:
    code, said, _ = run(str(sample("random-durations.json")), "--vary", "cluster.nodes.total=2,3,4", "--minimize", "makespan_s", "--seeds", "2")
    assert code == 0 and " over 30 fresh seeds.\nmakespan: better for sure: the 95 % interval leaves out zero.\n" in said and " ± " in said


def test_two_metrics_make_a_curve(run, file) -> None:
    vary = ("--vary", "jobs[0].maps.duration_s=1:3:1", "--vary", "jobs[1].maps.duration_s=1,2", "--scheduler", "fifo")
    code, said, _ = run(file(two_jobs(3.0, 2.0)), *vary, "--minimize", "makespan_s", "--and-maximize", "max_wait_s")
    assert code == 0 and said.splitlines()[1:] == [
        "3 settings trade smaller makespan for larger longest wait: no other that was tried is better in one and no worse in the other.",
        "",
        "makespan  than now  longest wait  than now  setting",
        "     2 s      -3 s           1 s      -2 s  jobs[0].maps.duration_s 1 instead of 3, jobs[1].maps.duration_s 1 instead of 2",
        "     3 s      -2 s           2 s      -1 s  jobs[0].maps.duration_s 2 instead of 3, jobs[1].maps.duration_s 1 instead of 2",
        "     4 s      -1 s           3 s       0 s  jobs[1].maps.duration_s 1 instead of 2",
    ]


def test_where_nothing_is_feasible_it_says_what_is_nearest(run, file, tmp_path) -> None:
    out = tmp_path / "best.json"
    arguments = ("--vary", "jobs[0].maps.duration_s=1:9:1", "--minimize", "makespan_s", "--at-most", "worst_queue_p95_turnaround_s=0.5", "--out", str(out))
    code, said, err = run(file(one_map()), *arguments)
    assert (code, err) == (1, [f"{out}: not written, as no setting is feasible"]) and not out.exists()
    assert said.splitlines()[1:] == [
        "No setting that was tried holds every constraint; the nearest is jobs[0].maps.duration_s 1 instead of 5:",
        "  95th percentile of turnaround, worst queue 1 s, at most 0.50 s: broken by 0.50 s",
    ]


def test_schedulers_can_be_what_varies(run) -> None:
    code, said, _ = run(WORDCOUNT, "--vary", "scheduler=fifo,saf(entropy=renyi, alpha=2),fair", "--minimize", "makespan_s", "--json")
    assert code == 0 and [one["scheduler"] for one in json.loads(said)["trials"]] == ["fifo", "saf(entropy=renyi, alpha=2)", "fair"]


def test_an_interrupt_gives_what_was_found(run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt(lambda progress: len(progress.trials) >= 5)
    monkeypatch.setattr(run_search, "run_search", lambda *given, search=run_search.run_search: search(given[0], given[1], interrupt, given[3]))
    vary = [word for path in ("jobs[*].slowstart", "jobs[*].maps.memory_mb", "jobs[*].reduces.memory_mb") for word in ("--vary", path)]
    code, said, err = run(WORDCOUNT, *vary, "--minimize", "makespan_s", "--trials", "2000")
    assert interrupt.is_over and (code, err) == (130, []) and ", as the search was ended, each over 5 seeds" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--minimize", "makespan_s"), "vary: must be 1 to 6 parameters, not 0"),
        (("--vary", "jobs[*].slowstart"), "one of the arguments --minimize --maximize is required; python -m engine search --help says what can be given"),
        (("--vary", "jobs[*].slowstart", "--minimize", "makespan"), "objectives[0].metric: 'makespan' is no metric; did you mean makespan_s?"),
        (("--vary", "seed", "--minimize", "makespan_s"), "vary[0].path: is luck, no setting; seeds says over how many one is judged"),
        (
            ("--vary", "jobs[*].slowstart=1", "--minimize", "makespan_s"),
            "--vary 'jobs[*].slowstart=1' must be a path with LOW:HIGH, LOW:HIGH:STEP or values a,b,c, such as jobs[*].slowstart=0.05:1:0.05",
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--at-most", "makespan_s"),
            "--at-most 'makespan_s' must be METRIC=VALUE, such as worst_queue_p95_turnaround_s=60",
        ),
        (("--vary", "jobs[*].slowstart=0:1e999", "--minimize", "makespan_s"), "must be a path with LOW:HIGH"),
        (("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--trials", "5"), "trials: must be a whole number from 10 to 2,000"),
        (("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--jitter", "nan"), "jitter: must be a number from 0 to 3"),
        (("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--out", "/dev/null/x"), "can't be written"),
        (("--vary", "scheduler=best,fair", "--minimize", "makespan_s"), "schedulers[0]: "),
    ],
)
def test_a_wrong_call_is_one_line(run, arguments: tuple[str, ...], says: str) -> None:
    code, out, (line,) = run(WORDCOUNT, *arguments)
    assert (code, out) == (2, "") and says in line
