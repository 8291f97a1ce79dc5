"""What a visitor's Chromium asks for, step by step: opened, edited, run, zoomed, shared, a link opened; an
exercise of a class opened and answered, and its overview looked at.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, Request, expect

from engine.dashboard import check, course_exercise, question
from tests.browser import dashboard
from tests.browser.chromium import visitor_of
from tests.browser.composer import Composer

DURATION_S = "41.375"  # of a map, which the visitor types; each who replays it types another
STEPS = ("open", "edit", "run", "zoom", "share", "link", "class", "exercise", "answer", "overview")
ZOOM_KEYS = "wwdds"  # in, in, later, later, out: each to a window the page has not drawn before
EXERCISE = "first-to-finish"  # of the class
QUIET_MS = 700  # after an edit or a zoom, for what follows from it
HEADERS = ("accept", "content-type", "x-requested-with")
RUN, FOLLOW = "/jobs/run/start", "/jobs/run/follow"
CHECK, LOOK = "/exercise/check", "class-look.n_intervals"  # an answer; a look at the overview


@dataclass
class Exchange:
    """One request and its answer. after: of those of its step the ones that had been answered when it was
    sent.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: str | None
    sent_s: float
    ended_s: float
    key: str = ""  # of the result, where it is a run's
    after: frozenset[int] = frozenset()


@dataclass
class Recording:
    """The requests of each step; link: the name of the link that was made;
    students: the link of the class."""

    steps: dict[str, list[Exchange]] = field(default_factory=lambda: {step: [] for step in STEPS})
    link: str = ""
    students: str = ""


class Visit:
    """One visitor in a real Chromium; how long each step took, in seconds."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.url = url
        self._context = visitor_of(browser, ignore_https_errors=True)
        self.page: Page = self._context.new_page()

    def open(self) -> float:
        """The page, with nothing in the browser's cache."""
        return self._drawn(dashboard.four(self.url))

    def edit(self, duration_s: str) -> None:
        """Another duration of the first job's maps."""
        dashboard.compose(self.page)
        Composer(self.page, Path()).write("jobs", 0, "maps.duration_s", duration_s)
        self.page.keyboard.press("Tab")
        self._settle()

    def run(self) -> float:
        """From the click to the charts."""
        begun = time.perf_counter()
        dashboard.run(self.page)
        taken = time.perf_counter() - begun
        self._settle()
        return taken

    def zoom(self) -> list[float]:
        """A few, each until the charts are sharp."""
        self.page.locator(dashboard.CHARTS).first.focus()
        taken = []
        for key in ZOOM_KEYS:
            begun = time.perf_counter()
            with self.page.expect_response(lambda answer: answer.url.endswith("/charts/draw")):
                self.page.keyboard.press(key)
            dashboard.sharp(self.page)
            taken.append(time.perf_counter() - begun)
            self._settle()
        return taken

    def share(self) -> str:
        """A link to what is looked at."""
        self.page.click("#share")
        expect(self.page.locator("#share-link")).not_to_have_value("")
        link = self.page.locator("#share-link").input_value()
        self._settle()
        self.page.keyboard.press("Escape")
        return link

    def make_class(self) -> tuple[str, str]:
        """Of one exercise; the students' link and the secret one."""
        self.page.goto(f"{self.url}/exercises")
        self.page.click("#class-new")
        for box in self.page.locator(".class-lessons input[value]").all():
            box.set_checked(box.get_attribute("value") == EXERCISE)
        self.page.click("#class-make")
        expect(self.page.locator("#class-secret")).not_to_have_value("")
        self._settle()
        return self.page.input_value("#class-students"), self.page.input_value("#class-secret")

    def exercise(self, students: str) -> float:
        """Joins a class and opens its exercise, to its form."""
        begun = time.perf_counter()
        self.page.goto(students, wait_until="commit")
        self.page.click("#class-join")
        expect(self.page.locator("#class-who")).not_to_be_empty()
        self.page.click(".exercises h3 a")
        expect(self.page.locator("#exercise-form")).to_be_visible()
        taken = time.perf_counter() - begun
        self._settle()
        return taken

    def answer(self) -> list[float]:
        """A wrong answer and the right one, each until the verdict is there."""
        taken = []
        for value in answers():
            self.page.locator(f"#exercise-form input[value={value}]").check(force=True)
            begun = time.perf_counter()
            with self.page.expect_response(lambda answer: answer.url.endswith(CHECK)):
                self.page.click("#exercise-form button[type=submit]")
            taken.append(time.perf_counter() - begun)
            self._settle()
        return taken

    def overview(self, secret: str) -> None:
        """Opens a class's overview, until it has looked once again."""
        with self.page.expect_response(lambda answer: LOOK in (answer.request.post_data or "")):
            self.page.goto(secret)
        self._settle()

    def link(self, link: str) -> float:
        """Opens a link."""
        return self._drawn(link)

    def close(self) -> None:
        """The visitor leaves."""
        self._context.close()

    def _drawn(self, url: str) -> float:
        begun = time.perf_counter()
        self.page.goto(url, wait_until="commit")
        dashboard.drawn(self.page)
        taken = time.perf_counter() - begun
        self._settle()
        return taken

    def _settle(self) -> None:
        self.page.wait_for_load_state("networkidle")
        self.page.wait_for_timeout(QUIET_MS)


def answers() -> list[str]:
    """A wrong choice of the exercise's, and the right one."""
    exercise = course_exercise(EXERCISE)
    (field,) = question(exercise).fields
    values = [choice.value for choice in field.choices]
    return sorted(values, key=lambda value: check(exercise, {field.key: value}).correct)[-2:]


def record(browser: Browser, url: str) -> Recording:
    """One visitor's lesson on a server nobody else uses."""
    outcome, visit, step = Recording(), Visit(browser, url), "open"
    kept: set[str] = set()  # by the browser: what never changes under its name
    begun = time.time()

    def note(request: Request) -> None:
        address, answer = urlsplit(request.url), request.response()
        if not request.url.startswith(url) or answer is None or answer.from_service_worker:
            return
        timing = request.timing
        sent = timing["startTime"] / 1000 - begun
        path = address.path + (f"?{address.query}" if address.query else "")
        headers = {name: value for name, value in request.headers.items() if name in HEADERS}
        one = Exchange(
            request.method,
            path,
            headers,
            request.post_data,
            sent,
            sent + max(timing["responseEnd"], 0) / 1000,
        )
        if address.path in (RUN, FOLLOW) and (result := answer.json().get("result")):
            runs = (
                [one]
                if address.path == RUN
                else [other for other in outcome.steps[step] if other.path == RUN]
            )
            runs[-1].key = result["key"]
        # whoever replays a run follows their own
        if not (path.startswith("/assets/") or path in kept or address.path == FOLLOW):
            outcome.steps[step].append(one)
        if path.startswith("/bundle/"):
            kept.add(path)

    visit.page.on("requestfinished", note)
    visit.open()
    step = "edit"
    visit.edit(DURATION_S)
    step = "run"
    visit.run()
    step = "zoom"
    visit.zoom()
    step = "share"
    link = visit.share()
    outcome.link = parse_qs(urlsplit(link).query)["r"][0]
    step = "link"
    visit.link(link)
    step = "class"
    students, secret = visit.make_class()
    step = "exercise"
    outcome.students = students
    visit.exercise(students)
    step = "answer"
    visit.answer()
    step = "overview"
    visit.overview(secret)
    visit.close()
    (run,) = [one for one in outcome.steps["run"] if one.path == RUN]
    assert run.key and DURATION_S in run.body, "without them all would replay this very run"
    for exchanges in outcome.steps.values():
        for one in exchanges:
            one.after = frozenset(
                number for number, other in enumerate(exchanges) if other.ended_s <= one.sent_s
            )
    return outcome
