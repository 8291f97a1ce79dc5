"""What somebody at a terminal sees: how far long work is, and colours. A pipe or a file gets neither."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from engine.commands.streams import print_err, print_out

if TYPE_CHECKING:
    import rich.progress

BEST = re.compile(r"\S+(?: ± \S+)?(?= \*(?:\s|$))")  # a table's number with the mark of the best


class ProgressBar:
    """A line of standard error that says how far the work is, and is gone when it ends."""

    def __init__(self) -> None:
        self._shown: rich.progress.Progress | None = None

    def show(self, text: str, done: float = 0.0, total: float | None = None) -> None:
        """What is done now, and how much of it; total: None where nobody knows how much there is."""
        if not sys.stderr.isatty():
            return
        if self._shown is None:
            self._shown = _bar()
            self._shown.add_task("")
        self._shown.update(self._shown.task_ids[0], description=text, completed=done, total=total)
        self._shown.start()

    def announce(self, sentence: str, done: float = 0.0, total: float | None = None) -> None:
        """The same, and a sentence where there is no terminal."""
        if sys.stderr.isatty():
            self.show(sentence, done, total)
        else:
            print_err(sentence)

    def hide(self) -> None:
        """Until more is shown, so that something else can be written."""
        if self._shown is not None:
            self._shown.stop()


def _bar() -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
    )


@contextmanager
def progress_bar() -> Iterator[ProgressBar]:
    """A bar, which also tells what has to be compiled meanwhile; it is hidden at the end."""
    from engine import jit

    bar = ProgressBar()
    jit.report = bar.announce
    try:
        yield bar
    finally:
        jit.report = print_err
        bar.hide()


def print_table(text: str) -> None:
    """A table for people to standard output; on a terminal the best numbers are green."""
    print_out([_styled(text, sys.stdout, BEST, "green")])


def print_fault(fault: str) -> None:
    """A sentence a line on what is wrong to standard error, red on a terminal."""
    print_err(_styled(fault, sys.stderr, re.compile(".+"), "red"))


def _styled(text: str, stream: TextIO, pattern: re.Pattern[str], style: str) -> str:
    """The text as it is printed to the stream, with what matches in the style if colours are shown there, as
    NO_COLOR, FORCE_COLOR and TERM say.
    """
    if not stream.isatty() and not os.environ.get("FORCE_COLOR"):
        return text
    from rich.console import Console
    from rich.text import Text

    console, styled = Console(file=stream), Text(text)
    styled.highlight_regex(pattern, style)
    with console.capture() as capture:
        console.print(styled, end="", soft_wrap=True)
    return capture.get()
