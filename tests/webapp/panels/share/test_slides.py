"""The slides' drawing and animation, as the page asks for them."""

from __future__ import annotations

import base64
import io
import struct
import zlib
from xml.etree import ElementTree

import pytest
from PIL import Image

from tests.phrases import phrase
from webapp.figures.slide import HEIGHT, MAX_CHARTS, WIDTH
from webapp.panels.share import slides
from webapp.panels.timeline.viewport import bounds
from webapp.runs.task import Task, build_task
from webapp.url.url_state import RunRequest


@pytest.fixture
def task(cache, small: dict) -> Task:
    return build_task(RunRequest(small, ("fair", "fifo", "haste")))


def texts(slide: dict) -> list[str]:
    root = ElementTree.fromstring(slide["svg"])
    return ["".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text")]


def painted(size: tuple[int, int] = (WIDTH, 2 * HEIGHT), format: str = "PNG") -> str:
    file = io.BytesIO()
    Image.new("RGB", size, "white").save(file, format)
    return base64.b64encode(file.getvalue()).decode()


def bomb() -> str:
    """A PNG of 40,000 x 40,000 px in some bytes."""
    size = struct.pack(">II", 40_000, 40_000)
    head = b"IHDR" + size + bytes((8, 2, 0, 0, 0))
    file = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return base64.b64encode(file + struct.pack(">I", 0) + b"IDAT" + b"\0" * 4).decode()


def asked(**more) -> dict:
    usual = {"picture": painted(), "boxes": [[10, 10, 100, 100]], "window": [0, 100], "played": [0, 50]}
    return usual | {"dark": False, "key": "any", "width": 12} | more


def test_a_slide_is_of_what_the_charts_show(task: Task) -> None:
    whole = slides.draw(task, {})
    assert whole["name"] == task.scenario.name
    assert whole["window"] == bounds(task)
    near = slides.draw(task, {"window": {"x0": 1000, "x1": 5000}, "dark": True, "columns": 2})
    assert near["window"] == (1000, 5000) and "color-scheme:dark" in near["svg"]


def test_equal_runs_stand_once_under_all_their_names(task: Task) -> None:
    heads = [text for text in texts(slides.draw(task, {})) if "Makespan" in text]
    names = [head.split("Makespan")[0] for head in heads]
    assert len(names) == len(set(names)) < 3
    assert sorted(name for joined in names for name in joined.split(" = ")) == ["fair", "fifo", "haste"]
    assert len(slides.draw(task, {"charts": [0]})["boxes"]) == 1


def test_more_charts_than_a_slide_has_room_for_are_refused_in_a_sentence(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slides, "MAX_CHARTS", 0)
    says = slides.draw(task, {"charts": [0]})["says"]
    assert phrase("slides.has_room_for", 0) in says
    assert set(slides.draw(task, {"charts": []})) == {"says"}


def test_the_animation_is_a_gif() -> None:
    made = base64.b64decode(slides.animate(None, asked())["gif"])
    assert Image.open(io.BytesIO(made)).size == (WIDTH, HEIGHT)


@pytest.mark.parametrize(
    "wrong",
    [
        {"picture": painted((WIDTH, HEIGHT))},
        {"picture": painted(format="BMP")},
        {"picture": painted()[:200]},
        {"picture": bomb()},
        {"picture": "no base64!"},
        {"picture": ""},
        {"played": [50, 50]},
        {"played": [0, 101]},
        {"window": [0, 10**16]},
        {"boxes": [[0, 0, 1, -1]]},
        {"boxes": [[0, 0, 1, 1]] * (MAX_CHARTS + 1)},
        {"dark": None},
    ],
)
def test_what_is_no_slide_is_refused_in_a_sentence(wrong: dict) -> None:
    answer = slides.animate(None, asked(**wrong))
    assert set(answer) == {"says"} and answer["says"]
