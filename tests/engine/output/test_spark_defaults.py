"""Lines of spark-defaults.conf: what is written is what is read of an event log's properties."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.output.spark_defaults import executor_properties, spark_defaults_text
from engine.scenario.applications import Executors
from engine.scenario.history.spark import spark_properties
from tests.phrases import phrase

WHOLE_SECONDS = st.integers(1, 10_000).map(float)
DYNAMIC = st.fixed_dictionaries(
    {
        "minimum": st.integers(0, 5),
        "initial": st.integers(5, 9),
        "maximum": st.none() | st.integers(9, 99),
        "backlog_s": WHOLE_SECONDS,
        "idle_s": st.integers(0, 10_000).map(float),
        "sustained_backlog_s": st.none() | st.integers(10_001, 10_002).map(float),
        "ratio": st.sampled_from([1.0, 0.5, 0.125]),
        "shuffle_tracking": st.booleans(),
    }
)
EXECUTORS = st.fixed_dictionaries(
    {
        "memory_mb": st.integers(1, 10**6),
        "vcores": st.integers(1, 64),
        "memory_overhead_mb": st.none() | st.integers(1, 10**5),
    },
    optional={"count": st.integers(1, 99), "dynamic": DYNAMIC},
)


@given(fields=EXECUTORS)
def test_lines_that_are_written_are_read_again(fields: dict[str, Any]) -> None:
    executors = Executors.model_validate(fields)
    text = spark_defaults_text({"a": executor_properties(executors)}, {"a": "dynamic" in fields})
    properties = dict(line.split(" ", 1) for line in text.splitlines())
    size = spark_properties.container(properties, int(properties["spark.executor.cores"]))
    read = Executors.model_validate(
        size
        | {
            "dynamic": spark_properties.dynamic(properties),
            "count": int(properties.get("spark.executor.instances", 0)) or None,
        }
    )
    assert read.container == executors.container and read.memory_mb == executors.memory_mb
    assert read.dynamic == executors.dynamic
    assert read.initial_count == executors.initial_count


ALL = {"fixed": False, "one": True, "other": True}


@pytest.mark.parametrize(
    ("of_applications", "text"),
    [
        ({name: {"spark.executor.cores": "2"} for name in ALL}, "spark.executor.cores 2\n"),
        # what counts for dynamic allocation alone is for all where all those get it
        (
            {name: {"spark.dynamicAllocation.maxExecutors": "5"} for name in ("one", "other")},
            "spark.dynamicAllocation.maxExecutors 5\n",
        ),
        (
            {"one": {"spark.dynamicAllocation.maxExecutors": "5"}},
            phrase("prediction.alone", "one") + "\n#   --conf spark.dynamicAllocation.maxExecutors=5\n",
        ),
        (
            {name: {"spark.executor.cores": "2", "spark.executor.memory": name} for name in ALL},
            "spark.executor.cores 2\n"
            + "".join(
                f"{phrase('prediction.alone', name)}\n#   --conf spark.executor.memory={name}\n"
                for name in ALL
            ),
        ),
        (
            {name: {"spark.yarn.queue": "root.a"} for name in ("fixed", "other\nline")},
            phrase("prediction.alone", "fixed, other line") + "\n#   --conf spark.yarn.queue=root.a\n",
        ),
    ],
)
def test_what_some_get_alone_is_no_line_for_all(
    of_applications: dict[str, dict[str, str]], text: str
) -> None:
    assert spark_defaults_text(of_applications, ALL) == text


def test_a_long_list_of_applications_is_cut() -> None:
    many = {f"a{number}": {"spark.executor.cores": "2"} for number in range(23)}
    assert ", a19 and 3 more alone" in spark_defaults_text(many, dict.fromkeys([*many, "b"], False))
