"""What Hadoop's schedulers say of what waits and of what they refuse: their own sentences, with what each
means and what would change it. A table, of Hadoop 3.4.1 where nothing else is said.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.explanation import configured_values as settings
from engine.explanation.configured_values import Setting
from engine.messages import msg


class Sentence(NamedTuple):
    """A sentence of Hadoop's. text: its constants, {names} where values stand; rule: the class, and where one
    decides, the method of Hadoop 3.4.1 that says it; settings: what would change it.
    """

    text: str
    rule: str
    meaning: str
    settings: tuple[Setting, ...] = ()


class Number(NamedTuple):
    """A number beside a sentence. text: Hadoop's constant before it, which names it; rule: its class."""

    name: str
    text: str
    rule: str

    @property
    def title(self) -> str:
        """Hadoop's words alone."""
        return self.text.rpartition("Details : ")[2].strip(" =:,(")


AM_STATE = "SchedulerApplicationAttempt$AMState"
ACTIVATE = "AbstractLeafQueue.activateApplications"
SUBMIT = "AbstractLeafQueue.validateSubmitApplication"
ASSIGN = "AbstractLeafQueue.assignContainers"
ALLOCATE = "RegularContainerAllocator"
ADD = "CapacityScheduler.addApplication"
FAIR_ADD = "FairScheduler.addApplication"
VALIDATE = "SchedulerUtils"
OLD_VALIDATE = "SchedulerUtils (Hadoop 2)"  # in no class of 3.4.1
OLDER_VALIDATE = "SchedulerUtils (Hadoop 3.0 to 3.2)"
CONTAINER_MAXIMUM = (settings.MAX_MEMORY, settings.MAX_VCORES)
USER = (settings.USER_FACTOR, settings.USER_LIMIT)
QUEUE = (settings.MAX_CAPACITY, settings.CAPACITY)

SENTENCES = (
    Sentence(
        "Application is added to the scheduler and is not yet activated. ",
        AM_STATE,
        msg("explanation.hadoop_sentences.its_scheduler_knows_it_and_holds"),
        (settings.AM_PERCENT, settings.FAIR_AM_SHARE),
    ),
    Sentence(
        "Application is Activated, waiting for resources to be assigned for AM. ",
        AM_STATE,
        msg("explanation.hadoop_sentences.limits_let_master_start_what_it"),
        (settings.MAX_CAPACITY, settings.USER_FACTOR),
    ),
    Sentence(
        "Scheduler has assigned a container for AM, waiting for AM container to be launched",
        AM_STATE,
        msg("explanation.hadoop_sentences.master_has_its_container_node_has"),
    ),
    Sentence(
        "AM container is launched, waiting for AM container to Register with RM",
        AM_STATE,
        msg("explanation.hadoop_sentences.masters_process_runs_and_has_not"),
        (settings.LIVENESS,),
    ),
    Sentence(
        "User launched the Application Master, since it's unmanaged. ",
        AM_STATE,
        msg("explanation.hadoop_sentences.master_runs_outside_yarn_so_no"),
    ),
    Sentence(
        "Queue's AM resource limit exceeded. ",
        ACTIVATE,
        msg("explanation.hadoop_sentences.masters_queue_would_hold_more_than"),
        (settings.AM_PERCENT,),
    ),
    Sentence(
        "User's AM resource limit exceeded. ",
        ACTIVATE,
        msg("explanation.hadoop_sentences.masters_user_would_hold_more_than"),
        (settings.USER_AM_PERCENT, *USER),
    ),
    Sentence(
        "maximum-am-resource-percent is insufficient to start a single application in queue, it is likely "
        "set too low. skipping enforcement to allow at least one application to start",
        ACTIVATE,
        msg("explanation.hadoop_sentences.limit_masters_smaller_than_one_master"),
        (settings.AM_PERCENT,),
    ),
    Sentence(
        "Skipping AM assignment as cluster resource is empty. ",
        ACTIVATE,
        msg("explanation.hadoop_sentences.no_node_has_registered_with_resourcemanager"),
        (settings.NODE_MEMORY,),
    ),
    Sentence(
        "User capacity has reached its maximum limit.",
        ASSIGN,
        msg("explanation.hadoop_sentences.user_holds_as_much_as_one"),
        USER,
    ),
    Sentence(
        "Skipping assigning to Node in Ignore Exclusivity mode. ",
        ALLOCATE,
        msg("explanation.hadoop_sentences.nodes_of_other_label_lend_nothing"),
        (settings.AM_EXCLUSIVE,),
    ),
    Sentence(
        "Skipped scheduling for this Node as its black listed. ",
        ALLOCATE,
        msg("explanation.hadoop_sentences.application_has_blacklisted_node_after_failures"),
    ),
    Sentence(
        "Skipping assigning to Node as request locality is not matching. ",
        ALLOCATE,
        msg("explanation.hadoop_sentences.request_wants_another_node_or_rack"),
        (settings.LOCALITY_DELAY, settings.RACK_DELAY),
    ),
    Sentence(
        "Queue {queue} is STOPPED. Cannot accept submission of application: {application}",
        SUBMIT,
        msg("explanation.hadoop_sentences.queue_or_one_above_stopped_it"),
        (settings.STATE,),
    ),
    Sentence(
        "Queue {queue} already has {number} applications, cannot accept submission of application: "
        "{application}",
        SUBMIT,
        msg("explanation.hadoop_sentences.queue_has_as_many_applications_pending"),
        (settings.MAX_APPLICATIONS, settings.CAPACITY),
    ),
    Sentence(
        "Queue {queue} already has {number} applications from user {user} cannot accept submission of "
        "application: {application}",
        SUBMIT,
        msg("explanation.hadoop_sentences.user_has_as_many_applications_in"),
        (settings.MAX_APPLICATIONS, *USER),
    ),
    Sentence(
        "Maximum system application limit reached,cannot accept submission of application: {application}",
        "CapacityScheduler",
        msg("explanation.hadoop_sentences.all_queues_together_have_as_many"),
        (settings.SYSTEM_APPLICATIONS,),
    ),
    Sentence(
        "Application {application} submitted by user : {user} to non-leaf queue : {queue}",
        ADD,
        msg("explanation.hadoop_sentences.queue_has_child_queues_and_takes"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Cannot submit application to non-leaf queue: {queue}",
        "AbstractParentQueue",
        msg("explanation.hadoop_sentences.parent_queue_takes_no_applications_name"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Application {application} submitted by user {user} to unknown queue: {queue}",
        ADD,
        msg("explanation.hadoop_sentences.no_queue_has_this_name_queues"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Application {application} submitted by user {user} to ambiguous queue: {queue} please use full "
        "queue path instead.",
        ADD,
        msg("explanation.hadoop_sentences.several_leaves_end_in_this_name"),
    ),
    Sentence(
        "Application {application} submission by user : {user} to specified queue : {queue}  is prohibited. "
        "Verify automatic queue mapping for user exists in ",
        ADD,
        msg("explanation.hadoop_sentences.queue_made_for_applications_that_mapping"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Auto creation of queue {queue} is not enabled under parent {parent}",
        "CapacitySchedulerQueueManager",
        msg("explanation.hadoop_sentences.no_queue_has_this_name_and"),
    ),
    Sentence(
        "Application submission have been rejected by a mapping rule. Please see the logs for details",
        "CSMappingPlacementRule",
        msg("explanation.hadoop_sentences.rule_of_queue_mappings_refuses_it"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Failed to place application {application} in a queue and submit context queue is null or empty",
        "RMAppManager.placeApplication",
        msg("explanation.hadoop_sentences.no_placement_rule_gave_queue_and"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "User {user} does not have permission to submit {application} to queue {queue}",
        "RMAppManager",
        msg("explanation.hadoop_sentences.user_may_neither_submit_to_queue"),
        (settings.SUBMITTERS, settings.FAIR_SUBMITTERS),
    ),
    Sentence(
        "Invalid resource request! Cannot allocate containers as requested resource is greater than maximum "
        "allowed allocation. Requested resource type=[{type}], Requested resource={requested}, maximum "
        "allowed allocation={maximum}, please note that maximum allowed allocation is calculated by "
        "scheduler based on maximum resource of registered NodeManagers, which might be less than configured "
        "maximum allocation={configured}",
        VALIDATE,
        msg("explanation.hadoop_sentences.one_container_may_not_be_that"),
        CONTAINER_MAXIMUM,
    ),
    Sentence(
        "Invalid resource request! Cannot allocate containers as requested resource is less than 0! "
        "Requested resource type=[{type}], Requested resource={requested}",
        VALIDATE,
        msg("explanation.hadoop_sentences.amounts_below_do_not_exist"),
    ),
    Sentence(
        "Invalid resource request, requested resource type=[{type}] < 0 or greater than maximum allowed "
        "allocation. Requested resource={requested}, maximum allowed allocation={maximum},",
        OLDER_VALIDATE,
        msg("explanation.hadoop_sentences.one_container_may_not_be_that_2"),
        CONTAINER_MAXIMUM,
    ),
    Sentence(
        "Invalid resource request, requested memory < 0, or requested memory > max configured, "
        "requestedMemory={number}, maxMemory={number2}",
        OLD_VALIDATE,
        msg("explanation.hadoop_sentences.one_container_may_not_have_that"),
        (settings.MAX_MEMORY,),
    ),
    Sentence(
        "Invalid resource request, requested virtual cores < 0, or requested virtual cores > max configured, "
        "requestedVirtualCores={number}, maxVirtualCores={number2}",
        OLD_VALIDATE,
        msg("explanation.hadoop_sentences.one_container_may_not_have_that_2"),
        (settings.MAX_VCORES,),
    ),
    Sentence(
        "Invalid resource request, node label not enabled but request contains label expression",
        VALIDATE,
        msg("explanation.hadoop_sentences.request_names_node_label_and_cluster"),
    ),
    Sentence(
        " doesn't have permission to access all labels in resource request. labelExpression of resource "
        "request=",
        VALIDATE,
        msg("explanation.hadoop_sentences.queue_may_not_use_nodes_with"),
        (settings.LABELS,),
    ),
    Sentence(
        " exceeds maximum AM resource allowed).",
        "FSAppAttempt.assignContainer",
        msg("explanation.hadoop_sentences.masters_queue_may_hold_maxamshare"),
        (settings.FAIR_AM_SHARE,),
    ),
    Sentence(
        " exceeds current queue or its parents maximum resource allowed). Max share of queue: {maximum}",
        "FSAppAttempt.hasContainerForNode",
        msg("explanation.hadoop_sentences.with_it_queue_or_one_above"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        " exceeds the available resources of the node and the request is reserved)",
        "FSAppAttempt.assignContainer",
        msg("explanation.hadoop_sentences.it_did_not_fit_node_that"),
    ),
    Sentence(
        " exceeds the available resources of the node and the request cannot be reserved)",
        "FSAppAttempt.assignContainer",
        msg("explanation.hadoop_sentences.it_did_not_fit_node_and"),
    ),
    Sentence(
        'The user "{user}" has reached the maximum limit of runnable applications.',
        "MaxRunningAppsEnforcer.canAppBeRunnable",
        msg("explanation.hadoop_sentences.as_many_of_users_applications_run"),
        (settings.FAIR_USER_JOBS,),
    ),
    Sentence(
        'The queue "{queue}" has reached the maximum limit of runnable applications.',
        "MaxRunningAppsEnforcer.canAppBeRunnable",
        msg("explanation.hadoop_sentences.as_many_applications_run_in_queue"),
        (settings.FAIR_QUEUE_JOBS,),
    ),
    Sentence(
        "Resource usage plus resource request: {requested} exceeds maximum resource allowed:{maximum} in "
        "queue {queue}",
        "FSQueue.fitsInMaxShare",
        msg("explanation.hadoop_sentences.what_queue_holds_and_what_asked"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        "Reject application {application} submitted by user {user} application rejected by placement rules.",
        FAIR_ADD,
        msg("explanation.hadoop_sentences.queueplacementpolicy_has_rule_reject_that_holds"),
    ),
    Sentence(
        "{queue} is not a leaf queue",
        FAIR_ADD,
        msg("explanation.hadoop_sentences.queue_has_children_under_fairscheduler"),
    ),
    Sentence(
        "Cannot submit application {application} to queue {queue} because it has zero amount of resource for "
        "a requested resource! Invalid requested AM resources: {requested}, maximum queue resources: "
        "{maximum}",
        FAIR_ADD,
        msg("explanation.hadoop_sentences.queue_closed_its_maximum_of_resource"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        "Queue hits max-capacity limit",
        ASSIGN,
        msg("explanation.hadoop_sentences.queue_holds_its_maximum_capacity_or"),
        QUEUE,
    ),
    Sentence(
        "Queue hits user max-capacity limit",
        ASSIGN,
        msg("explanation.hadoop_sentences.user_of_queue_holds_as_much"),
        USER,
    ),
    Sentence(
        "Queue does not have enough headroom for inner highest-priority request",
        ALLOCATE,
        msg("explanation.hadoop_sentences.queues_or_users_limit_leaves_less"),
        (settings.MAX_CAPACITY, settings.USER_FACTOR),
    ),
    Sentence(
        "Queue skipped to respect FIFO of applications",
        ASSIGN,
        msg("explanation.hadoop_sentences.earlier_application_of_queue_waits_and"),
        (settings.ORDERING,),
    ),
    Sentence(
        "Queue is not able to access partition",
        ASSIGN,
        msg("explanation.hadoop_sentences.queue_may_not_use_nodes_of"),
        (settings.LABELS,),
    ),
    Sentence(
        "Queue does not need more resource",
        ASSIGN,
        msg("explanation.hadoop_sentences.nothing_of_queue_waits_for_containers"),
    ),
    Sentence(
        "Queue skipped because node has been reserved",
        "AbstractParentQueue",
        msg("explanation.hadoop_sentences.node_was_just_reserved_for_request"),
    ),
    Sentence(
        "Queue skipped because node resource is insufficient",
        "AbstractParentQueue",
        msg("explanation.hadoop_sentences.node_has_too_little_left_for"),
    ),
    Sentence(
        "Initial check: node resource is insufficient for minimum allocation",
        "CapacityScheduler",
        msg("explanation.hadoop_sentences.node_has_less_free_than_smallest"),
        (settings.MIN_MEMORY,),
    ),
    Sentence(
        "Node's total resource is insufficient for request",
        ALLOCATE,
        msg("explanation.hadoop_sentences.whole_node_smaller_than_container"),
        (settings.NODE_MEMORY,),
    ),
    Sentence(
        "Node does not have sufficient resource for request",
        ALLOCATE,
        msg("explanation.hadoop_sentences.what_node_has_free_too_small"),
    ),
    Sentence(
        "Node has been reserved",
        ALLOCATE,
        msg("explanation.hadoop_sentences.node_reserved_for_another_application"),
    ),
    Sentence(
        "Node is blacklisted",
        ALLOCATE,
        msg("explanation.hadoop_sentences.application_does_not_want_node"),
    ),
    Sentence(
        "Node skipped because of off-switch delay",
        ALLOCATE,
        msg("explanation.hadoop_sentences.request_waits_for_node_with_its"),
        (settings.LOCALITY_DELAY, settings.RACK_DELAY),
    ),
    Sentence(
        "Node skipped because node/rack locality cannot be satisfied",
        ALLOCATE,
        msg("explanation.hadoop_sentences.nothing_asked_for_on_this_node"),
        (settings.LOCALITY_DELAY,),
    ),
    Sentence(
        "Node does not match partition or placement constraints",
        ALLOCATE,
        msg("explanation.hadoop_sentences.label_or_constraints_of_request_rule"),
        (settings.LABELS,),
    ),
    Sentence(
        "Request skipped based on reservation algo",
        ALLOCATE,
        msg("explanation.hadoop_sentences.as_many_nodes_reserved_for_request"),
    ),
    Sentence(
        "Container preempted by scheduler",
        VALIDATE,
        msg("explanation.hadoop_sentences.container_was_killed_so_that_another"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Container released on a *lost* node",
        VALIDATE,
        msg("explanation.hadoop_sentences.its_node_was_lost_and_task"),
    ),
    Sentence(
        "Container expired since it was unused",
        VALIDATE,
        msg("explanation.hadoop_sentences.master_got_container_and_did_not"),
    ),
    Sentence(
        "AM Container for {application} exited with  exitCode: {number}",
        "RMAppAttemptImpl",
        msg("explanation.hadoop_sentences.master_ran_and_ended_no_scheduler"),
    ),
    Sentence(
        "ApplicationMaster for attempt {application} timed out",
        "RMAppAttemptImpl",
        msg("explanation.hadoop_sentences.master_sent_no_heartbeat_for_that"),
        (settings.LIVENESS,),
    ),
)

FICA = "FiCaSchedulerApp"
NUMBERS = (
    Number("partition", " Details : AM Partition = ", FICA),
    Number("request", "AM Resource Request = ", FICA),
    Number("limit", "Queue Resource Limit for AM = ", FICA),
    Number("user_limit", "User AM Resource Limit of the queue = ", FICA),
    Number("usage", "Queue AM Resource Usage = ", FICA),
    Number("cluster", "Partition Resource = ", FICA),
    Number("capacity_pct", "Queue's Absolute capacity = ", FICA),
    Number("used_pct", "Queue's Absolute used capacity = ", FICA),
    Number("maximum_pct", "Queue's Absolute max capacity = ", FICA),
    Number("capacity", "Queue's capacity (absolute resource) = ", FICA),
    Number("used", "Queue's used capacity (absolute resource) = ", FICA),
    Number("maximum", "Queue's max capacity (absolute resource) = ", FICA),
    Number("node", " Last Node which was processed for the application : ", FICA),
    Number("node_size", ", Total resource : ", FICA),
    Number("node_free", ", Available resource : ", FICA),
    Number("request", " (Resource request: ", "FSAppAttempt"),
    Number("max_share", "Max share of queue: ", "FSAppAttempt"),
)
