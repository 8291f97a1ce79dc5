"""A scenario and a scheduler as Hadoop's configuration files."""

from __future__ import annotations

from engine.scenario.configuration.configuration_writer import write_configuration
from engine.scenario.configuration.property_files import properties_text
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler

__all__ = ["configuration_scheduler", "configuration_text", "properties_text"]


def configuration_text(scenario: Scenario, scheduler: Scheduler | str, kind: str) -> str:
    """The text of fair-scheduler.xml (kind fair-xml), capacity-scheduler.xml (capacity-xml) or yarn-site.xml
    (yarn-site).

    What was read and is not modelled is in it again. When reduces are asked for stands in no file of YARN's.
    FormatError where Hadoop has no such scheduler or setting; SchedulerError for a name that is none.
    """
    parsed = as_scheduler(scheduler)
    order, rule = parsed.order, parsed.admission
    limit = rule.number("limit") if rule.given.get("limit") is not None else None
    return write_configuration(scenario, order.policy.name, order.given, rule.policy.name, limit, kind)


def configuration_scheduler(scenario: Scenario) -> str | None:
    """The scheduler that the configuration named which the scenario was made with, None without one."""
    hadoop = (scenario.model_extra or {}).get("x_hadoop")
    name = hadoop.get("scheduler") if isinstance(hadoop, dict) else None
    return name if isinstance(name, str) else None
