"""Admit all: every job's master may start as soon as it fits.

In Hadoop  maxAMShare -1
Cost       constant
"""

from engine.schedulers.policy import ADMISSION, NOBODY, Masters, Policy
from engine.schedulers.view import ADMIT


def may_start():
    return ADMIT


ADMIT_ALL = Policy("admit-all", "Admit all", ADMISSION, may_start, "ours: no rule", masters=Masters(NOBODY))
