"""Jobs that ask for more than a configuration allows."""

from __future__ import annotations

from engine.explanation.refusal import refusal
from engine.scenario.configuration.configuration_notes import NoteKind
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.simulation.simulate import simulate
from tests.small_scenarios import job, master, node, scenario, tasks


def test_a_job_that_asks_for_more_than_the_maximum_is_refused_and_the_rest_runs() -> None:
    """At most 4 vcores, Hadoop's default, which a map of b, and the master of c, exceed."""
    site = (
        "<configuration><property><name>yarn.scheduler.minimum-allocation-mb</name><value>512</value>"
        "</property></configuration>"
    )
    case = scenario(
        [node(8192, 8)],
        [
            job("a", tasks(2, 1.0, 1024, 4)),
            job("b", tasks(1, 1.0, 1024, 5)),
            job("c", tasks(1, 1.0, 1024), am=master(memory=1024, vcores=6)),
        ],
    )
    given = configure_scenario(case, read_configuration([("yarn-site.xml", site.encode())]))
    assert [bool(one.rejected) for one in given.scenario.jobs] == [False, True, True]
    refused = [note for note in given.notes if note.kind is NoteKind.REFUSED]
    assert [note.text.partition(" ")[0] for note in refused] == ["b", "c"] and given.notes[0] is refused[0]
    run = simulate(given.scenario, given.scheduler or "fair")
    assert run.status == "finished" and set(run.containers.job.tolist()) == {0}
    told = [refusal(run, place) for place in (1, 2)]
    assert [(one["limit"], one["there"], one["unit"]) for one in told if one] == [
        (4, 5, "vcores"),
        (4, 6, "vcores"),
    ]
