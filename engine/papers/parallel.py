"""Many experiments at once, in as many processes as the machine has cores: what is not kernel holds Python's lock."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

from engine.papers.gallery import Result, paper_experiments, reproduce


def reproduce_all(names: Sequence[str], ended: Callable[[str], None] = lambda name: None) -> Iterator[tuple[str, Result]]:
    """Every named experiment with its result, in the order of `names`, each as soon as it and those before it are there.

    ended(name) hears of each as it ends. The longest begin first, so that no core waits for the last.
    """
    asked = sorted(names, key=lambda name: -paper_experiments()[name].thousands)
    workers = min(os.cpu_count() or 1, len(asked))
    if workers <= 1:
        for name in names:
            result = reproduce(paper_experiments()[name])
            ended(name)
            yield name, result
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        try:
            futures = {pool.submit(_parts, name): name for name in asked}
            found: dict[str, tuple] = {}
            waiting = iter(names)
            following = next(waiting, None)
            for future in as_completed(futures):
                name = futures[future]
                found[name] = future.result()
                ended(name)
                while following in found:
                    yield following, Result(paper_experiments()[following], *found.pop(following))
                    following = next(waiting, None)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _parts(name: str) -> tuple:
    """A result without its experiment, whose functions don't travel between processes."""
    return tuple(reproduce(paper_experiments()[name]))[1:]
