"""The map of a whole run: all rows and all times, whatever is looked at."""

from __future__ import annotations

import base64

from engine.schedulers.view import MAP
from tests.webapp.figures.timeline.pixels import is_phase, unpacked
from tests.webapp.handmade_runs import run
from webapp.figures.timeline.minimap import HEIGHT_PX, WIDTH_PX, minimap
from webapp.figures.timeline.rows import rows
from webapp.figures.timeline.scene import Scene


def test_it_shows_all_of_the_run() -> None:
    made = run(
        [{"kind": MAP, "start": 0, "end": 500}, {"kind": MAP, "start": 500, "end": 1_000, "node": 1}], nodes=2
    )
    scene = Scene(made)
    of = rows([scene]).zoomed_to((0.0, 1.0))
    pixels, palette = unpacked(
        base64.b64decode(minimap(scene, of, (0, 1_000), False).removeprefix("data:image/png;base64,"))
    )
    drawn = palette[pixels]
    assert drawn.shape[:2] == (HEIGHT_PX, WIDTH_PX)
    assert is_phase(drawn[2, 100], "map") and is_phase(drawn[-3, 800], "map")
    assert not drawn[2, 800, 3] and not drawn[-3, 100, 3]
