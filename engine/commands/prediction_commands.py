"""replay and what-if: a cluster's history beside its simulation, and questions on it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    json_lines,
    open_input,
    print_err,
    print_out,
    read_inputs,
    split_pairs,
    tell_assumptions,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg

if TYPE_CHECKING:
    from engine.scenario.configuration.configuration_reader import Configuration
    from engine.scenario.formats.readers import ImportedScenario
    from engine.scenario.model import Scenario
    from engine.schedulers.scheduler import Scheduler

FILES = msg("commands.prediction_commands.scenario_or_clusters_history_with_its")


def add_replay(parser: argparse.ArgumentParser) -> None:
    """The arguments of replay."""
    parser.set_defaults(command=replay)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="+", help=FILES)
    add(
        "--scheduler",
        metavar="NAME",
        help=msg("commands.prediction_commands.clusters_default_its_configurations_else_wha"),
    )
    add(
        "--fit-from",
        metavar="FILE",
        nargs="+",
        help=msg("commands.prediction_commands.another_history_cluster_to_fit_to"),
    )
    add("--json", action="store_true", help=msg("commands.prediction_commands.print_as_json_with_every_job"))


def replay(options: argparse.Namespace) -> int:
    """Prints how well the history is explained and predicted; EXIT_UNSUCCESSFUL where a job never finishes in
    the simulation.
    """
    from engine.prediction.prediction import predict
    from engine.prediction.replay_report import replay_plain, replay_text

    imported = read_inputs(options.file)
    tell_assumptions(imported)
    training = None
    if options.fit_from:
        other = read_inputs(options.fit_from)
        tell_assumptions(other)
        training = other.scenario
    scheduler = cluster_scheduler(options, imported)
    if not (options.scheduler or _known_scheduler(imported)):
        print_err(msg("commands.prediction_commands.assumed_clusters_scheduler_fair_as_nothing"))
    with progress_bar() as bar:
        prediction = predict(imported.scenario, scheduler, training=training, report=bar.show)
    print_out([json_lines(replay_plain(prediction)) if options.json else replay_text(prediction)])
    return EXIT_UNSUCCESSFUL if prediction.stuck else EXIT_OK


def add_what_if(parser: argparse.ArgumentParser) -> None:
    """The arguments of what-if."""
    from engine.prediction.questions import QUESTIONS

    parser.set_defaults(command=what_if)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="+", help=FILES)
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument(
        "--configuration", metavar="FILE", nargs="+", help=msg("commands.prediction_commands.configuration")
    )
    asked.add_argument(
        "--question",
        metavar="KEY",
        help=msg(
            "commands.prediction_commands.one",
            value=", ".join((f"{key} ({question.about})" for key, question in QUESTIONS.items())),
        ),
    )
    add(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        help=msg("commands.prediction_commands.value_question_such_as_nodes_may"),
    )
    add(
        "--scheduler",
        metavar="NAME",
        help=msg("commands.prediction_commands.clusters_default_its_configurations_else_fai"),
    )
    add(
        "--price",
        metavar="AMOUNT",
        default="",
        help=msg("commands.prediction_commands.money_node_hour_such_as_or"),
    )
    add(
        "--json",
        action="store_true",
        help=msg("commands.prediction_commands.print_answer_as_json_with_every"),
    )


def what_if(options: argparse.Namespace) -> int:
    """Prints the answer to a question; EXIT_UNSUCCESSFUL where a run ends in a deadlock."""
    from engine.prediction.answer import answer, make_baseline
    from engine.prediction.answer_text import answer_plain, answer_text
    from engine.prediction.price import Price
    from engine.prediction.questions import ChangedScenario, apply_configuration, apply_question

    price = Price.of(options.price)
    imported = read_inputs(options.file)
    tell_assumptions(imported)
    scheduler = cluster_scheduler(options, imported)
    values = split_pairs("--set", options.set or [], "nodes=12")
    configuration = _configuration(options.configuration) if options.configuration else None

    def change(scenario: Scenario, scheduler: Scheduler) -> ChangedScenario:
        if configuration:
            return apply_configuration(scenario, configuration)
        return apply_question(scenario, scheduler, options.question, values)

    # what is wrong with the call is said before anything is fitted
    change(imported.scenario, scheduler)
    with progress_bar() as bar:
        baseline = make_baseline(imported.scenario, scheduler, report=bar.show)
        result = answer(baseline, change(baseline.scenario, baseline.scheduler), price=price)
    print_out([json_lines(answer_plain(result)) if options.json else answer_text(result)])
    return EXIT_UNSUCCESSFUL if result.stuck else EXIT_OK


def _configuration(paths: list[str]) -> Configuration:
    """What files of a cluster's configuration say."""
    from engine.scenario.configuration.configuration_reader import read_configuration

    files = []
    for path in paths:
        with open_input(path) as stream:
            files.append((Path(path).name, stream.read()))
    return read_configuration(files)


def _known_scheduler(imported: ImportedScenario) -> str | None:
    """The scheduler that the configuration or the history names."""
    from engine.output.hadoop_files import configuration_scheduler

    return imported.scheduler or configuration_scheduler(imported.scenario)


def cluster_scheduler(options: argparse.Namespace, imported: ImportedScenario) -> Scheduler:
    """The scheduler that the call names, the configuration or the history, otherwise fair."""
    from engine.schedulers.scheduler import parse

    return parse(options.scheduler or _known_scheduler(imported) or "fair")
