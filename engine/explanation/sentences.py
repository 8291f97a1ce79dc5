"""A decision in one sentence: what fitted, what was chosen, and the number that decided against which
other.
"""

from __future__ import annotations

from typing import Any

from engine import quantities
from engine.explanation.observed_run import unit
from engine.explanation.order_rules import Tie
from engine.messages import msg
from engine.schedulers.policy import Policy, Term

KIND_WORDS = {
    "am": "master",
    "map": "map",
    "reduce": "reduce",
    "executor": "executor",
    "task": "task",
    "container": "container",
}
A_KIND = {kind: f"an {word}" if word == "executor" else f"a {word}" for kind, word in KIND_WORDS.items()}
MIN_DIFFERENCE = 1e-12  # numbers nearer than this are the same to a reader


def chosen_sentence(seen: dict[str, Any], policy: Policy, tie: Tie | None = None) -> str:
    """The sentence of a decision; seen: as engine.explain has it; tie: what decided where all tied."""
    sentence = _fitted_sentence(seen, policy, tie)
    return (
        msg(
            "explanation.sentences.did_not_fit_yet_and_reserved",
            sentence=sentence,
            moment=quantities.moment(1000 * seen["starts_s"]),
        )
        if "starts_s" in seen
        else sentence
    )


def _fitted_sentence(seen: dict[str, Any], policy: Policy, tie: Tie | None) -> str:
    chosen = next(row for row in seen["candidates"] if row["chosen"])
    others = [row for row in seen["candidates"] if not row["chosen"]]
    available = msg(
        "explanation.sentences.had_mb_and_free_at",
        node=seen["node"],
        memory=quantities.memory(seen["free_memory_mb"]),
        vcores=quantities.vcores(seen["free_vcores"]),
        moment=quantities.moment(1000 * seen["at_s"]),
    )
    kind = KIND_WORDS[_called(chosen)]
    fitted = msg("explanation.sentences.could_go_there") if "starts_s" in seen else "fitted"
    if not others:
        return msg(
            "explanation.sentences.all_waited_only",
            available=available,
            kind=A_KIND[_called(chosen)],
            job=chosen["job"],
            fitted=fitted,
        )
    if tie:
        return msg(
            "explanation.sentences.all_tie",
            available=available,
            fitted=fitted,
            order=policy.title,
            kind=KIND_WORDS[tie.kind],
            job=tie.job,
            because=tie.because,
        )
    if policy.masters_first and chosen["kind"] == "am":
        return msg(
            "explanation.sentences.requests_master_was_chosen_because_masters",
            available=available,
            others=len(others) + 1,
            fitted=fitted,
            job=chosen["job"],
        )
    rule = _rule(policy, seen["ground"]) or msg("explanation.sentences.preferred", title=policy.title)
    sentence = msg(
        "explanation.sentences.requests_was_chosen_because",
        available=available,
        others=len(others) + 1,
        fitted=fitted,
        kind=kind,
        job=chosen["job"],
        rule=rule,
    )
    return sentence + _against(chosen, others, [term for term in policy.terms if term.direction])


def _called(candidate: dict[str, Any]) -> str:
    """Its kind; what Tez holds is a container."""
    is_held = candidate["kind"] == "executor" and candidate.get("framework") == "tez"
    return "container" if is_held else candidate["kind"]


def _rule(policy: Policy, ground: int) -> str:
    return policy.rule[ground] if isinstance(policy.rule, tuple) else policy.rule


def answer_sentence(what: str, answer: dict[str, Any], policy: Policy, rule: str) -> str:
    """The sentence of an earlier answer: reduces asked for, or a master admitted. rule: with its
    parameters.
    """
    numbers = [_fact(fact) for fact in answer["facts"] if fact["value"] is not None]
    numbers_text = f" ({', '.join([rule, *numbers])})"
    return msg(
        "explanation.sentences.at_because",
        what=what,
        moment=quantities.moment(1000 * answer["at_s"]),
        value=_rule(policy, answer.get("ground", 0)) or f"{policy.title} allowed it",
        numbers_text=numbers_text,
    )


def admission_sentence(admitted: dict[str, Any] | None, at_s: float, user: str) -> dict[str, Any]:
    """Why a master was admitted, of a job that had to wait until others had left; admitted: what the
    admission rule says, None where it says nothing.
    """
    waited = msg(
        "explanation.sentences.its_job_could_run_from_on", moment=quantities.moment(1000 * at_s), user=user
    )
    if admitted is None:
        return {"rule": "max_running_apps", "at_s": at_s, "facts": [], "because": waited}
    return admitted | {"because": f"{admitted['because']}; {waited}"}


def _fact(fact: dict[str, Any]) -> str:
    title = fact["title"].lower()
    return f"{title} {quantities.quantity(fact['value'], '' if fact['unit'] in title else fact['unit'])}"


def _both(first: float, second: float, unit_name: str) -> tuple[str, str]:
    """Two different values, with as many digits as tell them apart."""
    texts = quantities.quantity(first, unit_name), quantities.quantity(second, unit_name)
    if texts[0] != texts[1]:
        return texts
    return f"{first:.12g} {unit_name}".strip(), f"{second:.12g} {unit_name}".strip()


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
            own, other = _both(chosen_value, runner_up["terms"][term.name], unit(term))
            words = msg("explanation.sentences.against", chosen_value=own, terms=other)
            return msg(
                "explanation.sentences.of_the_of",
                lower=term.title.lower(),
                words=words,
                kind_words=KIND_WORDS[_called(runner_up)],
                job=runner_up["job"],
            )
        if ahead < -MIN_DIFFERENCE:
            return ""
    return ""
