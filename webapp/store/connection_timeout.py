"""A connection to PostgreSQL that is not waited for longer than so long: limits of its own hold only while
the server itself goes on.
"""

from __future__ import annotations

import time
from typing import Any

import psycopg

from engine import quantities
from webapp.messages import msg


def connect(seconds: float, *arguments: Any, **settings: Any) -> psycopg.Connection:
    """As psycopg connects; an answer that does not come within so many seconds raises OperationalError and
    ends the connection.
    """

    class Patient(psycopg.Connection):
        def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
            started_at = time.monotonic()
            try:
                return super().wait(gen, interval, timeout=seconds if timeout is None else timeout)
            except Exception as error:
                if timeout is not None or time.monotonic() - started_at < seconds:
                    raise
                self.pgconn.finish()  # to close it in words would wait again
                time_text = quantities.duration(1000 * seconds)
                fault = msg("store.connection_timeout.no_answer_within", time=time_text)
                raise psycopg.OperationalError(fault) from error

    return Patient.connect(*arguments, **settings)
