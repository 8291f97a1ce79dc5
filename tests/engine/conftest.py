"""What tests of the command line share."""

from __future__ import annotations

import pytest

from engine import __main__ as command
from engine import jit


@pytest.fixture
def run(capfdbinary, monkeypatch):
    """(exit code, standard output, lines of standard error) of a call in this process, where nothing is
    announced because small runs are plain.
    """
    monkeypatch.setattr(jit, "LOAD_S", float("inf"))
    monkeypatch.setattr(jit, "report", jit.report)

    def go(*arguments: str) -> tuple[int, str, list[str]]:
        code = command.main(list(arguments))
        out, err = capfdbinary.readouterr()
        return code, out.decode(), err.decode().splitlines()

    return go
