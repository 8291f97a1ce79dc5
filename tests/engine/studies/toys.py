"""Small scenarios for searches, whose answers follow from arithmetic."""

from __future__ import annotations

from tests.small_scenarios import job, master, node, scenario, tasks


def one_map(seconds: float = 5.0) -> dict:
    """One map alone: the makespan is its duration."""
    return scenario([node()], [job("a", tasks(1, seconds))]).plain()


def two_jobs(a: float = 3.0, b: float = 3.0) -> dict:
    """One after the other on a node with room for one: makespan a + b, longest wait a."""
    return scenario([node()], [job("a", tasks(1, a)), job("b", tasks(1, b))]).plain()


def many(maps: int = 12, nodes: int = 2) -> dict:
    """Maps of a second on nodes with room for one: the makespan is maps / nodes, rounded up, in seconds."""
    return scenario([node(memory=4) | {"count": nodes}], [job("a", tasks(maps, 1.0, memory=4))]).plain()


def hangs() -> dict:
    """A master that leaves its map no room where there is one node."""
    return scenario([node()], [job("a", tasks(1, 1.0), am=master())]).plain()
