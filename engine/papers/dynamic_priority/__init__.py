"""Dynamic job prioritization: Peyravi and Moeini, 2020."""

from engine.papers.dynamic_priority import batches, random_sets, sets, worked_examples
from engine.papers.dynamic_priority.headline import HEADLINE
from engine.papers.schema import Paper, Theme

PAPER = Paper(
    key="dynamic-priority",
    title="Dynamic job prioritization",
    source=(
        "N. Peyravi, A. Moeini: On the optimization of Hadoop MapReduce default job scheduling through "
        "dynamic job prioritization, 2020"
    ),
    about=(
        "A score of waiting time, run time, input size and queue length decides which job goes next, on top "
        "of FIFO, Fair and Capacity."
    ),
    unreadable=(
        "Figures 1 to 15 have no numbers, so the statements of the text are judged. For its cluster's jobs "
        "the paper gives benchmarks and sizes, but no task durations and no arrivals."
    ),
    experiments=(
        worked_examples.TABLE_1,
        random_sets.SETS,
        sets.WORDCOUNT,
        sets.TERASORT,
        sets.INVERTED_INDEX,
        sets.REDUCTIONS,
        batches.BATCHES,
        batches.OTHERS,
    ),
    themes={
        "by-hand": Theme("that the score beats FIFO by hand", "averages"),
        "below-capacity": Theme("that the score before Capacity beats Capacity", "comparisons"),
        "below-fair": Theme("that the score before Fair beats Fair", "comparisons"),
        "more-jobs": Theme("that the score saves the more, the more jobs there are", "comparisons"),
        "reductions": Theme("that it saves waiting and turnaround on average", "averages"),
    },
    headline=HEADLINE,
)
