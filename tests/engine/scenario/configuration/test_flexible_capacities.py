"""legacy-queue-mode.enabled false, as Hadoop's CapacityScheduler was asked with ten nodes of 8192 MB."""

from __future__ import annotations

import pytest

from engine.dashboard import configuration_text
from engine.errors import FormatError
from tests.engine.scenario.configuration.files import alone, notes, of_capacity
from tests.phrases import phrase

FLEXIBLE = {"legacy-queue-mode.enabled": "false", "root.queues": "a,b,c"}


def of(*capacities: str, **more: str) -> dict[str, str]:
    """Of root.a, root.b and root.c."""
    names = (f"root.{name}.capacity" for name in "abc")
    return FLEXIBLE | dict(zip(names, capacities)) | {f"root.a.{name}": text for name, text in more.items()}


@pytest.mark.parametrize(
    ("capacities", "parts"),
    [
        (("[memory=20480,vcores=20]", "50", "1w"), [25.0, 37.5, 37.5]),
        (("[memory=102400,vcores=100]", "10", "1w"), [100.0, 0.0, 0.0]),
        (("60", "60", "10"), [60.0, 40.0, 0.0]),
        (("60", "1w", "3w"), [60.0, 10.0, 30.0]),
        (("0", "0", "0"), [0.0, 0.0, 0.0]),
        (("30", "24"), [30.0, 24.0, 0.0]),
        (("[memory=50%,vcores=9%]", "[memory=1w,vcores=3w]", "[memory=20480,vcores=1w]"), [37.5, 37.5, 25.0]),
    ],
)
def test_capacities_of_any_kind(capacities: tuple[str, ...], parts: list[float]) -> None:
    made = alone(of_capacity(of(*capacities)))
    assert [queue.capacity_pct for queue in made.scenario.queues[1:]] == pytest.approx(parts)
    assert phrase("configuration.resources_come_first") in notes(made)[0]
    text = configuration_text(made.scenario, made.scheduler, "capacity-xml")
    assert text.count(".capacity</name>") == len(capacities)
    again = alone(text.encode()).scenario.queues
    assert [queue.capacity_pct for queue in again] == [queue.capacity_pct for queue in made.scenario.queues]


def test_maxima_of_any_kind() -> None:
    percentage = of("[memory=20480,vcores=20]", "50", "1w", **{"maximum-capacity": "70"})
    assert alone(of_capacity(percentage)).scenario.queues[1].max_capacity_pct == 70.0
    for maximum in ("[memory=40960,vcores=40]", "[memory=50%,vcores=9%]"):
        made = alone(of_capacity(of("20", "50", "1w", **{"maximum-capacity": maximum})))
        assert made.scenario.queues[1].max_capacity_pct == 50.0


def test_vectors_say_nothing_elsewhere() -> None:
    given = {"root.queues": "a,b", "root.a.capacity": "[memory=50%,vcores=10]", "root.b.capacity": "100"}
    made = alone(of_capacity({**given, "root.b.maximum-capacity": "[memory=50%,vcores=10]"}))
    assert [queue.capacity_pct for queue in made.scenario.queues[1:]] == [0.0, 100.0]
    assert made.scenario.queues[2].max_capacity_pct is None
    with pytest.raises(FormatError, match=phrase("configuration.line_must_give_memory", 3, r"\S+", r"'\S+'")):
        alone(of_capacity({**given, "root.a.capacity": "[memory=x%,vcores=1%]"}))
