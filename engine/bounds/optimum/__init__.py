"""The best schedule that can be found with full knowledge, and how much better any other can be at most: OR-Tools CP-SAT on the simulator's own model.

planned_batch.py   what is to be planned: each container with its size, its time on each node and what must come before it
plan_times.py      when everything happens in a plan, once each container has its node and its start
plan_model.py      the constraints, the only importer of ortools
plan_solver.py     the solver in its own process, with a time limit, heard as it goes
plan_order.py      an order that follows a plan, so that the simulator itself says what comes of it
optimum.py         all of it: the run `optimum` and what is proved

May import: what engine.bounds may.
"""
