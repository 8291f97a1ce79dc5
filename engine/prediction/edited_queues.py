"""The question of the queues as they were edited: a scenario under the capacity-scheduler.xml that it was
made of, and the same under what its queues are now.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import FormatError
from engine.messages import msg
from engine.output.hadoop_files import configuration_text
from engine.output.scheduler_conf_update import DIFF, configuration_as_read, scheduler_conf_text
from engine.prediction.changed_configuration import ConfigurationFile
from engine.prediction.question import QuestionError, is_capacity
from engine.prediction.questions import ChangedScenario, apply_configuration
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, read_configuration
from engine.scenario.configuration.configured_scenario import configure_scenario
from engine.scenario.configuration.queue_capacities import CAPACITY_FILE
from engine.scenario.model import Scenario
from engine.schedulers.scheduler import Scheduler, as_scheduler

EDITED = "edited"


def scenario_as_read(scenario: Scenario, scheduler: Scheduler | str) -> Scenario:
    """The scenario, its record included, under the configuration that it was made of. QuestionError where
    there is none, nothing was changed of it, or the scheduler is no CapacityScheduler.
    """
    if not is_capacity(as_scheduler(scheduler)):
        raise QuestionError(msg("prediction.edited_queues.not_capacity"))
    try:
        scheduler_conf_text(scenario, scheduler, DIFF)
        return configure_scenario(scenario, read_configuration([configuration_as_read(scenario)])).scenario
    except FormatError as error:
        raise QuestionError(str(error)) from None


def apply_edits(as_read: Scenario, edited: Scenario, scheduler: Scheduler | str) -> ChangedScenario:
    """as_read, which may be fitted to its record, under the capacity-scheduler.xml that is written of
    `edited`. FormatError where that can't be.
    """
    text = configuration_text(edited, scheduler, CAPACITY_XML)
    changed = apply_configuration(as_read, read_configuration([(CAPACITY_FILE, text.encode())]))
    return replace(
        changed,
        key=EDITED,
        scheduler=as_scheduler(scheduler),
        title=msg("prediction.edited_queues.title"),
        files=(ConfigurationFile(CAPACITY_FILE, text, True),),
    )
