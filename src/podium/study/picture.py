"""A picture of a study: all that is known at one moment, by the order of its roster."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.arrays import Floats, Ints, locked
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.study.history import NOBODY
from podium.study.ledger import Ledger
from podium.study.past import scores_of
from podium.study.reporting import ranking_of, status_of
from podium.study.spec import StudySpec


@dataclass(frozen=True, eq=False)
class Picture:
    """All that is known of a study at one moment; what comes later does not change it.

    Attributes:
        spec: What the study is made of.
        seq: Place in the log of the last entry that is in it.
        status: How the study stands, in figures.
        ranking: The ranking by all that was told.
        pairs: Probability that the row agent is truly above the column agent.
        places: Probability of each place, agents x places.
        plays: Scores of each cell, tasks x agents.
        means: Mean score of each cell, 0 without a score.
        costs: What a score of each cell costs.
        queries: What was answered, in order: task, agent, and another agent or -1.
        answers: The scores of these.
        scores: All scores so far.
    """

    spec: StudySpec
    seq: int
    status: dict[str, Any]
    ranking: Ranking
    pairs: Floats
    places: Floats
    plays: Ints
    means: Floats
    costs: Floats
    queries: Ints
    answers: Floats
    scores: Scores


def picture_of(ledger: Ledger, level: float) -> Picture:
    """Take a picture of a study.

    Args:
        ledger: What its log adds up to.
        level: Chance that the true rank lies within each interval.
    """
    evaluation, posterior = ledger.evaluation, ledger.posterior()
    evaluator, records = evaluation.evaluator, evaluation.records
    own, labels = evaluator.own, evaluator.labels
    inner = evaluator.history.queries()
    others = np.where(inner[:, 2] == NOBODY, NOBODY, labels.agents[inner[:, 2]])
    outer = [labels.tasks[inner[:, 0]], labels.agents[inner[:, 1]], others]
    return Picture(
        spec=ledger.spec,
        seq=ledger.seq,
        status=status_of(ledger),
        ranking=ranking_of(ledger, level),
        pairs=locked(posterior.pairs[np.ix_(own.agents, own.agents)]),
        places=locked(posterior.places[own.agents].copy()),
        plays=locked(evaluation.cells(records.plays)),
        means=locked(evaluation.cells(records.means)),
        costs=locked(evaluation.costs.copy()),
        queries=locked(np.stack(outer, axis=1)),
        answers=locked(evaluator.history.scores().copy()),
        scores=scores_of(ledger),
    )
