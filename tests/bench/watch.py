"""How the benchmark watches a page: frames while something moves, drawings as they are painted."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page

REFRESH_MS = 1000 / 60
STUCK_MS = 1000
DRAWN = "#lanes .rows .moving svg"
FOURTH_CHART = f"{DRAWN} >> nth=3"

# Milliseconds from `act` until the charts are drawn anew, their pictures are decoded, and two frames have
# passed.
PAINTED = """async (act) => {
  const drawn = new Promise((done, failed) => {
    new MutationObserver(done).observe(document.getElementById("lanes"), { attributes: true, attributeFilter: ["data-key", "data-preview"] });
    setTimeout(() => failed(new Error("the charts did not come within 60 s")), 60000);
  });
  const start = performance.now();
  act();
  await drawn;
  await Promise.all([...document.querySelectorAll("#lanes .rows .moving image")].map((image) => image.decode()));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - start;
}"""  # noqa: E501

WATCH = """() => {
  window.watched = [];
  let last = performance.now();
  const tick = (now) => { window.watched.push(now - last); last = now; window.ticking = requestAnimationFrame(tick); };
  window.ticking = requestAnimationFrame(tick);
}"""  # noqa: E501
WATCHED = "() => { cancelAnimationFrame(window.ticking); return window.watched.slice(1); }"


class Stuck(RuntimeError):
    """A page that stands still for so long that measuring on would only take time; the message says where."""


@dataclass
class Frames:
    """Milliseconds of the frames seen while something moved."""

    ms: list[float] = field(default_factory=list)

    def take(self, page: Page, where: str) -> None:
        """Those since WATCH began; Stuck where one takes over a second."""
        state = page.evaluate(WATCHED)
        self.ms += state
        if state and max(state) > STUCK_MS:
            raise Stuck(f"a frame took {max(state) / 1000:.1f} s {where}")

    @property
    def missed(self) -> float:
        """The share of the screen's refreshes for which no frame was ready."""
        refreshes = [max(round(one / REFRESH_MS), 1) for one in self.ms]
        return sum(one - 1 for one in refreshes) / max(sum(refreshes), 1)


def painted(page: Page, act: str) -> float:
    """Seconds from a script's act to the new drawings on the screen."""
    return page.evaluate(f"() => ({PAINTED})({act})") / 1000


def percentile(values: list[float], percent: int) -> float:
    """The nearest rank: percent of the values are not above it."""
    return sorted(values)[max(-(-len(values) * percent // 100) - 1, 0)]


def row(part: str, title: str, seconds: float, max_s: float | None = None, **more: float) -> dict:
    """A row of seconds, beside its target where there is one."""
    by_name = {"part": part, "title": title, "seconds": seconds, **more}
    return (
        by_name
        if max_s is None
        else {**by_name, "target": f"under {max_s * 1000:g} ms", "met": seconds < max_s}
    )


def share(part: str, title: str, value: float, most: float) -> dict:
    """A row of a share, which stands in its title, beside its target."""
    return {
        "part": part,
        "title": title,
        "shown": f"{value:.1%}",
        "share": value,
        "target": f"at most {most:.0%}",
        "met": value <= most,
    }
