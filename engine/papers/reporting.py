"""Results in words and as JSON."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.experiments.replications import Estimate
from engine.papers.fitting import found_errors, root_mean_square
from engine.papers.gallery import PAPERS, Judged, Result
from engine.papers.judge import FITTED, VERDICTS, Finding, band
from engine.papers.schema import TEST_BED, Alike, Fit, Ordered, Printed, Reading
from engine.version import VERSION

UNITS = {"_ms": "ms", "_s": "s", "_pct": "%", "_vcores": "vcores", "_mb": "MB", "_gb": "GB"}


def results_json(results: Mapping[str, Result]) -> str:
    """Every result, and the verdicts counted; numbers in full."""
    verdicts = {name: one.verdict for name, one in results.items()}
    record = {"version": 1, "engine": VERSION, "experiments": [_result(name, one) for name, one in results.items()], "verdicts": counts(verdicts)}
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def result_text(name: str, one: Result) -> str:
    """An experiment with its verdict, and under each reading its claims and what was tried."""
    lines = [f"{name}: {one.experiment.title} ({one.experiment.where})"]
    for reading, judged in zip(one.experiment.readings, one.readings):
        lines.append(f"  {verdict_text(judged)}" + (f", {reading.title}" if reading.title else ""))
        lines += [f"  {line}" for line in (reading.says, *map(finding_text, judged.findings), *judged.notes)]
        if reading.fit:
            lines.append(f"  {fit_text(reading.fit)} {over_seeds_text(judged.findings)}".rstrip())
    return "\n".join(lines) + "\n\n"


def verdict_text(one: Judged) -> str:
    """A verdict with what it rests on: so many claims, and apart from them the formulas."""
    formulas = [found for found in one.findings if found.judged and not found.counts]
    apart = f"; {sum(found.agrees for found in formulas)} of {len(formulas)} {'formula agrees' if len(formulas) == 1 else 'formulas agree'}" if formulas else ""
    return f"{one.verdict}, on {claims_text(one.claims)}{apart}"


def counts(verdicts: Mapping[str, str]) -> dict[str, dict[str, int]]:
    """paper -> verdict -> experiments, for the papers among them."""
    found = {paper.key: Counter(verdict for name, verdict in verdicts.items() if name.startswith(f"{paper.key}/")) for paper in PAPERS}
    return {paper: {one: counted[one] for one in VERDICTS} for paper, counted in found.items() if counted}


def finding_text(found: Finding) -> str:
    """One claim in a line: what, the paper's number or order, ours, and what became of it."""
    claim = found.claim
    printed = printed_text(claim) if isinstance(claim, Printed) else stated(claim)
    simulated = ", ".join(f"{name} {text}".strip() for name, text in named_numbers(found))
    distance = f" of the distance from {claim.of:g}" if isinstance(claim, Printed) and claim.of else ""
    error = f", {percent(found.error)} off{distance}" if found.error is not None else ""
    basis = f" ({claim.basis})" if found.judged and claim.basis != TEST_BED else ""
    return f"{claim.what}: paper {printed}, Gantry {simulated}{error}: {outcome(found)}{basis}"


def printed_text(claim: Printed) -> str:
    """The paper's number with its unit."""
    return f"{'at least ' if claim.least else ''}{number(claim.number)}{unit(claim.unit)}"


def band_text(claim: Printed) -> str:
    """How far ours may be from the paper's number, with what of it is the paper's own noise."""
    noise = f", {number(claim.noise)} of it the paper's noise" if claim.noise else ""
    return f"± {number(float(f'{band(claim):.2g}'))}{unit(claim.unit)}{noise}"


def stated(claim: Ordered | Alike) -> str:
    """An order or a likeness in signs."""
    short = shortened(claim)
    if isinstance(claim, Alike):
        return " ≈ ".join(short[key] for key in claim.keys)
    return (" ≤ " if claim.ties else " < ").join(short[rank] if isinstance(rank, str) else ", ".join(short[key] for key in rank) for rank in claim.ranks)


def named_numbers(found: Finding) -> list[tuple[str, str]]:
    """Our numbers of a claim with what each is of; "" where that is plain."""
    if isinstance(found.claim, Printed):
        return [("", spread(one, found.claim.unit)) for one in found.numbers.values()]
    short = shortened(found.claim)
    return [(short[key], spread(*_scaled(key, one, found.claim.unit))) for key, one in found.numbers.items()]


def shortened(claim: Ordered | Alike) -> dict[str, str]:
    """What each name of a claim is called beside the others: without the metric, where it is the same of all."""
    keys = list(claim.keys) if isinstance(claim, Alike) else [key for rank in claim.ranks for key in ((rank,) if isinstance(rank, str) else rank)]
    metrics = {key.rpartition("/")[2] for key in keys if "/" in key}
    return {key: _words(key.rpartition("/")[0] or key if len(metrics) == 1 else key) for key in keys}


def _words(key: str) -> str:
    """A sample's name as people read it: without the unit that stands behind the number."""
    return " · ".join(next((part.removesuffix(end) for end in UNITS if part.endswith(end)), part).replace("_", " ") for part in key.split("/"))


def _scaled(key: str, found: Estimate, of: str) -> tuple[Estimate, str]:
    """A number with the claim's unit or that which its name ends in; shares in percent."""
    metric = key.rpartition("/")[2]
    if metric.endswith("utilization"):
        return Estimate(*(None if one is None else 100 * one for one in found[:3]), found.count), "%"
    return found, of or next((name for end, name in UNITS.items() if metric.endswith(end)), "")


def outcome(found: Finding) -> str:
    """What became of a claim, in words."""
    claim = found.claim
    if found.unjudged:
        return f"no verdict: {found.unjudged}"
    if isinstance(claim, Printed):
        return "agrees" if found.agrees else "same direction" if found.direction else "differs"
    return "holds" if found.agrees else "does not hold"


def fit_lines(fit: Fit) -> list[str]:
    """The parameters, and the cells with what they became; the fitted model is run now."""
    off, residual = found_errors(fit)
    lines = [f"{one.meaning}: {number(one.value)}{unit(one.unit)}" for one in fit.free]
    lines += [
        f"{cell.what}: paper {number(cell.number)}{unit(cell.unit)}, fitted {number(cell.number * (1 + error))}{unit(cell.unit)}, {percent(abs(error))}"
        for cell, error in zip(fit.cells, off)
    ]
    return [*lines, f"residual (root mean square of the relative errors): {percent(residual)}"]


def fit_text(fit: Fit) -> str:
    """The parameters and how well they fit, in a sentence."""
    values = ", ".join(f"{one.meaning} {number(one.value)}{unit(one.unit)}" for one in fit.free)
    return f"Free parameters, from {fit.source}: {values}; residual {percent(found_errors(fit)[1])}."


def over_seeds_text(findings: Sequence[Finding]) -> str:
    """How far off the fitted cells are in an experiment that runs more seeds than the search did; empty where it holds none of them."""
    off = [one.error for one in findings if one.unjudged == FITTED and one.error is not None]
    seeds = max((ours.count for one in findings for ours in one.numbers.values()), default=0)
    if not off or seeds < 2:
        return ""
    return f"Over this experiment's {seeds} seeds the {len(off)} of them that it shows are {percent(root_mean_square(off))} off."


def number(value: float) -> str:
    """Four digits at most, without an exponent; "deadlock" for an infinite time."""
    if not math.isfinite(value):
        return "deadlock"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def percent(share: float) -> str:
    """An error in percent with as many digits as tell it from nothing."""
    return f"{100 * share:.1f} %" if math.isfinite(share) else "no end"


def unit(name: str) -> str:
    return f" {name}" if name else ""


def spread(found: Estimate, of: str) -> str:
    """Mean, and half of its interval to two digits where there are several seeds, both with as many decimals."""
    if not math.isfinite(found.mean):
        return number(found.mean)
    half = (found.high - found.low) / 2 if found.low is not None else 0.0
    if not half:
        return f"{number(found.mean)}{unit(of)}"
    decimals = max(1 - math.floor(math.log10(half)), 0)
    return f"{found.mean:.{decimals}f} ± {half:.{decimals}f}{unit(of)}"


def claims_text(count: int) -> str:
    """How many claims, in words."""
    return f"{count} claim" if count == 1 else f"{count} claims"


def _result(name: str, one: Result) -> dict[str, Any]:
    experiment = one.experiment
    readings = [_reading(reading, judged) for reading, judged in zip(experiment.readings, one.readings)]
    return {"id": name, "title": experiment.title, "where": experiment.where, "verdict": one.verdict, "readings": readings}


def _reading(reading: Reading, one: Judged) -> dict[str, Any]:
    record: dict[str, Any] = {"id": reading.key, "title": reading.title, "calibration": reading.says, "verdict": one.verdict, "claims": one.claims}
    record |= {"findings": [_finding(found) for found in one.findings], "notes": list(one.notes)}
    if reading.fit:
        record["fit"] = {"source": reading.fit.source, "parameters": reading.fit.found, "residual": found_errors(reading.fit)[1]}
    return record


def _finding(found: Finding) -> dict[str, Any]:
    claim = found.claim
    kind = {Printed: "number", Ordered: "order", Alike: "alike"}[type(claim)]
    record: dict[str, Any] = {"kind": kind, "what": claim.what, "where": claim.where, "basis": claim.basis, "outcome": outcome(found)}
    if isinstance(claim, Printed):
        record |= {
            "paper": claim.number,
            "unit": claim.unit,
            "at_least": claim.least,
            "band": band(claim),
            "error_pct": None if found.error is None else 100 * found.error,
        }
    record["ours"] = {name: _estimate(one) for name, one in found.numbers.items()}
    return record


def _estimate(found: Estimate) -> dict[str, Any]:
    finite = math.isfinite(found.mean)
    return {"mean": found.mean if finite else None, "low": found.low, "high": found.high, "seeds": found.count, "deadlock": not finite}
