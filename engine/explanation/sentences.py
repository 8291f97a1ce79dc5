"""A decision in one sentence: what fitted, what was chosen, and the number that decided against which
other.
"""

from __future__ import annotations

from typing import Any

from engine.explanation.observed_run import unit
from engine.schedulers.policy import Policy, Term

KIND_WORDS = {"am": "master", "map": "map", "reduce": "reduce"}
MIN_DIFFERENCE = 1e-12  # numbers nearer than this are the same to a reader


def chosen_sentence(seen: dict[str, Any], policy: Policy) -> str:
    """The sentence of a decision; seen: as engine.explain has it."""
    sentence = _fitted_sentence(seen, policy)
    return (
        f"{sentence}; it did not fit yet and reserved the node until {seconds(seen['starts_s'])}"
        if "starts_s" in seen
        else sentence
    )


def _fitted_sentence(seen: dict[str, Any], policy: Policy) -> str:
    chosen = next(row for row in seen["candidates"] if row["chosen"])
    others = [row for row in seen["candidates"] if not row["chosen"]]
    vcores = f"{seen['free_vcores']} vcore{'' if seen['free_vcores'] == 1 else 's'}"
    available = f"{seen['node']} had {seen['free_memory_mb']} MB and {vcores} free at {seconds(seen['at_s'])}"
    kind = KIND_WORDS[chosen["kind"]]
    fitted = "could go there" if "starts_s" in seen else "fitted"
    if not others:
        return f"{available}; of all that waited only a {kind} of {chosen['job']} {fitted}"
    if policy.masters_first and chosen["kind"] == "am":
        return (
            f"{available}; of {len(others) + 1} requests that {fitted}, the master of {chosen['job']} was "
            "chosen because masters come before all others"
        )
    rule = policy.rule[seen["ground"]] if isinstance(policy.rule, tuple) else policy.rule
    rule = rule or f"{policy.title} preferred it"
    sentence = (
        f"{available}; of {len(others) + 1} requests that {fitted}, the {kind} of {chosen['job']} was "
        f"chosen because {rule}"
    )
    return sentence + _against(chosen, others, [term for term in policy.terms if term.direction])


def answer_sentence(what: str, answer: dict[str, Any], policy: Policy, rule: str) -> str:
    """The sentence of an earlier answer: reduces asked for, or a master admitted. rule: with its
    parameters.
    """
    numbers = [_fact(fact) for fact in answer["facts"] if fact["value"] is not None]
    numbers_text = f" ({', '.join([rule, *numbers])})"
    return (
        f"{what} at {seconds(answer['at_s'])} because "
        f"{policy.rule or f'{policy.title} allowed it'}{numbers_text}"
    )


def admission_sentence(admitted: dict[str, Any] | None, at_s: float, user: str) -> dict[str, Any]:
    """Why a master was admitted, of a job that had to wait until others had left; admitted: what the
    admission rule says, None where it says nothing.
    """
    waited = (
        f"its job could run from {seconds(at_s)} on, when another had left: until then as many jobs of "
        f"its queues or of {user} ran as may"
    )
    if admitted is None:
        return {"rule": "max_running_apps", "at_s": at_s, "facts": [], "because": waited}
    return admitted | {"because": f"{admitted['because']}; {waited}"}


def _fact(fact: dict[str, Any]) -> str:
    title = fact["title"].lower()
    return f"{title} {number(fact['value'], '' if fact['unit'] in title else fact['unit'])}"


def seconds(at: float) -> str:
    """A time in s, to the millisecond however long the run: "50123.456 s"."""
    return f"{at:.10g} s"


def number(value: float, unit_name: str) -> str:
    """A term's value with its unit."""
    if unit_name == "share":
        return f"{100 * value:.3g} %"
    if unit_name == "ms":
        return f"{value / 1000:,.4g} s"
    return f"{value:,.0f} {unit_name}".strip() if abs(value) >= 1000 else f"{value:.4g} {unit_name}".strip()


def _against(chosen: dict[str, Any], others: list[dict[str, Any]], deciding: list[Term]) -> str:
    """The first term in which the chosen one differs from the next best, when it was the better."""
    for term in deciding:
        chosen_value = chosen["terms"].get(term.name)
        comparable = [
            row for row in others if row["terms"].get(term.name) is not None and row["job"] != chosen["job"]
        ]
        if chosen_value is None or not comparable:
            continue
        runner_up = max(comparable, key=lambda row: term.direction * row["terms"][term.name])
        ahead = term.direction * (chosen_value - runner_up["terms"][term.name])
        if ahead > MIN_DIFFERENCE:
            words = (
                f"{number(chosen_value, unit(term))} against "
                f"{number(runner_up['terms'][term.name], unit(term))}"
            )
            return (
                f" ({term.title.lower()} {words} of the {KIND_WORDS[runner_up['kind']]} of "
                f"{runner_up['job']})"
            )
        if ahead < -MIN_DIFFERENCE:
            return ""
    return ""
