"""For whom an attempt was preempted."""

from __future__ import annotations

import numpy as np

from engine import Run, simulate
from engine.codes import KILLED
from engine.explanation.container_names import name_of
from engine.explanation.wait_spans import wait_spans
from engine.schedulers.scheduler import parse
from tests.phrases import phrase
from tests.small_scenarios import job, node, scenario, tasks

MONITOR = (
    "capacity(preemption=yes, monitoring_interval_ms=1000, max_wait_before_kill_ms=1000, "
    "total_preemption_per_round=1, natural_termination_factor=1, max_ignored_over_capacity=0)"
)


def killed_for(run: Run, name: str) -> set[str]:
    """What is told of the second attempts of what was killed."""
    killed = np.flatnonzero(run.containers.outcome == KILLED)
    again = [name_of(run, int(number)).rpartition("/")[0] + "/2" for number in killed]
    return {wait_spans(run, parse(name), one).killed_for for one in again}


def test_fair_scheduler_preempts_for_a_job() -> None:
    """The hog takes both MB; b, starved after 1 s, has one killed for it: that map's second attempt waits."""
    starved = {"min_share": {"memory_mb": 1, "vcores": 1}, "min_share_preemption_timeout_s": 1}
    queues = [{"name": "root.a"}, {"name": "root.b", **starved}]
    case = scenario(
        [node(2)],
        [job("a", tasks(2, 100.0), queue="root.a"), job("b", tasks(1), queue="root.b", arrival_s=1)],
        queues,
    )
    name = "fair(preemption=yes, wait_before_kill_ms=1000)"
    run = simulate(case, name)
    assert killed_for(run, name) == {"b"}


def test_the_monitor_of_capacity_scheduler_preempts_for_queues_and_says_what_they_are_to_have() -> None:
    """a holds all 4 MB; of them b, which came at 1 s and holds nothing, is to have its half."""
    queues = [{"name": f"root.{leaf}", "capacity_pct": 50, "user_limit_factor": 2} for leaf in "ab"]
    jobs = [job("a", tasks(4, 100.0), queue="root.a"), job("b", tasks(2, 5.0), queue="root.b", arrival_s=1)]
    run = simulate(scenario([node(4, vcores=4)], jobs, queues), MONITOR)
    told = phrase("explanation.preempted_for_queue", "root.b", "0 MB and 0 vcores", "2 MB and 2 vcores")
    assert killed_for(run, MONITOR) == {told}
