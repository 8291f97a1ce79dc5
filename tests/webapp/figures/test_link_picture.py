"""The picture of a link: of a fixed size, small, with the charts' colours, whatever the runs are called."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from engine import presets, simulate
from webapp import theme
from webapp.figures import Scene, full_window
from webapp.figures.link_picture import HEIGHT, WIDTH, Panel, link_picture

MAX_BYTES = 60_000


def pixels(picture: bytes) -> np.ndarray:
    image = Image.open(io.BytesIO(picture))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    assert len(picture) < MAX_BYTES
    return np.asarray(image.convert("RGB")).reshape(-1, 3)


def share(picture: bytes, colour: str) -> float:
    """Of all pixels those that have about this colour."""
    return float((abs(pixels(picture).astype(int) - theme.rgb(colour)).max(axis=1) < 8).mean())


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_each_run_has_its_chart_on_one_axis(count: int) -> None:
    runs = [simulate(presets()[0].scenario, name) for name in ("fifo", "fair", "drf", "capacity")[:count]]
    panels = [Panel(run.scheduler, "4 min", 240.0, Scene(run)) for run in runs]
    whole = link_picture(panels, full_window(runs), 0)
    maps = theme.PHASES_BY_KEY["map"].light
    assert share(whole, maps) > 0.05
    first, last = full_window(runs)
    assert share(link_picture(panels, (first, 2 * last), 0), maps) < 0.7 * share(whole, maps)
    assert link_picture(panels, full_window(runs), 3) != whole


def test_a_run_that_is_not_at_hand_is_a_bar_as_long_as_its_makespan() -> None:
    slow, fast = Panel("fifo", "4 min", 240.0), Panel("fair", "2 min", 120.0)
    picture = link_picture([slow, fast, Panel("drf", "ends in a deadlock", None)], (0, 1), 0)
    first, second, third = (share(picture, theme.scheduler(place, False)) for place in range(3))
    assert 1.9 < first / second < 2.1 and third == 0


def test_any_name_fits() -> None:
    panels = [Panel("a" * 500, "4 min", 1.0), Panel("\u202e名\x00", "", 0.0), Panel("", "…" * 90, None)]
    pixels(link_picture(panels, (0, 1), 10**9))
    pixels(link_picture([], (0, 1), 0))
