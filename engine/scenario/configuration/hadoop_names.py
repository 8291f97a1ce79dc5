"""What Hadoop calls the fields of a scenario: the same tables that read and write its files."""

from __future__ import annotations

from engine.scenario.configuration import capacity_table, fair_table, site_table
from engine.scenario.configuration.property_table import Row

# which their siblings bear on, so that no row has them
CAPACITIES = {
    "capacity_pct": ("capacity",),
    "max_capacity_pct": ("maximum-capacity",),
}


def hadoop_names(owner: str) -> dict[str, tuple[str, ...]]:
    """Of each field of a queue or the cluster (owner), dots for one within another: its element in
    fair-scheduler.xml, or its property's name.

    A queue's properties stand there without the queue: `capacity` is yarn.scheduler.capacity.QUEUE.capacity.
    """
    tables = (fair_table.QUEUE, capacity_table.QUEUE) if owner == "queue" else (site_table.SITE,)
    rows: list[Row] = [row for table in tables for row in table.rows if row.owner == owner]
    names: dict[str, tuple[str, ...]] = dict(CAPACITIES) if owner == "queue" else {}
    for row in rows:
        names[row.target] = tuple(dict.fromkeys((*names.get(row.target, ()), row.names[0])))
    return names
