"""What has been seen so far, in sums that each round brings up to date, and what may be asked."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.kernels.compiled import kernel

ENDLESS = 1 << 40
"""Room of a cell that may be asked for again and again."""

HALF = 0.5
"""What a score costs if nothing is said: a query is about two, and costs 1."""


class Sizes(NamedTuple):
    """How many agents and tasks there are."""

    agents: int
    tasks: int


class Terms(NamedTuple):
    """What may be asked, what it costs, and what is out with workers.

    Attributes:
        asked: One number: the queries chosen so far.
        room: Scores that each cell may still be asked for, tasks x agents.
        pending: Scores of each cell that are out with workers.
        out: The queries that are out, each as one number; -1 where none is.
        costs: What a score of each cell costs.
        priced: One flag: whether costs differ.
        purse: One number: what a query may cost at most.
        strict: Tasks on which some cell has no room or is out, or where costs differ.
        changes: How often room or pending of each task changed.
    """

    asked: Ints
    room: Ints
    pending: Ints
    out: Ints
    costs: Floats
    priced: Bools
    purse: Floats
    strict: Bools
    changes: Ints


class Records(NamedTuple):
    """Sums over all rounds so far. Each can be told from the log; none knows a label.

    A round brings the scores of two agents, or of one alone.

    Attributes:
        rounds: One number: the rounds so far.
        plays: Scores of each cell, tasks x agents.
        means: Mean score of each cell, 0 without a score.
        squares: Squared deviations from the mean of each cell, added up.
        agent_plays: Scores of each agent.
        agent_means: Mean of all scores of each agent, over all tasks.
        task_rounds: Rounds on each task.
        wins: Matches that the row agent won against the column agent; a tie is half a win each.
        noise: Standard deviation of repeated scores on each task; not a number if unknown.
    """

    rounds: Ints
    plays: Ints
    means: Floats
    squares: Floats
    agent_plays: Ints
    agent_means: Floats
    task_rounds: Ints
    wins: Floats
    noise: Floats


class View(NamedTuple):
    """What a strategy sees beside a belief: what was seen, and what may be asked."""

    records: Records
    terms: Terms


def no_terms(sizes: Sizes) -> Terms:
    """Make the terms on which everything may be asked at any time."""
    cells = (sizes.tasks, sizes.agents)
    return Terms(
        asked=np.zeros(1, dtype=np.int64),
        room=np.full(cells, ENDLESS),
        pending=np.zeros(cells, dtype=np.int64),
        out=np.full(8, -1),
        costs=np.full(cells, HALF),
        priced=np.zeros(1, dtype=np.bool_),
        purse=np.full(1, np.inf),
        strict=np.zeros(sizes.tasks, dtype=np.bool_),
        changes=np.zeros(sizes.tasks, dtype=np.int64),
    )


def no_records(sizes: Sizes) -> Records:
    """Make the records of no round.

    >>> no_records(Sizes(agents=3, tasks=2)).plays.shape
    (2, 3)
    """
    cells = (sizes.tasks, sizes.agents)
    return Records(
        rounds=np.zeros(1, dtype=np.int64),
        plays=np.zeros(cells, dtype=np.int64),
        means=np.zeros(cells),
        squares=np.zeros(cells),
        agent_plays=np.zeros(sizes.agents, dtype=np.int64),
        agent_means=np.zeros(sizes.agents),
        task_rounds=np.zeros(sizes.tasks, dtype=np.int64),
        wins=np.zeros((sizes.agents, sizes.agents)),
        noise=np.full(sizes.tasks, np.nan),
    )


@kernel
def record(records: Records, query: Ints, scores: Floats) -> None:
    """Add a round: the query (task, one agent, and maybe another) and the scores (Welford 1962)."""
    task = query[0]
    records.rounds[0] += 1
    records.task_rounds[task] += 1
    for side in range(len(scores)):
        agent, score = query[1 + side], scores[side]
        records.plays[task, agent] += 1
        off = score - records.means[task, agent]
        records.means[task, agent] += off / records.plays[task, agent]
        records.squares[task, agent] += off * (score - records.means[task, agent])
        records.agent_plays[agent] += 1
        records.agent_means[agent] += (score - records.agent_means[agent]) / records.agent_plays[
            agent
        ]
    if len(scores) > 1:
        credit = 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
        records.wins[query[1], query[2]] += credit
        records.wins[query[2], query[1]] += 1.0 - credit


@kernel
def sort_by_rating(ratings: Floats, order: Ints) -> bool:
    """Put agents in order of rating, ties by code; say whether the order changed.

    Insertion into the order so far: ratings of one round are near those of the last.
    """
    changed = False
    for place in range(1, len(order)):
        agent = order[place]
        free = place
        while free > 0 and (
            ratings[order[free - 1]] < ratings[agent]
            or (ratings[order[free - 1]] == ratings[agent] and order[free - 1] > agent)
        ):
            order[free] = order[free - 1]
            free -= 1
        changed = changed or free != place
        order[free] = agent
    return changed
