"""make audit: known holes in what is pinned, by pip-audit, which asks the database of osv.dev.

0: none is known. 1: some are, a line each. 2: nobody can tell, for the database could not be asked.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ("requirements.txt", "requirements-test.txt", "requirements-spark.txt")
TIMEOUT_S = 300
WAIT_S = 10  # for one answer
FINE, HOLES, UNKNOWN = 0, 1, 2


def audit(pins: list[Path], *more: str, most_s: float = TIMEOUT_S) -> int:
    """Says what is known of these files' packages; more: words for pip-audit."""
    with tempfile.TemporaryDirectory() as folder:
        files = [word for path in pins for word in ("-r", str(path))]
        words = [
            "--vulnerability-service",
            "osv",
            "--disable-pip",
            "--require-hashes",
            "--progress-spinner",
            "off",
            "--timeout",
            str(WAIT_S),
        ]
        command = [
            sys.executable,
            "-m",
            "pip_audit",
            *files,
            *words,
            "--cache-dir",
            folder,
            "--format",
            "json",
            *more,
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=most_s)
            packages = json.loads(done.stdout)["dependencies"]
        except subprocess.TimeoutExpired:
            return _unknown(f"it did not answer within {most_s:g} s")
        except (ValueError, KeyError):
            return _unknown(_reason(done.stderr))
    holes = [
        (package["name"], package["version"], hole)
        for package in packages
        for hole in package.get("vulns", ())
    ]
    for name, version, hole in holes:
        print(
            f"{name} {version}: {hole['id']}, mended in "
            f"{', '.join(hole['fix_versions']) or 'no version yet'}."
        )
    print(f"{len(holes)} known {'hole' if len(holes) == 1 else 'holes'} in {len(packages)} packages.")
    return HOLES if holes else FINE


def _unknown(why: str) -> int:
    print(
        f"Not audited: the database of known holes could not be asked ({why}). Nothing is known of the "
        "packages; try again where osv.dev can be reached."
    )
    return UNKNOWN


def _reason(complaint: str) -> str:
    """Of what pip-audit wrote as it failed."""
    if re.search("NameResolution|Connect|Timeout|timed out|Max retries", complaint):
        return "there is no connection to it"
    lines = [line.strip() for line in complaint.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "no reason is given"


if __name__ == "__main__":
    sys.exit(audit([ROOT / name for name in PINS]))
