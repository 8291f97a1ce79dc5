"""What FairScheduler and CapacityScheduler both do, each in its way: jobs that come, wait, run and leave,
what queues count, reservations, headroom, delays for locality, containers that are killed, nodes that come
and go.
"""
