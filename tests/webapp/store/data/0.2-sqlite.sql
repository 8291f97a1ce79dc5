-- As Gantry 0.2 left it in SQLite (sqlite3's .dump).
CREATE TABLE links (
    id VARCHAR(16) NOT NULL,
    title TEXT NOT NULL,
    scenario TEXT NOT NULL,
    schedulers TEXT NOT NULL,
    metrics TEXT NOT NULL,
    version VARCHAR(40) NOT NULL,
    created DATETIME NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO links VALUES('7686ba526f1f3fc2','Kept by 0.2: ünï''code','{"version": 1, "name": "Kept by 0.2: ünï''code", "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]}, "jobs": [{"name": "one", "maps": {"count": 6, "memory_mb": 1024, "vcores": 1, "duration_s": 10.0}, "reduces": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 5.0}, "shuffle_mb_per_map": 50.0}]}','["fair", "fifo"]','[{"makespan_s": 17.75, "mean_wait_s": 0.0, "mean_turnaround_s": 17.75, "memory_utilization": 0.528169014084507, "vcore_utilization": 0.528169014084507, "containers": 8, "max_wait_s": 0.0, "p95_turnaround_s": 17.75, "max_turnaround_s": 17.75, "mean_slowdown": 1.1639344262295082, "max_slowdown": 1.1639344262295082, "fairness": 1.0, "failed_jobs": 0, "failed_containers": 0, "lost_containers": 0, "wasted_container_s": 0.0, "killed_containers": 0, "killed_container_s": 0.0}, {"makespan_s": 17.75, "mean_wait_s": 0.0, "mean_turnaround_s": 17.75, "memory_utilization": 0.528169014084507, "vcore_utilization": 0.528169014084507, "containers": 8, "max_wait_s": 0.0, "p95_turnaround_s": 17.75, "max_turnaround_s": 17.75, "mean_slowdown": 1.1639344262295082, "max_slowdown": 1.1639344262295082, "fairness": 1.0, "failed_jobs": 0, "failed_containers": 0, "lost_containers": 0, "wasted_container_s": 0.0, "killed_containers": 0, "killed_container_s": 0.0}]','0.2.0','2025-10-01 08:00:00.000000');
