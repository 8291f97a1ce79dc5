"""How far schedulers are above the best possible, in words."""

from __future__ import annotations

from engine import lower_bounds, presets, simulate, summary
from webapp.panels.compare.above_best import sentences
from webapp.services import runs
from webapp.services.url_state import Asked


def test_each_scheduler_is_told_by_how_much_it_may_be_worse(cache) -> None:
    scenario = presets()[0].scenario
    text = sentences(runs.task(Asked(scenario.plain(), ("fifo", "haste"))))
    least = max(one.at_least for one in lower_bounds(scenario) if one.metric == "makespan_s")
    shares = {name: 100 * (summary(simulate(scenario, name))["makespan_s"] / least - 1) for name in ("fifo", "haste")}
    apart = f"haste is at most {shares['haste']:.0f}\N{NO-BREAK SPACE}% above that, fifo {shares['fifo']:.0f}\N{NO-BREAK SPACE}%."
    assert text.startswith(f"Makespan under any scheduler is at least 2 m 43.3 s (area of vcores): {apart} Mean turnaround is at least")


def test_where_none_can_be_told_it_says_why(cache) -> None:
    plain = presets()[0].scenario.plain()
    plain["cluster"]["failures"] = {"probability": 0.1}
    assert sentences(runs.task(Asked(plain, ("fifo",)))).startswith("No bound can be told where attempts may fail")


def test_containers_that_take_vcores_without_limit_are_held_against_memory_alone(cache) -> None:
    scenario = presets()[0].scenario
    text = sentences(runs.task(Asked(scenario.plain(), ("fifo(resources=memory)",))))
    assert "(area of memory)" in text or "(large containers (memory))" in text or "(critical path)" in text
