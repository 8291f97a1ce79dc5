"""What a ResourceManager's diagnostics say: which of Hadoop's sentences stand in them, what each means, the
numbers beside them, and the properties that would change it, with their values on a scenario.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from engine import quantities
from engine.errors import GantryError
from engine.explanation import configured_values as settings
from engine.explanation.configured_values import Configured, Setting, Value, pair_text
from engine.explanation.hadoop_sentences import (
    AM_STATE,
    CONTAINER_MAXIMUM,
    SENTENCES,
    Number,
    Sentence,
    of_exit_code,
)
from engine.explanation.pasted_text import (
    MAX_DIAGNOSTICS,
    MAX_ENTRIES,
    PLACEHOLDER,
    Entry,
    Found,
    PastedText,
    pasted_text,
)
from engine.messages import msg
from engine.scenario.model import Scenario
from engine.version import VERSION

MAX_QUEUES = 6  # whose values are told where the line names none
# what may be a sentence of Hadoop's: a part of one, or so like it (difflib)
MIN_PART, MAX_LIKE, LIKE = 10, 300, 0.75
UNLIMITED_MB = 2**31 - 1  # and more is no limit in Hadoop
Amount = tuple[int, int]  # MB, vcores

MEMORY, VCORES = (
    re.compile(r"memory(?:-mb)?:\s*(-?\d{1,30})", re.I),
    re.compile(r"vcores:\s*(-?\d{1,30})", re.I),
)


class NoSuchQueue(GantryError):
    """The scenario has no queue of this name, or several."""


def diagnose(
    text: str, scenario: Scenario | None = None, schedulers: Sequence[str] = (), queue: str = ""
) -> dict[str, Any]:
    """What diagnostics of an application, a container or an activity say, as JSON's values.

    scenario: whose properties are told, with schedulers, the names of those that run it; queue: the leaf that
    the application is in, where the text does not say. NoSuchQueue where the scenario has none such; no text
    is a fault. The answer:

    - `readings`: Hadoop's sentences in their order: {said, rule, meaning, properties}, these as Value.plain
    - `numbers`: {name, title, text}, with `compared`, what they come to in a sentence
    - `queues`: those whose properties are told; `says`: what was not recognized or not named
    - `further`: of a text with several entries, such as a log, the same five of each of the others
    - `unknown_lines`: how many hold no sentence of Hadoop's; `beside`: what is said of them, and of what was
      not read
    """
    pasted = pasted_text(text)
    configured = Configured(scenario, schedulers) if scenario else None
    if configured and queue:
        queue = _full_name(configured, queue)
    first, *others = [_entry_json(pasted, entry, configured, queue) for entry in pasted.entries]
    return {
        "version": 1,
        "engine": VERSION,
        **first,
        "further": others,
        "unknown_lines": pasted.unknown_lines,
        "beside": _beside_text(pasted),
    }


def _entry_json(
    pasted: PastedText, entry: Entry, configured: Configured | None, queue: str
) -> dict[str, Any]:
    found = [one._replace(sentence=of_exit_code(one.sentence, one.values)) for one in entry.found]
    says = ""
    if not found:
        near = _nearest(pasted.words)
        found = [Found(sentence, {}, _without_names(sentence), 0, 0) for sentence in near]
        says = _not_found_text(pasted.words, near)
    named = pasted.reported | {key: value for one in found for key, value in one.values.items()}
    queues = [queue] if queue else _queues(configured, named, entry.numbers) if configured else []
    readings: list[dict[str, Any]] = [
        {
            "said": one.said,
            "rule": one.sentence.rule,
            "meaning": one.sentence.meaning,
            "properties": []
            if one.sentence.rule == AM_STATE and len(found) > 1  # the others say what holds it
            else _properties(configured, one.sentence.settings, queues, named.get("user", "")),
        }
        for one in found
    ]
    numbers = [
        {"name": number.name, "title": number.title, "text": _shown(raw)} for number, raw in entry.numbers
    ]
    told = {one["queue"] for reading in readings for one in reading["properties"]} - {""}
    return {
        "readings": readings,
        "numbers": numbers,
        "compared": _compared(found, entry.numbers, configured),
        "queues": queues,
        "says": says or (_which_text(named.get("queue", "")) if len(told) > 1 else ""),
    }


def _beside_text(pasted: PastedText) -> str:
    """What is not among the entries; "" where that is nothing, or all of the text."""
    texts = []
    if pasted.entries[0].found and pasted.unknown_lines:
        lines = quantities.count(pasted.unknown_lines, "other lines")
        texts.append(msg("explanation.diagnostics.lines_without_sentence", lines=lines))
    if pasted.more_entries:
        more = quantities.count(pasted.more_entries, "more entries")
        texts.append(msg("explanation.diagnostics.more_entries", more=more, shown=MAX_ENTRIES))
    if pasted.is_cut:
        texts.append(msg("explanation.diagnostics.text_is_cut", most=MAX_DIAGNOSTICS))
    return " ".join(texts)


def _full_name(configured: Configured, queue: str) -> str:
    """NoSuchQueue where none has the name, or several."""
    names = configured.named(queue)
    if len(names) == 1:
        return names[0]
    if names:
        queues = ", ".join(names[:MAX_QUEUES])
        raise NoSuchQueue(msg("explanation.diagnostics.queue_is_ambiguous", queue=queue, queues=queues))
    leaves = ", ".join(configured.leaves[:MAX_QUEUES])
    raise NoSuchQueue(msg("explanation.diagnostics.there_is_no_queue", queue=queue, leaves=leaves))


def _pair(raw: str | None) -> Amount | None:
    """(MB, vcores) of a Resource as Hadoop writes it."""
    memory, vcores = MEMORY.search(raw or ""), VCORES.search(raw or "")
    return (int(memory[1]), int(vcores[1])) if memory and vcores else None


def _memory(raw: str | None) -> int | None:
    pair = _pair(raw)
    return pair[0] if pair else None


def _shown(raw: str) -> str:
    pair = _pair(raw)
    if pair is None:
        return raw
    return msg("shared.no_limit") if pair[0] >= UNLIMITED_MB else pair_text(pair)


def _queues(configured: Configured, named: dict[str, str], numbers: list[tuple[Number, str]]) -> list[str]:
    """Whose values are told: the queue that the line names, or whose numbers it has; else all leaves."""
    if named_queues := configured.named(named.get("queue", "")):
        return named_queues[:MAX_QUEUES]
    raw = {number.name: value for number, value in numbers}
    amounts = lambda limits, queue: [
        memory for memory, _ in limits(queue, float(configured.value(settings.AM_PERCENT, queue).text), True)
    ]
    clues: list[Callable[[str], bool]] = [
        lambda queue: _memory(raw.get("limit")) in amounts(configured.am_limit, queue),
        lambda queue: _memory(raw.get("user_limit")) in amounts(configured.user_am_limit, queue),
        lambda queue: _is_near(raw.get("capacity_pct"), configured.shares[queue].capacity),
        lambda queue: _memory(raw.get("max_share")) == configured.max_share_mb(queue),
    ]
    fitting = configured.leaves
    for clue in clues:
        fitting = [queue for queue in fitting if clue(queue)] or fitting
    return (fitting if len(fitting) == 1 else configured.leaves)[:MAX_QUEUES]


def _is_near(percent: str | None, share: float) -> bool:
    digits = re.match(r"\d+(\.\d+)?", percent or "")
    return digits is not None and abs(float(digits[0]) - 100 * share) < 0.05


def _properties(
    configured: Configured | None, wanted: Sequence[Setting], queues: list[str], user: str
) -> list[dict[str, Any]]:
    """Each setting's values, of the queues where they have their own; without a scenario its name alone."""
    told: dict[tuple[str, str], dict[str, Any]] = {}
    if configured is None:
        return [_named_alone(setting, user) for setting in wanted]
    for setting in [setting for setting in wanted if setting.kind in configured.kinds] or wanted:
        for queue in queues:
            value = configured.value(setting, queue, user)
            if value.given or not setting.only_given:
                told.setdefault((value.name, value.sentence()), value.plain())
    return list(told.values())


def _named_alone(setting: Setting, user: str) -> dict[str, Any]:
    name = setting.names[0].format(queue="QUEUE", user=user or "USER")
    value = Value(name, settings.KINDS[setting.kind], "", setting.default, False, ())
    if setting.only_given:
        sentence = msg("explanation.diagnostics.where_it_is_set", name=value.title)
    elif setting.default:
        sentence = msg("explanation.diagnostics.hadoops_default", name=value.title, default=setting.default)
    else:
        sentence = msg("explanation.diagnostics.without_it_no_limit", name=value.title)
    return value.plain() | {"sentence": sentence}


def _compared(found: list[Found], numbers: list[tuple[Number, str]], configured: Configured | None) -> str:
    """What the numbers come to, in a sentence; "" where they say nothing together."""
    for one in found:
        if one.sentence.text.startswith("Invalid resource request") and "number2" in one.values:
            return msg(
                "explanation.diagnostics.asks_for_at_most_are_allowed",
                asked=f"{int(one.values['number']):,}",
                most=f"{int(one.values['number2']):,}",
            )
    given = [(number.name, raw) for number, raw in numbers]
    given += [pair for one in found for pair in one.values.items()]
    pairs = {name: pair for name, raw in given if (pair := _pair(raw))}
    if request := pairs.get("request"):
        text = _of_masters(request, pairs, found, configured)
        if text:
            return text
    if (used := pairs.get("used")) and (maximum := pairs.get("maximum")):
        return _activated_text(used, maximum, pairs)
    if request and (share := pairs.get("max_share")):
        return _share_text(request, share)
    if (asked := pairs.get("requested")) and (maximum := pairs.get("maximum")):
        is_of_container = any(one.sentence.settings == CONTAINER_MAXIMUM for one in found)
        nodes = _nodes_text(asked, configured) if is_of_container else ""
        return _largest_text(asked, maximum) + nodes
    return ""


def _of_masters(
    request: Amount, pairs: dict[str, Amount], found: list[Found], configured: Configured | None
) -> str:
    """A master's request beside the limit of its user's or its queue's masters."""
    usage, limit = pairs.get("usage"), pairs.get("limit")
    if _is_of_user(found) and (most := pairs.get("user_limit")):
        return msg(
            "explanation.diagnostics.asks_for_masters_of_one_user",
            request=pair_text(request),
            limit=pair_text(most),
        )
    if usage and limit and any(limit):
        return _masters_text(request, usage, limit, configured.memory_only if configured else None)
    return ""


def _largest_text(asked: Amount, maximum: Amount) -> str:
    return msg(
        "explanation.diagnostics.asks_for_where_most_is",
        asked=pair_text(asked),
        maximum=pair_text(maximum),
        lacking=_lacking(asked, maximum),
    )


def _nodes_text(asked: Amount, configured: Configured | None) -> str:
    """Whether a node of the cluster that is open could hold it."""
    groups = configured.scenario.cluster.nodes if configured else []
    sizes = [(group.memory_mb, group.vcores) for group in groups]
    if not sizes:
        return ""
    largest = max(sizes)
    if all(_exceeded(asked, size) for size in sizes):
        return msg("explanation.diagnostics.no_node_is_as_large", largest=pair_text(largest))
    return msg("explanation.diagnostics.nodes_are_large_enough", largest=pair_text(largest))


def _is_of_user(found: list[Found]) -> bool:
    return any(one.sentence.text.startswith("User's AM") for one in found)


def _masters_text(request: Amount, usage: Amount, limit: Amount, memory_only: bool | None) -> str:
    """memory_only: does memory alone count? None where no scheduler says it."""
    total = request[0] + usage[0], request[1] + usage[1]
    text = msg(
        "explanation.diagnostics.masters_hold_with_more_they_would",
        usage=pair_text(usage),
        request=pair_text(request),
        total=pair_text(total),
        limit=pair_text(limit),
    )
    if memory_only is None:
        # DefaultResourceCalculator, which counts memory alone, makes any limit one of 1 vcore
        memory_only = total[0] > limit[0] and limit[1] <= 1
    counted = 1 if memory_only else 2
    if not _exceeded(total[:counted], limit[:counted]):
        return text + msg("explanation.diagnostics.which_would_fit_by_now")
    text += msg("explanation.diagnostics.too_much", what=_lacking(total[:counted], limit[:counted]))
    if not all(limit[:counted]):
        return text
    ratios = [whole / most for whole, most in zip(total[:counted], limit[:counted], strict=True)]
    ratio = math.ceil(100 * max(ratios)) / 100
    return text + msg("explanation.diagnostics.limit_times_as_large_would_do", ratio=f"{ratio:g}")


def _activated_text(used: Amount, maximum: Amount, pairs: dict[str, Amount]) -> str:
    values = {"used": pair_text(used), "maximum": _shown_pair(maximum)}
    if used[0] >= maximum[0] or used[1] >= maximum[1]:
        text = msg("explanation.diagnostics.queue_holds_which_is_all_it", **values)
    else:
        text = msg("explanation.diagnostics.queue_holds_of_at_most_so", **values)
    if (free := pairs.get("node_free")) and (size := pairs.get("node_size")):
        text += msg(
            "explanation.diagnostics.last_node_had_free_of", free=pair_text(free), size=pair_text(size)
        )
    return text


def _share_text(request: Amount, share: Amount) -> str:
    values = {"request": pair_text(request), "share": _shown_pair(share)}
    if _exceeded(request, share):
        return msg("explanation.diagnostics.asks_for_more_than_whole_maximum", **values)
    return msg("explanation.diagnostics.asks_for_beside_what_queue_holds", **values)


def _shown_pair(pair: Amount) -> str:
    return msg("shared.no_limit") if pair[0] >= UNLIMITED_MB else pair_text(pair)


def _exceeded(amount: Sequence[int], limit: Sequence[int]) -> bool:
    return any(one > most for one, most in zip(amount, limit, strict=True))


def _lacking(amount: Sequence[int], limit: Sequence[int]) -> str:
    """Which of memory and vcores is too much."""
    return " and ".join(name for name, one, most in zip(("memory", "vcores"), amount, limit) if one > most)


def _which_text(queue: str) -> str:
    """Why the properties of several queues are told; queue: the one that the line names, "" without."""
    if queue:
        return msg("explanation.diagnostics.it_names_queue_that_is_not", queue=queue)
    return msg("explanation.diagnostics.it_names_no_queue_so_all")


def _nearest(words: str) -> list[Sentence]:
    """The sentence of which the text is a part, or that is much like it."""
    by_text = {" ".join(sentence.text.split()): sentence for sentence in SENTENCES}
    near = [text for text in by_text if len(words) > MIN_PART and words.lower().rstrip(". ") in text.lower()]
    near = near or difflib.get_close_matches(words[:MAX_LIKE], by_text, 1, LIKE)
    return [by_text[text] for text in near[:1]]


def _without_names(sentence: Sentence) -> str:
    return PLACEHOLDER.sub("…", sentence.text).strip()


def _not_found_text(words: str, near: list[Sentence]) -> str:
    if near:
        return msg("explanation.diagnostics.no_sentence_of_hadoops_nearest", near=_without_names(near[0]))
    if words:
        return msg("explanation.diagnostics.no_sentence_of_hadoops_schedulers")
    return msg("explanation.diagnostics.paste_what_yarn_application_status_says")
