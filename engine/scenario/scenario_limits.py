"""How much a scenario may hold, and how much is said of a wrong one: a check takes time and memory in
proportion to its text, whoever sends it.

All lie well beyond any cluster that exists. What a single number may be stands in field_types.py; what a
server's owner may lower, in webapp/settings.py.
"""

from __future__ import annotations

MAX_NODE_GROUPS = 100_000
MAX_OUTAGES = 100_000
MAX_USERS = 10_000
MAX_QUEUES = 10_000  # with the parents that their names imply
MAX_JOB_GROUPS = 100_000  # a job of a scenario takes some 4 kB, however short it is in the file
MAX_STAGES = 1000  # of an application
MAX_NODES = 1_000_000  # of all groups
MAX_CONTAINERS = 100_000_000
MAX_DEPTH = (
    50  # objects and lists one inside the other; a scenario's own take 6, the rest is for fields named x_...
)
MAX_REJECTED_LENGTH = 1000  # of the sentence of a placement rule
MAX_NAME_LENGTH = 200  # characters
MAX_FAULTS = 100  # told of a scenario
# faults of a scenario that end with a name that could be meant: to look for one takes longer than all other
# checks
MAX_HINTS = 5
MAX_HINT_CANDIDATES = 1_000  # names among which it is looked for
