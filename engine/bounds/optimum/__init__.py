"""The best schedule that can be found with full knowledge, and how much better any other can be at most:
OR-Tools CP-SAT on the simulator's own model.

planned_batch.py   what is to be planned: each container with its size, its time on each node and what must
                   come before it
plan_times.py      when everything happens in a plan, once each container has its node and its start
plan_model.py      the constraints, for CP-SAT
energy_bound.py    a bound by what must lie between two instants
plan_order.py      an order that follows a plan, so that the simulator itself says what comes of it
list_search.py     lists of priorities, changed a little at a time
plan_search.py     the search, a process of its own; plan_solver.py  starts it, reads its progress and ends it
optimum.py         all of it: the run `optimum` and what is proved; optimum_text.py  its sentences and JSON

May import: what engine.bounds may.
"""
