"""Completion in real shells: what the tab key makes of a line."""

from __future__ import annotations

import shutil
import subprocess
import sys
from argparse import ArgumentParser

import pytest

from engine.__main__ import SHELLS, Program, main
from tests.conftest import ROOT
from tests.terminals import terminal

# of each shell: how it starts without anybody's settings; what reads the script, as the documents say; and a
# command of the name that says its arguments
EVAL, ECHO = 'eval "$(cat gantry.script)"', 'gantry() { echo "called: $*"; }'
SHELL_LINES = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], EVAL, ECHO),
    "zsh": (["zsh", "-f", "-i"], f"autoload -U compinit; compinit -u -D; {EVAL}", ECHO),
    "fish": (
        ["fish", "--private", "--no-config", "-i"],
        "cat gantry.script | source",
        'function gantry; echo "called: $argv"; end',
    ),
}
TYPED = {
    "ru": "run",
    "run --sched": "run --scheduler",
    "run --scheduler ffd": "run --scheduler ffd-dp",
    "run wordc": "run wordcount.json",
    "run --csv fol": "run --csv folder",
    "convert --to fair": "convert --to fair-xml",
    "sweep x --metric worst_queue_p95_t": "sweep x --metric worst_queue_p95_turnaround_s",
    "what-if x --question dra": "what-if x --question drain",
    "papers dynamic-priority/table-1": "papers dynamic-priority/table-1",
    "serve --po": "serve --port",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_tab_key_completes_commands_options_names_and_files(shell, tmp_path, capfdbinary):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert (
        main(["completion", shell], "gantry", {"serve": Program("serve the page", lambda words: 0, _serve)})
        == 0
    )
    (tmp_path / "gantry.script").write_bytes(capfdbinary.readouterr().out)
    (tmp_path / "wordcount.json").touch()
    (tmp_path / "folder").mkdir()
    command, script, echo = SHELL_LINES[shell]
    with terminal(command, tmp_path, HOME=str(tmp_path)) as shown:
        shown.type(f"{script}; {echo}; gantry ready\r")
        shown.wait_for("called: ready")
        for typed, completed in TYPED.items():
            shown.type(f"gantry {typed}\t\r")
            shown.wait_for(f"called: {completed}")


def test_completion_loads_no_compiler():
    script = (
        "import sys; from engine.__main__ import main; main(sys.argv[1:]); assert 'numba' not in sys.modules"
    )
    command = [sys.executable, "-c", script, "completion", "bash"]
    assert subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def _serve() -> ArgumentParser:
    parser = ArgumentParser("serve")
    parser.add_argument("--port")
    return parser
