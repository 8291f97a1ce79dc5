"""A slider dragged over 1,000 containers under four schedulers, in Chromium: how often the charts follow, and
from rest to exact bars and to an exact run.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from tests.bench import scenarios, watch
from tests.browser import dashboard
from tests.browser.chromium import launched
from tests.browser.server import STARTUP_S, Server
from webapp.url import url_state

SCHEDULERS = ("fifo", "fair", "drf", "capacity")
SLIDER = "node: nodes"
RANGE = ".whatif-row input[type=range]"
DRAG_S = 5.0
STEP_S = 0.008
RESTS = 20
MIN_PER_SECOND = 20
BARS_S, RUN_S = 0.150, 0.600

# Counts the frames in which the charts show another drawing than in the frame before.
COUNT = """() => {
  const counted = window.counted = { frames: 0, waits: false };
  new MutationObserver(() => {
    if (counted.waits) return;
    counted.waits = true;
    requestAnimationFrame(() => { counted.waits = false; counted.frames += 1; });
  }).observe(document.getElementById("lanes"), { subtree: true, childList: true }); // a passing drawing has no key
}"""  # noqa: E501

# Milliseconds from the last movement until every bar of that value is painted, and until the run of it, with
# all that belongs to it, has taken its place.
REST = f"""async (value) => {{
  const painted = {watch.PAINTED};
  const {{ result }} = window.gantry.state;
  const slider = document.querySelector("{RANGE}");
  const start = performance.now();
  const bars = await painted(() => {{
    slider.value = value;
    slider.dispatchEvent(new Event("input", {{ bubbles: true }}));
    slider.dispatchEvent(new Event("change", {{ bubbles: true }}));
  }});
  while (window.gantry.state.result === result && performance.now() - start < 20000) await new Promise((done) => setTimeout(done, 2));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [bars / 1000, (performance.now() - start) / 1000];
}}"""  # noqa: E501


def whatif() -> list[dict]:
    """Three rows: updates painted a second while it is dragged, and the time from rest to exact bars and to
    the run of them.
    """
    with tempfile.TemporaryDirectory() as data, launched() as browser:
        server = Server(Path(data))
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            _opened(page, server.url)
            a_second = _dragged(page)
            rests = _rests(page)
        finally:
            server.stop()
    title = "1,000 containers, four schedulers"
    updates = {
        "part": "whatif",
        "title": f"a slider dragged for {DRAG_S:g} s, {title}",
        "shown": f"{a_second:.1f} updates painted a second",
        "updates": a_second,
        "target": f"at least {MIN_PER_SECOND}",
        "met": a_second >= MIN_PER_SECOND,
    }
    bars, runs = zip(*rests, strict=True)
    slow = [("bars, exact", bars, BARS_S), ("the run, with its numbers", runs, RUN_S)]
    return [
        updates,
        *(
            watch.row(
                "whatif", f"from rest to {name}, 95th percentile", watch.percentile(list(some), 95), most
            )
            for name, some, most in slow
        ),
    ]


def _opened(page: Page, url: str) -> None:
    """A page that shows the batch, with a slider for its nodes and its curve."""
    page.goto(
        url
        + url_state.address(request=url_state.RunRequest(scenarios.stream(1_280, 20, 10).plain(), SCHEDULERS))
    )
    page.wait_for_selector(watch.DRAWN, timeout=STARTUP_S * 1000)
    dashboard.show(page, "What if")
    page.click("#whatif-add")
    page.get_by_role("option", name=SLIDER, exact=True).click()
    page.wait_for_selector(RANGE)
    page.wait_for_load_state("networkidle")


def _dragged(page: Page) -> float:
    """Updates painted a second."""
    page.locator(RANGE).scroll_into_view_if_needed()
    box = page.locator(RANGE).bounding_box()
    across = lambda share: page.mouse.move(
        box["x"] + box["width"] * (0.3 + 0.4 * share), box["y"] + box["height"] / 2
    )
    across(0)
    page.mouse.down()
    page.evaluate(COUNT)
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < DRAG_S:
        across(abs((passed * 2) % 2 - 1))
        time.sleep(STEP_S)
    count = page.evaluate("() => window.counted.frames")
    page.mouse.up()
    page.wait_for_timeout(2500)
    return count / passed


def _rests(page: Page) -> list[tuple[float, float]]:
    """Seconds of each rest, at values that nothing is kept of: to the bars, and to the run."""
    here = int(page.locator(RANGE).input_value())
    low, high = (int(page.locator(RANGE).get_attribute(end)) for end in ("min", "max"))
    rows = []
    for value in [value for value in range(low, high) if value != here][-RESTS:]:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(700)  # what else depends on the result has come
        rows.append(tuple(page.evaluate(REST, value)))
    return rows
