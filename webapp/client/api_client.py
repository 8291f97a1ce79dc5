"""Client(url): a Gantry server's API in Python."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from http.client import HTTPException
from typing import Any, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin
from urllib.request import Request, urlopen

from webapp.messages import msg

TIMEOUT_S = 60.0  # of one answer
POLL_S, MAX_POLL_S = 0.1, 2.0  # between two questions after what is under way: first, and at most
Values = dict[str, Any]
Progress = Callable[[Values], object]


class HasPlain(Protocol):
    """A scenario of the engine."""

    def plain(self) -> Values:
        """As JSON values."""


class ApiError(Exception):
    """What the server refused, or why it can't be asked, in one sentence. status: of HTTP, 0 where there was
    no answer; faults: of a scenario, {path, message} each.
    """

    def __init__(self, sentence: str, status: int = 0, faults: Sequence[Values] = ()) -> None:
        super().__init__(sentence)
        self.status, self.faults = status, tuple(faults)


class Client:
    """Asks the Gantry server at this address, which is that of its page. Every method raises ApiError.

    A scenario is its JSON values, or the engine's Scenario; progress is told each status while one waits.
    """

    def __init__(self, url: str, timeout_s: float = TIMEOUT_S) -> None:
        self.url, self.timeout_s = url.rstrip("/") + "/", timeout_s
        self._api = urljoin(self.url, "api/v1/")

    def check(self, scenario: Values | HasPlain, schedulers: Iterable[str] = ("fifo",)) -> Values:
        """{valid, containers, faults} of a scenario."""
        return self._json("POST", "check", _asked(scenario, schedulers))

    def run(
        self,
        scenario: Values | HasPlain,
        schedulers: Iterable[str],
        progress: Progress = lambda status: None,
    ) -> Values:
        """Run it and wait: the result as its reference describes it, and `id`, by which `explain`, `csv` and
        `link` ask for more. Who interrupts the waiting ends the run.
        """
        return self._ended("runs", _asked(scenario, schedulers), progress)

    def sweep(
        self,
        scenario: Values | HasPlain,
        schedulers: Iterable[str],
        vary: Sequence[Values],
        progress: Progress = lambda status: None,
        **options: Any,
    ) -> Values:
        """Move one or two numbers, {path, first, last, step} each, and wait: the study's result, and `id`.
        options: seeds, jitter, values.
        """
        asked = {**_asked(scenario, schedulers), "vary": list(vary), **options}
        return self._ended("sweeps", asked, progress)

    def explain(self, run: str, container: str, scheduler: str = "") -> Values:
        """Why a container, JOB/STAGE/KIND/INDEX, of the run with this id was placed there and then."""
        query = urlencode({"container": container, "scheduler": scheduler})
        return self._json("GET", f"runs/{run}/explain?{query}")

    def csv(self, run: str, table: str = "runs") -> str:
        """A table of the run with this id: runs, jobs or containers."""
        return self._ask("GET", f"runs/{run}/result?table={table}", accept="text/csv").decode()

    def link(self, run: str, sentence: str = "", read_only: bool = False) -> str:
        """The address of a link, kept by the server, to the run with this id."""
        asked = {"run": run, "sentence": sentence, "read_only": read_only}
        return urljoin(self.url, self._json("POST", "links", asked)["address"].lstrip("/"))

    def schedulers(self) -> list[Values]:
        """Every policy that a scheduler's name may be made of."""
        return self._json("GET", "schedulers")

    def _ended(self, kind: str, asked: Values, progress: Progress) -> Values:
        status, poll_s = self._json("POST", kind, asked), POLL_S
        place = f"{kind}/{status['id']}"
        try:
            while status["state"] in ("queued", "running"):
                progress(status)
                time.sleep(poll_s)
                poll_s = min(2 * poll_s, MAX_POLL_S)
                status = self._json("GET", place)
        except BaseException:
            with suppress(ApiError):  # a lost server must not hide what ended the waiting
                self._ask("DELETE", place)
            raise
        progress(status)
        if status["state"] != "finished":
            raise ApiError(status["because"] or msg("client.api_client.cancelled"))
        return {"id": status["id"], **self._json("GET", f"{place}/result")}

    def _json(self, method: str, place: str, asked: Values | None = None) -> Any:
        return json.loads(self._ask(method, place, asked))

    def _ask(
        self, method: str, place: str, asked: Values | None = None, accept: str = "application/json"
    ) -> bytes:
        headers = {"Accept": accept} | ({} if asked is None else {"Content-Type": "application/json"})
        body = None if asked is None else json.dumps(asked).encode()
        try:
            request = Request(self._api + place, body, headers, method=method)
            with urlopen(request, timeout=self.timeout_s) as answer:
                return answer.read()
        except HTTPError as error:
            raise _refusal(error) from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            why = getattr(error, "reason", error)
            if body and isinstance(why, (BrokenPipeError, ConnectionResetError)):
                sentence = msg("client.api_client.closed_while_sending", url=self.url, size=len(body))
                raise ApiError(sentence) from None
            raise ApiError(msg("client.api_client.no_answer", url=self.url, why=why)) from None


def _asked(scenario: Values | HasPlain, schedulers: Iterable[str]) -> Values:
    values = scenario if isinstance(scenario, dict) else scenario.plain()
    return {"scenario": values, "schedulers": list(schedulers)}


def _refusal(error: HTTPError) -> ApiError:
    try:
        problem = json.loads(error.read())
        return ApiError(problem["detail"], error.code, problem.get("faults", ()))
    except (OSError, HTTPException, ValueError, KeyError, TypeError):  # a proxy's answer, or no API at all
        return ApiError(msg("client.api_client.not_of_the_api", url=error.url, status=error.code), error.code)
