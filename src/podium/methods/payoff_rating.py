"""Payoff rating: the expected payoff against a coarse correlated equilibrium."""

from collections.abc import Sequence

import numpy as np

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.kernels.correlated import Correlated, most_even_cce
from podium.kernels.deviation import NOTHING
from podium.kernels.equilibrium import equilibrium
from podium.kernels.gains import cce_gap
from podium.methods import _payoffs
from podium.methods._payoffs import Holes, Played
from podium.methods._registry import method

LARGEST = 5_000_000
"""Most numbers in the table of gains, all of which every step needs."""

SAME = 1e-8
"""Ratings that differ by less than this share of the range of payoffs are equal."""


@method(
    "payoff-rating",
    reads=(Game, Scores, Tally),
    cite="Marris et al. 2022; Ortiz et al. 2007",
    cost="(m + n)^2 m^2 n",
    holds={"condorcet", "dominance", "n-player", "general-sum"},
    cheap_up_to=20,
    votes=False,
    remarks={
        "condorcet": "Of counts: an agent that beats every other is all that is played.",
        "clones": "The most even of several equilibria can leave an agent that is never played "
        "with the rating of those that are.",
    },
)
def payoff_rating(
    data: Game | Scores | Tally,
    *,
    game: Played = "agents-and-task",
    scale: bool | None = None,
    missing: Holes = "error",
) -> Ratings:
    r"""Rate agents by their payoff against the most even coarse correlated equilibrium.

    .. math:: r_p(a'_p) = \sum_{a_{-p}} \sigma(a_{-p}) \, G_p(a'_p, a_{-p})

    where :math:`\sigma` is the coarse correlated equilibrium of highest entropy, which is
    unique. `info` holds the ratings of all players, how often each strategy is
    played, the other reading of the rating (`conditional`: the payoff where
    the strategy was played, None where it never is), and the certificate `gap`.

    Copies of a strategy change the rating, as they change what is most even; so a
    task of weight 2 counts as two tasks. Scores and counts become games as for
    `deviation`.

    Args:
        data: A game, scores of every agent on every task, or counts of pairs.
        game: Of scores: "agents-and-task" (two agents compete on a task that is
            paid for setting them apart) or "agent-task" (the task is paid for
            low scores).
        scale: Whether scores are scaled to [0, 1] within each task; by default
            only in "agent-task".
        missing: "error" refuses missing scores, "common" keeps the tasks that
            every agent has.

    >>> chicken = [[0.0, 7.0], [2.0, 6.0]]
    >>> found = payoff_rating(Game.from_payoffs([chicken, np.transpose(chicken)]))
    >>> found.values.round(3)
    array([3.885, 4.22 ])
    """
    wanted = scale if scale is not None else game == "agent-task"
    payoffs, names, notes = _payoffs.as_game(data, game=game, scale=wanted, missing=missing)
    if isinstance(data, Tally):
        found = _of_zero_sum(payoffs[0])
    else:
        _payoffs.demand_size(payoffs[0].shape, LARGEST)
        prior = np.ones(payoffs[0].shape) * _payoffs.task_weights(data, names[-1])
        found = most_even_cce(payoffs, prior)
    if not found.proven:
        notes.append("payoffs are so close to ties that the equilibria found may not be all")
    axes = range(len(payoffs))
    others = [found.joint.sum(axis=axis, keepdims=True) for axis in axes]
    values = [_summed(payoffs[p] * others[p], p) for p in axes]
    played = [_summed(found.joint, p) for p in axes]
    unit = max(float(np.ptp(payoff)) for payoff in payoffs)
    return Ratings.by_value(
        names[0],
        values[0],
        tolerance=SAME * unit,
        unique=True,
        players=_payoffs.by_player(names, values),
        played=_payoffs.by_player(names, played),
        conditional=_conditional(payoffs, found.joint, names),
        certificates={"gap": cce_gap(payoffs, found.joint)},
        notes=notes,
    )


def _of_zero_sum(payoffs: Floats) -> Correlated:
    """Take the most even optimal strategy twice: no joint distribution of such is more even."""
    found = equilibrium(payoffs)
    joint = np.outer(found.strategy, found.strategy)
    return Correlated(joint, found.gain, found.proven)


def _summed(values: Floats, player: int) -> Floats:
    """Add up over all axes but one."""
    return np.asarray(values.sum(axis=tuple(a for a in range(values.ndim) if a != player)))


def _conditional(
    payoffs: Sequence[Floats], joint: Floats, names: Sequence[Sequence[str]]
) -> list[dict[str, float | None]]:
    """Give the payoff of each strategy where it was played."""
    found = []
    for player, own in enumerate(names):
        mass, won = _summed(joint, player), _summed(joint * payoffs[player], player)
        pairs = zip(own, won.tolist(), mass.tolist(), strict=True)
        found.append({name: x / m if m > NOTHING else None for name, x, m in pairs})
    return found
