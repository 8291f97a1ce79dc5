"""What is requested from the servers, and in which order."""

import argparse
import json
import os
import re
import sys
import time
from typing import Any

from engine.collect.anonymiser import Anonymiser
from engine.collect.archive_folder import ArchiveFolder
from engine.collect.event_logs import EventLogCollector
from engine.collect.kept_fields import (
    ADDRESS,
    APP_FIELDS,
    ATTEMPT_FIELDS,
    COUNTER_FIELDS,
    INFO_FIELDS,
    JOB_FIELDS,
    KEPT_COUNTERS,
    KEPT_JOB_PROPERTIES,
    KEPT_SITE_PROPERTIES,
    MASTER_FIELDS,
    METRICS_FIELDS,
    NODE_FIELDS,
    SCHEDULER_FIELDS,
    TASK_FIELDS,
    filter_fields,
    list_entries,
)
from engine.collect.local_history import (
    find_histories,
    job_properties,
    properties_xml,
    queue_properties,
    read_unpacked,
    select_properties,
)
from engine.collect.rest_client import VERSION, FatalError, RestClient, Unavailable

RM, JHS = "/ws/v1/cluster", "/ws/v1/history/mapreduce"
PAGE_SIZE = 1000  # applications or jobs asked for at once
MAX_MISSING = 1000  # sentences of the manifest
REQUESTS_PER_JOB = 5  # without the one for each task


def duration(seconds: float) -> str:
    minutes = int(seconds + 30) // 60
    return (
        "{} h {:02d} min".format(*divmod(minutes, 60))
        if minutes >= 60
        else f"{minutes} min"
        if minutes > 1
        else f"{int(seconds)} s"
    )


class HistoryCollector:
    """Collects a cluster's history into the archive folder, request after request."""

    def __init__(
        self,
        options: argparse.Namespace,
        client: RestClient,
        folder: ArchiveFolder,
        names: Anonymiser,
        span: "list[int]",
    ) -> None:
        self.options, self.client, self.folder, self.names, self.span = options, client, folder, names, span
        self.missing: list[str] = []
        kinds = ("applications", "jobs", "tasks", "attempts", "nodes", "job history files", "event logs")
        self.counts = dict.fromkeys(kinds, 0)
        self.started = self.last_printed = time.monotonic()
        self.done, self.total, self.cached = 0, 0, 0

    def collect_all(self) -> None:
        """Everything that the options ask for, and its manifest."""
        version = apps = jobs = None
        if self.options.rm:
            version, apps = self.collect_resource_manager()
        if self.options.jhs:
            jobs = self.fetch_span(
                "history/jobs.json", self.options.jhs, JHS + "/jobs", "jobs", "job", JOB_FIELDS
            )
        if self.options.rm or self.options.jhs:
            self.print_plan(apps or [], jobs or [])
        for app in apps or []:
            name = "rm/appattempts/{}.json".format(app["id"])
            self.fetch(
                name,
                self.options.rm,
                "{}/apps/{}/appattempts".format(RM, app["id"]),
                {"appAttempts": {"appAttempt": [MASTER_FIELDS]}},
            )
        for entry in jobs or []:
            self.collect_job(entry["id"])
        if self.options.history:
            self.copy_job_histories()
        logs = EventLogCollector(self.options, self.client, self.folder, self.span, self.note_missing)
        self.counts["event logs"] = logs.collect()
        if self.options.history and not (self.counts["job history files"] or self.counts["event logs"]):
            self.note_missing(
                f"--history {self.options.history}: nothing of this span in it has the name of a job history "
                "file (job_….jhist) or of an event log (application_…)"
            )
        self.note_missing_histories(apps, jobs)
        servers = {
            "resource_manager": self.options.rm,
            "job_history_server": self.options.jhs,
            "spark_history_server": self.options.spark,
        }
        hosts = {
            key: [
                re.sub(
                    "(//)(.*)",
                    lambda match: match.group(1) + self.names.anonymise(ADDRESS, match.group(2)),
                    url,
                )
                for url in urls
            ]
            for key, urls in servers.items()
        }
        self.folder.write(
            "manifest.json",
            {
                "gantry_collect": {
                    "version": VERSION,
                    "collected_ms": int(time.time() * 1000),
                    "span_ms": self.span,
                    "asked": hosts,
                    "hadoop_version": version,
                    "counts": self.counts,
                    "requests": self.client.count,
                    "attempts": self.options.attempts,
                    "anonymised": self.names.fingerprint()
                    and {"key": self.names.fingerprint(), "queues": self.names.queues},
                    "missing": self.missing[:MAX_MISSING]
                    + ["and %s more" % (len(self.missing) - MAX_MISSING)] * (len(self.missing) > MAX_MISSING),
                }
            },
        )

    def collect_resource_manager(self) -> "tuple[str | None, list[dict[str, Any]]]":
        """The cluster's version and its applications, after all that is asked once."""
        info = self.fetch("rm/info.json", self.options.rm, RM + "/info", INFO_FIELDS)
        if info is None:
            raise FatalError(f"nothing can be collected: {self.missing[-1]}")
        self.fetch("rm/metrics.json", self.options.rm, RM + "/metrics", METRICS_FIELDS)
        self.fetch("rm/scheduler.json", self.options.rm, RM + "/scheduler", SCHEDULER_FIELDS)
        nodes = self.fetch(
            "rm/nodes.json", self.options.rm, RM + "/nodes", {"nodes": {"node": [NODE_FIELDS]}}
        )
        self.counts["nodes"] = len(list_entries(nodes, "nodes", "node"))
        self.collect_site_settings()
        self.collect_queue_settings()
        apps = self.fetch_span(
            "rm/apps.json",
            self.options.rm,
            RM + "/apps",
            "apps",
            "app",
            APP_FIELDS,
            deSelects="resourceRequests",
        )
        self.counts["applications"] = len(apps)
        return (info.get("clusterInfo") or {}).get("hadoopVersion"), apps

    def collect_site_settings(self) -> None:
        """What the ResourceManager's own configuration says of its scheduler, as yarn-site.xml: its answers
        leave out much of that.
        """
        if os.path.exists(self.folder.path_of("rm/yarn-site.xml")):
            return
        try:
            answer = self.client.get_json(self.options.rm, "/conf", format="json")
        except Unavailable as error:
            self.note_missing(f"{error} (settings of the scheduler beyond its queues)")
            return
        pairs = [
            (entry.get("key"), entry.get("value"))
            for entry in list_entries({"all": answer}, "all", "properties")
        ]
        settings = select_properties(pairs, KEPT_SITE_PROPERTIES.fullmatch, self.names)
        self.folder.write("rm/yarn-site.xml", properties_xml(settings))

    def collect_queue_settings(self) -> None:
        """The queues as the ResourceManager's own page changes them, as capacity-scheduler.xml; it has none
        where its configuration can't be changed so, or it is too old.
        """
        if os.path.exists(self.folder.path_of("rm/capacity-scheduler.xml")):
            return
        try:
            answer = self.client.get_json(self.options.rm, RM + "/scheduler-conf")
        except Unavailable as error:
            if error.status not in (400, 404):
                self.note_missing(f"{error} (settings of queues beyond what /scheduler says)")
            return
        entries = list_entries({"all": answer}, "all", "property")
        pairs = [(entry.get("name"), entry.get("value")) for entry in entries]
        self.folder.write("rm/capacity-scheduler.xml", properties_xml(queue_properties(pairs, self.names)))

    def collect_job(self, job_id: str) -> None:
        """One job of the JobHistory server, with its tasks and their attempts."""
        name, path = f"history/job/{job_id}/", f"{JHS}/jobs/{job_id}"
        self.fetch(name + "job.json", self.options.jhs, path, {"job": JOB_FIELDS})
        self.fetch(
            name + "jobattempts.json",
            self.options.jhs,
            path + "/jobattempts",
            {"jobAttempts": {"jobAttempt": [MASTER_FIELDS]}},
        )
        self.fetch(
            name + "conf.json",
            self.options.jhs,
            path + "/conf",
            lambda answer: self.filter_conf(job_id, answer),
        )
        self.fetch(name + "counters.json", self.options.jhs, path + "/counters", self.filter_counters)
        tasks = list_entries(
            self.fetch(
                name + "tasks.json", self.options.jhs, path + "/tasks", {"tasks": {"task": [TASK_FIELDS]}}
            ),
            "tasks",
            "task",
        )
        self.counts["jobs"] += 1
        self.counts["tasks"] += len(tasks)
        if self.options.attempts == "all":
            self.attempts(
                name,
                path,
                [
                    str(task.get("id"))
                    for task in tasks
                    if re.match("task_[0-9]+_[0-9]+_[mr]_[0-9]+$", str(task.get("id")))
                ],
            )

    def filter_conf(self, job_id: str, answer: "Any") -> "dict[str, Any]":
        """What a simulation needs of a job's properties; the path says whose they are, which the answer has
        nowhere else.
        """
        pairs = [
            (entry.get("name"), entry.get("value")) for entry in list_entries(answer, "conf", "property")
        ]
        settings = select_properties(pairs, KEPT_JOB_PROPERTIES.fullmatch, self.names)
        return {
            "conf": {
                "path": job_id + "_conf.xml",
                "property": [{"name": name, "value": value} for name, value in settings],
            }
        }

    def filter_counters(self, answer: "Any") -> "Any":
        filtered = filter_fields(answer, COUNTER_FIELDS, self.names)
        for group in filtered.get("jobCounters", {}).get("counterGroup", []):
            group["counter"] = [
                counter
                for counter in group.get("counter", [])
                if KEPT_COUNTERS.fullmatch(str(counter.get("name")))
            ]
        return filtered

    def attempts(self, name: str, path: str, tasks: "list[str]") -> None:
        """The attempts of a job's tasks, a request a task: each is kept at once, so that an interruption
        costs one.
        """
        if os.path.exists(self.folder.path_of(name + "attempts.json")):
            self.counts["attempts"] += len(
                list_entries(self.folder.read(name + "attempts.json"), "taskAttempts", "taskAttempt")
            )
            self.cached += len(tasks)
            self.done += len(tasks)
            return
        partial_path, attempts_by_task = self.folder.path_of(name + "attempts.part"), {}
        if os.path.exists(partial_path):
            with open(partial_path) as stream:
                for line in stream:
                    if line.endswith("\n"):
                        task, attempts = json.loads(line)
                        attempts_by_task[task] = attempts
        missing_count = 0
        with open(partial_path, "a") as stream:
            for task in tasks:
                self.print_progress(name)
                if task in attempts_by_task:
                    self.cached += 1
                    continue
                try:
                    answer = self.client.get_json(self.options.jhs, f"{path}/tasks/{task}/attempts")
                except Unavailable as error:
                    missing_count += 1
                    if missing_count <= 3:
                        self.note_missing(str(error))
                    continue
                attempts_by_task[task] = list_entries(
                    filter_fields(answer, {"taskAttempts": {"taskAttempt": [ATTEMPT_FIELDS]}}, self.names),
                    "taskAttempts",
                    "taskAttempt",
                )
                stream.write(json.dumps([task, attempts_by_task[task]]) + "\n")
                stream.flush()
        if missing_count > 3:
            self.note_missing(f"{path}: attempts of {missing_count - 3} more tasks")
        attempts = [attempt for task in tasks for attempt in attempts_by_task.get(task, [])]
        self.counts["attempts"] += len(attempts)
        self.folder.write(name + "attempts.json", {"taskAttempts": {"taskAttempt": attempts}})
        os.remove(partial_path)

    def copy_job_histories(self) -> None:
        for path, conf_path in find_histories(self.options.history, *self.span):
            name = "done/" + os.path.basename(path)
            if not os.path.exists(self.folder.path_of(name)):
                with open(path, "rb") as stream:
                    self.folder.write(name, stream.read())
            if conf_path:
                self.folder.write(
                    "done/" + re.sub(r"\.gz$", "", os.path.basename(conf_path)),
                    job_properties(read_unpacked(conf_path), self.names),
                )
            else:
                self.note_missing(f"{os.path.basename(path)}: its _conf.xml is missing next to it")
            self.counts["job history files"] += 1
            self.print_progress(name)

    def print_plan(self, apps: "list[dict[str, Any]]", jobs: "list[dict[str, Any]]") -> None:
        """Prints how many requests there will be, before the first."""
        tasks = sum(
            entry[key]
            for entry in jobs
            for key in ("mapsTotal", "reducesTotal")
            if isinstance(entry.get(key), int)
        )
        self.total = (
            self.done
            + len(apps)
            + REQUESTS_PER_JOB * len(jobs)
            + (tasks if self.options.attempts == "all" else 0)
        )
        if not self.options.quiet:
            template = "{} applications, {} jobs, {} tasks: about {} requests, {} at {:g} a second\n"
            min_duration = duration((self.total - self.done) / self.options.rate)
            sys.stderr.write(
                template.format(len(apps), len(jobs), tasks, self.total, min_duration, self.options.rate)
            )

    def note_missing_histories(
        self, apps: "list[dict[str, Any]] | None", jobs: "list[dict[str, Any]] | None"
    ) -> None:
        """Notes the MapReduce applications that have no job history."""
        if apps is None or jobs is None:
            return
        job_numbers = {app["id"].partition("_")[2] for app in jobs}
        unmatched = [
            app
            for app in apps
            if app.get("applicationType") == "MAPREDUCE" and app["id"].partition("_")[2] not in job_numbers
        ]
        running = [app for app in unmatched if not app.get("finishedTime")]
        for group, why in (
            (running, "are not finished"),
            ([app for app in unmatched if app.get("finishedTime")], "have no job history there"),
        ):
            if group:
                self.note_missing(
                    "{} MapReduce applications {}: they are there as what they held alone, such as {}".format(
                        len(group), why, group[0]["id"]
                    )
                )

    def print_summary(self, out: str, size: int) -> None:
        """What is in the archive and what is missing, on standard error."""
        counts = ", ".join(f"{count} {what}" for what, count in self.counts.items() if count)
        sys.stderr.write(
            "{}{}: {}; {:.1f} MB, {} requests\n".format(
                "\r" if sys.stderr.isatty() else "", out, counts or "nothing", size / 1e6, self.client.count
            )
        )
        for sentence in self.missing[:20]:
            sys.stderr.write(f"missing: {sentence}\n")
        if len(self.missing) > 20:
            sys.stderr.write("missing: %s more, which the manifest lists\n" % (len(self.missing) - 20))

    def note_missing(self, sentence: str) -> None:
        self.missing.append(sentence)

    def print_progress(self, what: str) -> None:
        """How far it is, on standard error: at most every 2 s, or 30 s where that is no terminal."""
        self.done += 1
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if self.options.quiet or now - self.last_printed < (2 if terminal else 30):
            return
        self.last_printed = now
        remaining = (now - self.started) / max(self.done - self.cached, 1) * max(self.total - self.done, 0)
        line = (
            f"{what}; {self.done} of about {max(self.total, self.done)} answers, about "
            f"{duration(remaining)} to go; {len(self.missing)} missing"
        )
        sys.stderr.write(("\r%-110s" if terminal else "%s\n") % line)
        sys.stderr.flush()

    def fetch(self, name: str, bases: "list[str]", path: str, shape: "Any", **values: "Any") -> "Any":
        """The answer, cut and written, or as it was written before; None where it can't be had."""
        data = self.folder.read(name)
        if data is None:
            try:
                answer = self.client.get_json(bases, path, **values)
                data = self.folder.write(
                    name, shape(answer) if callable(shape) else filter_fields(answer, shape, self.names)
                )
            except Unavailable as error:
                self.note_missing(str(error))
        else:
            self.cached += 1
        self.print_progress(name)
        return data

    def fetch_windows(
        self,
        bases: "list[str]",
        path: str,
        outer: str,
        inner: str,
        begin_key: str,
        end_key: str,
        first: int,
        last: int,
        **values: "Any",
    ) -> "list[dict[str, Any]]":
        """All objects of a list whose time lies in a span; the span is halved while an answer is full, as the
        servers know no pages.
        """
        pending = [(first, last)]
        by_id: dict[str, dict[str, Any]] = {}
        while pending:
            first, last = pending.pop()
            answer = self.client.get_json(
                bases, path, limit=PAGE_SIZE, **dict(values, **{begin_key: first, end_key: last})
            )
            entries = list_entries(answer, outer, inner)
            if len(entries) >= PAGE_SIZE and first < last:
                middle = (first + last) // 2
                pending += [(middle + 1, last), (first, middle)]
                continue
            if len(entries) >= PAGE_SIZE:
                self.note_missing(
                    f"{path}: more than {PAGE_SIZE} of one millisecond: only the first are there"
                )
            by_id.update((str(entry.get("id")), entry) for entry in entries)
        return list(by_id.values())

    def fetch_span(
        self,
        name: str,
        bases: "list[str]",
        path: str,
        outer: str,
        inner: str,
        shape: "Any",
        **values: "Any",
    ) -> "list[dict[str, Any]]":
        """What started in the span, and what started before it and was still running in it."""
        data = self.folder.read(name)
        if data is None:
            first, last = self.span
            earlier = dict(values, startedTimeEnd=max(first - 1, 0))
            try:
                entries = self.fetch_windows(
                    bases, path, outer, inner, "startedTimeBegin", "startedTimeEnd", first, last, **values
                )
                entries += self.fetch_windows(
                    bases,
                    path,
                    outer,
                    inner,
                    "finishedTimeBegin",
                    "finishedTimeEnd",
                    first,
                    max(last, int(time.time() * 1000)),
                    **earlier,
                )
                if outer == "apps":
                    entries += list_entries(
                        self.client.get_json(bases, path, states="RUNNING,ACCEPTED", **earlier), outer, inner
                    )
            except Unavailable as error:
                raise FatalError(f"nothing can be collected: {error}") from None
            unique = list(
                {
                    str(entry.get("id")): entry
                    for entry in entries
                    if re.fullmatch(r"(application|job)_[0-9]+_[0-9]+", str(entry.get("id")))
                }.values()
            )
            data = self.folder.write(
                name, filter_fields({outer: {inner: unique}}, {outer: {inner: [shape]}}, self.names)
            )
        return list_entries(data, outer, inner)
