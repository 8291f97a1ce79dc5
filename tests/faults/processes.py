"""Processes killed with -9 while a run is under way."""

from __future__ import annotations

import os
import signal

from tests.faults.fault import Found, fault
from tests.faults.visit import crowd, visiting
from tests.phrases import phrase
from tests.webapp.live_server import alive, until

AWAY = "^" + phrase("faults.server_does_not_answer")


def waits_for_another(command: str) -> Found:
    """A run whose process with this command is killed goes back to the queue."""
    with visiting() as visit:
        visit.compose(crowd(), ["fifo"])
        visit.press()
        visit.hears("^1 of 1: fifo", 60)
        (process,) = visit.served.processes(command)
        os.kill(process, signal.SIGKILL)
        visit.over()
        said = visit.hears("^" + phrase("faults.waiting_for_free_process"))
        visit.ran()
        return visit.found(said)


@fault("the work process is killed in a run, which waits for another one and is done", short=True)
def work_process_killed() -> Found:
    return waits_for_another("webapp.jobs --parent")


@fault("the supervisor of the work processes is killed in a run", short=True)
def supervisor_killed() -> Found:
    return waits_for_another("webapp.jobs --supervise")


@fault(
    "every process that answers is killed in a run: the work goes on beside them, and the page finds it again"
)
def web_workers_killed() -> Found:
    with visiting() as visit:
        visit.compose(crowd(), ["fifo"])
        visit.press()
        visit.hears("^1 of 1: fifo", 60)
        for one in visit.served.answering():
            os.kill(one, signal.SIGKILL)
        visit.over()
        said = visit.hears(f"{AWAY}|^1 of 1: fifo")
        visit.ran()
        return visit.found(said)


@fault("the processes that answer are killed while one of them does a run within its answer")
def killed_in_an_answer() -> Found:
    with visiting() as visit:
        visit.compose(crowd(9_000), ["fifo"])
        visit.press()
        visit.page.wait_for_timeout(100)
        for one in visit.served.answering():
            os.kill(one, signal.SIGKILL)
        visit.over()
        said = visit.hears(f"{AWAY}|^Crowd")
        return visit.found(said)


@fault("the whole server is killed in a run and started again: the page follows on by itself", short=True)
def server_killed() -> Found:
    with visiting() as visit:
        visit.compose(crowd(), ["fifo"])
        visit.press()
        visit.hears("^1 of 1: fifo", 60)
        own = visit.served.processes()
        for one in own:
            os.kill(one, signal.SIGKILL)
        until(lambda: not any(alive(pid) for pid in own), 10)
        said = visit.hears(AWAY)
        visit.press_share()
        visit.hears("^" + phrase("faults.server_does_not_answer_so"))
        visit.served.start()
        visit.over()
        visit.ran()
        return visit.found(said)
