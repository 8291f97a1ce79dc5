"""diagnose: what a ResourceManager's diagnostics say, on a scenario."""

from __future__ import annotations

import argparse

from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    STANDARD,
    CallError,
    json_lines,
    open_input,
    print_out,
    read_scenario,
)
from engine.messages import msg


def add_diagnose(parser: argparse.ArgumentParser) -> None:
    """The arguments of diagnose."""
    parser.set_defaults(command=diagnose)
    add = parser.add_argument
    add("scenario", metavar="SCENARIO", help=msg("shared.scenario_file_for_standard_input"))
    add("text", metavar="TEXT", help=msg("commands.diagnose_command.what_resourcemanager_says_in_quotes"))
    add(
        "--scheduler",
        metavar="NAME",
        action="append",
        default=[],
        help=msg("commands.diagnose_command.whose_settings_hold_where_scenario_has"),
    )
    add("--queue", metavar="QUEUE", default="", help=msg("commands.diagnose_command.leaf_that_application"))
    add("--json", action="store_true", help=msg("shared.print_them_as_json"))


def diagnose(options: argparse.Namespace) -> int:
    """Prints what the text means; EXIT_UNSUCCESSFUL where no sentence of Hadoop's schedulers is in it.

    CallError where both the scenario and the text are to come from standard input.
    """
    from engine.explanation.diagnostics import diagnose
    from engine.output.diagnosis_text import diagnosis_text
    from engine.output.hadoop_files import configuration_scheduler
    from engine.schedulers.scheduler import parse

    if options.scenario == options.text == STANDARD:
        raise CallError(msg("commands.diagnose_command.both_standard_input"))
    scenario = read_scenario(options.scenario)
    of_files = configuration_scheduler(scenario)
    schedulers = options.scheduler or ([of_files] if of_files else [])
    for name in schedulers:
        parse(name)  # what is wrong with one is told
    text = options.text
    if text == STANDARD:
        with open_input(STANDARD) as file:
            text = file.read().decode("utf-8", "replace")
    diagnosis = diagnose(text, scenario, schedulers, options.queue)
    print_out([json_lines(diagnosis) if options.json else diagnosis_text(diagnosis)])
    return EXIT_OK if diagnosis["readings"] else EXIT_UNSUCCESSFUL
