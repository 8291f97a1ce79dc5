"""The results of a page as a user sees and handles them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page, Request, TimeoutError, expect

from webapp.panels import drawer

CHARTS = "#lanes .chart"
ROWS = "#lanes .chart .rows .plot"
EXAMPLE = "preset=wordcount&s=fifo&s=fair&s=drf&s=capacity"
DRAWN = "#lanes .rows .moving svg"
# Heads of a table's columns of which a part is not seen.
CUT = """(grid) => [...document.querySelectorAll(`${grid} .ag-header-cell-text`)].filter((head) => {
    const words = document.createRange();
    words.selectNodeContents(head);
    const [text, cell] = [words.getBoundingClientRect(), head.closest(".ag-header-cell").getBoundingClientRect()];
    return text.width && (text.left < cell.left - 1 || text.right > cell.right + 1 || text.top < cell.top - 1 || text.bottom > cell.bottom + 1);
}).map((head) => head.textContent)"""  # noqa: E501
TIMEOUT_MS = 20_000  # only a failure waits so long
ANSWERS = ".questions-answer"
LONG_MS = 60_000  # of a question that fits a record first
READY_MS = 120_000  # a cold compile cache on a slow machine


def four(url: str) -> str:
    """The example under Hadoop's four schedulers, of a server."""
    return f"{url}/?{EXAMPLE}"


def opened(page: Page, url: str, charts: int = 4) -> Page:
    """Open an address, of a server alone with the example under four schedulers, and wait until its charts
    are drawn.
    """
    page.goto(four(url) if charts == 4 and url.count("/") == 2 else url)
    drawn(page, charts)
    return page


def opened_narrow(page: Page, url: str) -> Page:
    """The same on a phone, which shows one scheduler at a time."""
    page.goto(url)
    expect(page.locator(DRAWN).first).to_be_attached(timeout=READY_MS)
    expect(page.locator(".lane:visible")).to_have_count(1)
    return page


PLACES = """(points) => {
    const charts = points.map(([x, y]) => document.elementFromPoint(x, y)?.closest(".chart"));
    return charts.every(Boolean) && charts.map((chart) => chart.getBoundingClientRect());
}"""
# Mantine's components begin and end at no opacity, before and after what moves them; what turns for ever, as
# long as something is under way, does not count.
RESTS = """() => [...document.querySelectorAll('[style*="transition-property"]')].every((node) => node.style.opacity !== "0" || !node.checkVisibility())
    && document.getAnimations().every((one) => one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""  # noqa: E501
STAYS = """async ([frames, arg, patience]) => {
    const look = LOOK;
    const until = performance.now() + patience;
    for (let last = "", seen = 0; seen < frames; ) {
        await new Promise(requestAnimationFrame);
        const now = look(arg);
        seen = now && JSON.stringify(now) === last ? seen + 1 : 0;
        last = JSON.stringify(now);
        if (performance.now() > until) throw new Error("it never stayed as it is, last: " + last);
    }
}"""


def wait_until_stable(page: Page, look: str, frames: int, arg: object = None) -> None:
    """Waits until what look(arg) finds, and it finds something, has been the same for so many frames."""
    page.evaluate(STAYS.replace("LOOK", look), [frames, arg, TIMEOUT_MS])


def wait_for_charts_under(page: Page, *points: tuple[int, int]) -> None:
    """Waits until a chart lies under each of these points of the window and has stayed where it is for 20
    frames.
    """
    page.wait_for_load_state("networkidle")
    wait_until_stable(page, PLACES, 20, points)


def wait_for_animations(page: Page) -> None:
    """Waits until nothing fades or slides any more."""
    wait_until_stable(page, RESTS, 3)


class Traffic:
    """What a page asks for from now on and has not been answered, so it is made before the page is opened;
    `networkidle` is a state of the first load only and comes no second time.
    """

    QUIET_MS = 500

    def __init__(self, page: Page) -> None:
        self.page = page
        self.under_way: set[Request] = set()
        self.asked = 0
        page.on("request", self._asks)
        page.on("requestfinished", self._is_answered)
        page.on("requestfailed", self._is_answered)

    def _asks(self, request: Request) -> None:
        self.asked += 1
        self.under_way.add(request)

    def _is_answered(self, request: Request) -> None:
        self.under_way.discard(request)

    def wait_until_idle(self) -> None:
        """Waits until nothing is under way and nothing more is asked for in half a second."""
        before = -1
        while self.under_way or before != self.asked:
            before = self.asked
            self.page.wait_for_timeout(self.QUIET_MS)


def as_opened(page: Page, url: str) -> Page:
    """A shared page as `opened` leaves it: what was shown, highlighted and zoomed is taken back; where that
    does not do, it is opened anew.
    """
    if page.url.partition("?")[0].rstrip("/") != url or page.locator(CHARTS).count() != 4:
        return opened(page, url)
    page.keyboard.press("Escape")
    page.locator(".chart").first.focus()
    for key in ("Escape", "Escape", "0"):
        page.keyboard.press(key)
    page.mouse.move(5, 5)
    page.evaluate("() => { document.activeElement.blur(); window.gantry.openTab('compare'); }")
    try:
        page.wait_for_function(
            "search => window.location.search === search && !document.querySelector('.cursor:not([hidden]), "
            ".mark:not([hidden])')",
            arg=f"?{EXAMPLE}",
            timeout=5_000,
        )
    except TimeoutError:
        return opened(page, url)
    return page


def drawn(page: Page, charts: int = 4) -> None:
    """Wait until so many charts are there; runs that are equal stand once."""
    expect(page.locator(DRAWN).first).to_be_attached(timeout=READY_MS)
    expect(page.locator(DRAWN)).to_have_count(charts, timeout=READY_MS)


def choose(page: Page, id: str, value: str) -> None:
    """Choose in View, or write into one of its fields."""
    page.locator("#view > summary").press("Enter")
    field = page.locator(f"#{id}")
    if field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)
    page.locator("#view > summary").click()


def press_in_view(page: Page, id: str) -> None:
    """Press one of View's buttons."""
    page.locator("#view > summary").press("Enter")
    page.click(f"#{id}")


def show_only(page: Page, place: int) -> None:
    """One scheduler's chart alone; once more: all of them."""
    menu = page.locator(".lane-menu").nth(place)
    menu.locator("summary").click()
    menu.locator("[data-only]").click()


def show(page: Page, name: str) -> None:
    """Open a panel of the drawer by its name, or the first of a tab by the tab's."""
    tab, panel = next(
        (tab, panel) for tab in drawer.TABS for panel in tab.panels if name in (tab.title, panel.name)
    )
    opener = page.get_by_role("tab", name=tab.title, exact=True)
    if opener.get_attribute("aria-selected") != "true":
        opener.click()
    expect(opener).to_have_attribute("aria-selected", "true")
    if len(tab.panels) > 1:
        page.get_by_role("group", name=tab.title).get_by_role("button", name=panel.name).click()
    expect(page.locator(f"#tab-{panel.key}")).to_be_visible()


def ask(page: Page, title: str, answers: int) -> None:
    """Ask a question of this title, and wait until so many answers are there."""
    page.get_by_role("button", name=title, exact=True).click()
    expect(page.locator(ANSWERS)).to_have_count(answers, timeout=LONG_MS)


def compose(page: Page) -> None:
    """Open the rail with the editor."""
    if page.locator("#turn-rail").get_attribute("aria-expanded") != "true":
        page.click("#turn-rail")
    expect(page.locator("#turn-rail")).to_have_attribute("aria-expanded", "true")


def load(page: Page, scenario: dict[str, Any], schedulers: list[str]) -> None:
    """Put a whole draft into the editor, as a link or a recent run does."""
    draft = {"scenario": scenario, "schedulers": schedulers, "assumed": [], "ours": []}
    with page.expect_response("**/editor/check") as checked:
        page.evaluate("draft => window.dash_clientside.set_props('load', {data: draft})", draft)
    checked.value.finished()
    expect(page.locator("#run")).to_have_class(re.compile("is-stale|is-blocked"))


@contextmanager
def answered(page: Page) -> Iterator[None]:
    """All files and answers that the page asks its server for meanwhile are there after it, however busy the
    machine is.
    """
    under_way: set[Request] = set()
    page.on(
        "request", lambda request: under_way.add(request) if request.resource_type != "eventsource" else None
    )
    page.on("requestfinished", lambda request: under_way.discard(request))
    page.on("requestfailed", lambda request: under_way.discard(request))
    yield
    quiet = 0
    while quiet < 10:
        page.wait_for_timeout(100)
        quiet = 0 if under_way else quiet + 1


def run(page: Page) -> str:
    """Press Run, wait for other charts, and return what the status line says."""
    before = key(page)
    page.click("#run")
    page.wait_for_function("before => document.getElementById('lanes').dataset.key !== before", arg=before)
    expect(page.locator("#run-under-way")).to_be_hidden()
    return page.locator("#run-status").text_content()


def key(page: Page) -> str:
    """The key of the result that the charts show."""
    return page.locator("#lanes").get_attribute("data-key")


def ranges(page: Page) -> list[list[float]]:
    """The time axis of the charts, in seconds, once for each."""
    window = page.evaluate(
        "() => { const { x0, x1 } = window.gantry.charts.currentWindow(); return [x0 / 1000, x1 / 1000]; }"
    )
    return [window] * page.locator(CHARTS).count()


def modes(page: Page) -> list[str]:
    """exact or sampled, of each chart."""
    return page.evaluate(
        f"() => [...document.querySelectorAll('{CHARTS}')].map((chart) => (chart.dataset.exact === 'true' "
        "? 'exact' : 'sampled'))"
    )


def bars(page: Page, chart: int = 0, kind: str = "map") -> list[list[float]]:
    """The painted bars of a phase in a chart, as left, top, width and height in the window's pixels."""
    script = """([chart, kind]) => {
      const paths = [...document.querySelectorAll("#lanes .chart")[chart].querySelectorAll(`.rows .moving path.p-${kind}`)];
      return paths.flatMap((path) => {
        const at = path.getScreenCTM();
        const numbers = [...path.getAttribute("d").matchAll(/M(-?[0-9.]+) (-?[0-9.]+)h([0-9.]+)v([0-9.]+)/g)].map((found) => found.slice(1).map(Number));
        return numbers.map(([left, top, wide, high]) => [at.e + at.a * left, at.f + at.d * top, at.a * wide, at.d * high]);
      });
    }"""  # noqa: E501
    return page.evaluate(script, [chart, kind])


def on_bar(page: Page, chart: int = 0, kind: str = "map", number: int = 20) -> tuple[float, float]:
    """The middle of a painted bar, in the window's pixels."""
    left, top, wide, high = bars(page, chart, kind)[number]
    return left + wide / 2, top + high / 2


def sharp(page: Page) -> list[float]:
    """Wait until every chart is drawn for just what is looked at, and as high as there is room; its time axis
    in seconds.
    """
    page.wait_for_function("() => window.gantry.lanes.isSharp()")
    return ranges(page)[0]


def highlighted(page: Page, selection: str | None) -> None:
    """Wait until this is what stands out in every chart."""
    script = """(selection) => (window.gantry.state.highlight || null) === selection
      && [...document.querySelectorAll("#lanes .chart .rows .moving")].every((rows) => Boolean(rows.querySelector(".dim")) === Boolean(selection))"""  # noqa: E501
    page.wait_for_function(script, arg=selection)
