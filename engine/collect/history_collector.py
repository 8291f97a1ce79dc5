"""What is asked, in which order."""

import json
import os
import re
import sys
import time

from engine.collect.done_folder import as_xml, bytes_of, histories_of, job_properties, properties
from engine.collect.kept_fields import (
    ADDRESS,
    APP,
    ATTEMPT,
    COUNTED,
    COUNTERS,
    INFO,
    MASTER,
    METRICS,
    NODE,
    OF_JOB,
    PROPERTY,
    SCHEDULER,
    SITE,
    TASK,
    cut,
    listed,
)
from engine.collect.rest_server import VERSION, Missing, Wrong

RM, JHS = "/ws/v1/cluster", "/ws/v1/history/mapreduce"
PAGE = 1000  # applications or jobs asked for at once
MOST_MISSING = 1000  # sentences of the manifest
OF_A_JOB = 5  # requests, beside one a task


def duration(seconds):
    minutes = int(seconds + 30) // 60
    return "{} h {:02d} min".format(*divmod(minutes, 60)) if minutes >= 60 else f"{minutes} min" if minutes > 1 else f"{int(seconds)} s"


class Collection:
    """One call's work, request after request."""

    def __init__(self, call, server, folder, names, span):
        self.call, self.server, self.folder, self.names, self.span = call, server, folder, names, span
        self.missing, self.counts = [], {"applications": 0, "jobs": 0, "tasks": 0, "attempts": 0, "nodes": 0, "job history files": 0}
        self.began = self.told = time.monotonic()
        self.done, self.total, self.asked_before = 0, 0, 0

    def all(self):
        """Everything that the call asks for, and the manifest of it."""
        version = apps = jobs = None
        if self.call.rm:
            version, apps = self.resource_manager()
        if self.call.jhs:
            jobs = self.in_span("history/jobs.json", self.call.jhs, JHS + "/jobs", "jobs", "job", OF_JOB)
        if self.call.rm or self.call.jhs:
            self.announce(apps or [], jobs or [])
        for app in apps or []:
            name = "rm/appattempts/{}.json".format(app["id"])
            self.keep(name, self.call.rm, "{}/apps/{}/appattempts".format(RM, app["id"]), {"appAttempts": {"appAttempt": [MASTER]}})
        for job in jobs or []:
            self.job(job["id"])
        if self.call.history:
            self.job_history_files()
        self.compare(apps, jobs)
        servers = {"resource_manager": self.call.rm, "job_history_server": self.call.jhs}
        hosts = {
            key: [re.sub("(//)(.*)", lambda found: found.group(1) + self.names.of(ADDRESS, found.group(2)), url) for url in urls]
            for key, urls in servers.items()
        }
        self.folder.write("manifest.json", {"gantry_collect": {
            "version": VERSION,
            "collected_ms": int(time.time() * 1000),
            "span_ms": self.span,
            "asked": hosts,
            "hadoop_version": version,
            "counts": self.counts,
            "requests": self.server.count,
            "attempts": self.call.attempts,
            "anonymised": self.names.fingerprint() and {"key": self.names.fingerprint(), "queues": self.names.queues},
            "missing": self.missing[:MOST_MISSING] + ["and %s more" % (len(self.missing) - MOST_MISSING)] * (len(self.missing) > MOST_MISSING),
        }})  # fmt: skip

    def resource_manager(self):
        """The cluster's version and its applications, after all that is asked once."""
        info = self.keep("rm/info.json", self.call.rm, RM + "/info", INFO)
        if info is None:
            raise Wrong(f"nothing can be collected: {self.missing[-1]}")
        self.keep("rm/metrics.json", self.call.rm, RM + "/metrics", METRICS)
        self.keep("rm/scheduler.json", self.call.rm, RM + "/scheduler", SCHEDULER)
        nodes = self.keep("rm/nodes.json", self.call.rm, RM + "/nodes", {"nodes": {"node": [NODE]}})
        self.counts["nodes"] = len(listed(nodes, "nodes", "node"))
        self.site()
        apps = self.in_span("rm/apps.json", self.call.rm, RM + "/apps", "apps", "app", APP, deSelects="resourceRequests")
        self.counts["applications"] = len(apps)
        return (info.get("clusterInfo") or {}).get("hadoopVersion"), apps

    def site(self):
        """What the ResourceManager's own configuration says of its scheduler, as yarn-site.xml: its answers leave out much of that."""
        if os.path.exists(self.folder.place("rm/yarn-site.xml")):
            return
        try:
            found = self.server.ask(self.call.rm, "/conf", format="json")
        except Missing as error:
            self.lack(f"{error} (settings of the scheduler beyond its queues)")
            return
        pairs = [(one.get("key"), one.get("value")) for one in listed({"all": found}, "all", "properties")]
        kept = properties(pairs, SITE.fullmatch, self.names)
        self.folder.write("rm/yarn-site.xml", as_xml(kept))

    def job(self, job):
        """One job of the JobHistory server, with its tasks and their attempts."""
        name, path = f"history/job/{job}/", f"{JHS}/jobs/{job}"
        self.keep(name + "job.json", self.call.jhs, path, {"job": OF_JOB})
        self.keep(name + "jobattempts.json", self.call.jhs, path + "/jobattempts", {"jobAttempts": {"jobAttempt": [MASTER]}})
        self.keep(name + "conf.json", self.call.jhs, path + "/conf", lambda answer: self.conf(job, answer))
        self.keep(name + "counters.json", self.call.jhs, path + "/counters", self.counters)
        tasks = listed(self.keep(name + "tasks.json", self.call.jhs, path + "/tasks", {"tasks": {"task": [TASK]}}), "tasks", "task")
        self.counts["jobs"] += 1
        self.counts["tasks"] += len(tasks)
        if self.call.attempts == "all":
            self.attempts(name, path, [str(one.get("id")) for one in tasks if re.match("task_[0-9]+_[0-9]+_[mr]_[0-9]+$", str(one.get("id")))])

    def conf(self, job, answer):
        """What a simulation needs of a job's properties; the path says whose they are, which the answer has nowhere else."""
        pairs = [(one.get("name"), one.get("value")) for one in listed(answer, "conf", "property")]
        kept = properties(pairs, PROPERTY.fullmatch, self.names)
        return {"conf": {"path": job + "_conf.xml", "property": [{"name": name, "value": value} for name, value in kept]}}

    def counters(self, answer):
        found = cut(answer, COUNTERS, self.names)
        for group in found.get("jobCounters", {}).get("counterGroup", []):
            group["counter"] = [one for one in group.get("counter", []) if COUNTED.fullmatch(str(one.get("name")))]
        return found

    def attempts(self, name, path, tasks):
        """The attempts of a job's tasks, a request a task: each is kept at once, so that an interruption costs one."""
        if os.path.exists(self.folder.place(name + "attempts.json")):
            self.counts["attempts"] += len(listed(self.folder.read(name + "attempts.json"), "taskAttempts", "taskAttempt"))
            self.asked_before += len(tasks)
            self.done += len(tasks)
            return
        part, known = self.folder.place(name + "attempts.part"), {}
        if os.path.exists(part):
            with open(part) as stream:
                for line in stream:
                    if line.endswith("\n"):
                        task, found = json.loads(line)
                        known[task] = found
        lacking = 0
        with open(part, "a") as stream:
            for task in tasks:
                self.tell(name)
                if task in known:
                    self.asked_before += 1
                    continue
                try:
                    answer = self.server.ask(self.call.jhs, f"{path}/tasks/{task}/attempts")
                except Missing as error:
                    lacking += 1
                    if lacking <= 3:
                        self.lack(str(error))
                    continue
                known[task] = listed(cut(answer, {"taskAttempts": {"taskAttempt": [ATTEMPT]}}, self.names), "taskAttempts", "taskAttempt")
                stream.write(json.dumps([task, known[task]]) + "\n")
                stream.flush()
        if lacking > 3:
            self.lack(f"{path}: attempts of {lacking - 3} more tasks")
        found = [one for task in tasks for one in known.get(task, [])]
        self.counts["attempts"] += len(found)
        self.folder.write(name + "attempts.json", {"taskAttempts": {"taskAttempt": found}})
        os.remove(part)

    def job_history_files(self):
        for path, conf in histories_of(self.call.history, *self.span):
            name = "done/" + os.path.basename(path)
            if not os.path.exists(self.folder.place(name)):
                with open(path, "rb") as stream:
                    self.folder.write(name, stream.read())
            if conf:
                self.folder.write("done/" + re.sub(r"\.gz$", "", os.path.basename(conf)), job_properties(bytes_of(conf), self.names))
            else:
                self.lack(f"{os.path.basename(path)}: its _conf.xml is not beside it")
            self.counts["job history files"] += 1
            self.tell(name)

    def announce(self, apps, jobs):
        """How much there is to ask, before it is asked."""
        tasks = sum(one[key] for one in jobs for key in ("mapsTotal", "reducesTotal") if isinstance(one.get(key), int))
        self.total = self.done + len(apps) + OF_A_JOB * len(jobs) + (tasks if self.call.attempts == "all" else 0)
        if not self.call.quiet:
            told = "{} applications, {} jobs, {} tasks: about {} requests, {} at {:g} a second\n"
            least = duration((self.total - self.done) / self.call.rate)
            sys.stderr.write(told.format(len(apps), len(jobs), tasks, self.total, least, self.call.rate))

    def compare(self, apps, jobs):
        """Tells of MapReduce applications whose job history is not there."""
        if apps is None or jobs is None:
            return
        known = {one["id"].partition("_")[2] for one in jobs}
        without = [one for one in apps if one.get("applicationType") == "MAPREDUCE" and one["id"].partition("_")[2] not in known]
        running = [one for one in without if not one.get("finishedTime")]
        for found, why in ((running, "are not finished"), ([one for one in without if one.get("finishedTime")], "have no job history there")):
            if found:
                self.lack("{} MapReduce applications {}: they are there as what they held alone, such as {}".format(len(found), why, found[0]["id"]))

    def tell_end(self, out, size):
        """What is in the archive and what is missing, on standard error."""
        counts = ", ".join(f"{count} {what}" for what, count in self.counts.items() if count)
        sys.stderr.write(
            "{}{}: {}; {:.1f} MB, {} requests\n".format("\r" if sys.stderr.isatty() else "", out, counts or "nothing", size / 1e6, self.server.count)
        )
        for sentence in self.missing[:20]:
            sys.stderr.write(f"missing: {sentence}\n")
        if len(self.missing) > 20:
            sys.stderr.write("missing: %s more, which the manifest lists\n" % (len(self.missing) - 20))

    def lack(self, sentence):
        self.missing.append(sentence)

    def tell(self, what):
        """How far it is, on standard error: at most every 2 s, or 30 s where that is no terminal."""
        self.done += 1
        now = time.monotonic()
        terminal = sys.stderr.isatty()
        if self.call.quiet or now - self.told < (2 if terminal else 30):
            return
        self.told = now
        left = (now - self.began) / max(self.done - self.asked_before, 1) * max(self.total - self.done, 0)
        line = f"{what}; {self.done} of about {max(self.total, self.done)} answers, about {duration(left)} to go; {len(self.missing)} missing"
        sys.stderr.write(("\r%-110s" if terminal else "%s\n") % line)
        sys.stderr.flush()

    def keep(self, name, bases, path, shape, **values):
        """The answer, cut and written, or as it was written before; None where it can't be had."""
        found = self.folder.read(name)
        if found is None:
            try:
                answer = self.server.ask(bases, path, **values)
                found = self.folder.write(name, shape(answer) if callable(shape) else cut(answer, shape, self.names))
            except Missing as error:
                self.lack(str(error))
        else:
            self.asked_before += 1
        self.tell(name)
        return found

    def windows(self, bases, path, outer, inner, begins, ends, first, last, **values):
        """All objects of a list whose time lies in a span; the span is halved while an answer is full, as the servers know no pages."""
        waiting, found = [(first, last)], {}
        while waiting:
            first, last = waiting.pop()
            answer = self.server.ask(bases, path, limit=PAGE, **dict(values, **{begins: first, ends: last}))
            here = listed(answer, outer, inner)
            if len(here) >= PAGE and first < last:
                middle = (first + last) // 2
                waiting += [(middle + 1, last), (first, middle)]
                continue
            if len(here) >= PAGE:
                self.lack(f"{path}: more than {PAGE} of one millisecond: only the first are there")
            found.update((str(one.get("id")), one) for one in here)
        return list(found.values())

    def in_span(self, name, bases, path, outer, inner, shape, **values):
        """What began in the span, and what began before and went on in it."""
        kept = self.folder.read(name)
        if kept is None:
            first, last = self.span
            before = dict(values, startedTimeEnd=max(first - 1, 0))
            try:
                found = self.windows(bases, path, outer, inner, "startedTimeBegin", "startedTimeEnd", first, last, **values)
                found += self.windows(bases, path, outer, inner, "finishedTimeBegin", "finishedTimeEnd", first, max(last, int(time.time() * 1000)), **before)
                if outer == "apps":
                    found += listed(self.server.ask(bases, path, states="RUNNING,ACCEPTED", **before), outer, inner)
            except Missing as error:
                raise Wrong(f"nothing can be collected: {error}") from None
            once = list({str(one.get("id")): one for one in found if re.fullmatch(r"(application|job)_[0-9]+_[0-9]+", str(one.get("id")))}.values())
            kept = self.folder.write(name, cut({outer: {inner: once}}, {outer: {inner: [shape]}}, self.names))
        return listed(kept, outer, inner)
