"""Indexes: how the engine finds an order's choice without a look at all that waits (policy.Index).

May import: hadoop, policy, terms, view.
"""
