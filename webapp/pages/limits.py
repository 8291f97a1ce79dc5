"""Limits of the model: what YARN does and Gantry doesn't, and how that changes a result."""

from __future__ import annotations

from typing import NamedTuple

from dash import get_relative_path, html


class Gap(NamedTuple):
    """One thing a cluster does and the model does not. key: its anchor; hadoop: what happens there; here: what happens instead; so: what to make of it."""

    key: str
    title: str
    hadoop: str
    here: str
    so: str


GAPS = (
    Gap(
        "locality",
        "Data locality",
        "Maps are asked for near their input block; schedulers may wait for a local node, and a remote map reads over the network.",
        "Every node is as good as any other for every map; racks only label rows.",
        "Reads are equally fast everywhere, and a scheduler that waits for locality neither gains nor loses.",
    ),
    Gap(
        "failures",
        "Failures",
        "Tasks, nodes and ApplicationMasters fail and are retried, a task up to four times by default.",
        "Nothing fails. The only killed containers are reduces that are preempted for a map of their own job.",
        "Makespans are those of a run without failures.",
    ),
    Gap(
        "speculation",
        "Speculative execution",
        "A second attempt of a slow task is started and the first to finish wins; on by default.",
        "One attempt at a time. A long task drawn from a distribution stays long.",
        "With widely spread durations the real batch ends earlier and uses more containers.",
    ),
    Gap(
        "reservations",
        "Reservations",
        "The fair and capacity schedulers reserve a node for a large container that does not fit yet.",
        "fair, drf and capacity reserve as Hadoop does, unless reservations=no is written. No other order reserves a node; whatever fits is assigned.",
        "Under the papers' orders large containers may starve longer beside small ones, and no free resources are held for them.",
    ),
    Gap(
        "preemption",
        "Preemption between jobs and queues",
        "If switched on, containers of one queue or job are killed for another that is below its share.",
        "No preemption between jobs. Shares are reached as containers end.",
        "A new job waits until containers end; compare with preemption switched off, which is Hadoop's default under fair.",
    ),
    Gap(
        "am-heartbeats",
        "Heartbeats of ApplicationMasters",
        "A master asks and learns of its containers once a second, so a finished map is followed by a reduce's request up to a second later.",
        "A job knows at once what has ended. Under ramp-up, the default, it asks for reduces with its master's heartbeats, once a second, and for all else at "
        "once. A container starts in the instant it is assigned.",
        "Jobs of very short tasks look faster here.",
    ),
    Gap(
        "launch",
        "Launching containers",
        "Files are localised and a JVM starts: often one to several seconds for each container.",
        "A duration holds everything a task does. A master's startup is a field of its own.",
        "Add what launching costs to the durations.",
    ),
    Gap(
        "network",
        "Shared network and disks",
        "Shuffles, remote reads and replicated writes compete for links and disks.",
        "Each reduce fetches at its own rate, however many others fetch; contention slows only tasks that compute on the same node, all by the same factor.",
        "Shuffle-heavy batches look better than they are once links are full.",
    ),
    Gap(
        "shuffle",
        "Inside the shuffle",
        "Fetchers work in parallel, outputs are merged and spilled, partitions are skewed.",
        "A reduce fetches one map's output after another, each of equal size; merging is part of its duration.",
        "Skewed keys don't show.",
    ),
    Gap(
        "user-limits",
        "Users' weights, access and placement",
        "Queues have access lists, users' weights, limits of running applications, node labels and placement rules.",
        "Under capacity the users of a queue are limited as Hadoop does, all with weight 1; elsewhere a user only labels jobs. Any node may run anything.",
        "Nobody is kept out of a queue, and no user of it counts for more than another.",
    ),
    Gap(
        "sizes",
        "Rounding of requests",
        "Requests are rounded up to the minimum and the increment of the scheduler.",
        "A container has the size that is written.",
        "Write the rounded size where your cluster rounds.",
    ),
    Gap(
        "priorities",
        "Priorities, deadlines, resizing",
        "Applications have priorities; containers can be resized, and run opportunistically beyond the capacity.",
        "None, except where one of the papers' orders has them.",
        "",
    ),
    Gap(
        "other",
        "Other resources and other frameworks",
        "Disks, GPUs, Spark, Tez and services share the cluster.",
        "Memory and vcores; MapReduce jobs, with iterations; nothing else runs.",
        "Subtract what they hold from the nodes.",
    ),
)


def layout(**_query: str) -> html.Main:
    """The page."""
    return html.Main(
        [
            html.H1("Limits of the model"),
            html.P(
                "Gantry follows YARN to the millisecond where it decides who gets a container: heartbeats of nodes, the order of requests, queues and shares, "
                "slow start, the wait of reduces for maps. What follows is not modelled. A result says how schedulers compare on the batch as it is written, "
                "not how long it will take on your cluster."
            ),
            html.P(
                [
                    "That it decides as Hadoop does is tested: see ",
                    html.A("Checked against Hadoop", href=get_relative_path("/checked-against-hadoop")),
                    ", also for what that leaves out.",
                ]
            ),
            html.P(
                [
                    "Two more limits. For an imported trace, what its file does not say is assumed, and listed beside the scenario. "
                    "With random durations one run is one sample: repeat it over seeds before you compare schedulers."
                ]
            ),
            *(_section(gap) for gap in GAPS),
            html.P(html.A("Back to the dashboard", href=get_relative_path("/"))),
        ],
        id="results",
        className="prose",
    )


def _section(gap: Gap) -> html.Section:
    lines = [("In Hadoop", gap.hadoop), ("In Gantry", gap.here), ("Effect", gap.so)]
    return html.Section(
        [html.H2(html.A(gap.title, href=f"#{gap.key}")), html.Dl([html.Div([html.Dt(head), html.Dd(text)]) for head, text in lines if text])],
        id=gap.key,
        className="gap",
    )
