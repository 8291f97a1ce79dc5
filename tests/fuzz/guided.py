"""python -m tests.fuzz.guided READER INPUTS FILE: atheris, which changes bytes by what code they reach. It
ends its process, so it has one of its own.

What was counted is written to FILE; what is wrong stands on standard error, and the exit code is libFuzzer's.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import atheris

os.environ["NUMBA_DISABLE_JIT"] = "1"  # what atheris has written its marks into can't be compiled
with atheris.instrument_imports(
    include=[
        "engine.scenario",
        "engine.schedulers.scheduler",
        "engine.schedulers.legacy_names",
        "webapp.http.json_bodies",
        "webapp.url.url_state",
        "webapp.url.url_view",
    ]
):
    from tests.fuzz import readers

LONGEST = 4_096  # bytes
HANG_S = 10


def main() -> None:
    """Try so many inputs, then end."""
    reader, wanted, file = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    answers: Counter[str] = Counter()

    def one(data: bytes) -> None:
        answers[readers.answer(reader, data)] += 1
        if answers.total() >= wanted:
            file.write_text(json.dumps({"inputs": answers.total(), "answers": answers}))
            os._exit(0)

    with tempfile.TemporaryDirectory() as folder:
        for number, data in enumerate(readers.corpus(reader)):
            Path(folder, str(number)).write_bytes(data)
        options = [
            f"-max_len={LONGEST}",
            f"-timeout={HANG_S}",
            "-rss_limit_mb=2048",
            "-seed=1",
            f"-artifact_prefix={file}.",
            "-verbosity=0",
        ]
        atheris.Setup([sys.argv[0], *options, folder], one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
