"""Lost nodes on the rows of their nodes."""

from __future__ import annotations

from engine import Scenario
from tests.handmade_runs import container, run, scenario, stage
from tests.phrases import phrase
from webapp.figures.timeline.outage_bands import draw_bands, outage_at
from webapp.figures.timeline.rows import RowOptions, rows
from webapp.figures.timeline.scene import Scene
from webapp.figures.timeline.time_scale import TimeScale

OF = scenario(
    [(4, 4), (4, 4)], [{"maps": stage(3, 1, 1)}], outages=[{"node": "node2", "lost_s": 2, "back_s": 4}]
)
LOST = [container(0, "map", 1, 0, 2000, outcome="lost"), container(0, "map", 1, 0, 1500, index=1)]
SCENE = Scene(
    run(
        OF,
        [*LOST, container(0, "map", 0, 1000, 10_000, index=2), container(0, "map", 0, 3000, 9000, attempt=2)],
    )
)
PLACE = TimeScale((0, 10_000), (0, 10_000), 500)


def test_a_band_lies_over_all_lanes_of_the_node_while_it_is_lost() -> None:
    of = rows([SCENE])
    of = of._replace(px=10 * of.row_count)
    drawn = draw_bands(SCENE, of, PLACE)
    assert drawn.count("<rect") == 1
    # below node1's two lanes, node2's two
    assert 'x="100.0" y="20.0" width="100.0" height="20.0" class="p-down"' in drawn
    assert "<title>node2 is lost from 0:02 to 0:04</title>" in drawn


def test_rows_of_jobs_or_of_several_nodes_have_none() -> None:
    for by in ("job", "rack"):
        assert draw_bands(SCENE, rows([SCENE], RowOptions(by=by)), PLACE) == ""
    assert draw_bands(SCENE, rows([SCENE], RowOptions(by="node")), PLACE)


def test_the_pointer_is_told() -> None:
    of = rows([SCENE])
    assert outage_at(SCENE, of, 2.2, 3000) == ["node2", phrase("timeline.lost_from", "node2", "0:02", "0:04")]
    assert outage_at(SCENE, of, 2.2, 5000) is None
    assert outage_at(SCENE, of, 0, 3000) is None


def test_a_node_that_joins_is_not_there_before() -> None:
    made = OF.plain()
    made["cluster"]["nodes"][1]["joins_s"] = 3
    del made["cluster"]["outages"]
    for until, words in (
        (5000, phrase("timeline.not_there_before_it_joins", "node2", "0:03")),
        (2000, phrase("timeline.does_not_join_before_end", "node2")),
    ):
        scene = Scene(run(Scenario.of(made), [container(0, "map", 0, 0, until)]))
        assert words in draw_bands(scene, rows([scene], RowOptions(by="node")), PLACE)
        assert scene.legend == {"map", "down"}


def test_the_legend_knows_what_the_run_has() -> None:
    assert SCENE.legend - {"master", "map", "reduce", "shuffle", "waiting"} == {"lost", "wasted", "down"}
