"""AutoAdmin: Yang, Bhimani, Yao, Lin, Wang, Mi and Sheng, 2018."""

from engine.papers.autoadmin import heterogeneous, homogeneous, optima, reserve_over_time, static_reservations
from engine.papers.autoadmin.headline import HEADLINE
from engine.papers.schema import Paper, Theme

PAPER = Paper(
    key="autoadmin",
    title="AutoAdmin",
    source="Z. Yang, J. Bhimani, Y. Yao, C.-H. Lin, J. Wang, N. Mi, B. Sheng: AutoAdmin: Automatic and "
    "Dynamic Resource Reservation Admission Control in "
    "Hadoop YARN Clusters, 2018",
    about=(
        "How many vcores to reserve for tasks, away from ApplicationMasters: too few lead to a deadlock, too "
        "many leave the cluster idle."
    ),
    unreadable="The figures have no numbers, so the tables and the statements of the text are judged.",
    experiments=(
        static_reservations.FIG_2_2,
        static_reservations.FIG_2_3,
        optima.FIG_3_1,
        reserve_over_time.FIG_3_2,
        homogeneous.FIG_4_1,
        heterogeneous.FIG_4_2,
    ),
    themes={
        "formula": Theme("that Eq. 3.1 gives the printed predictions", "cells"),
        "reserve": Theme("that too much, too little and nothing reserved are bad", "comparisons"),
        "optimum": Theme(
            "that the best reservation moves with the sizes of masters and tasks", "comparisons"
        ),
        "over-time": Theme("that a prediction is met later than it is made", "claims"),
        "near-best": Theme("that AutoAdmin comes near the best static reservation", "claims"),
    },
    headline=HEADLINE,
)
