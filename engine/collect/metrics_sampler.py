"""The ResourceManager's queue metrics over time."""

from typing import Any

from engine.collect.kept_fields import BEAN_FIELDS, filter_fields
from engine.collect.rest_client import Unavailable
from engine.collect.sampler import Sampler

JMX_QUERY = "Hadoop:service=ResourceManager,name=*Metrics,*"  # QueueMetrics and ClusterMetrics in one answer
SAMPLED_BEANS = ("QueueMetrics", "ClusterMetrics")


class MetricsSampler(Sampler):
    """Of all queues, with the time of the sample, which the answer does not tell."""

    LINE_START = '{"sampled_ms":'

    def sample(self, now: int) -> "dict[str, Any]":
        return {"sampled_ms": now, "beans": self.beans()}

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
