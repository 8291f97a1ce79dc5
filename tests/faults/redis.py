"""Redis, where it is the cache: killed, and stopped in its tracks."""

from __future__ import annotations

from collections.abc import Callable

from tests.faults.fault import Found, fault
from tests.faults.visit import Visit, visiting
from tests.webapp.real_stores import Redis


def goes_on(visit: Visit) -> str:
    """A visit while it is away; what the page said of the long run."""
    visit.whole()
    return visit.hears(r"^Long \d+: 4 schedulers")


def away(take: Callable[[Redis], None], give: Callable[[Redis], None]) -> Found:
    """A visit before, while and after it is taken away."""
    server = Redis()
    try:
        with visiting({"REDIS_URL": server.url, "SECRET_KEY": "of the faults' server"}) as visit:
            visit.whole()
            take(server)
            said = goes_on(visit)
            give(server)
            visit.over()
            return visit.found(said)
    finally:
        server.go_on()
        server.end()


@fault("Redis is killed")
def redis_killed() -> Found:
    return away(Redis.kill, Redis.start)


@fault("Redis is stopped in its tracks: it holds its connections and says nothing")
def redis_stopped() -> Found:
    return away(Redis.stop, Redis.go_on)
