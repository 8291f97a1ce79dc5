"""Spark's event logs: those of its history server, and those of a local folder, such as a copy of
spark.eventLog.dir. They are taken as they are.
"""

import argparse
import io
import os
import re
import shutil
import time
import zipfile
from collections.abc import Callable, Iterator

from engine.collect.archive_folder import ArchiveFolder
from engine.collect.rest_client import RestClient, Unavailable

SPARK = "/api/v1"
# EventLogFileWriter: APPLICATION[_ATTEMPT][.CODEC][.inprogress], rolled events_NUMBER_APPLICATION...
LOG_NAME = re.compile(
    r"(events_[0-9]+_)?(application_[0-9]+_[0-9]+|app-[0-9]+-[0-9]+|local-[0-9]+|spark-[0-9a-f]+)(_[0-9]+)?"
    r"(\.(gz|zstd|lz4|snappy|lzf|compact|inprogress))*$"
)
APPLICATION_ID = re.compile(r"[A-Za-z0-9_-]{1,100}$")


class EventLogCollector:
    """Collects event logs into the archive folder. note_missing: takes a sentence for what can't be had."""

    def __init__(
        self,
        options: argparse.Namespace,
        client: RestClient,
        folder: ArchiveFolder,
        span: "list[int]",
        note_missing: "Callable[[str], None]",
    ) -> None:
        self.options, self.client, self.folder, self.span = options, client, folder, span
        self.note_missing = note_missing

    def collect(self) -> int:
        """All that the options ask for; returns how many files there are."""
        count = 0
        if self.options.history:
            count += self.copy_folder(self.options.history)
        if self.options.spark:
            count += sum(self.fetch_log(*attempt) for attempt in self.attempts())
        return count

    def copy_folder(self, path: str) -> int:
        """Those of a folder that were still written in the span, or after it."""
        count = 0
        for directory, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                source = os.path.join(directory, name)
                if not LOG_NAME.match(name) or os.path.getmtime(source) * 1000 < self.span[0]:
                    continue
                count += 1
                target = self.folder.path_of("spark/" + name)
                if not os.path.exists(target):
                    shutil.copyfile(source, target + ".new")
                    os.replace(target + ".new", target)
        return count

    def attempts(self) -> "Iterator[tuple[str, str]]":
        """(application, attempt or "") of what ran in the span."""
        first, last = self.span
        try:
            entries = self.client.get_json(
                self.options.spark,
                SPARK + "/applications",
                minEndDate=stamp(first),
                maxDate=stamp(last + 999),
            )
        except Unavailable as error:
            self.note_missing(str(error))
            return
        for entry in entries if isinstance(entries, list) else []:
            application = str(entry.get("id")) if isinstance(entry, dict) else ""
            attempts = entry.get("attempts") if isinstance(entry, dict) else None
            for one in attempts if isinstance(attempts, list) else []:
                attempt = str(one.get("attemptId", "")) if isinstance(one, dict) else ""
                if APPLICATION_ID.match(application) and APPLICATION_ID.match(attempt or "none"):
                    yield application, attempt

    def fetch_log(self, application: str, attempt: str) -> int:
        """The files of one log; returns how many there are."""
        path = "/".join([SPARK, "applications", application] + [attempt] * bool(attempt) + ["logs"])
        done = self.folder.path_of("spark/{}_{}.part".format(application, attempt or "none"))
        if os.path.exists(done):
            with open(done) as stream:
                return int(stream.read())
        count = 0
        try:
            with zipfile.ZipFile(io.BytesIO(self.client.get_bytes(self.options.spark, path))) as archive:
                for entry in archive.infolist():
                    name = entry.filename.rpartition("/")[2]
                    if LOG_NAME.match(name):
                        self.folder.write("spark/" + name, archive.read(entry))
                        count += 1
        except Unavailable as error:
            self.note_missing(str(error))
            return 0
        except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError) as error:
            self.note_missing(f"{path}: no zip of event logs comes back: {str(error)[:200]}")
            return 0
        with open(done, "w") as stream:
            stream.write(str(count))
        return count


def stamp(milliseconds: int) -> str:
    """A time as Spark's history server takes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000GMT", time.gmtime(milliseconds // 1000))
