"""fs2cs: a cluster's FairScheduler converted to CapacityScheduler as Hadoop's command of that name does, or
back, with what becomes of each setting and, on the cluster's record, who gains and who loses.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.commands.prediction_commands import cluster_scheduler
from engine.commands.streams import (
    EXIT_OK,
    EXIT_UNSUCCESSFUL,
    CallError,
    check_folder,
    json_lines,
    print_out,
    read_inputs,
    tell_assumptions,
    write,
)
from engine.commands.terminal import progress_bar
from engine.messages import msg


def add_fs2cs(parser: argparse.ArgumentParser) -> None:
    """The arguments of fs2cs, --percentage and --output-directory as Hadoop's has them."""
    parser.set_defaults(command=fs2cs)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="+", help=msg("commands.fs2cs_command.files"))
    add("--percentage", action="store_true", help=msg("commands.fs2cs_command.percentage"))
    add("--output-directory", metavar="DIR", help=msg("commands.fs2cs_command.output_directory"))
    add("--compare", action="store_true", help=msg("commands.fs2cs_command.compare"))
    add("--scheduler", metavar="NAME", help=msg("commands.fs2cs_command.scheduler"))
    add("--json", action="store_true", help=msg("commands.fs2cs_command.json"))


def fs2cs(options: argparse.Namespace) -> int:
    """Prints what becomes of each setting, and writes or prints the files; EXIT_UNSUCCESSFUL where the
    converted batch ends in a deadlock. CallError where the folder has one of the files already.
    """
    from engine.conversion.conversion_rule import rule_sentences, rules_plain
    from engine.conversion.scheduler_conversion import convert_scheduler

    folder = Path(options.output_directory) if options.output_directory is not None else None
    if folder:
        check_folder(folder)
    imported = read_inputs(options.file)
    scheduler = cluster_scheduler(options, imported)
    converted = convert_scheduler(imported.scenario, scheduler, options.percentage)
    if folder:
        if present := [name for name in converted.files if (folder / name).exists()]:
            raise CallError(msg("commands.fs2cs_command.already_there", folder=folder, name=present[0]))
        write({folder / name: [text] for name, text in converted.files.items()})
    plain = {
        "scheduler": scheduler.name,
        "scheduler_after": converted.scheduler.name,
        "rules": rules_plain(converted.rules),
        "files": converted.files,
    }
    told = rule_sentences(converted.rules)
    lines = [f"{sentence}\n" for sentence in told]
    if not folder:
        lines += [f"\n{name}:\n{text}" for name, text in converted.files.items()]
    is_stuck = False
    if options.compare:
        tell_assumptions(imported)
        from engine.prediction.answer import answer, make_baseline
        from engine.prediction.answer_text import answer_plain, comparison_text
        from engine.prediction.questions import apply_question

        values = {"capacities": "percentages"} if options.percentage else {}
        with progress_bar() as bar:
            baseline = make_baseline(imported.scenario, scheduler, report=bar.show)
            changed = apply_question(baseline.scenario, baseline.scheduler, "convert", values)
            result = answer(baseline, changed)
        plain["comparison"], is_stuck = answer_plain(result), bool(result.stuck)
        lines += ["\n", comparison_text(result, [says for says in result.caveats if says not in told])]
    print_out([json_lines(plain)] if options.json else lines)
    return EXIT_UNSUCCESSFUL if is_stuck else EXIT_OK
