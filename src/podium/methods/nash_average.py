"""Nash average: the expected payoff against the most even equilibrium of the game of evaluation."""

from typing import Any, Literal, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, add_up, floats
from podium.data.game import Game
from podium.data.ratings import TIE_TOLERANCE, Ratings, labelled, tiers_of
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.zero_sum import Solution, symmetric, zero_sum
from podium.methods._odds import log_odds, win_rates
from podium.methods._registry import method
from podium.methods._tables import HOLES, Holes, table
from podium.words import check_choice

PAYOFFS = ("log-odds", "win-rate")
CLONES = ("count", "merge")

ZERO_SUM = 1e-9
"""Payoffs of both players whose sums differ by less than this share of the largest are zero-sum."""


class Play(NamedTuple):
    """The game that is played.

    Attributes:
        payoffs: Payoff to the first player: the agents.
        others: Names of the second player's strategies; None where these are the agents, too.
        weights: How many copies each of them stands for.
        left_out: Tasks that are not played.
        notes: What was made of the data.
    """

    payoffs: Floats
    others: tuple[str, ...] | None
    weights: Floats
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@method(
    "nash-average",
    reads=(Game, Scores, Tally),
    cite="Balduzzi et al. 2018; Lanctot et al. 2025",
    cost="(agents + tasks)^3, fewer where few of them matter",
    holds={"condorcet", "dominance"},
    cheap_up_to=200,
    votes=False,
)
def nash_average(
    data: Game | Scores | Tally,
    *,
    scale: bool = True,
    missing: Holes = "error",
    payoff: Literal["log-odds", "win-rate"] = "log-odds",
    clip: float = 0.01,
    clones: Literal["count", "merge"] = "count",
    iterated: bool = False,
) -> Ratings:
    r"""Average an agent's payoffs over what the equilibrium of the game looks at.

    Agents play against tasks, or against one another:

    .. math:: r = S q^*, \quad (p^*, q^*) \in \arg \max_p \min_q p^\top S q, \qquad
              r = A p^*, \quad A p^* \le 0

    each the equilibrium of highest entropy. The task player looks for tasks on
    which nobody is good, and the agent player for a team that does well on
    these. A rating is an agent's expected payoff; those in use are tied at the
    value of the game. `info` holds the weights of `agents` and `tasks`, the
    `difficulty` of each task, :math:`-S^\top p^*`, the `value`, the `gap` by which
    both players could still improve, whether the equilibrium is `unique`, and
    its `kind`: "max-entropy", or "vertex" where payoffs are so nearly tied that
    another equilibrium had to do.

    A task of weight 2 is as two copies of it; copies change nothing where the
    equilibrium is unique. Ratings within 1e-10 of the span of payoffs are tied,
    and so is what the equilibrium itself takes for equal.

    Args:
        data: Scores (agents against tasks), matches or votes (agents against
            agents), or a zero-sum game of two players, whose first is rated.
        scale: Whether to bring the scores of each task to [0, 1]; tasks on which
            all are equal are left out. If not, scores count as they are.
        missing: "error" refuses missing scores, "common" keeps the tasks that
            every agent has.
        payoff: Of matches and votes, "log-odds" as in the paper, or "win-rate",
            the share of wins less 1/2. Pairs that never met are even.
        clip: With log-odds, shares of wins are kept this far from 0 and 1.
        clones: "merge" lets strategies of equal payoffs count as one between
            them. Where several equilibria are optimal, that keeps ratings from
            changing as copies are added; else it makes no difference.
        iterated: Whether to take away the agents that an equilibrium uses, and to
            go on with the others; then the rating is the level, 1 for the last.

    >>> scores = Scores.from_matrix([[3, 1, 0], [0, 1, 2], [0, 1, 2]], "tuv", "abc")
    >>> ratings = nash_average(scores)
    >>> ratings.values.round(3), ratings.info["tasks"]["t"]
    (array([0.5  , 0.417, 0.5  ]), 0.5)
    """
    check_choice("nash-average:missing", missing, HOLES)
    check_choice("nash-average:payoff", payoff, PAYOFFS)
    check_choice("nash-average:clones", clones, CLONES)
    if isinstance(data, Game):
        play = _of_game(data)
    elif isinstance(data, Scores):
        play = _of_scores(data, scale=scale, missing=missing)
    else:
        odds = log_odds(data, clip, "nash-average") if payoff == "log-odds" else win_rates(data)
        play = Play(odds.payoffs, None, np.ones(len(data.agents)), notes=odds.notes)
    solution = _solved(play, np.arange(len(data.agents)), merge=clones == "merge")
    info = _told(data.agents, play, solution)
    if not iterated:
        gap = TIE_TOLERANCE * float(np.abs(play.payoffs).max(initial=0.0))
        values = floats(_values(play, solution))
        return Ratings(data.agents, values, tiers_of(values, gap), info)
    levels = _levels(play, solution, merge=clones == "merge")
    named = [tuple(sorted(data.agents[code] for code in level)) for level in levels]
    ranks = np.empty(len(data.agents))
    for number, level in enumerate(reversed(levels), start=1):
        ranks[level] = number
    return Ratings(data.agents, floats(ranks), tiers_of(ranks), info | {"levels": named})


def _of_game(game: Game) -> Play:
    if len(game.payoffs) != 2:
        msg = (
            f"nash-average: this game has {len(game.payoffs)} players; give one of two, or use "
            "deviation, payoff-rating or alpha-rank"
        )
        raise DataError(msg)
    total = game.payoffs[0] + game.payoffs[1]
    largest = max(float(np.abs(payoff).max()) for payoff in game.payoffs)
    if np.ptp(total) > ZERO_SUM * largest:
        msg = (
            f"nash-average: payoffs of the two players add up to anything from {total.min():g} to "
            f"{total.max():g}; give a zero-sum game, or use deviation, payoff-rating or alpha-rank"
        )
        raise DataError(msg)
    return Play(game.payoffs[0], game.strategies[1], np.ones(len(game.strategies[1])))


def _of_scores(scores: Scores, *, scale: bool, missing: str) -> Play:
    found = table(scores, scale=scale, missing=missing, who="nash-average")
    names = set(found.tasks)
    left_out = tuple(task for task in scores.tasks if task not in names)
    return Play(found.payoffs, found.tasks, found.weights, left_out, found.notes)


def _solved(play: Play, agents: Ints, *, merge: bool) -> Solution:
    """Solve the game of some of the agents."""
    if play.others is None:
        game = play.payoffs[np.ix_(agents, agents)]
        return symmetric(game, _merged(game, np.ones(len(game))) if merge else None)
    game = play.payoffs[agents]
    if not play.others:  # no task tells anybody apart
        even, all_used = np.full(len(game), 1 / len(game)), np.ones(len(game), dtype=np.bool_)
        none = np.zeros(0)
        return Solution(even, none, 0.0, 0.0, all_used, none > 0, len(game) == 1, even=True)
    if not merge:
        return zero_sum(game, second=play.weights)
    return zero_sum(game, _merged(game, np.ones(len(game))), _merged(game.T, play.weights))


def _merged(rows: Floats, weights: Floats) -> Floats:
    """Let equal rows share what one of them would count."""
    group = np.unique(rows + 0.0, axis=0, return_inverse=True)[1].ravel()
    size = int(group.max(initial=-1)) + 1
    return weights / add_up(group, None, size)[group]


def _values(play: Play, solution: Solution) -> Floats:
    """Rate all agents; those in use are worth the value but for rounding."""
    values = np.asarray(play.payoffs @ solution.second)
    if solution.even:
        values[solution.used_first] = solution.value
    return values


def _levels(play: Play, solution: Solution, *, merge: bool) -> list[Ints]:
    """Take away those that an equilibrium uses, again and again."""
    agents = np.arange(len(play.payoffs))
    levels = [agents[solution.used_first]]
    agents = agents[~solution.used_first]
    while len(agents):
        used = _solved(play, agents, merge=merge).used_first
        levels.append(agents[used])
        agents = agents[~used]
    return levels


def _told(agents: tuple[str, ...], play: Play, solution: Solution) -> dict[str, Any]:
    tasks: dict[str, float] = {}
    difficulty: dict[str, float] = {}
    if play.others is not None:
        tasks = labelled(play.others, solution.second) | dict.fromkeys(play.left_out, 0.0)
        difficulty = labelled(play.others, 0.0 - solution.first @ play.payoffs)
    notes = list(play.notes)
    if not solution.even:
        notes.append(
            "payoffs are so nearly tied that the most even equilibrium is not found: these "
            "weights are a corner of the set of all equilibria"
        )
    return {
        "agents": labelled(agents, solution.first),
        "tasks": tasks,
        "difficulty": difficulty,
        "value": solution.value,
        "gap": solution.gap,
        "kind": "max-entropy" if solution.even else "vertex",
        "unique": solution.unique,
        "notes": notes,
    }
