"""python -m engine search: an answer, the curve, what is not feasible, an interrupt, and every way a call can
be wrong.
"""

from __future__ import annotations

import json

import pytest

from engine import Scenario, simulate, summary
from engine.scenario.presets import sample
from engine.studies import run_search
from tests.engine.commands.interrupting import Interrupt
from tests.engine.studies.toys import one_map, two_jobs
from tests.phrases import phrase

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
    code, output, err = run(WORDCOUNT, *vary, "--minimize", "makespan_s", "--out", str(out))
    assert code == 0 and output == (
        phrase(
            "commands.tried_all_settings_each_over",
            40,
            5,
            40,
            "jobs[*].slowstart",
            0.85,
            0.05,
            "3 min 33 s",
            "4 min 52 s",
            "−1 min 19 s",
        )
        + "\n"
    )
    assert err == [f"{out}: " + phrase("commands.be_run_with", "--scheduler", "'fair'")]
    assert summary(simulate(Scenario.read(out.read_bytes()), "fair"))["makespan_s"] == pytest.approx(213.114)


def test_json_has_every_trial(run, file) -> None:
    arguments = (
        file(one_map()),
        "--vary",
        "jobs[0].maps.duration_s=1:9:1",
        "--minimize",
        "makespan_s",
        "--at-least",
        "makespan_s=6.5",
        "--json",
    )
    code, output, err = run(*arguments)
    result = json.loads(output)
    assert (code, err) == (0, []) and len(result["trials"]) == 9 and result["feasible"] == 3
    assert result["front"][0]["changed"] == {"jobs[0].maps.duration_s": 7}
    assert result["scenario"]["jobs"][0]["maps"]["duration_s"] == 7 and result["scheduler"] == "fair"
    assert run(*arguments)[1] == output


def test_over_seeds_it_says_how_sure_it_is(run) -> None:
    code, output, _ = run(
        str(sample("random-durations.json")),
        "--vary",
        "cluster.nodes.total=2,3,4",
        "--minimize",
        "makespan_s",
        "--seeds",
        "2",
    )
    assert (
        code == 0
        and " " + phrase("commands.over_fresh_seeds_makespan_better", 30, 95) + "\n" in output
        and " ± " in output
    )


def test_two_metrics_make_a_curve(run, file) -> None:
    vary = (
        "--vary",
        "jobs[0].maps.duration_s=1:3:1",
        "--vary",
        "jobs[1].maps.duration_s=1,2",
        "--scheduler",
        "fifo",
    )
    code, output, _ = run(
        file(two_jobs(3.0, 2.0)), *vary, "--minimize", "makespan_s", "--and-maximize", "max_wait_s"
    )
    assert code == 0 and output.splitlines()[1:] == [
        phrase("commands.settings_trade_smaller_makespan_for", 3),
        "",
        phrase("commands.makespan_than_now_longest_wait"),
        "     2 s      −3 s           1 s      −2 s  jobs[0].maps.duration_s 1 instead of 3, "
        "jobs[1].maps.duration_s 1 instead of 2",
        "     3 s      −2 s           2 s      −1 s  jobs[0].maps.duration_s 2 instead of 3, "
        "jobs[1].maps.duration_s 1 instead of 2",
        "     4 s      −1 s           3 s       0 s  jobs[1].maps.duration_s 1 instead of 2",
    ]


def test_where_nothing_is_feasible_it_says_what_is_nearest(run, file, tmp_path) -> None:
    out = tmp_path / "best.json"
    arguments = (
        "--vary",
        "jobs[0].maps.duration_s=1:9:1",
        "--minimize",
        "makespan_s",
        "--at-most",
        "worst_queue_p95_turnaround_s=0.5",
        "--out",
        str(out),
    )
    code, output, err = run(file(one_map()), *arguments)
    assert (code, err) == (
        1,
        [f"{out}: " + phrase("commands.not_written_as_no_setting")],
    ) and not out.exists()
    assert output.splitlines()[1:] == [
        phrase("commands.no_setting_was_tried_holds", "jobs[0].maps.duration_s", 1, 5),
        "  " + phrase("commands.percentile_turnaround_worst_queue_s", "95th", "1 s", "500 ms", "500 ms"),
    ]


def test_schedulers_can_be_what_varies(run) -> None:
    code, output, _ = run(
        WORDCOUNT,
        "--vary",
        "scheduler=fifo,saf(entropy=renyi, alpha=2),fair",
        "--minimize",
        "makespan_s",
        "--json",
    )
    assert code == 0 and [one["scheduler"] for one in json.loads(output)["trials"]] == [
        "fifo",
        "saf(entropy=renyi, alpha=2)",
        "fair",
    ]


def test_an_interrupt_gives_what_was_found(run, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt = Interrupt(lambda progress: len(progress.trials) >= 5)
    monkeypatch.setattr(
        run_search,
        "run_search",
        lambda *given, search=run_search.run_search: search(given[0], given[1], interrupt, given[3]),
    )
    vary = [
        word
        for path in ("jobs[*].slowstart", "jobs[*].maps.memory_mb", "jobs[*].reduces.memory_mb")
        for word in ("--vary", path)
    ]
    code, output, err = run(WORDCOUNT, *vary, "--minimize", "makespan_s", "--trials", "2000")
    assert (
        interrupt.exceeds_user_limit
        and (code, err) == (130, [])
        and phrase("commands.as_search_was_ended_each", 5) in output
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--minimize", "makespan_s"), phrase("common.vary_must_be_parameters_not", 1, 6, 0)),
        (
            ("--vary", "jobs[*].slowstart"),
            phrase(
                "commands.one_arguments_required_python_engine", "--minimize", "--maximize", "-m", "--help"
            ),
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan"),
            "objectives[0].metric: " + phrase("common.no_metric_did_you_mean", "'makespan'", "makespan_s"),
        ),
        (
            ("--vary", "seed", "--minimize", "makespan_s"),
            "vary[0].path: " + phrase("common.luck_no_setting_seeds_says"),
        ),
        (
            ("--vary", "jobs[*].slowstart=1", "--minimize", "makespan_s"),
            phrase(
                "commands.must_be_path_with_low",
                "--vary",
                "'jobs[*].slowstart=1'",
                "a,b,c",
                "jobs[*].slowstart=0.05:1:0.05",
            ),
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--at-most", "makespan_s"),
            phrase(
                "common.must_be_such_as",
                "--at-most",
                "'makespan_s'",
                "METRIC=VALUE",
                "worst_queue_p95_turnaround_s=60",
            ),
        ),
        (
            ("--vary", "jobs[*].slowstart=0:1e999", "--minimize", "makespan_s"),
            phrase("commands.must_be_path_with_low_high"),
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--trials", "5"),
            phrase("common.trials_must_be_whole_number", 10, "2,000"),
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--jitter", "nan"),
            phrase("common.jitter_must_be_number_from", 0, 3),
        ),
        (
            ("--vary", "jobs[*].slowstart", "--minimize", "makespan_s", "--out", "/dev/null/x"),
            "can't be written",
        ),
        (("--vary", "scheduler=best,fair", "--minimize", "makespan_s"), "schedulers[0]: "),
    ],
)
def test_a_wrong_call_is_one_line(run, arguments: tuple[str, ...], says: str) -> None:
    code, out, (line,) = run(WORDCOUNT, *arguments)
    assert (code, out) == (2, "") and says in line
