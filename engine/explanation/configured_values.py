"""What Hadoop's properties are on a scenario: the value that its configuration files would have, Hadoop's
default where they have none, and what that value comes to on the cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from engine import quantities
from engine.errors import FormatError, SchedulerError
from engine.messages import msg
from engine.resource_types import MEMORY, VCORES, Amount, amounts_of
from engine.scenario.configuration.configuration_reader import CAPACITY_XML, FAIR_XML, SITE_XML
from engine.scenario.configuration.configuration_writer import KINDS, write_configuration
from engine.scenario.configuration.xml_tree import Element, parse_xml
from engine.scenario.model import Scenario
from engine.scenario.queue_validation import ROOT
from engine.schedulers.admission.am_limit import queue_am_limit, user_am_limit
from engine.schedulers.hadoop.resources import times
from engine.schedulers.hadoop.user_limits import guaranteed_capacity, max_capacity_of
from engine.schedulers.scheduler import Scheduler, parse
from engine.simulation.normalization import min_allocation
from engine.simulation.queue_shares import QueueShare, queue_shares
from engine.simulation.queues import QueueTree, queue_tree
from engine.simulation.refused_jobs import application_limits

MANY = 100  # users at a time, of whom each has the least that a user has
Values = dict[str, str]  # by name; of fair-scheduler.xml OWNER/ELEMENT, where a queue or a user has it
Pair = tuple[int, int | None]  # MB, vcores; None where memory alone counts
# of a queue, a value and whether it is the queue's own: what it comes to, the least and the most; a number
# counts applications
Amounts = Callable[["Configured", str, float, bool], Sequence[Pair] | Sequence[int]]


class Setting(NamedTuple):
    """A property, or an element of fair-scheduler.xml. names: the first that is set holds, {queue} and {user}
    to be filled in; default: Hadoop's, "" where there is then no limit; amounts: what a value comes to, the
    least and the most; of_nodes: the field of nodes that it is, which may differ from node to node;
    only_given: another property holds where it is not set, so it is told where it is.
    """

    kind: str
    names: tuple[str, ...]
    default: str
    amounts: Amounts | None = None
    of_nodes: str = ""
    only_given: bool = False


class Value(NamedTuple):
    """What a setting is for a queue. name: of the property that says it, or would; given: whether it stands
    in the file; amounts: as `Amounts` gives them, none where it comes to none.
    """

    name: str
    file: str
    queue: str
    text: str
    given: bool
    amounts: tuple[Pair | int, ...]

    @property
    def title(self) -> str:
        """The name for people: an element of fair-scheduler.xml with whose it is."""
        owner, _, name = self.name.rpartition("/")
        return msg("explanation.configured_values.of", name=name, owner=owner) if owner else name

    def plain(self) -> dict[str, Any]:
        """As JSON's values: {name, file, queue, value, given, least, most, sentence}, least and most as
        {memory_mb, vcores}, {applications} or None; vcores are None where memory alone counts.
        """
        ends = [
            {"applications": one} if isinstance(one, int) else {"memory_mb": int(one[0]), "vcores": one[1]}
            for one in self.amounts
        ]
        return {
            "name": self.name,
            "file": self.file,
            "queue": self.queue,
            "value": self.text,
            "given": self.given,
            "least": ends[0] if ends else None,
            "most": ends[-1] if ends else None,
            "sentence": self.sentence(),
        }

    def sentence(self) -> str:
        """The property with its value, and what that comes to."""
        name = self.title
        if not self.text:
            return msg("explanation.configured_values.not_set_here_so_no_limit", name=name, file=self.file)
        words = (
            msg("explanation.configured_values.is_here", name=name, text=self.text, file=self.file)
            if self.given
            else msg("explanation.configured_values.not_set_here", name=name, text=self.text, file=self.file)
        )
        if not self.amounts:
            return f"{words}."
        least, most = self.amounts[0], self.amounts[-1]
        is_own = self.given and f".{self.queue}." in self.name
        if isinstance(least, int) and not is_own:
            return msg(
                "explanation.configured_values.of_which_part_is",
                words=words,
                queue=self.queue,
                amount=quantities.count(least, "applications"),
            )
        if least == most:
            return msg("explanation.configured_values.which_is", words=words, amount=amount_text(least))
        return msg(
            "explanation.configured_values.which_is_and_up_to",
            words=words,
            least=amount_text(least),
            most=amount_text(most),
        )


class Configured:
    """A scenario as Hadoop's files configure it. schedulers: those that are looked at; the first of the
    family that a file is of gives what stands in no field of the scenario.
    """

    def __init__(self, scenario: Scenario, schedulers: Sequence[str] = ()) -> None:
        self.scenario = scenario
        self.schedulers = schedulers
        self._values: dict[str, Values] = {}

    @cached_property
    def kinds(self) -> set[str]:
        """The files that the schedulers looked at read."""
        families = {FAMILIES.get(scheduler.order.policy.name) for scheduler in self._parsed}
        return {SITE_XML} | {FILES[family] for family in families if family}

    @cached_property
    def tree(self) -> QueueTree:
        """The scenario's queues."""
        return queue_tree(self.scenario)

    @cached_property
    def shares(self) -> dict[str, QueueShare]:
        """What each queue is entitled to, by its name."""
        return {share.name: share for share in queue_shares(self.scenario)}

    @cached_property
    def leaves(self) -> list[str]:
        """The leaves, those with jobs where some have."""
        parents = set(self.tree.parent.tolist())
        leaves = [name for number, name in enumerate(self.tree.names) if number not in parents]
        used = {job.queue for job in self.scenario.jobs}
        return [name for name in leaves if name in used] or leaves

    def named(self, name: str) -> list[str]:
        """The queues that a name may mean: the one of this path, else all whose path ends in it, as
        CapacityScheduler knows a queue by its short name (CSQueueStore) and FairScheduler without root.
        """
        if name in self.shares:
            return [name]
        return [queue for queue in self.shares if name and queue.endswith(f".{name}")]

    @cached_property
    def memory_only(self) -> bool | None:
        """Does the CapacityScheduler that is looked at count memory alone? None where none is."""
        scheduler = self._known("capacity")
        return scheduler.memory_only if scheduler else None

    def max_share_mb(self, queue: str) -> int:
        """The queue's own maximum share of memory under FairScheduler."""
        return int(self.tree.max_resource[MEMORY, self._number(queue)])

    @cached_property
    def cluster(self) -> tuple[int, int]:
        """MB and vcores of all nodes."""
        groups = self.scenario.cluster.nodes
        return sum(group.count * group.memory_mb for group in groups), sum(
            group.count * group.vcores for group in groups
        )

    def value(self, setting: Setting, queue: str, user: str = "") -> Value:
        """A setting of a queue."""
        values = self._values_of(setting.kind)
        names = [name.format(queue=queue, user=user) for name in setting.names]
        if text := self._of_nodes(setting.of_nodes):
            return Value(names[0], KINDS[setting.kind], "", text, True, ())
        name = next((name for name in names if name in values), names[0])
        text = values.get(name, setting.default)
        is_own = name in values and name == names[0]
        amounts = setting.amounts(self, queue, _number(text), is_own) if setting.amounts and text else ()
        return Value(name, KINDS[setting.kind], queue, text, name in values, tuple(amounts))

    def am_limit(self, queue: str, percent: float, _is_own: bool) -> Sequence[Pair]:
        """What masters of a leaf may hold under CapacityScheduler: of its guarantee, of its maximum."""
        number, part = self._number(queue), np.float32(percent)
        return [
            self._counted(queue_am_limit(self._view(is_alone), number, part)) for is_alone in (False, True)
        ]

    def user_am_limit(self, queue: str, percent: float, _is_own: bool) -> Sequence[Pair]:
        """What masters of one user of a leaf may hold: beside many others, alone."""
        number, part = self._number(queue), np.float32(percent)
        most = queue_am_limit(self._view(is_alone=True), number, part)
        views = [self._view(True, users) for users in (MANY, 1)]
        return [self._counted(user_am_limit(view, number, part, most)) for view in views]

    def am_share(self, queue: str, part: float, _is_own: bool) -> Sequence[Pair]:
        """The same under FairScheduler: of its fair share while all queues are used, of its maximum."""
        if part < 0:
            return ()
        share = self.shares[queue]
        return [self._part(part * share.steady_share), self._part(part * share.max_share)]

    def applications(self, queue: str, count: float, is_own: bool) -> Sequence[int]:
        """How many applications a leaf may have: its own number, else its capacity's part of all."""
        if is_own:
            return [int(count)]
        cluster = self.scenario.cluster.model_copy(update={"max_applications": int(count)})
        limits = application_limits(self.scenario.model_copy(update={"cluster": cluster}), self.tree)
        return [int(limits.of_queue[self._number(queue)])]

    def guarantee(self, queue: str, _value: float, _is_own: bool) -> Sequence[Pair]:
        """The capacity of a queue."""
        return [self._counted(guaranteed_capacity(self._view(), self._number(queue)))]

    def maximum(self, queue: str, _value: float, _is_own: bool) -> Sequence[Pair]:
        """The maximum capacity of a queue."""
        return [self._counted(max_capacity_of(self._view(), self._number(queue)))]

    def user_maximum(self, queue: str, factor: float, _is_own: bool) -> Sequence[Pair]:
        """What one user of a leaf may hold at most."""
        if factor < 0:
            return ()
        return [self._counted(times(guaranteed_capacity(self._view(), self._number(queue)), factor))]

    def _of_nodes(self, field: str) -> str:
        """The field of all nodes, or its range; "" where there are none."""
        sizes = {int(getattr(group, field)) for group in self.scenario.cluster.nodes} if field else ()
        if len(sizes) < 2:
            return "".join(map(str, sizes))
        return msg("explanation.configured_values.by_node", least=min(sizes), most=max(sizes))

    def _counted(self, amount: Amount) -> Pair:
        """Of the resources that CapacityScheduler's calculator counts."""
        return int(amount[MEMORY]), None if self.memory_only else int(amount[VCORES])

    def _part(self, part: float) -> Pair:
        return int(np.ceil(self.cluster[0] * part)), int(np.ceil(self.cluster[1] * part))

    def _number(self, queue: str) -> int:
        return self.tree.names.index(queue)

    def _view(self, is_alone: bool = False, users: int = 1) -> Any:
        """What the rules of limits read of a view, where each queue's limit is its guarantee or, as it is
        alone, its maximum capacity, and so many users want more of it.
        """
        groups = self.scenario.cluster.nodes
        cluster = amounts_of(groups) @ [[group.count] for group in groups]
        parts = self.tree.max_capacity if is_alone else self.tree.capacity
        return SimpleNamespace(
            cluster_resource=cluster,
            counts_vcores=0 if self.memory_only else 1,
            min_allocation_resource=amounts_of([min_allocation(self.scenario.cluster.allocation)], 1),
            queue_capacity=self.tree.capacity,
            queue_max_capacity=self.tree.max_capacity,
            queue_active_users=np.full(len(parts), users),
            queue_held_back_users=np.zeros(len(parts), np.int64),
            queue_min_user_limit=self.tree.min_user_limit,
            queue_user_limit_factor=self.tree.user_limit_factor,
            queue_limit_resource=(parts * cluster).astype(np.int64),
        )

    def _scheduler(self, family: str) -> Scheduler:
        return self._known(family) or parse(family)

    def _known(self, family: str) -> Scheduler | None:
        """The first of the family that is looked at."""
        return next((one for one in self._parsed if FAMILIES.get(one.order.policy.name) == family), None)

    @cached_property
    def _parsed(self) -> list[Scheduler]:
        scheduler = []
        for text in self.schedulers:
            with suppress(SchedulerError):  # such as the record of a cluster
                scheduler.append(parse(text))
        return scheduler

    def _values_of(self, kind: str) -> Values:
        if kind not in self._values:
            scheduler = self._scheduler("fair" if kind == FAIR_XML else "capacity")
            order, rule = scheduler.order, scheduler.admission
            limit = rule.number("limit") if rule.given.get("limit") is not None else None
            try:
                text = write_configuration(
                    self.scenario, order.policy.name, order.given, rule.policy.name, limit, kind
                )
                root = parse_xml(KINDS[kind], text.encode())
            except FormatError:
                root = Element("")  # a scenario that Hadoop's files can't hold
            self._values[kind] = _elements(root) if kind == FAIR_XML else _properties(root)
        return self._values[kind]


def amount_text(amount: Pair | int) -> str:
    """Memory and vcores, or a number of applications, for people."""
    return quantities.count(amount, "applications") if isinstance(amount, int) else pair_text(amount)


def pair_text(pair: Pair) -> str:
    """Memory and vcores for people."""
    memory, vcores = quantities.memory(pair[0], exact=True), pair[1]
    return memory if vcores is None else f"{memory} and {quantities.vcores(vcores)}"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0  # its amounts read no number


def _properties(root: Element) -> Values:
    pairs = ({part.tag: part.text for part in child.children} for child in root.children)
    return {pair["name"]: pair["value"] for pair in pairs}


def _elements(root: Element, queue: str = "") -> Values:
    values: Values = {}
    for child in root.children:
        name = child.attributes.get("name", "")
        if child.tag == "queue":
            values |= _elements(child, f"{queue or ROOT}.{name}" if name != ROOT else ROOT)
        elif child.tag == "user":
            values |= {f"user {name}/{part.tag}": part.text for part in child.children}
        else:
            values[f"{queue}/{child.tag}" if queue else child.tag] = child.text
    return values


FILES = {"fair": FAIR_XML, "capacity": CAPACITY_XML}
FAMILIES = {"fair": "fair", "drf": "fair", "capacity": "capacity"}  # of an order of ours


def _capacity(name: str, default: str, amounts: Amounts | None = None, is_inherited: bool = False) -> Setting:
    own, of_all = f"yarn.scheduler.capacity.{{queue}}.{name}", f"yarn.scheduler.capacity.{name}"
    return Setting(CAPACITY_XML, (own, of_all) if is_inherited else (own,), default, amounts)


AM_PERCENT = _capacity("maximum-am-resource-percent", "0.1", Configured.am_limit, is_inherited=True)
USER_AM_PERCENT = AM_PERCENT._replace(amounts=Configured.user_am_limit)
USER_LIMIT = _capacity("minimum-user-limit-percent", "100", is_inherited=True)
USER_FACTOR = _capacity("user-limit-factor", "1", Configured.user_maximum, is_inherited=True)
CAPACITY = _capacity("capacity", "", Configured.guarantee)._replace(only_given=True)
MAX_CAPACITY = _capacity("maximum-capacity", "100", Configured.maximum)
MAX_APPLICATIONS = _capacity("maximum-applications", "10000", Configured.applications, is_inherited=True)
SYSTEM_APPLICATIONS = Setting(CAPACITY_XML, ("yarn.scheduler.capacity.maximum-applications",), "10000")
ZERO_SUM = _capacity("allow-zero-capacity-sum", "false")
STATE = _capacity("state", "RUNNING")
SUBMITTERS = _capacity("acl_submit_applications", "*")
ORDERING = _capacity("ordering-policy", "fifo")
LABELS = _capacity("accessible-node-labels", "*")
PARALLEL_APPS = _capacity("max-parallel-apps", "", is_inherited=True)
USER_PARALLEL_APPS = Setting(
    CAPACITY_XML,
    (
        "yarn.scheduler.capacity.user.{user}.max-parallel-apps",
        "yarn.scheduler.capacity.user.max-parallel-apps",
    ),
    "",
)
LIFETIME = _capacity("maximum-application-lifetime", "-1")
PRIORITY_SUBMITTERS = _capacity("acl_application_max_priority", "*")
CREATION_DEPTH = Setting(
    CAPACITY_XML, ("yarn.scheduler.capacity.PARENT.auto-queue-creation-v2.maximum-queue-depth",), "2"
)
CREATED_QUEUES = Setting(
    CAPACITY_XML, ("yarn.scheduler.capacity.PARENT.auto-queue-creation-v2.max-queues",), "1000"
)
CREATED_LEAVES = Setting(
    CAPACITY_XML, ("yarn.scheduler.capacity.PARENT.auto-create-child-queue.max-queues",), "1000"
)
MAPPINGS = Setting(CAPACITY_XML, ("yarn.scheduler.capacity.queue-mappings",), "none")
LOCALITY_DELAY = Setting(CAPACITY_XML, ("yarn.scheduler.capacity.node-locality-delay",), "40")
RACK_DELAY = Setting(CAPACITY_XML, ("yarn.scheduler.capacity.rack-locality-additional-delay",), "-1")
MAX_MEMORY = Setting(SITE_XML, ("yarn.scheduler.maximum-allocation-mb",), "8192")
MAX_VCORES = Setting(SITE_XML, ("yarn.scheduler.maximum-allocation-vcores",), "4")
MIN_MEMORY = Setting(SITE_XML, ("yarn.scheduler.minimum-allocation-mb",), "1024")
MIN_VCORES = Setting(SITE_XML, ("yarn.scheduler.minimum-allocation-vcores",), "1")
NODE_MEMORY = Setting(SITE_XML, ("yarn.nodemanager.resource.memory-mb",), "8192", of_nodes="memory_mb")
NODE_VCORES = Setting(SITE_XML, ("yarn.nodemanager.resource.cpu-vcores",), "8", of_nodes="vcores")
QUEUE_MAX_MEMORY = _capacity("maximum-allocation-mb", "")._replace(only_given=True)
QUEUE_MAX_VCORES = _capacity("maximum-allocation-vcores", "")._replace(only_given=True)
FAIR_MAX_CONTAINER = Setting(FAIR_XML, ("{queue}/maxContainerAllocation",), "", only_given=True)
AM_ATTEMPTS = Setting(SITE_XML, ("yarn.resourcemanager.am.max-attempts",), "2")
AM_EXCLUSIVE = Setting(
    SITE_XML, ("yarn.resourcemanager.node-labels.am.allow-non-exclusive-allocation",), "false"
)
VIRTUAL_MEMORY_CHECK = Setting(SITE_XML, ("yarn.nodemanager.vmem-check-enabled",), "true")
VIRTUAL_MEMORY_RATIO = Setting(SITE_XML, ("yarn.nodemanager.vmem-pmem-ratio",), "2.1")
PHYSICAL_MEMORY_CHECK = Setting(SITE_XML, ("yarn.nodemanager.pmem-check-enabled",), "true")
DISK_USE = Setting(
    SITE_XML,
    ("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage",),
    "90.0",
)
LIVENESS = Setting(SITE_XML, ("yarn.am.liveness-monitor.expiry-interval-ms",), "600000")
FAIR_AM_SHARE = Setting(
    FAIR_XML, ("{queue}/maxAMShare", "queueMaxAMShareDefault"), "0.5", Configured.am_share
)
FAIR_MAXIMUM = Setting(FAIR_XML, ("{queue}/maxResources", "queueMaxResourcesDefault"), "")
FAIR_QUEUE_JOBS = Setting(FAIR_XML, ("{queue}/maxRunningApps", "queueMaxAppsDefault"), "")
FAIR_USER_JOBS = Setting(FAIR_XML, ("user {user}/maxRunningApps", "userMaxAppsDefault"), "")
FAIR_SUBMITTERS = Setting(FAIR_XML, ("{queue}/aclSubmitApps",), "*")
