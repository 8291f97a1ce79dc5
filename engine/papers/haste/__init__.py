"""HaSTE and HaSTE-A: Yao et al., New scheduling algorithms for improving performance and resource utilization
in Hadoop YARN clusters.
"""

from engine.papers.haste import arrivals, batches, over_time, terms, worked_examples
from engine.papers.haste.headline import HEADLINE
from engine.papers.schema import Paper, Theme

PAPER = Paper(
    key="haste",
    title="HaSTE and HaSTE-A",
    source="Y. Yao, H. Gao, J. Wang, B. Sheng, N. Mi: New scheduling algorithms for improving performance "
    "and resource utilization in Hadoop YARN clusters, "
    "2019",
    about=(
        "Fitness (how well a task fits a node), urgency (how much its job waits for it) and, for iterative "
        "jobs, alignment decide which task goes next."
    ),
    unreadable=(
        "Our copy of the paper lacks all digits, operators, short words and figures. Only one number of "
        "its evaluation is known, quoted by the SAF paper, so the orders stated in words are judged. The "
        'word Fair is missing everywhere, and so are words such as "similar", "higher" and "best"; we '
        "assume that they were there. The tables of the workloads are missing too: all but the simple "
        "workload's, which SAF repeats, are ours, fixed before any scheduler ran on them."
    ),
    themes={
        "packing": Theme("the packing of its worked example", "measures"),
        "conventional": Theme(
            "that HaSTE finishes before FIFO, Fair and DRF", "comparisons on three workloads"
        ),
        "ffd-dp": Theme("that it finishes before FFD-DP", "workloads"),
        "usage": Theme("that it uses more of the cluster", "comparisons"),
        "alignment": Theme("that alignment brings iterative jobs forward", "measures"),
    },
    experiments=(
        worked_examples.FIRST_FIT,
        worked_examples.ALIGNED,
        batches.SIMPLE_WORKLOAD,
        batches.MIXED_WORKLOAD,
        over_time.MEMORY_MIXED,
        batches.ITERATIVE_WORKLOAD,
        over_time.MEMORY_ITERATIVE,
        terms.OVER_TIME,
        arrivals.SUCCESSIVE_SUBMISSION,
        arrivals.SMALL_NODES,
    ),
    headline=HEADLINE,
)
