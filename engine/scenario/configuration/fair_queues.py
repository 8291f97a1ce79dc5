"""The queues of fair-scheduler.xml: what their elements set (AllocationFileQueueParser), and which of them
FairScheduler creates (QueueManager).
"""

from __future__ import annotations

from typing import Any

from engine.java_hash import listed_order
from engine.messages import msg
from engine.scenario.configuration.configuration_notes import NoteKind, Where
from engine.scenario.configuration.fair_elements import (
    FAIR_FILE,
    Unmodelled,
    leading_text,
    read_row,
    tell_twice,
    tell_unmodelled,
)
from engine.scenario.configuration.fair_table import (
    ACL_ELEMENTS,
    MAX_CHILD_RESOURCES,
    QUEUE,
    RESERVATION,
    UNMODELLED_OF_QUEUE,
)
from engine.scenario.configuration.fair_values import BLANKS, MAXIMUM_RESOURCES
from engine.scenario.configuration.property_table import Draft
from engine.scenario.configuration.queue_policies import QueuePolicies
from engine.scenario.configuration.value_parsing import AROUND_NAMES
from engine.scenario.configuration.xml_tree import Element
from engine.scenario.queue_validation import DEFAULT_QUEUE, ROOT

TOP_QUEUES = ("queue", "pool")
# "queue".endsWith(tag) is what Hadoop asks of an element in a queue
INNER_QUEUES = (*TOP_QUEUES, "ueue", "eue", "ue", "e")
ALLOW, AM_SHARE, POLICY, PARENT = "allowPreemptionFrom", "maxAMShare", "policy", "parent"


class FairQueues:
    """Reads queues into the draft. kinds: those that elements make a leaf, and those that they make a parent
    (True); one may be both. begin: what goes before these names.
    """

    def __init__(self, file: str, draft: Draft) -> None:
        self._file, self._draft = file, draft
        self._kinds: dict[bool, dict[str, None]] = {False: {}, True: {}}
        self._begin = ""
        self._places: dict[str, Where] = {}
        self._elements: dict[str, list[Element]] = {}

    def read(self, elements: list[Element]) -> None:
        """Takes all of them. FormatError with line and element where Hadoop would refuse the file."""
        for element in elements:
            where = Where(self._file, element.line, element.tag)
            is_root = element.attributes.get("name", "").lower() == ROOT
            if is_root and len(elements) > 1:
                raise where.fault(msg("scenario.fair_queues.root_must_be_only_top_level"))
            if is_root and element.attributes["name"] != ROOT:
                self._read_misspelt_root(element, where)
            else:
                self._read(element, "" if is_root else ROOT, self._draft)
        self._create()

    def _read_misspelt_root(self, element: Element, where: Where) -> None:
        """Root in other letters: Hadoop checks what stands in it, and keeps it under names by which it never
        asks; under root it creates queues of the right names, with nothing of that.
        """
        scratch = Draft(self._draft.size)
        name = element.attributes["name"]
        self._draft.remarks.add(
            where, msg("scenario.fair_queues.misspelt_root", name=name), NoteKind.NOT_READ
        )
        self._read(element, "", scratch)
        self._begin = f"{ROOT}."
        self._places = {f"{ROOT}.{queue}": place for queue, place in self._places.items()}
        for queue in self._places:
            self._draft.queue(queue)

    def _read(self, element: Element, parent: str, draft: Draft) -> None:
        short = element.attributes.get("name", "").strip(AROUND_NAMES)
        where = Where(self._file, element.line, element.tag)
        if not short or "." in short:
            raise where.fault(msg("scenario.fair_queues.queues_name_must_not_be_empty", short=short[:60]))
        name = f"{parent}.{short}" if parent else short
        if name in self._places:
            text = msg("scenario.fair_queues.also_in_line", name=name, line=self._places[name].line)
            draft.remarks.add(where, text)
        self._places[name] = where
        self._elements.setdefault(name, []).append(element)
        draft.queue_lines[name] = element.line
        values = draft.queue(name)
        hadoop = values.setdefault("x_hadoop", {})
        unmodelled: Unmodelled = hadoop.setdefault(FAIR_FILE, [])
        _keep_attributes(element, unmodelled)
        is_parent = element.attributes.get("type") == PARENT
        limited: Where | None = None
        reserved: Where | None = None
        seen: dict[str, Where] = {}
        for child in element.children:
            child_where = Where(self._file, child.line, child.tag)
            if child.tag in INNER_QUEUES:
                self._read(child, name, draft)
                is_parent = True
                continue
            limited = child_where if child.tag == AM_SHARE else limited
            reserved = child_where if child.tag == RESERVATION else reserved
            row = QUEUE.by_name.get(child.tag)
            tell_twice(seen.get(row.target if row else child.tag), child_where, draft)
            seen[row.target if row else child.tag] = child_where
            self._read_child(child, child_where, name, values, unmodelled, draft)
        if is_parent and (wrong := reserved or limited):
            raise wrong.fault(msg("scenario.fair_queues.leaf_alone_as_in_hadoop"))
        self._kinds[is_parent or reserved is not None].setdefault(name)
        if not unmodelled:
            del hadoop[FAIR_FILE]
        if not hadoop:
            del values["x_hadoop"]

    def _read_child(
        self,
        child: Element,
        where: Where,
        name: str,
        values: dict[str, Any],
        unmodelled: Unmodelled,
        draft: Draft,
    ) -> None:
        row = QUEUE.by_name.get(child.tag)
        if row:
            was_kept = child.tag == ALLOW and values.get(row.target) is False
            kept = [pair for pair in unmodelled if pair[0] == ALLOW]
            read_row(row, child, where, name, values, draft, unmodelled)
            if was_kept and values[row.target]:  # builder.nonPreemptableQueues only adds
                values[row.target] = False
                unmodelled[:] = [*(pair for pair in unmodelled if pair[0] != ALLOW), *kept]
                draft.remarks.add(where, msg("scenario.fair_queues.stays_false", name=name))
            return
        if child.tag in ACL_ELEMENTS:
            leading_text(child, where)
        elif child.tag == MAX_CHILD_RESOURCES:
            try:
                MAXIMUM_RESOURCES.parse(leading_text(child, where).strip(BLANKS), draft.size)
            except ValueError as fault:
                raise where.fault(str(fault)) from None
        tell_unmodelled(where, UNMODELLED_OF_QUEUE, (*QUEUE.by_name, *UNMODELLED_OF_QUEUE), draft)
        unmodelled.append([child.tag, child.plain()])

    def _create(self) -> None:
        """Keeps the queues that FairScheduler creates: leaves first, then parents; a policy may stand in the
        way, and of a queue that is both a leaf and a parent the parent stays, without child queues.
        """
        draft = self._draft
        default = str(draft.scheduler.get("order", "fair"))
        listed = {name: str(values.get(POLICY) or default) for name, values in draft.queues.items()}
        draft.policies = policies = QueuePolicies(listed, default)
        created: dict[str, bool] = {ROOT: True}  # whether it is a parent
        for is_parent, names in self._kinds.items():
            for name in (self._begin + short for short in listed_order(names)):
                self._make_way(created, name, is_parent)
                if name not in created:
                    for queue in policies.creations(name, not is_parent, created.get):
                        created[queue] = is_parent or queue != name
        self._leave_out(created)
        if draft.queues.get(ROOT, {}).get(POLICY) == "fifo":  # under which there is no queue
            del draft.queues[ROOT][POLICY]
        above = {name.rpartition(".")[0] for name in created}
        draft.parents = {name for name, is_parent in created.items() if is_parent and name not in above}
        draft.parents.discard(ROOT)
        for name in (name for name, is_parent in created.items() if is_parent and name in draft.queues):
            self._leave_to_leaves(draft.queues[name], name in draft.parents)
        for name in sorted(draft.parents):
            draft.remarks.add(
                self._places.get(name, Where(self._file)),
                msg("scenario.fair_queues.parent_without_queues_here_leaf", name=name),
            )

    def _leave_out(self, created: dict[str, bool]) -> None:
        """Takes out the queues that FairScheduler does not create; what stands in the file of them is kept,
        as a job that names one of them may have it created, or be refused.
        """
        draft = self._draft
        for name in [name for name in draft.queues if name not in created]:
            draft.remarks.add(self._places[name], self._why_not(name, created), NoteKind.NOT_READ)
            draft.missing[name] = draft.queues.pop(name)
            above = name.rpartition(".")[0]
            if above in created:
                kept = [[element.tag, element.plain()] for element in self._elements.get(name, ())]
                if above in draft.queues:
                    draft.queues[above].setdefault("x_hadoop", {}).setdefault(FAIR_FILE, []).extend(kept)
                else:
                    draft.unmodelled.setdefault(FAIR_FILE, []).extend(kept)

    def _leave_to_leaves(self, values: dict[str, Any], is_bare: bool) -> None:
        """Takes from a parent what Hadoop refuses of one, where it was said of a leaf of the same name; a
        bare one is marked as a parent, where nothing else says so.
        """
        kept: Unmodelled = values.get("x_hadoop", {}).get(FAIR_FILE, [])
        is_reservable = is_bare and any(pair[0] == RESERVATION for pair in kept)
        if is_reservable and ["@type", PARENT] not in kept:
            return
        values.pop("max_am_share", None)
        kept = [pair for pair in kept if pair[0] not in (RESERVATION, AM_SHARE)]
        if is_bare and ["@type", PARENT] not in kept:
            kept = [["@type", PARENT], *(pair for pair in kept if pair[0] != "@type")]
        if kept:
            values.setdefault("x_hadoop", {})[FAIR_FILE] = kept
        elif "x_hadoop" in values:
            del values["x_hadoop"]

    def _make_way(self, created: dict[str, bool], name: str, is_parent: bool) -> None:
        """QueueManager.removeEmptyIncompatibleQueues."""
        if name == ROOT or name.startswith(f"{DEFAULT_QUEUE}."):
            return
        wrong = name if created.get(name, is_parent) != is_parent else ""
        ancestor = "" if name in created else name.rpartition(".")[0]
        while ancestor and not wrong:
            wrong = ancestor if created.get(ancestor) is False else ""
            ancestor = ancestor.rpartition(".")[0]
        for queue in [queue for queue in created if wrong and f"{queue}.".startswith(f"{wrong}.")]:
            del created[queue]

    def _why_not(self, name: str, created: dict[str, bool]) -> str:
        above, policies = name.rpartition(".")[0], self._draft.policies
        if above not in created:
            return msg("scenario.fair_queues.not_created_above", name=name, above=above)
        if not policies.allow(above, policies.of(name)) or policies.of(name) == "fifo":
            return msg(
                "scenario.fair_queues.not_created_policy",
                name=name,
                policy=policies.of(name),
                above=above,
                policy_above=policies.of(above),
            )
        return msg("scenario.fair_queues.not_created_leaf", name=name, above=above)


def _keep_attributes(element: Element, unmodelled: Unmodelled) -> None:
    """Those of a queue but its name, first and in place of those that stood there."""
    attributes = {f"@{key}": value for key, value in element.attributes.items() if key != "name"}
    unmodelled[:] = [pair for pair in unmodelled if pair[0] not in attributes]
    unmodelled[:0] = [[key, value] for key, value in attributes.items()]
