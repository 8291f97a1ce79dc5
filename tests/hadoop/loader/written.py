"""A case's files, read and written back by Gantry."""

from __future__ import annotations

from engine.output.hadoop_files import configuration_text
from engine.scenario.configuration.configuration_reader import read_configuration
from engine.scenario.configuration.configured_scenario import standalone_scenario
from engine.schedulers.scheduler import parse
from tests.hadoop.loader.cases import Case

KINDS = {"capacity": "capacity-xml", "fair": "fair-xml"}


def written(case: Case) -> Case:
    """The case with what Gantry writes for its scenario instead of its files. GantryError where it writes
    none.
    """
    configuration = read_configuration(list(case.files.items()))
    configured = standalone_scenario(configuration, "case")
    family = "fair" if parse(configured.scheduler).order.policy.name in ("fair", "drf") else "capacity"
    texts = {
        name: configuration_text(configured.scenario, configured.scheduler, kind).encode()
        for name, kind in (("yarn-site.xml", "yarn-site"), (f"{family}-scheduler.xml", KINDS[family]))
    }
    return case._replace(files=texts)
