"""Stores: where studies are kept, and nothing that was acknowledged is lost.

A store keeps for each study its specification, its log, and the queries that
are out with workers. `open_store` finds the store that a URL names; every
store is a `Store`, and `contract.py` holds the tests that each must pass.
"""

from podium.store._opening import open_store
from podium.store.records import (
    Entry,
    Event,
    Lease,
    Question,
    Settled,
    Standing,
    Store,
    Waiting,
)

__all__ = [
    "Entry",
    "Event",
    "Lease",
    "Question",
    "Settled",
    "Standing",
    "Store",
    "Waiting",
    "open_store",
]
