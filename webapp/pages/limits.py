"""Limits of the model: what YARN does and Gantry doesn't, and how that changes a result."""

from __future__ import annotations

from typing import NamedTuple

from dash import get_relative_path, html


class Limitation(NamedTuple):
    """One thing a cluster does and the model does not. key: its anchor; hadoop: what happens there; gantry:
    what happens instead; effect: how that changes a result.
    """

    key: str
    title: str
    hadoop: str
    gantry: str
    effect: str


LIMITATIONS = (
    Limitation(
        "off",
        "What is off until you ask for it",
        "Containers launch for seconds, masters ask once a second, attempts straggle and fail, nodes are "
        "lost, a map is slower away from its block, "
        "the keys of reduces are uneven, and late tasks get a second attempt.",
        "All of that is modelled, and each has a field, folded in the editor; without one it does not "
        "happen.",
        "A batch that leaves them out ends earlier here than on a cluster.",
    ),
    Limitation(
        "failures",
        "Why attempts fail",
        "A sick node fails attempt after attempt until a job avoids it; a full disk, a bug or a lost "
        "output has its own pattern.",
        "Every attempt fails with the same probability, whatever its node, and no node is avoided. Nodes "
        "are lost at the times that are written.",
        "Failures are spread evenly; write an outage for a node that is worse than others.",
    ),
    Limitation(
        "reservations",
        "Reservations",
        "The fair and capacity schedulers reserve a node for a large container that does not fit yet.",
        "fair, drf and capacity reserve as Hadoop does, unless reservations=no is written. No other order "
        "reserves a node; whatever fits is assigned.",
        "Under the papers' orders large containers may starve longer beside small ones, and no free "
        "resources are held for them.",
    ),
    Limitation(
        "preemption",
        "Preemption between jobs and queues",
        "If switched on, containers of one queue or job are killed for another that is below its share.",
        "With preemption=yes, fair and drf kill as FairScheduler does, and capacity between queues as its "
        "monitor does. No other order kills for others.",
        "Under the other orders a new job waits until containers end; compare with preemption switched off.",
    ),
    Limitation(
        "network",
        "Shared network and disks",
        "Shuffles, remote reads and replicated writes compete for links and disks.",
        "Each reduce fetches at its own rate, however many others fetch; contention slows the tasks of a "
        "node alike, those that fetch too where they "
        "have a weight. A map away from its block is slower by a factor, and loads no link.",
        "Shuffle-heavy batches look better than they are once links are full.",
    ),
    Limitation(
        "shuffle",
        "Inside the shuffle",
        "Fetchers work in parallel, outputs are merged and spilled.",
        "A reduce fetches one map's output after another, all maps' of the same size; merging is part of "
        "its duration.",
        "Where maps' outputs differ widely, so does the end of the shuffle.",
    ),
    Limitation(
        "user-limits",
        "Users' weights, access and placement",
        "Queues have access lists, users' weights, limits of applications that are accepted, node labels "
        "and placement rules.",
        "Under capacity the users of a queue are limited as Hadoop does, all with weight 1, and a user "
        "may have a limit of running jobs; otherwise a user only "
        "labels jobs. Any node may run anything.",
        "Nobody is kept out of a queue, and no user of it counts for more than another.",
    ),
    Limitation(
        "sizes",
        "Rounding of requests",
        "Requests are rounded up to the minimum and the increment of the scheduler.",
        "A container has the size that is written, or where the cluster's allocation is, the size that "
        "Hadoop rounds it to, in every result.",
        "Write the minimum, the increment and the maximum of your cluster.",
    ),
    Limitation(
        "priorities",
        "Priorities that change, deadlines, resizing",
        "An application's priority can be changed while it runs; containers can be resized, and run "
        "opportunistically beyond the capacity.",
        "A job keeps the priority it came with, and no container is resized or beyond the capacity.",
        "",
    ),
    Limitation(
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
                "Gantry follows YARN to the millisecond where it decides who gets a container: heartbeats "
                "of nodes, the order of requests, queues and shares, "
                "slow start, the wait of reduces for maps. What follows is not modelled. A result says "
                "how schedulers compare on the batch as it is written, "
                "not how long it will take on your cluster."
            ),
            html.P(
                [
                    "That it decides as Hadoop does is tested: see ",
                    html.A("Checked against Hadoop", href=get_relative_path("/checked-against-hadoop")),
                    ", also for what that leaves out. How far it was off from what a real cluster did: ",
                    html.A("How well does it predict?", href=get_relative_path("/prediction")),
                ]
            ),
            html.P(
                [
                    "Two more limits. For an imported trace, what its file does not say is assumed, and "
                    "listed beside the scenario. "
                    "With random durations one run is one sample: repeat it over seeds before you compare "
                    "schedulers."
                ]
            ),
            *(_section(limitation) for limitation in LIMITATIONS),
            html.P(html.A("Back to the dashboard", href=get_relative_path("/"))),
        ],
        id="results",
        className="prose",
    )


def _section(limitation: Limitation) -> html.Section:
    lines = [
        ("In Hadoop", limitation.hadoop),
        ("In Gantry", limitation.gantry),
        ("Effect", limitation.effect),
    ]
    return html.Section(
        [
            html.H2(html.A(limitation.title, href=f"#{limitation.key}")),
            html.Dl([html.Div([html.Dt(head), html.Dd(text)]) for head, text in lines if text]),
        ],
        id=limitation.key,
        className="gap",
    )
