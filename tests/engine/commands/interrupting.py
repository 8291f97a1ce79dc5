"""Ctrl-C for a command that runs in this process, once it has come so far."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import Any


class Interrupt:
    """Is told of a command's progress in its listener's place, and interrupts it as soon as `when` holds."""

    def __init__(self, when: Callable[[Any], bool]) -> None:
        self._when, self._sent, self._before = when, False, signal.getsignal(signal.SIGINT)

    def __call__(self, progress: Any) -> None:
        if not self._sent and self._when(progress):
            self._sent = True
            os.kill(os.getpid(), signal.SIGINT)

    @property
    def exceeds_user_limit(self) -> bool:
        """Was it sent, and does nobody listen for one any more?"""
        return self._sent and signal.getsignal(signal.SIGINT) is self._before
