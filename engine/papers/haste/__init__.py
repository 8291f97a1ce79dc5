"""HaSTE and HaSTE-A: Yao et al., New scheduling algorithms for improving performance and resource utilization
in Hadoop YARN clusters.
"""

from engine.papers.haste import arrivals, batches, over_time, terms, worked_examples
from engine.papers.haste.headline import HEADLINE
from engine.papers.schema import Paper

PAPER = Paper(
    key="haste",
    title="HaSTE and HaSTE-A",
    source="Y. Yao, H. Gao, J. Wang, B. Sheng, N. Mi: New scheduling algorithms for improving performance "
    "and resource utilization in Hadoop YARN clusters, "
    "2019",
    about=(
        "Fitness (what suits a node's free room), urgency (what its job waits for) and, for iterative "
        "jobs, alignment decide which task goes next."
    ),
    unreadable="The copy at hand has lost all digits, operators and short words, and its figures. No "
    "number of its evaluation is known but one that the paper on SAF "
    "quotes; what is judged are the orders that the words still state. The word Fair is lost everywhere, "
    'and so are words such as "similar", '
    '"higher" and "best": that they stood there is our reading. The workloads\' tables are lost too: all '
    "but the simple workload's, which SAF repeats, "
    "are ours, written down before a scheduler ran on them.",
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
