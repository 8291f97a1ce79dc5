"""SAF: Ghanavatinasab, Bahmani and Azmi, 2020."""

from engine.papers.saf import annealing, cloudsim, gaussian, wordcount, worked_examples
from engine.papers.saf.headline import HEADLINE
from engine.papers.schema import Paper, Theme

PAPER = Paper(
    key="saf",
    title="SAF",
    source=(
        "M. Ghanavatinasab, M. Bahmani, R. Azmi: SAF: Simulated annealing fair scheduling for Hadoop YARN "
        "clusters, arXiv 2008.12586, 2020"
    ),
    about=(
        "Dominant resource fairness that sometimes serves the runner-up, by simulated annealing, with the "
        "entropy of the running tasks' fitness as temperature."
    ),
    experiments=(
        worked_examples.FIGURE_2,
        worked_examples.TABLE_4_STEPS,
        wordcount.EXPERIMENT,
        cloudsim.EXPERIMENT,
        annealing.FIGURE_11,
        annealing.FIGURE_12,
        gaussian.EXPERIMENT,
    ),
    themes={
        "by-hand": Theme("that SAF does by hand what the paper works out", "steps"),
        "usage": Theme("that SAF uses more of the cluster than DRF in SLS", "usages on 8 to 128 nodes"),
        "makespan": Theme("that its makespan is shorter there", "clusters"),
        "haste": Theme("that SAF beats HaSTE", "comparisons"),
        "host": Theme("that SAF beats DRF on one host", "usages and times"),
    },
    headline=HEADLINE,
    unreadable=("Figures 7 to 13 have no values, so the percentages and statements of the text are judged."),
)
