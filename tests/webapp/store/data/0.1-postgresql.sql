-- As Gantry 0.1 left it in PostgreSQL (pg_dump --inserts).
CREATE TABLE public.links (
    id character varying(16) NOT NULL,
    title text NOT NULL,
    scenario text NOT NULL,
    schedulers text NOT NULL,
    metrics text NOT NULL,
    version character varying(40) NOT NULL,
    created timestamp with time zone NOT NULL
);
INSERT INTO public.links VALUES('d7e1f394cf8139c3','Kept by 0.1: ünï''code','{"version": 1, "name": "Kept by 0.1: ünï''code", "cluster": {"nodes": [{"count": 2, "memory_mb": 4096, "vcores": 4}]}, "jobs": [{"name": "one", "maps": {"count": 6, "memory_mb": 1024, "vcores": 1, "duration_s": 10.0}, "reduces": {"count": 2, "memory_mb": 1024, "vcores": 1, "duration_s": 5.0}, "shuffle_mb_per_map": 50.0}]}','["fair", "fifo"]','[{"makespan_s": 17.75, "mean_wait_s": 0.0, "mean_turnaround_s": 17.75, "memory_utilization": 0.528169014084507, "vcore_utilization": 0.528169014084507, "containers": 8, "max_wait_s": 0.0, "p95_turnaround_s": 17.75, "max_turnaround_s": 17.75, "mean_slowdown": 1.1639344262295082, "max_slowdown": 1.1639344262295082, "fairness": 1.0, "killed_containers": 0, "killed_container_s": 0.0}, {"makespan_s": 17.75, "mean_wait_s": 0.0, "mean_turnaround_s": 17.75, "memory_utilization": 0.528169014084507, "vcore_utilization": 0.528169014084507, "containers": 8, "max_wait_s": 0.0, "p95_turnaround_s": 17.75, "max_turnaround_s": 17.75, "mean_slowdown": 1.1639344262295082, "max_slowdown": 1.1639344262295082, "fairness": 1.0, "killed_containers": 0, "killed_container_s": 0.0}]','0.1.0','2025-10-01 08:00:00+00');
ALTER TABLE ONLY public.links
    ADD CONSTRAINT links_pkey PRIMARY KEY (id);
