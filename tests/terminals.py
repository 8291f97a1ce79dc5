"""A real terminal for a program: what it shows there, and keys that are typed into it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import subprocess
import termios
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.waiting import MAX_WAIT_S, until

WIDTH, HEIGHT = 200, 50
INTERRUPT = "\x03"  # Ctrl-C


class Terminal:
    """One program's terminal; `shown` is all that came there, with its control sequences."""

    def __init__(self, primary: int, process: subprocess.Popen) -> None:
        self._primary, self._process = primary, process
        self.shown = ""

    def type(self, keys: str) -> None:
        """As if somebody typed them."""
        os.write(self._primary, keys.encode())

    def wait_for(self, text: str, start: int = 0) -> None:
        """Until the text is shown after the first `start` characters."""
        until(lambda: text in self.shown[start:] or not self._read())
        assert text in self.shown[start:], self.shown[start:]

    def end(self) -> int:
        """The exit code, once the program has ended."""
        until(lambda: not self._read())
        return self._process.wait(MAX_WAIT_S)

    def _read(self) -> bool:
        """Reads what comes soon; False once the program has closed its terminal."""
        if select.select([self._primary], [], [], 0.05)[0]:
            try:
                data = os.read(self._primary, 1 << 16)
            except OSError:  # so Linux says that nobody has it open
                return False
            self.shown += data.decode(errors="replace")
        return True


@contextlib.contextmanager
def terminal(
    command: Sequence[str | Path], folder: Path, *, stdout: int | None = None, **variables: str
) -> Iterator[Terminal]:
    """The program in a terminal of its own, its standard output elsewhere if that is given. It is killed
    where it still runs.
    """
    primary, secondary = pty.openpty()
    termios.tcsetwinsize(secondary, (HEIGHT, WIDTH))
    chosen = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={
            **{name: value for name, value in os.environ.items() if name not in chosen},
            "TERM": "xterm-256color",
            **variables,
        },
        stdin=secondary,
        stdout=secondary if stdout is None else stdout,
        stderr=secondary,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(2, termios.TIOCSCTTY, 0),
    )
    os.close(secondary)
    try:
        yield Terminal(primary, process)
    finally:
        process.kill()
        process.wait()
        os.close(primary)
