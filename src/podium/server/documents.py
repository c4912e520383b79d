"""Queries and rankings as JSON documents."""

from typing import Any

from podium.data.ratings import Ranking
from podium.server.entries import moment
from podium.server.shapes import AskedQuery, WaitingQuery
from podium.store import Waiting
from podium.study.study import Query


def asked_query(query: Query) -> AskedQuery:
    """Give a query as an ask answers it."""
    return AskedQuery(
        query.id,
        query.lease_token,
        query.task,
        list(query.agents),
        moment(query.expires),
        query.cost,
        query.why,
    )


def waiting_query(one: Waiting) -> WaitingQuery:
    """Give a query that waits, or is out with a worker."""
    return WaitingQuery(one.id, one.data["task"], list(one.data["agents"]), one.leases, one.left)


def ranking_document(ranking: Ranking) -> dict[str, Any]:
    """Give a ranking as `podium rank` prints it, with its tiers and certainty beside."""
    document = ranking.to_dict()
    info = document["results"][0]["info"]
    return {
        **document,
        "tiers": [list(tier) for tier in ranking.tiers],
        "confidence": info["confidence"],
        "stopped": info["stopped"],
    }
