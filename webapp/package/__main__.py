"""The command gantry: all that python -m engine and python -m webapp do."""

from __future__ import annotations

import sys

from engine.__main__ import main as run_engine


def main() -> int:
    """Does what the process's arguments say; returns the exit code."""
    return run_engine()


if __name__ == "__main__":
    sys.exit(main())
