"""The configuration of a change, to be deployed to the cluster: a whole scheduler file, or single
properties, also of Spark.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.errors import FormatError
from engine.messages import msg
from engine.output.hadoop_files import configuration_text, properties_text
from engine.output.spark_defaults import SPARK_DEFAULTS, spark_defaults_text
from engine.prediction.changed_executors import spark_applications
from engine.prediction.question import ScenarioChange
from engine.scenario.configuration.configuration_writer import KINDS
from engine.scenario.model import Scenario


class ConfigurationFile(NamedTuple):
    """name: of the file in Hadoop or Spark; whole: is it all of the file, or properties to be put into it?"""

    name: str
    text: str
    whole: bool


def configuration_files(
    scenario: Scenario, change: ScenarioChange
) -> tuple[tuple[ConfigurationFile, ...], tuple[str, ...]]:
    """The files, and a sentence for each that can't be written."""
    files, missing = [], []
    for kind in change.files:
        try:
            files.append(
                ConfigurationFile(KINDS[kind], configuration_text(scenario, change.scheduler, kind), True)
            )
        except FormatError as error:
            missing.append(
                msg("prediction.changed_configuration.not_written", kinds=KINDS[kind], error=error)
            )
    if change.properties:
        files.append(ConfigurationFile(change.file, properties_text(dict(change.properties)), False))
    if any(change.spark.values()):
        has_dynamic = {
            name: executors.dynamic is not None for name, executors in spark_applications(scenario).values()
        }
        files.append(ConfigurationFile(SPARK_DEFAULTS, spark_defaults_text(change.spark, has_dynamic), False))
    return tuple(files), tuple(missing)
