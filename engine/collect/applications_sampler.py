"""What each application holds over time: the ResourceManager's answers `apps`, as they are."""

from typing import Any

from engine.collect.history_collector import RM
from engine.collect.kept_fields import APP_FIELDS, filter_fields, list_entries
from engine.collect.sampler import Sampler


class ApplicationsSampler(Sampler):
    """Of those that run, or wait for their master."""

    LINE_START = '{"apps":'

    def sample(self, now: int) -> "dict[str, Any]":
        """Without `now`: each application tells its own time."""
        answer = self.client.get_json(
            self.options.rm, RM + "/apps", states="RUNNING,ACCEPTED", deSelects="resourceRequests"
        )
        entries = list_entries(answer, "apps", "app")
        return {"apps": {"app": filter_fields(entries, [APP_FIELDS], self.names)}}
