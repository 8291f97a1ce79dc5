"""Ctrl-C for a command that runs in this process."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted(after_s: float = 0.5) -> Iterator[None]:
    """An interrupt after_s after the command inside began to listen for one, if it still does then; afterwards nobody listens any more."""
    before, done = signal.getsignal(signal.SIGINT), threading.Event()

    def interrupt() -> None:
        while signal.getsignal(signal.SIGINT) is before:
            if done.wait(0.01):
                return
        if not done.wait(after_s):
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
    assert signal.getsignal(signal.SIGINT) is before
