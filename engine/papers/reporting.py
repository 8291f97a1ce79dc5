"""Results in words and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine import quantities
from engine.experiments.replications import Estimate
from engine.messages import msg
from engine.papers.fitting import fitted_errors, root_mean_square
from engine.papers.gallery import PAPERS, ReadingResult, Result
from engine.papers.judge import FITTED, VERDICTS, Finding, band
from engine.papers.schema import TEST_BED, Fit, Ordered, Printed, Reading, Similar
from engine.version import VERSION

UNITS = {"_ms": "ms", "_s": "s", "_pct": "%", "_vcores": "vcores", "_mb": "MB", "_gb": "GB"}


def results_json(results: Mapping[str, Result]) -> str:
    """Every result, and the verdicts counted; numbers in full."""
    verdicts = {name: result.verdict for name, result in results.items()}
    record = {
        "version": 1,
        "engine": VERSION,
        "experiments": [_result(name, result) for name, result in results.items()],
        "verdicts": counts(verdicts),
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def result_text(name: str, result: Result) -> str:
    """An experiment with its verdict, and under each reading its claims and what was tried."""
    lines = [f"{name}: {result.experiment.title} ({result.experiment.where})"]
    for reading, judged in zip(result.experiment.readings, result.readings):
        lines.append(f"  {verdict_text(judged)}" + (f", {reading.title}" if reading.title else ""))
        lines += [f"  {line}" for line in (reading.says, *map(finding_text, judged.findings), *judged.notes)]
        if reading.fit:
            lines.append(f"  {fit_text(reading.fit)} {over_seeds_text(judged.findings)}".rstrip())
    return "\n".join(lines) + "\n\n"


def verdict_text(judged: ReadingResult) -> str:
    """A verdict with what it rests on: so many claims, and apart from them the formulas."""
    formulas = [finding for finding in judged.findings if finding.judged and not finding.counts]
    apart = (
        f"; {sum(finding.agrees for finding in formulas)} of {len(formulas)} "
        f"{'formula agrees' if len(formulas) == 1 else 'formulas agree'}"
        if formulas
        else ""
    )
    return f"{judged.verdict}, on {claims_text(judged.claims)}{apart}"


def counts(verdicts: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """paper -> verdict -> experiments, for the papers among them."""
    counted_by_paper = {
        paper.key: Counter(verdict for name, verdict in verdicts.items() if name.startswith(f"{paper.key}/"))
        for paper in PAPERS
    }
    return {
        paper: {verdict_name: counted[verdict_name] for verdict_name in VERDICTS}
        for paper, counted in counted_by_paper.items()
        if counted
    }


def finding_text(finding: Finding) -> str:
    """One claim in a line: what, the paper's number or order, ours, and what became of it."""
    claim = finding.claim
    printed = printed_text(claim) if isinstance(claim, Printed) else order_text(claim)
    our_text = ", ".join(f"{name} {text}".strip() for name, text in named_numbers(finding))
    distance = (
        msg("papers.reporting.distance_from", relative_to=claim.relative_to)
        if isinstance(claim, Printed) and claim.relative_to
        else ""
    )
    error = (
        msg("papers.reporting.off", percent=percent(finding.error), distance=distance)
        if finding.error is not None
        else ""
    )
    basis = f" ({claim.basis})" if finding.judged and claim.basis != TEST_BED else ""
    return msg(
        "papers.reporting.paper_gantry",
        what=claim.what,
        printed=printed,
        our_text=our_text,
        error=error,
        outcome=outcome(finding),
        basis=basis,
    )


def printed_text(claim: Printed) -> str:
    """The paper's number with its unit."""
    return f"{'at least ' if claim.is_minimum else ''}{number(claim.number)}{unit(claim.unit)}"


def band_text(claim: Printed) -> str:
    """How far ours may be from the paper's number, with what of it is the paper's own noise."""
    noise = msg("papers.reporting.papers_noise", noise=number(claim.noise)) if claim.noise else ""
    return f"± {number(float(f'{band(claim):.2g}'))}{unit(claim.unit)}{noise}"


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


def outcome(finding: Finding) -> str:
    """What became of a claim, in words."""
    claim = finding.claim
    if finding.unjudged:
        return msg("papers.reporting.no_verdict", unjudged=finding.unjudged)
    if isinstance(claim, Printed):
        return "agrees" if finding.agrees else "same direction" if finding.direction else "differs"
    return "holds" if finding.agrees else "does not hold"


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
    fit_errors = [
        finding.error for finding in findings if finding.unjudged == FITTED and finding.error is not None
    ]
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
    return f"{value:.{decimals}f} ± {half:.{decimals}f}{unit(unit_name)}"


def claims_text(count: int) -> str:
    """How many claims, in words."""
    return (
        msg("papers.reporting.claim", count=count)
        if count == 1
        else msg("papers.reporting.claims", count=count)
    )


def _result(name: str, result: Result) -> dict[str, Any]:
    experiment = result.experiment
    readings = [_reading(reading, judged) for reading, judged in zip(experiment.readings, result.readings)]
    return {
        "id": name,
        "title": experiment.title,
        "where": experiment.where,
        "verdict": result.verdict,
        "readings": readings,
    }


def _reading(reading: Reading, judged: ReadingResult) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": reading.key,
        "title": reading.title,
        "calibration": reading.says,
        "verdict": judged.verdict,
        "claims": judged.claims,
    }
    record |= {"findings": [_finding(finding) for finding in judged.findings], "notes": list(judged.notes)}
    if reading.fit:
        record["fit"] = {
            "source": reading.fit.source,
            "parameters": reading.fit.values,
            "residual": fitted_errors(reading.fit)[1],
        }
    return record


def _finding(finding: Finding) -> dict[str, Any]:
    claim = finding.claim
    kind = {Printed: "number", Ordered: "order", Similar: "alike"}[type(claim)]
    record: dict[str, Any] = {
        "kind": kind,
        "what": claim.what,
        "where": claim.where,
        "basis": claim.basis,
        "outcome": outcome(finding),
    }
    if isinstance(claim, Printed):
        record |= {
            "paper": claim.number,
            "unit": claim.unit,
            "at_least": claim.is_minimum,
            "band": band(claim),
            "error_pct": None if finding.error is None else 100 * finding.error,
        }
    record["ours"] = {name: _estimate(estimate) for name, estimate in finding.numbers.items()}
    return record


def _estimate(estimate: Estimate) -> dict[str, Any]:
    finite = estimate.mean is not None and math.isfinite(estimate.mean)
    return {
        "mean": estimate.mean if finite else None,
        "low": estimate.low,
        "high": estimate.high,
        "seeds": estimate.count,
        "deadlock": not finite,
    }
