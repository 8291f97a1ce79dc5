"""What a page asks for and what comes over the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from playwright.sync_api import Page

SAME = {"/", "/_dash-layout", "/_dash-dependencies"}
FILES = ("/bundle/", "/assets/", "/_dash-component-suites/")


@dataclass
class Answer:
    """One answer. bytes: as it came, with its head; whole: all is there; packed: its Content-Encoding, "" for
    none; kept: the browser had it already.
    """

    url: str
    status: int = 0
    type: str = ""
    packed: str = ""
    kept: bool = False
    bytes: int = 0
    whole: bool = False


@dataclass
class Log:
    """The answers by their request's id, those under way included."""

    answers: dict[str, Answer] = field(default_factory=dict)

    def all(self) -> list[Answer]:
        """Those that came from a server; icons drawn in the style sheets do not."""
        return [answer for answer in self.answers.values() if not answer.url.startswith(("data:", "blob:"))]

    def files(self) -> list[Answer]:
        """Those that are the same for every visitor: all but the answers of callbacks and of the charts' and
        the editor's routes.
        """
        return [
            answer
            for answer in self.all()
            if urlsplit(answer.url).path in SAME or urlsplit(answer.url).path.startswith(FILES)
        ]

    def bytes(self) -> int:
        """Of all that came, heads included."""
        return sum(answer.bytes for answer in self.all())

    def settle(self, page: Page) -> None:
        """Wait until nothing was asked for or is under way for half a second."""
        quiet, seen = 0, 0
        while quiet < 5:
            page.wait_for_timeout(100)
            answers = self.all()
            quiet = quiet + 1 if len(answers) == seen and all(answer.whole for answer in answers) else 0
            seen = len(answers)


def listen(page: Page) -> Log:
    """The log of what the page asks for from now on."""
    log, wire = Log(), page.context.new_cdp_session(page)

    def received(event: dict) -> None:
        response, answer = event["response"], log.answers[event["requestId"]]
        heads = {name.lower(): value for name, value in response["headers"].items()}
        answer.status, answer.type, answer.packed = (
            response["status"],
            response["mimeType"],
            heads.get("content-encoding", ""),
        )
        answer.kept = response.get("fromDiskCache", False)

    def finished(event: dict) -> None:
        answer = log.answers[event["requestId"]]
        answer.bytes, answer.whole = event["encodedDataLength"], True

    def failed(event: dict) -> None:
        log.answers[event["requestId"]].whole = True

    wire.on(
        "Network.requestWillBeSent",
        lambda event: log.answers.setdefault(event["requestId"], Answer(event["request"]["url"])),
    )
    wire.on("Network.responseReceived", received)
    wire.on("Network.loadingFailed", failed)
    wire.on("Network.loadingFinished", finished)
    wire.send("Network.enable")
    return log
