"""Fig. 11 and 12: other entropies and other coolings in the CloudSim setting."""

from __future__ import annotations

from collections.abc import Mapping

from engine import quantities
from engine.papers.measuring import series
from engine.papers.saf.cloudsim import HOST_ASSUMPTIONS, mean, usage_pictures
from engine.papers.saf.custom_schedulers import SAF_BY_REQUEST, saf_by_request
from engine.papers.saf.host import (
    BOTH,
    HOST,
    READ,
    UNIFORM,
    USAGE,
    WORKLOADS,
    checked_tasks,
    over_sizes,
)
from engine.papers.schema import (
    UNKNOWN,
    Claim,
    Experiment,
    Measurement,
    Ordered,
    Picture,
    Reading,
    Reason,
    Samples,
    Show,
    Similar,
)
from engine.papers.trial import SEEDS, Trial
from engine.schedulers.scheduler import Scheduler

SIZES = (50, 450, 1050)
ENTROPIES = {
    "Shannon": SAF_BY_REQUEST,
    "Hartley": saf_by_request(entropy="hartley"),
    "Collision": saf_by_request(entropy="collision"),
    "Min": saf_by_request(entropy="min"),
    "Tsallis (q=0.8)": saf_by_request(entropy="tsallis", q=0.8),
    "Tsallis (q=1.2)": saf_by_request(entropy="tsallis", q=1.2),
}
COOLINGS = {
    "Exponential": SAF_BY_REQUEST,
    "Linear": saf_by_request(cooling="linear"),
    "Logarithmic": saf_by_request(cooling="logarithmic"),
    "Quadratic": saf_by_request(cooling="quadratic"),
}
SHOWN = (
    "saf+slowstart+admit-all",
    "saf(entropy=hartley)+slowstart+admit-all",
    "saf(entropy=tsallis)+slowstart+admit-all",
)
COOLINGS_SHOWN = (
    "saf+slowstart+admit-all",
    "saf(cooling=linear)+slowstart+admit-all",
    "saf(cooling=logarithmic)+slowstart+admit-all",
    "saf(cooling=quadratic)+slowstart+admit-all",
)
TRIED = 5  # seeds of what is only tried
LEFT_OUT = "150, 250, 350, 650 and 850 tasks are left out for time."


def measure(schedulers: Mapping[str, Scheduler], figure: str, trial: Trial) -> Measurement:
    samples = over_sizes(UNIFORM, HOST, schedulers, SIZES, trial.at_most(WORKLOADS))
    return Measurement(
        samples, lambda: _pictures(samples, schedulers, figure), lambda: _notes(samples, schedulers)
    )


def _pictures(samples: Samples, schedulers: Mapping[str, Scheduler], figure: str) -> tuple[Picture, ...]:
    times = tuple(
        series(name, SIZES, samples, [f"{name}/{size}/time_s" for size in SIZES]) for name in schedulers
    )
    usage = usage_pictures(samples, SIZES, figure, {name: name for name in schedulers})
    return (
        *usage,
        Picture(f"{figure} (c): execution time", "lines", "Number of tasks", "Execution time (s)", times),
    )


def _notes(samples: Samples, schedulers: Mapping[str, Scheduler]) -> dict[str, str]:
    drf = over_sizes(UNIFORM, HOST, {"drf": BOTH["drf"]}, SIZES, seeds=SEEDS[:TRIED])
    slower = ", ".join(f"{quantities.percent(_over(drf, samples, size))} at {size}" for size in SIZES)
    fastest = ", ".join(f"{_fastest(samples, schedulers, size)} at {size}" for size in SIZES)
    return {
        "spread": (
            "Largest difference of the mean execution times: "
            f"{quantities.percent(_spread(samples, schedulers) / 100)}. The shortest has {fastest} tasks."
        ),
        "drf": (
            "Without any temperature, as DRF, the execution time would be longer than with the first of "
            f"these by {slower} tasks, over {TRIED} seeds: that is the room in which a temperature acts."
        ),
    }


def _over(drf: Samples, samples: Samples, size: int) -> float:
    first = [values for key, values in samples.items() if key.endswith(f"/{size}/time_s")][0]
    return mean(drf[f"drf/{size}/time_s"]) / mean(first[:TRIED]) - 1


def _fastest(samples: Samples, schedulers: Mapping[str, Scheduler], size: int) -> str:
    return min(schedulers, key=lambda name: mean(samples[f"{name}/{size}/time_s"]))


def _spread(samples: Samples, schedulers: Mapping[str, Scheduler]) -> float:
    """The largest over the sizes of (slowest - fastest) / fastest, percent."""
    means = [[mean(samples[f"{name}/{size}/time_s"]) for name in schedulers] for size in SIZES]
    return max(100 * (max(size_means) / min(size_means) - 1) for size_means in means)


def _alike(schedulers: Mapping[str, Scheduler], where: str, in_time: tuple[str, ...]) -> tuple[Claim, ...]:
    """in_time: those of which the paper says it of the execution time."""
    whats = {
        **{what: (f"{shown} usage", tuple(schedulers)) for what, shown in USAGE.items()},
        "time_s": ("Execution time", in_time),
    }
    return tuple(
        Similar(
            f"{shown} almost the same, {size} tasks",
            tuple(f"{name}/{size}/{what}" for name in names),
            where,
        )
        for what, (shown, names) in whats.items()
        for size in SIZES
    )


SAME = (
    "The temperature enters only through exp(−difference of shares / T). It is hundreds when it is measured "
    "and a difference of shares is at most 1, so whatever measures it and however it cools, nearly every "
    "draw is won until T is close to 1."
)

FIGURE_11 = Experiment(
    key="entropies",
    title="Shannon's and other entropies",
    where="Fig. 11",
    setting=(
        "The tasks of Fig. 9 under SAF with six entropies as its temperature, at 50, 450 and 1050 tasks. "
        f"{LEFT_OUT}"
    ),
    notice=SAME,
    shows=lambda: (Show("50 tasks, three entropies", checked_tasks(UNIFORM, HOST, 1, 50), SHOWN),),
    readings=(Reading(lambda trial: measure(ENTROPIES, "Fig. 11", trial), READ),),
    claims=_alike(ENTROPIES, "section 6.2, Fig. 11", tuple(ENTROPIES)),
    assumptions=(
        *HOST_ASSUMPTIONS,
        "Hartley, collision and min are printed without the constant K and are multiplied by it here, so "
        "that all are of one kind.",
    ),
    thousand_containers=380,
)

FIGURE_12 = Experiment(
    key="coolings",
    title="Four cooling schedules",
    where="Fig. 12",
    setting=f"The tasks of Fig. 9 under SAF with four ways to cool, at 50, 450 and 1050 tasks. {LEFT_OUT}",
    notice=SAME,
    shows=lambda: (Show("50 tasks, four coolings", checked_tasks(UNIFORM, HOST, 1, 50), COOLINGS_SHOWN),),
    readings=(Reading(lambda trial: measure(COOLINGS, "Fig. 12", trial), READ),),
    claims=(
        *_alike(COOLINGS, "section 6.2, Fig. 12", ("Exponential", "Logarithmic", "Quadratic")),
        Ordered(
            "The exponential schedule's execution time is slightly shorter, 1050 tasks",
            (
                "Exponential/1050/time_s",
                tuple(f"{name}/1050/time_s" for name in COOLINGS if name != "Exponential"),
            ),
            "section 6.2, Fig. 12 (c)",
            gain_not_given="“slightly”, and the chart's values are lost",
            reason="colder",
        ),
    ),
    assumptions=(
        *HOST_ASSUMPTIONS,
        "Quadratic is T0 / (1 + α log(1 + k²)) as printed; all have the same rate 0.9.",
    ),
    reasons={
        "colder": Reason(
            UNKNOWN,
            "The exponential schedule spends the most draws near T = 1, where SAF is nearest to DRF, so it "
            "is the slowest of the four here.",
            "spread",
        ),
    },
    thousand_containers=260,
)
