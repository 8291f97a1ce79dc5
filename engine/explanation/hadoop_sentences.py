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
CREATE = "CapacitySchedulerQueueManager"
MAPPING = "CSMappingPlacementRule"
PARALLEL = "CSMaxRunningAppsEnforcer"
RESERVATION = "CapacityScheduler.resolveReservationQueueName"
CHILDREN = "AbstractParentQueue.setChildQueues"
WARNING = "QueueUpdateWarning$QueueUpdateWarningType"
MOVE = "FairScheduler.verifyMoveDoesNotViolateConstraints"
OLD_VALIDATE = "SchedulerUtils (Hadoop 2)"  # in no class of 3.4.1
OLDER_VALIDATE = "SchedulerUtils (Hadoop 3.0 to 3.2)"
MASTER_EXITED = "AM Container for {application} exited with  exitCode: {number}"
CONTAINER_MAXIMUM = (
    settings.MAX_MEMORY,
    settings.MAX_VCORES,
    settings.QUEUE_MAX_MEMORY,
    settings.QUEUE_MAX_VCORES,
    settings.FAIR_MAX_CONTAINER,
    settings.NODE_MEMORY,
    settings.NODE_VCORES,
)
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
        CREATE,
        msg("explanation.hadoop_sentences.no_queue_has_this_name_and"),
    ),
    Sentence(
        "Application submission have been rejected by a mapping rule. Please see the logs for details",
        MAPPING,
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
        "Application {application} submission by user : {user} to  queue : {queue} failed : ",
        "CapacityScheduler.handleQueueCreationError",
        msg("explanation.hadoop_sentences.queue_not_there_and_could_not_be"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Auto created Leaf queue {queue} already exists under queue : {parent}. But Queue mapping "
        "configuration {property} has been updated to a different parent queue : {name} for the "
        "specified user : {user}",
        ADD,
        msg("explanation.hadoop_sentences.queue_was_created_under_another_parent_than"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Failed to submit application {application} submitted by user {user} reason: ",
        ADD,
        msg("explanation.hadoop_sentences.queue_refused_it_what_follows_says_why"),
    ),
    Sentence(
        "Application killed on recovery as it was submitted to queue {queue} which no longer exists "
        "after restart.",
        "CapacityScheduler.addApplicationOnRecovery",
        msg("explanation.hadoop_sentences.resourcemanager_was_restarted_with_configuration_that_has"),
    ),
    Sentence(
        "Application killed on recovery as it was submitted to queue {queue} which is no longer a leaf "
        "queue after restart.",
        "CapacityScheduler.addApplicationOnRecovery",
        msg("explanation.hadoop_sentences.resourcemanager_was_restarted_with_configuration_that_has"),
    ),
    Sentence(
        "Application killed on recovery as it was submitted to queue {queue} which did not exist and "
        "could not be auto-created",
        "CapacityScheduler.handleQueueCreationError",
        msg("explanation.hadoop_sentences.resourcemanager_was_restarted_with_configuration_that_has"),
    ),
    Sentence(
        "Could not auto-create leaf queue for {queue}. Queue mapping does not specify which parent "
        "queue it needs to be created under.",
        CREATE,
        msg("explanation.hadoop_sentences.no_queue_has_this_name_and_mapping"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Can not auto create queue {queue} due to missing ParentQueue path.",
        CREATE,
        msg("explanation.hadoop_sentences.no_queue_has_this_name_and_without"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Could not auto-create queue {queue} due to ParentQueue {parent} being ambiguous.",
        CREATE,
        msg("explanation.hadoop_sentences.several_queues_have_parents_name_name_whole"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Could not auto-create queue {queue} parent queue does not exist.",
        CREATE,
        msg("explanation.hadoop_sentences.neither_queue_nor_parent_under_which_it"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Could not auto create queue {queue}. The distance of the LeafQueue from the first static "
        "ParentQueue is {number}, which is above the limit.",
        CREATE,
        msg("explanation.hadoop_sentences.more_levels_of_queues_would_have_to"),
        (settings.CREATION_DEPTH,),
    ),
    Sentence(
        "Could not auto create hierarchy of {queue}. Queue {parent} is not a ParentQueue.",
        CREATE,
        msg("explanation.hadoop_sentences.leaf_stands_where_parent_needed_so_nothing"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Cannot auto create leaf queue {queue}.Max Child Queue limit exceeded which is configured as "
        ": {number} and number of child queues is : {number2}",
        "ManagedParentQueue.addChildQueue",
        msg("explanation.hadoop_sentences.parent_has_as_many_created_queues_as"),
        (settings.CREATED_LEAVES,),
    ),
    Sentence(
        "Cannot auto create queue {queue}. Max Child Queue limit exceeded which is configured "
        "as: {number} and number of child queues is: {number2}",
        "ParentQueue.addDynamicChildQueue",
        msg("explanation.hadoop_sentences.parent_has_as_many_created_queues_as"),
        (settings.CREATED_QUEUES,),
    ),
    Sentence(
        "Cannot auto create leaf queue {queue}. Child queues capacities have reached parent queue : "
        "{parent}'s guaranteed capacity",
        "ManagedParentQueue.addChildQueue",
        msg("explanation.hadoop_sentences.queues_created_so_far_have_all_of"),
    ),
    Sentence(
        "Trying to create new queue={queue} but not all the queues under parent={parent} are using "
        "weight-based capacity. Failed to created queue",
        "ParentQueue.addDynamicChildQueue",
        msg("explanation.hadoop_sentences.queues_created_only_beside_queues_that_all"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Queue '{queue}' specified in mapping rule does not exist.",
        MAPPING,
        msg("explanation.hadoop_sentences.mapping_names_queue_that_not_there"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Queue '{queue}' specified in mapping rule is ambiguous",
        MAPPING,
        msg("explanation.hadoop_sentences.mapping_names_queue_whose_name_several_leaves"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Mapping rule returned a non-leaf queue '{queue}', cannot place application in it.",
        MAPPING,
        msg("explanation.hadoop_sentences.mapping_names_queue_that_has_children_and"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Mapping rule specified a parent queue '{parent}', but it is not a dynamic parent queue, and "
        "no queue exists with name '{queue}' under it.",
        MAPPING,
        msg("explanation.hadoop_sentences.mapping_names_queue_that_not_there_and"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Mapping rule doesn't allow auto-creation of the queue '{queue}'.",
        MAPPING,
        msg("explanation.hadoop_sentences.queue_not_there_and_rule_says_not"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Application submitted by user {user}with illegal queue name '{queue}'.",
        "SpecifiedPlacementRule",
        msg("explanation.hadoop_sentences.name_none_that_queue_may_have_part"),
    ),
    Sentence(
        "No groups returned for user {user}",
        "PrimaryGroupPlacementRule",
        msg("explanation.hadoop_sentences.resourcemanagers_machine_knows_no_group_of_user"),
    ),
    Sentence(
        "User {user} does not have permission to submit/update {name} for {application}",
        "CapacityScheduler.checkAndGetApplicationPriority",
        msg("explanation.hadoop_sentences.user_may_not_submit_with_this_priority"),
        (settings.PRIORITY_SUBMITTERS,),
    ),
    Sentence(
        "Application {application} submitted to a reservation which is not currently active: {name}",
        RESERVATION,
        msg("explanation.hadoop_sentences.reservation_has_not_begun_yet_or_over"),
    ),
    Sentence(
        "Application {application} submitted to a reservation which is not yet currently active: {name}",
        "FairScheduler.resolveReservationQueueName",
        msg("explanation.hadoop_sentences.reservation_has_not_begun_yet_or_over"),
    ),
    Sentence(
        "Application: {application} submitted to a reservation {name} which does not belong to the "
        "specified queue: {queue}",
        RESERVATION,
        msg("explanation.hadoop_sentences.reservation_one_in_another_queue"),
    ),
    Sentence(
        "Application killed due to expiry of reservation queue {queue}.",
        "AbstractYarnScheduler",
        msg("explanation.hadoop_sentences.its_reservation_over_and_what_still_runs"),
    ),
    Sentence(
        "Application with id '{application}' doesn't exist in RM. Please check that the job submission "
        "was successful.",
        "ClientRMService",
        msg("explanation.hadoop_sentences.resourcemanager_does_not_know_application_it_was"),
    ),
    Sentence(
        "User {user} cannot submit applications to target queue or the target queue doesn't exist: "
        "{queue} while moving {application}",
        "ClientRMService",
        msg("explanation.hadoop_sentences.it_stays_where_it_queue_it_should"),
        (settings.SUBMITTERS, settings.FAIR_SUBMITTERS),
    ),
    Sentence(
        "Target queue {queue} not found or is not a leaf queue.",
        "FairScheduler.moveApplication",
        msg("explanation.hadoop_sentences.it_stays_where_it_only_leaves_take"),
    ),
    Sentence(
        "Moving app attempt {application} to queue {name} would violate queue maxRunningApps "
        "constraints on queue {queue}",
        MOVE,
        msg("explanation.hadoop_sentences.it_stays_where_it_as_many_applications"),
        (settings.FAIR_QUEUE_JOBS,),
    ),
    Sentence(
        "Moving app attempt {application} to queue {name} would violate queue maxShare constraints on "
        "queue {queue}",
        MOVE,
        msg("explanation.hadoop_sentences.it_stays_where_it_with_what_it"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        "Specified queue={queue} can't satisfy following apps label expressions =",
        "CapacityScheduler.checkQueuePartition",
        msg("explanation.hadoop_sentences.it_stays_where_it_queue_it_should_2"),
        (settings.LABELS,),
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
        "Invalid resource request! Cannot allocate containers for an unknown reason! Requested "
        "resource type=[{type}], Requested resource={requested}",
        VALIDATE,
        msg("explanation.hadoop_sentences.request_refused_and_hadoop_knows_no_reason"),
        CONTAINER_MAXIMUM,
    ),
    Sentence(
        "The required {kind} capability is more than the supported max container capability in the "
        "cluster. Killing the Job. {name}ResourceRequest: {requested} maxContainerCapability:{maximum}",
        "RMContainerAllocator (MapReduce)",
        msg("explanation.hadoop_sentences.task_of_job_asks_for_more_than"),
        CONTAINER_MAXIMUM,
    ),
    Sentence(
        "{kind} capability required is more than the supported max container capability in the "
        "cluster. Killing the Job. {name}ResourceRequest: {requested} maxContainerCapability:{maximum}",
        "RMContainerAllocator (MapReduce)",
        msg("explanation.hadoop_sentences.task_of_job_asks_for_more_than"),
        CONTAINER_MAXIMUM,
    ),
    Sentence(
        "Invalid resource request, no resources requested",
        "RMAppManager",
        msg("explanation.hadoop_sentences.application_asks_for_no_container_for_its"),
    ),
    Sentence(
        "Invalid resource request, only one resource request with * is allowed",
        "RMAppManager",
        msg("explanation.hadoop_sentences.applicationmaster_asked_for_once_for_any_node"),
    ),
    Sentence(
        "Invalid resource request, no resource request specified with *",
        "RMAppManager",
        msg("explanation.hadoop_sentences.beside_nodes_and_racks_applicationmaster_must_be"),
    ),
    Sentence(
        "Invalid resource request, queue={queue} specified node label expression in a resource request "
        "has resource name = {name}",
        VALIDATE,
        msg("explanation.hadoop_sentences.node_or_rack_and_node_label_may"),
    ),
    Sentence(
        "Invalid resource request, queue={queue} specified more than one node label in a node label "
        "expression, node label expression = {label}",
        VALIDATE,
        msg("explanation.hadoop_sentences.request_may_name_one_node_label_no"),
    ),
    Sentence(
        "Invalid label resource request, cluster do not contain , label= {label}",
        VALIDATE,
        msg("explanation.hadoop_sentences.cluster_has_no_such_node_label"),
        (settings.LABELS,),
    ),
    Sentence(
        "Resource request is invalid for application {application} because queue {queue} has 0 amount "
        "of resource for a resource type! Validation result: ",
        "FairScheduler.allocate",
        msg("explanation.hadoop_sentences.queue_closed_its_maximum_of_resource"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        "Queue {queue} cannot handle resource requestbecause it has zero available amount of resource "
        "for a requested resource type, so the resource request is ignored! Requested resources: "
        "{requested}, maximum queue resources: {maximum}",
        "FairScheduler.validateResourceRequests",
        msg("explanation.hadoop_sentences.queues_maximum_of_resource_that_asked_for"),
        (settings.FAIR_MAXIMUM,),
    ),
    Sentence(
        "NodeManager from  {node} doesn't satisfy minimum allocations, Sending SHUTDOWN signal to the "
        "NodeManager. Node capabilities are {requested}; minimums are {number}mb and {number2} vcores",
        "ResourceTrackerService",
        msg("explanation.hadoop_sentences.node_smaller_than_smallest_container_so_resourcemanager"),
        (settings.MIN_MEMORY, settings.MIN_VCORES, settings.NODE_MEMORY, settings.NODE_VCORES),
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
        "Initial check: node has been removed from scheduler",
        "CapacityScheduler",
        msg("explanation.hadoop_sentences.node_gone_or_to_be_decommissioned"),
    ),
    Sentence(
        "Application fails to allocate",
        ALLOCATE,
        msg("explanation.hadoop_sentences.it_was_asked_and_took_nothing_reason"),
    ),
    Sentence(
        "Application couldn't get container for allocation",
        ALLOCATE,
        msg("explanation.hadoop_sentences.nodes_room_went_to_another_between_decision"),
    ),
    Sentence(
        "Application does not need more resource",
        ALLOCATE,
        msg("explanation.hadoop_sentences.application_asks_for_nothing_more_at_this"),
    ),
    Sentence(
        "Request does not need more resource",
        ALLOCATE,
        msg("explanation.hadoop_sentences.nothing_more_asked_for_by_this_request"),
    ),
    Sentence(
        "Request skipped because off-switch request is null",
        ALLOCATE,
        msg("explanation.hadoop_sentences.request_names_nodes_or_racks_and_not"),
    ),
    Sentence(
        "Request skipped in Ignore Exclusivity mode for AM allocation",
        ALLOCATE,
        msg("explanation.hadoop_sentences.nodes_of_other_label_lend_nothing"),
        (settings.AM_EXCLUSIVE,),
    ),
    Sentence(
        "Request skipped because non-partitioned resource request should be scheduled to "
        "non-partitioned partition first",
        ALLOCATE,
        msg("explanation.hadoop_sentences.it_asks_for_no_label_so_nodes"),
    ),
    Sentence(
        "Node skipped because relax locality is not allowed",
        ALLOCATE,
        msg("explanation.hadoop_sentences.it_asks_for_its_own_node_or"),
    ),
    Sentence(
        "Node can't find a container to be unreserved when needed",
        ALLOCATE,
        msg("explanation.hadoop_sentences.its_queues_or_users_limit_lets_it"),
    ),
    Sentence(
        "Maximum runnable apps exceeded for queue {queue}",
        PARALLEL,
        msg("explanation.hadoop_sentences.as_many_applications_run_in_queue"),
        (settings.PARALLEL_APPS,),
    ),
    Sentence(
        "Maximum runnable apps exceeded for user {user}",
        PARALLEL,
        msg("explanation.hadoop_sentences.as_many_of_users_applications_run"),
        (settings.USER_PARALLEL_APPS,),
    ),
    Sentence(
        "Application attempt {application} is not runnable, parallel limit reached",
        "AbstractLeafQueue.addApplicationAttempt",
        msg("explanation.hadoop_sentences.as_many_applications_run_in_queue_in"),
        (settings.PARALLEL_APPS, settings.USER_PARALLEL_APPS),
    ),
    Sentence(
        "Container released by application",
        VALIDATE,
        msg("explanation.hadoop_sentences.application_gave_container_back"),
    ),
    Sentence(
        "Container of a completed application",
        VALIDATE,
        msg("explanation.hadoop_sentences.application_had_ended_so_its_containers_were"),
    ),
    Sentence(
        "Container reservation no longer required.",
        VALIDATE,
        msg("explanation.hadoop_sentences.node_was_reserved_for_container_that_no"),
    ),
    Sentence(
        "Temporary container killed by application for ExeutionType update",
        VALIDATE,
        msg("explanation.hadoop_sentences.container_was_of_help_while_another_was"),
    ),
    Sentence(
        "Application {application} failed {number} times{attempts} due to ",
        "RMAppImpl",
        msg("explanation.hadoop_sentences.its_applicationmaster_ended_as_often_as_it"),
        (settings.AM_ATTEMPTS,),
    ),
    Sentence(
        "Unmanaged application {application} failed due to ",
        "RMAppImpl",
        msg("explanation.hadoop_sentences.its_applicationmaster_which_runs_outside_of_yarn"),
    ),
    Sentence(
        "Error launching {application}. Got exception: ",
        "AMLauncher",
        msg("explanation.hadoop_sentences.node_did_not_start_applicationmasters_container_exception"),
    ),
    Sentence(
        "AM is not registered for known application attempt: {application} or RM had restarted after "
        "AM registered.  AM should re-register.",
        "ApplicationMasterService",
        msg("explanation.hadoop_sentences.resourcemanager_was_restarted_applicationmaster_registers_anew_by"),
    ),
    Sentence(
        "Could not find queue for application : {application}",
        "RMAppAttemptImpl$ScheduleTransition",
        msg("explanation.hadoop_sentences.its_queue_no_longer_there"),
    ),
    Sentence(
        "Attempt recovered after RM restart",
        "RMAppAttemptImpl",
        msg("explanation.hadoop_sentences.resourcemanager_was_restarted_and_knows_attempt_again"),
    ),
    Sentence(
        "Application {application} was killed by user {user} at ",
        "ClientRMService.forceKillApplication",
        msg("explanation.hadoop_sentences.somebody_killed_it_yarn_application_kill_no"),
    ),
    Sentence(
        "Application killed by user.",
        "ClientRMService.forceKillApplication (Hadoop 2)",
        msg("explanation.hadoop_sentences.somebody_killed_it_yarn_application_kill_no"),
    ),
    Sentence(
        "Attempt failed by user.",
        "ClientRMService.failApplicationAttempt",
        msg("explanation.hadoop_sentences.somebody_failed_attempt_yarn_applicationattempt_fail_no"),
    ),
    Sentence(
        "Application is killed by ResourceManager as it has exceeded the lifetime period.",
        "RMAppLifetimeMonitor",
        msg("explanation.hadoop_sentences.it_ran_longer_than_it_or_its"),
        (settings.LIFETIME,),
    ),
    Sentence(
        "Illegal capacity sum of {sum} for children of queue {queue} for label={label}. It should be "
        "either 0 or 1.0",
        CHILDREN,
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_percentages_of_queues"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Illegal capacity sum of {sum} for children of queue {queue} for label={label}. It is set to "
        "0, but parent percent != 0, and doesn't allow children capacity to set to 0",
        CHILDREN,
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_queue_has_capacity"),
        (settings.CAPACITY, settings.ZERO_SUM),
    ),
    Sentence(
        "Illegal capacity sum of {sum} for children of queue {name} for label={label}. queue={queue} "
        "has zero capacity, but childqueues have positive capacities",
        CHILDREN,
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_queue_of_capacity"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Parent={queue}: When absolute minResource is used, we must make sure both parent and child "
        "all use absolute minResource",
        CHILDREN,
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_where_one_queue"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Parent Queues capacity: {requested} is less than to its children:{name} for queue:{queue}",
        CHILDREN,
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_queues_children_have"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Illegal call to setMaxCapacity. Queue '{queue}' has an absolute capacity ({sum}) greater than "
        "its absolute maximumCapacity ({limit})",
        "CSQueueUtils.checkAbsoluteCapacity",
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_queues_maximum_capacity"),
        (settings.CAPACITY, settings.MAX_CAPACITY),
    ),
    Sentence(
        "The parent queue:{parent} cannot be STOPPED as the child queue:{queue} is in RUNNING state.",
        "QueueStateHelper.initializeState",
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_queue_that_stopped"),
        (settings.STATE,),
    ),
    Sentence(
        "Queue '{queue}' is assigned zero resource. ",
        WARNING,
        msg("explanation.hadoop_sentences.queue_gets_nothing_queues_beside_it_take"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Queue '{queue}' is configured to use more resources than what is available under its parent. ",
        WARNING,
        msg("explanation.hadoop_sentences.parent_has_less_than_queue_given_so"),
        (settings.CAPACITY,),
    ),
    Sentence(
        "Child queues with absolute configured capacity under parent queue '{queue}' are downscaled "
        "due to insufficient cluster resource. ",
        WARNING,
        msg("explanation.hadoop_sentences.nodes_have_less_than_queues_given_in"),
        (settings.CAPACITY, settings.NODE_MEMORY),
    ),
    Sentence(
        "Path root '{queue}' does not exist. Path '{name}' is invalid",
        "MappingRuleValidationHelper",
        msg("explanation.hadoop_sentences.resourcemanager_does_not_start_mapping_names_queue"),
        (settings.MAPPINGS,),
    ),
    Sentence(
        "Scheduling of container failed. ",
        "RegularContainerAllocator.doAllocation",
        msg("explanation.hadoop_sentences.nodes_room_went_to_another_between_decision"),
    ),
    Sentence(
        "The configuration settings for {queue} are invalid. A queue element that contains child queue "
        "elements or that has the type='parent' attribute cannot also include a {name} element.",
        "AllocationFileQueueParser",
        msg("explanation.hadoop_sentences.fairscheduler_does_not_take_file_that_element"),
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
        MASTER_EXITED,
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

# by the exit code of its container, where it is one of ContainerExitStatus or a signal's
EXITS: dict[int, tuple[str, tuple[Setting, ...]]] = {
    0: (msg("explanation.hadoop_sentences.exit_without_unregistering"), ()),
    137: (msg("explanation.hadoop_sentences.exit_by_signal", signal="SIGKILL"), ()),
    143: (msg("explanation.hadoop_sentences.exit_by_signal", signal="SIGTERM"), ()),
    -100: (msg("explanation.hadoop_sentences.exit_aborted"), ()),
    -101: (msg("explanation.hadoop_sentences.exit_disks_failed"), (settings.DISK_USE,)),
    -102: (msg("explanation.hadoop_sentences.exit_preempted"), (settings.CAPACITY,)),
    -103: (
        msg("explanation.hadoop_sentences.exit_exceeded_vmem"),
        (settings.VIRTUAL_MEMORY_RATIO, settings.VIRTUAL_MEMORY_CHECK),
    ),
    -104: (msg("explanation.hadoop_sentences.exit_exceeded_pmem"), (settings.PHYSICAL_MEMORY_CHECK,)),
    -105: (msg("explanation.hadoop_sentences.exit_killed_by_appmaster"), ()),
    -106: (msg("explanation.hadoop_sentences.exit_killed_by_resourcemanager"), ()),
    -107: (msg("explanation.hadoop_sentences.exit_after_app_completion"), ()),
    -108: (msg("explanation.hadoop_sentences.exit_by_container_scheduler"), ()),
    -109: (msg("explanation.hadoop_sentences.exit_excess_logs"), ()),
    -1000: (msg("explanation.hadoop_sentences.exit_invalid"), ()),
}


def of_exit_code(sentence: Sentence, values: dict[str, str]) -> Sentence:
    """The sentence, of the end of an ApplicationMaster's container with what its exit code means."""
    if sentence.text != MASTER_EXITED or int(values["number"]) not in EXITS:
        return sentence
    meaning, changes = EXITS[int(values["number"])]
    return sentence._replace(meaning=meaning, settings=changes)


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
