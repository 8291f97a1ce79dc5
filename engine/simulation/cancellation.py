"""How a run is ended from outside: by another thread, which sees what was asked of it while the kernel runs without Python's lock."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from engine.errors import Halted


class Halt:
    """A wish that runs end; those that were given it do at their next instant or beat. One wish may be of several runs."""

    def __init__(self) -> None:
        self.flag = np.zeros(1, np.int64)

    def ask(self) -> None:
        """From now on; once asked it stays so."""
        self.flag[0] = 1

    @property
    def asked(self) -> bool:
        """Was it?"""
        return bool(self.flag[0])

    def go_on(self) -> None:
        """Between steps that don't look at the flag themselves. Raises Halted once it was asked."""
        if self.asked:
            raise Halted("it was ended from outside")

    @contextmanager
    def after(self, seconds: float) -> Iterator[None]:
        """It is asked by itself when what runs inside takes longer."""
        timer = threading.Timer(seconds, self.ask)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
