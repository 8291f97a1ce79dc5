"""OMO: Yang, Wang, Mao, Yao, Mi and Sheng, 2021."""

from engine.papers.omo.allocation import FIGURE_1, FIGURE_9
from engine.papers.omo.breakdown import FIGURE_13
from engine.papers.omo.headline import HEADLINE
from engine.papers.omo.last_batch import FIGURE_8
from engine.papers.omo.overlaps import FIGURE_10, FIGURE_11, FIGURE_12
from engine.papers.omo.release_rate import FIGURE_7
from engine.papers.omo.scalability import FIGURE_14, TABLE_7_EXPERIMENT
from engine.papers.omo.slowstart import TABLES_2_3
from engine.papers.omo.waves import FIGURE_4, FIGURE_5
from engine.papers.omo.yarn import TABLE_6_EXPERIMENT
from engine.papers.schema import Paper, Theme

PAPER = Paper(
    key="omo",
    title="OMO",
    source="A. Yang, J. Wang, Y. Mao, Y. Yao, N. Mi, B. Sheng: Optimizing internal overlaps by "
    "self-adjusting resource allocation in multi-stage computing "
    "systems, IEEE Access, 2021",
    about=(
        "Reduces start as late as their shuffle allows (lazy start), and a job's last maps run in one batch "
        "(batch finish)."
    ),
    unreadable=(
        "Figures 1, 5 and 7 to 14 have no numbers, so the percentages and orders in the text are judged."
    ),
    themes={
        "slow start": Theme("the order of dynamic containers and fixed slots in Table 3", "cells"),
        "lazy": Theme("that lazy start is shorter than Fair and than FRESH", "comparisons"),
        "batch": Theme("that batch finish ends maps together and saves time", "comparisons"),
        "both": Theme("that OMO is shorter than each of its two parts alone", "workloads"),
        "omo": Theme("that OMO beats Fair, FRESH and YARN", "comparisons"),
    },
    experiments=(
        FIGURE_1,
        TABLES_2_3,
        FIGURE_4,
        FIGURE_5,
        FIGURE_7,
        FIGURE_8,
        FIGURE_9,
        FIGURE_10,
        FIGURE_11,
        FIGURE_12,
        FIGURE_13,
        TABLE_6_EXPERIMENT,
        FIGURE_14,
        TABLE_7_EXPERIMENT,
    ),
    headline=HEADLINE,
)
