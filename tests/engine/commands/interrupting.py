"""Ctrl-C for a command that runs in this process."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interrupted() -> Iterator[None]:
    """An interrupt half a second after the command inside began to listen for one; afterwards nobody listens any more."""
    before = signal.getsignal(signal.SIGINT)

    def interrupt() -> None:
        while signal.getsignal(signal.SIGINT) is before:
            time.sleep(0.01)
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    yield
    assert signal.getsignal(signal.SIGINT) is before
