"""First in, first out: the earliest job that has a request fitting this node.

In Hadoop  FifoScheduler.assignContainers
Knows      the order of submission
Ties       arrival, place in the file, copy; within a job master, reduces, maps
Cost       constant
"""

from engine.schedulers.policy import ORDER, RESOURCES, UNSERVED, Assignment, Policy


def choose():
    return 0


FIFO_ORDER = Policy(
    "fifo",
    "First in, first out",
    ORDER,
    choose,
    "Hadoop FifoScheduler",
    (RESOURCES,),
    assignment=Assignment(stops_job=UNSERVED),
    rule="its job was submitted first",
    serves_first=True,
)
