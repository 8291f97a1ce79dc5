"""`python -m tests.hadoop.loader`: compares Gantry's reader with the golden files of Hadoop's loader anew,
and renews what follows from it. Hadoop is not asked; `make referee` does.
"""

from __future__ import annotations

from engine.against_hadoop import checked_against_hadoop
from tests.hadoop.loader.renewal import renew
from tests.hadoop.table import write

if __name__ == "__main__":
    print(write(checked_against_hadoop()._replace(files=renew(asks=False))))
