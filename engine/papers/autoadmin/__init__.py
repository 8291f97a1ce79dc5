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
    themes={
        "equation": Theme("the prediction of Eq. 3.1, with and without the floor,", "cells"),
        "extremes": Theme("that reserving too little or too much costs time", "statements"),
        "moves": Theme("that the optimal reservation moves with the requests", "figures"),
        "inappropriate": Theme("that AutoAdmin beats an inappropriate reservation", "batches"),
        "scores": Theme("that its Perf. Score is nearly that of the best reservation", "counts and means"),
    },
    experiments=(
        static_reservations.FIG_2_2,
        static_reservations.FIG_2_3,
        optima.FIG_3_1,
        reserve_over_time.FIG_3_2,
        homogeneous.FIG_4_1,
        heterogeneous.FIG_4_2,
    ),
    headline=HEADLINE,
)
