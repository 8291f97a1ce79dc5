"""The ResourceManager's queue metrics over time: a line of JSON a sample, in a file that grows."""

import argparse
import json
import os
import sys
import time
from typing import Any

from engine.collect.anonymiser import Anonymiser
from engine.collect.kept_fields import BEAN_FIELDS, filter_fields
from engine.collect.rest_client import FatalError, RestClient, Unavailable

JMX_QUERY = "Hadoop:service=ResourceManager,name=*Metrics,*"  # QueueMetrics and ClusterMetrics in one answer
SAMPLED_BEANS = ("QueueMetrics", "ClusterMetrics")
LINE_START = '{"sampled_ms":'


class MetricsSampler:
    """Appends samples to a file until a time, or until it is interrupted."""

    def __init__(self, options: argparse.Namespace, client: RestClient, names: Anonymiser) -> None:
        self.options, self.client, self.names = options, client, names
        self.count = self.missed = 0
        self.fault = ""

    def run(self, until_ms: "int | None") -> None:
        """until_ms: since 1970; None for no end. FatalError where the first sample can't be had, or the file
        holds something else.
        """
        path = self.options.out
        if os.path.exists(path):
            with open(path, errors="replace") as stream:
                if not (stream.read(len(LINE_START)) or LINE_START).startswith(LINE_START):
                    raise FatalError(f"{path} is no file of samples: give another --out")
        with open(path, "a") as stream:
            next_ms = time.time() * 1000
            try:
                while until_ms is None or next_ms <= until_ms:
                    self.wait_until(next_ms)
                    self.append_sample(stream)
                    next_ms += 1000 * self.options.metrics
            except KeyboardInterrupt:
                pass
        missed = f", {self.missed} missing, such as: {self.fault}" if self.missed else ""
        sys.stderr.write(f"{path}: {self.count} samples more{missed}\n")

    def wait_until(self, wanted_ms: float) -> None:
        time.sleep(max(0.0, wanted_ms / 1000 - time.time()))

    def append_sample(self, stream: "Any") -> None:
        now = int(time.time() * 1000)
        try:
            beans = self.beans()
        except Unavailable as error:
            if not self.count:
                raise FatalError(f"nothing can be sampled: {error}") from None
            self.missed += 1
            self.fault = str(error)
            return
        stream.write(json.dumps({"sampled_ms": now, "beans": beans}, separators=(",", ":")) + "\n")
        stream.flush()
        self.count += 1

    def beans(self) -> "list[dict[str, Any]]":
        """Of the ResourceManager that is active: a standby one has no queues."""
        fault = Unavailable("/jmx: no ResourceManager tells metrics of queues")
        for base in self.options.rm:
            try:
                beans = self.kept_beans(self.client.get_json([base], "/jmx", qry=JMX_QUERY))
            except Unavailable as error:
                fault = error
                continue
            if any("tag.Queue" in bean for bean in beans):
                return beans
        raise fault

    def kept_beans(self, answer: "Any") -> "list[dict[str, Any]]":
        """Those of queues, without those of their users, and the cluster's own. Their names, which repeat the
        queue's, are cut.
        """
        kept = []
        for bean in filter_fields(answer, {"beans": [BEAN_FIELDS]}, self.names).get("beans", []):
            head, _, more = str(bean.get("name")).partition(",name=")
            kind = more.partition(",")[0]
            if kind in SAMPLED_BEANS and ",user=" not in more:
                kept.append(dict(bean, name=f"{head},name={kind}"))
        return kept
