"""How a study came to where it is: its log once more, looked at now and then."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.data.roster import Roster
from podium.data.scores import Scores
from podium.store import Entry
from podium.study.evaluation import Evaluation
from podium.study.history import NOBODY
from podium.study.ledger import Ledger
from podium.study.spec import StudySpec

LOOKS = 12
"""So many times the certainty is told, more often early on, when it changes most."""


class Look(NamedTuple):
    """How certain a study was at some time.

    Attributes:
        heard: Answers and results so far.
        spent: Their cost.
        certainty: Probability that what has to be right was.
    """

    heard: int
    spent: float
    certainty: float


class Past(NamedTuple):
    """What the log of a study tells.

    Attributes:
        agents: The agents, in the order of the arrays.
        looks: How certain it was, from its beginning to its end.
        places: Probability of each place now, agents x places.
        pairs: Probability now that the row agent is truly above the column agent.
        scores: All scores.
    """

    agents: tuple[str, ...]
    looks: tuple[Look, ...]
    places: Floats
    pairs: Floats
    scores: Scores


def past_of(study: Any, *, looks: int = LOOKS) -> Past:
    """Go through the log of a study, here or on a server, and look at it now and then."""
    entries = study.log()
    store = getattr(study, "store", None)
    spec = study.spec if store is None else StudySpec.of(**store.load(study.name))
    ledger = Ledger(Evaluation(spec))
    found = _looked(ledger, entries, _moments(entries, len(spec.agents), looks))
    own = ledger.evaluation.evaluator.own.agents
    posterior = ledger.posterior()
    return Past(
        agents=tuple(ledger.spec.agents),
        looks=tuple(found),
        places=np.asarray(posterior.places[own]),
        pairs=np.asarray(posterior.pairs[np.ix_(own, own)]),
        scores=scores_of(ledger),
    )


def _moments(entries: Sequence[Entry], agents: int, looks: int) -> set[int]:
    """Choose at how many answers to look, the last among them."""
    heard = sum(entry.kind in ("told", "added") for entry in entries)
    first = min(agents, heard)
    return set(np.rint(np.geomspace(first, heard, looks)).astype(int).tolist()) if heard else set()


def _looked(ledger: Ledger, entries: Sequence[Entry], moments: set[int]) -> list[Look]:
    found: dict[int, Look] = {}
    for entry in entries:
        ledger.take(entry)
        heard = ledger.heard
        if heard in moments and heard not in found:
            certainty = ledger.posterior().chance(ledger.spec.top)
            found[heard] = Look(heard, ledger.spent, certainty)
    return list(found.values())


def scores_of(ledger: Ledger) -> Scores:
    """Give all scores that a ledger has learned."""
    evaluator, spec = ledger.evaluation.evaluator, ledger.spec
    queries, scores = evaluator.history.queries(), evaluator.history.scores()
    there = queries[:, 1:] != NOBODY
    tasks = np.repeat(evaluator.labels.tasks[queries[:, :1]], 2, axis=1)[there]
    agents = evaluator.labels.agents[np.where(there, queries[:, 1:], 0)][there]
    return Scores.from_codes(Roster.of(spec.agents, spec.tasks), tasks, agents, scores[there])
