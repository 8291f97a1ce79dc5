"""One of many visitors: sends what was recorded, with a scenario of its own, each request once those are
answered that Chromium had waited for.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.load.recording import CHECK, DURATION_S, FOLLOW, LOOK, RUN, Exchange, Recording

MOST_CONNECTIONS = 6  # of a browser to one server
TIMEOUT_S = 60
LEAST_WAIT_S = 0.05
DRAW = "/charts/draw"
LOOK_EVERY_S = 4  # as the overview does


@dataclass
class SharedLink:
    """A link that a visitor made, with what stands for its scenario."""

    link: str
    words: dict[str, str]


@dataclass
class Seen:
    """What all visitors met: seconds by step, and faults in words."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    requests: int = 0
    links: list[SharedLink] = field(default_factory=list)

    def took(self, step: str, seconds: float) -> None:
        """One more."""
        self.seconds.setdefault(step, []).append(seconds)


class Here(AbstractResolver):
    """Every name is this machine."""

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_INET) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=port,
                family=socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
        ]

    async def close(self) -> None:
        """Nothing is open."""


class Failed(Exception):
    """A request that was not answered as it should be."""


class Visitor:
    """One, with cookies and connections of its own. number: another for each, which its scenarios have in
    them.
    """

    def __init__(
        self, url: str, recording: Recording, seen: Seen, number: int, think: Callable[[], float]
    ) -> None:
        self.url, self.recording, self.seen, self.number, self.think = url, recording, seen, number, think
        self._words: dict[str, str] = {}
        self._lessons = 0
        self._random = random.Random(number)

    async def watch(self, until: float, students: int) -> None:
        """The teacher: the class's overview, which looks for what is new until that time, and then has so
        many students who solved the exercise.
        """
        async with self._connected() as self._session:
            await self._timed("open the overview", lambda: self._step("overview"))
            (look, *_) = [one for one in self.recording.steps["overview"] if LOOK in (one.body or "")]
            while time.monotonic() < until:
                await asyncio.sleep(LOOK_EVERY_S)
                await self._timed("look", lambda: self._alone(look))
            solved = (await self._send(look, read=True)).count('"solved')
            if solved < students:
                self.seen.faults.append(f"overview: {solved} of {students} students have solved it")

    async def stay(self, until: float) -> None:
        """Opens the page, and then works until that time (of time.monotonic)."""
        async with self._connected() as self._session:
            await self._timed("open", self._opened)
            await self._answered()
            while time.monotonic() < until:
                for step in (self._edited, self._ran, self._zoomed, self._shared, self._followed_link):
                    await asyncio.sleep(self.think())
                    if time.monotonic() >= until:
                        return
                    await step()

    def _connected(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(limit=MOST_CONNECTIONS, ssl=False, resolver=Here())
        timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
        jar = aiohttp.CookieJar(unsafe=True)  # the server has no name
        return aiohttp.ClientSession(
            connector=connector, timeout=timeout, cookie_jar=jar, auto_decompress=False
        )

    async def _answered(self) -> None:
        """Joins the class, opens its exercise, answers wrong and right."""
        await self._timed("exercise", lambda: self._step("exercise"))
        for one in self.recording.steps["answer"]:
            await asyncio.sleep(self.think() / 5)
            step = "answer" if one.path == CHECK else "beside"
            await self._timed(step, lambda one=one: self._alone(one))

    async def _opened(self) -> float:
        return await self._step("open")

    async def _edited(self) -> None:
        self._lessons += 1
        self._words = {DURATION_S: f"{20 + self.number % 60}.{self._lessons:03d}{self.number:03d}"}
        await self._timed("edit", lambda: self._step("edit"))

    async def _ran(self) -> None:
        await self._timed("run", lambda: self._step("run"))

    async def _zoomed(self) -> None:
        for one in [one for one in self.recording.steps["zoom"] if one.path == DRAW]:
            await self._timed("zoom", lambda one=one: self._alone(one))
            await asyncio.sleep(self.think() / 5)
        for one in [one for one in self.recording.steps["zoom"] if one.path != DRAW]:
            await self._timed("beside", lambda one=one: self._alone(one))

    async def _shared(self) -> None:
        async def share() -> float:
            begun = time.perf_counter()
            for one in self.recording.steps["share"]:
                found = re.search(r"\br=([0-9a-f]{16})\b", await self._send(one, read=True))
                if found:
                    self._words[self.recording.link] = found[1]
                    self.seen.links.append(SharedLink(found[1], dict(self._words)))
            if self.recording.link not in self._words:
                raise Failed("share: no link was made")
            return time.perf_counter() - begun

        await self._timed("share", share)

    async def _followed_link(self) -> None:
        if not self.seen.links:
            return
        own, self._words = self._words, dict(self._random.choice(self.seen.links).words)
        await self._timed("link", lambda: self._step("link"))
        self._words = own

    async def _timed(self, step: str, do: Callable) -> None:
        try:
            self.seen.took(step, await do())
        except (TimeoutError, Failed, aiohttp.ClientError, OSError) as error:
            self.seen.faults.append(f"{step}: {type(error).__name__} {error}")

    async def _alone(self, one: Exchange) -> float:
        begun = time.perf_counter()
        await self._send(one)
        return time.perf_counter() - begun

    async def _step(self, name: str) -> float:
        """All its requests; the seconds until the charts of its run were there, or all."""
        exchanges = self.recording.steps[name]
        begun, charts = time.perf_counter(), 0.0
        ended = [asyncio.Event() for _ in exchanges]

        async def one_of_them(number: int) -> None:
            nonlocal charts
            one = exchanges[number]
            try:
                for other in one.after:
                    await ended[other].wait()
                await self._send(one)
                if one.path == RUN:
                    charts = time.perf_counter() - begun
            finally:
                ended[number].set()

        failures = [
            error
            for error in await asyncio.gather(
                *map(one_of_them, range(len(exchanges))), return_exceptions=True
            )
            if error
        ]
        if failures:
            raise failures[0]
        return charts or time.perf_counter() - begun

    async def _send(self, one: Exchange, read: bool = False) -> str:
        """The answer's text, where it is read: a run is followed until it has ended."""
        is_run = one.path == RUN
        answer = await self._asked(one.method, one.path, one.body, one.headers, is_run or read)
        if not is_run:
            return answer
        sent, found = json.loads(self._own(one.body)), json.loads(answer)
        while "job" in found:
            await asyncio.sleep(max(found["wait"] / 1000, LEAST_WAIT_S))
            body = json.dumps({"job": found["job"], "look": sent.get("look")})
            found = json.loads(await self._asked("POST", FOLLOW, body, one.headers, True))
        if "result" not in found:
            raise Failed(f"run: {found.get('says')}")
        if one.key:
            self._words[one.key] = found["result"]["key"]
        return ""

    async def _asked(
        self, method: str, path: str, body: str | None, headers: dict[str, str], read: bool
    ) -> str:
        self.seen.requests += 1
        own = {**headers, "Accept-Encoding": "gzip, deflate, br, zstd"}
        async with self._session.request(
            method, self.url + self._own(path), data=self._own(body), headers=own, auto_decompress=read
        ) as answer:
            content = await answer.read()
            if answer.status >= 400:
                raise Failed(f"{answer.status} {method} {path.partition('?')[0]}: {content[:120]!r}")
            return content.decode() if read else ""

    def _own(self, text: str | None) -> str | None:
        """What was recorded, of this visitor's scenario."""
        for recorded, own in self._words.items():
            text = text.replace(recorded, own) if text else text
        return text
