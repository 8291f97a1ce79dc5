"""A study to take along: its runs as tidy CSV or Parquet, each with the seeds and the version in it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from importlib.util import find_spec

from engine.errors import GantryError
from engine.messages import msg
from engine.studies.result import StudyResult
from engine.version import VERSION

ROWS_PER_CHUNK = 20_000  # of CSV, to a chunk
STUDY, ENGINE, SEEDS = b"gantry.study", b"gantry.engine", b"gantry.seeds"  # keys of a Parquet file's metadata


class MissingDependency(GantryError):
    """A file needs an optional dependency that is not installed."""


def study_csv(result: StudyResult) -> Iterator[str]:
    """A row a run, columns as `StudyResult.frame` says; numbers as the shortest text that reads back as the
    same, empty where there is none.
    """
    frame = result.frame()
    for first in range(0, len(frame), ROWS_PER_CHUNK):
        yield frame.iloc[first : first + ROWS_PER_CHUNK].to_csv(
            index=False, header=first == 0, lineterminator="\n"
        )


def require_pyarrow() -> None:
    """MissingDependency without it."""
    if find_spec("pyarrow") is None:
        raise MissingDependency(msg("output.study_files.parquet_needs_pyarrow_pip_install_gantry"))


def study_parquet(result: StudyResult) -> bytes:
    """The same as a Parquet file; its metadata hold the study's JSON, its first and last seed and the
    engine's version. MissingDependency without pyarrow.
    """
    require_pyarrow()
    import pyarrow as pa
    import pyarrow.parquet as pq

    study = result.study
    table = pa.Table.from_pandas(result.frame(), preserve_index=False)
    metadata = {
        STUDY: study.json(),
        ENGINE: VERSION,
        SEEDS: json.dumps([study.seed(0), study.seed(study.seeds - 1)]),
    }
    stream = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({**(table.schema.metadata or {}), **metadata}), stream)
    return stream.getvalue()
