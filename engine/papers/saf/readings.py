"""An order that tests a reason, no scheduler of the catalogue.

head-of-line    first in, first out without overtaking: a node is left idle until the first task in line fits
                it
"""

from engine.schedulers.policy import ORDER, Policy
from engine.schedulers.view import LEAVE


def head_of_line(waiting_requests, candidates):
    return 0 if candidates[0] == waiting_requests[0] else LEAVE


HEAD_OF_LINE = Policy(
    "head-of-line",
    "First in line, no overtaking",
    ORDER,
    head_of_line,
    "ours",
    rule="it is the first in line",
)
