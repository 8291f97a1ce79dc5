"""Results in words and as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from engine import quantities
from engine.experiments.replications import Estimate
from engine.messages import msg
from engine.papers.fitting import fitted_errors, root_mean_square
from engine.papers.gallery import PAPERS, Result
from engine.papers.judge import FITTED, Finding, Lamp
from engine.papers.schema import FAILS, LAMPS, Fit, Ordered, Printed, Reading, Reason, Similar
from engine.papers.summary import LAMP_WORDS, experiment_sentence, paper_sentence, tallies
from engine.version import VERSION

UNITS = {"_ms": "ms", "_s": "s", "_pct": "%", "_vcores": "vcores", "_mb": "MB", "_gb": "GB"}


def results_json(results: Mapping[str, Result]) -> str:
    """Every claim of these results with what became of it, and a summary by paper; numbers in full."""
    states = {name: [finding.states for finding in result.shown.findings] for name, result in results.items()}
    papers = [paper for paper in PAPERS if any(name.startswith(f"{paper.key}/") for name in results)]
    record = {
        "version": 2,
        "engine": VERSION,
        "summary": {
            paper.key: {
                "sentence": paper_sentence(paper, states),
                "experiments": sum(name.startswith(f"{paper.key}/") for name in results),
                "of": len(paper.experiments),
                **{lamp: counted._asdict() for lamp, counted in tallies(states, paper.key).items()},
            }
            for paper in papers
        },
        "claims": [
            _claim(name, number, result, finding)
            for name, result in results.items()
            for number, finding in enumerate(result.shown.findings, start=1)
        ],
        "experiments": [_experiment(name, result) for name, result in results.items()],
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def result_text(name: str, result: Result) -> str:
    """An experiment under the reading that is shown: its sentence, its claims, why some do not hold and what
    was tried; then what its other readings change.
    """
    experiment, shown = result.experiment, result.shown
    states = [finding.states for finding in shown.findings]
    lines = [f"{name}: {experiment.title} ({experiment.where})", experiment_sentence(experiment, states)]
    lines += [experiment.shown.says, *map(finding_text, shown.findings)]
    lines += [reason_text(reason) for reason in experiment.reasons.values()]
    lines += shown.notes.values()
    for reading, judged in zip(experiment.readings, result.readings):
        if reading.fit:
            lines.append(f"{fit_text(reading.fit)} {over_seeds_text(judged.findings)}".rstrip())
    lines += [line for _, changed in changes(result) for line in changed]
    head, *others = lines
    return "\n".join([head, *(f"  {line}" for line in others)]) + "\n\n"


def reason_text(reason: Reason) -> str:
    """Why claims do not hold, with its cause."""
    return msg("papers.reporting.reason", cause=reason.cause, says=reason.says)


def changes(result: Result) -> list[tuple[Reading, list[str]]]:
    """Of each reading that is not shown: which lamps it changes, a line each."""
    shown = result.experiment.shown
    return [
        (reading, [_changes_text(reading, changed)])
        for reading, judged in zip(result.experiment.readings, result.readings)
        if reading is not shown
        for changed in [_changed(result.shown.findings, judged.findings)]
    ]


def _changed(shown: Sequence[Finding], other: Sequence[Finding]) -> list[str]:
    return [
        msg(
            "papers.reporting.change",
            what=ours.claim.what,
            lamp=LAMP_WORDS[lamp],
            state=theirs.lamps[lamp].state,
            instead=ours.lamps[lamp].state,
        )
        for ours, theirs in zip(shown, other)
        for lamp in ours.lamps
        if ours.lamps[lamp].state != theirs.lamps[lamp].state
    ]


def _changes_text(reading: Reading, changed: Sequence[str]) -> str:
    if not changed:
        return msg("papers.reporting.changes_nothing", title=reading.title)
    return msg("papers.reporting.changes", title=reading.title, changed="; ".join(changed))


def finding_text(finding: Finding) -> str:
    """One claim in a line: what, the paper's number or order, ours, and what became of it."""
    claim = finding.claim
    printed = printed_text(claim) if isinstance(claim, Printed) else order_text(claim)
    our_text = ", ".join(f"{name} {text}".strip() for name, text in named_numbers(finding))
    return msg(
        "papers.reporting.paper_gantry",
        what=claim.what,
        printed=printed,
        our_text=our_text,
        standing=finding.standing,
        lamps="; ".join(f"{LAMP_WORDS[name]} {lamp_text(lamp)}" for name, lamp in finding.lamps.items()),
    )


def lamp_text(lamp: Lamp) -> str:
    """The state of a lamp, with both numbers, or why it is not testable."""
    if lamp.because:
        return msg("papers.reporting.not_testable", state=lamp.state, because=lamp.because)
    if lamp.paper is None or lamp.ours is None:
        return lamp.state
    return msg(
        "papers.reporting.lamp", state=lamp.state, ours=amount(lamp.ours, lamp.unit), paper=paper_number(lamp)
    )


def paper_number(lamp: Lamp) -> str:
    """The paper's number with its band."""
    assert lamp.paper is not None and lamp.band is not None
    return f"{amount(lamp.paper, lamp.unit)} ± {number(float(f'{lamp.band:.2g}'))}{unit(lamp.unit)}"


def amount(value: float, unit_name: str) -> str:
    """A number with its unit."""
    return f"{number(value)}{unit(unit_name)}" if math.isfinite(value) else number(value)


def printed_text(claim: Printed) -> str:
    """The paper's number with its unit."""
    return f"{'at least ' if claim.is_minimum else ''}{number(claim.number)}{unit(claim.unit)}"


def order_text(claim: Ordered | Similar) -> str:
    """An order or a likeness in signs."""
    short = shortened(claim)
    if isinstance(claim, Similar):
        return " ≈ ".join(short[key] for key in claim.keys)
    return (" ≤ " if claim.ties else " < ").join(
        short[rank] if isinstance(rank, str) else ", ".join(short[key] for key in rank)
        for rank in claim.ranks
    )


def named_numbers(finding: Finding) -> list[tuple[str, str]]:
    """Our numbers of a claim with what each is of; "" where that is plain."""
    if isinstance(finding.claim, Printed):
        return [("", spread(estimate, finding.claim.unit)) for estimate in finding.numbers.values()]
    short = shortened(finding.claim)
    return [
        (short[key], spread(*_scaled(key, estimate, finding.claim.unit)))
        for key, estimate in finding.numbers.items()
    ]


def shortened(claim: Ordered | Similar) -> dict[str, str]:
    """What each name of a claim is called beside the others: without the metric, where it is the same of
    all.
    """
    keys = (
        list(claim.keys)
        if isinstance(claim, Similar)
        else [key for rank in claim.ranks for key in ((rank,) if isinstance(rank, str) else rank)]
    )
    metrics = {key.rpartition("/")[2] for key in keys if "/" in key}
    return {key: _words(key.rpartition("/")[0] or key if len(metrics) == 1 else key) for key in keys}


def _words(key: str) -> str:
    """A sample's name as people read it: without the unit that stands behind the number."""
    return " · ".join(
        next((part.removesuffix(end) for end in UNITS if part.endswith(end)), part).replace("_", " ")
        for part in key.split("/")
    )


def _scaled(key: str, estimate: Estimate, unit_given: str) -> tuple[Estimate, str]:
    """A number with the claim's unit or that which its name ends in; shares in percent."""
    metric = key.rpartition("/")[2]
    if metric.endswith("utilization"):
        value, low, high = (None if number is None else 100 * number for number in estimate[:3])
        return Estimate(value, low, high, estimate.count), "%"
    return estimate, unit_given or next((name for end, name in UNITS.items() if metric.endswith(end)), "")


def fit_lines(fit: Fit) -> list[str]:
    """The parameters, and the cells with what they became; the fitted model is run now."""
    relative_errors, residual = fitted_errors(fit)
    lines = [
        f"{parameter.meaning}: {number(parameter.value)}{unit(parameter.unit)}" for parameter in fit.free
    ]
    lines += [
        msg(
            "papers.reporting.paper_fitted",
            what=cell.what,
            number=number(cell.number),
            unit=unit(cell.unit),
            number2=number(cell.number * (1 + error)),
            percent=percent(abs(error)),
        )
        for cell, error in zip(fit.cells, relative_errors)
    ]
    return [
        *lines,
        msg("papers.reporting.residual_root_mean_square_relative_errors", percent=percent(residual)),
    ]


def fit_text(fit: Fit) -> str:
    """The parameters and how well they fit, in a sentence."""
    values = ", ".join(
        f"{parameter.meaning} {number(parameter.value)}{unit(parameter.unit)}" for parameter in fit.free
    )
    return msg(
        "papers.reporting.free_parameters_from_residual",
        source=fit.source,
        values=values,
        percent=percent(fitted_errors(fit)[1]),
    )


def over_seeds_text(findings: Sequence[Finding]) -> str:
    """How far off the fitted cells are in an experiment that runs more seeds than the search did; empty where
    it holds none of them.
    """
    lamps = [lamp for finding in findings for lamp in finding.lamps.values() if lamp.because == FITTED]
    fit_errors = [lamp.error for lamp in lamps if lamp.error is not None]
    seeds = max((estimate.count for finding in findings for estimate in finding.numbers.values()), default=0)
    if not fit_errors or seeds < 2:
        return ""
    return msg(
        "papers.reporting.over_experiments_seeds_them_shows_off",
        seeds=seeds,
        fit_errors=len(fit_errors),
        percent=percent(root_mean_square(fit_errors)),
    )


def number(value: float) -> str:
    """In the paper's unit, so that it can be held against the paper; "deadlock" for an infinite time."""
    if not math.isfinite(value):
        return "deadlock"
    return quantities.number(value)


def percent(share: float) -> str:
    """An error in percent."""
    return quantities.percent(share) if math.isfinite(share) else msg("papers.reporting.no_end")


def unit(name: str) -> str:
    return f" {name}" if name else ""


def spread(estimate: Estimate, unit_name: str) -> str:
    """Mean, and half of its interval to two digits where there are several seeds, both with as many
    decimals.
    """
    value, low, high, _ = estimate
    assert value is not None
    if not math.isfinite(value):
        return number(value)
    half = (high - low) / 2 if low is not None and high is not None else 0.0
    if not half:
        return f"{number(value)}{unit(unit_name)}"
    decimals = max(1 - math.floor(math.log10(half)), 0)
    return f"{value:.{decimals}f} ± {half:.{decimals}f}{unit(unit_name)}".replace("-", "−")


def _experiment(name: str, result: Result) -> dict[str, Any]:
    experiment = result.experiment
    fits = [reading.fit for reading in experiment.readings if reading.fit]
    return {
        "id": name,
        "title": experiment.title,
        "where": experiment.where,
        "reading": experiment.shown.key,
        "sentence": experiment_sentence(experiment, [finding.states for finding in result.shown.findings]),
        "notes": dict(result.shown.notes),
        "readings": [
            {"id": reading.key, "title": reading.title, "calibration": reading.says, "changes": changed}
            for reading, changed in changes(result)
        ],
        "fits": [
            {"source": fit.source, "parameters": fit.values, "residual": fitted_errors(fit)[1]}
            for fit in fits
        ],
    }


def _claim(name: str, number: int, result: Result, finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    reason = result.experiment.reasons.get(claim.reason)
    fails = FAILS in finding.states.values()
    return {
        "id": f"{name}#{number}",
        "paper": name.partition("/")[0],
        "what": claim.what,
        "says": printed_text(claim) if isinstance(claim, Printed) else order_text(claim),
        "against": claim.against if isinstance(claim, Printed) else None,
        "where": claim.where,
        "basis": claim.basis,
        "standing": finding.standing,
        **{lamp: _lamp(finding.lamps.get(lamp)) for lamp in LAMPS},
        "cause": reason.cause if reason and fails else None,
        "reason": reason.says if reason and fails else None,
        "ours": {key: _estimate(estimate) for key, estimate in finding.numbers.items()},
    }


def _lamp(lamp: Lamp | None) -> dict[str, Any] | None:
    if lamp is None:
        return None
    numbers = {"paper": lamp.paper, "ours": lamp.ours, "band": lamp.band}
    finite = {key: value if value is None or math.isfinite(value) else None for key, value in numbers.items()}
    return {"state": lamp.state, **finite, "unit": lamp.unit, "because": lamp.because}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    finite = estimate.mean is not None and math.isfinite(estimate.mean)
    return {
        "mean": estimate.mean if finite else None,
        "low": estimate.low,
        "high": estimate.high,
        "seeds": estimate.count,
        "deadlock": not finite,
    }
