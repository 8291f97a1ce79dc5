"""What a scheduler is: the view of a run, the policies and their catalogue, schedulers by name. A policy sees
the view and terms (of papers in terms/, of Hadoop in hadoop/) alone, and an order its index.

May import: codes, errors, java_hash, messages, resource_types, run_records.
"""
