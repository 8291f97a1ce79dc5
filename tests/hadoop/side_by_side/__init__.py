"""One workload through the engine, Hadoop's schedulers in the referee, and YARN's Scheduler Load
Simulator.
"""
