"""Alpha-Rank: how often each agent is played where better strategies take populations over."""

from typing import Literal

import numpy as np

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.alpha_rank import SMALLEST, best_wins, chain, fixation, population_gains
from podium.kernels.stationary import stationary
from podium.methods import _payoffs
from podium.methods._payoffs import Holes, Played
from podium.methods._registry import method
from podium.words import check_number, counted

LARGEST = 5_000
"""Most states of the chain; the work grows with the third power."""


@method(
    "alpha-rank",
    reads=(Game, Scores, Tally),
    cite="Omidshafiei et al. 2019",
    cost="(m n)^3",
    holds={"condorcet", "offsets", "n-player", "general-sum"},
    cheap_up_to=20,
    votes=False,
    remarks={
        "condorcet": "Of fewer than about 1/epsilon agents: a slip more often than that would "
        "let the others have more of the time.",
    },
)
def alpha_rank(
    data: Game | Scores | Tally,
    *,
    alpha: float | Literal["infinite"] = "infinite",
    population: int = 50,
    single: bool | None = None,
    epsilon: float = 0.001,
    game: Played = "agent-task",
    scale: bool = True,
    missing: Holes = "error",
) -> Ratings:
    r"""Rate agents by their share of the time in which mutants take populations over.

    .. math:: \rho = \frac{1 - e^{-\alpha u}}{1 - e^{-m \alpha u}}, \qquad
              \pi = \pi C, \quad C_{s, t} = \frac{\rho}{\sum_p (k_p - 1)}

    Each player has a population that plays one strategy. From time to time one
    member tries another one, and takes its population over with probability
    :math:`\rho`, where u is what it gains. The rating is the mass of the first
    player's strategies in the stationary distribution :math:`\pi`.

    With alpha="infinite" the better strategy takes over, up to a slip; equal
    ones do so half of the time. Copies of a strategy do change the masses, and
    a task of weight 2 counts as two tasks.

    Scores are played by an agent against a task. Of matches and votes there is
    one population, and the payoff is the share of the meetings won, a tie half.

    Args:
        data: A game, scores of every agent on every task, or counts of pairs.
        alpha: How strongly payoffs select: a number, or "infinite".
        population: Members of a population; without effect where alpha is infinite.
        single: Whether the two players of a symmetric game share one
            population; by default only for matches and votes.
        epsilon: The slip of infinite alpha.
        game: Of scores: "agent-task" or "agents-and-task".
        scale: Whether scores are scaled to [0, 1] within each task.
        missing: "error" refuses missing scores, "common" keeps the tasks that
            every agent has.

    >>> pennies = [[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]]
    >>> alpha_rank(Game.from_payoffs(pennies)).values
    array([0.5, 0.5])
    """
    if alpha != "infinite":
        check_number("alpha-rank:alpha", alpha, low=0.0, high=1e6)
    check_number("alpha-rank:population", population, low=2, high=10_000)
    check_number("alpha-rank:epsilon", epsilon, low=1e-100, high=0.5)
    payoffs, names, notes = _payoffs.as_game(data, game=game, scale=scale, missing=missing)
    if isinstance(data, Tally) if single is None else single:
        gains, names = [_one_population(payoffs)], names[:1]
    else:
        gains = population_gains(payoffs)
    shape = gains[0].shape[:-1]
    states = int(np.prod(shape))
    if states > LARGEST:
        msg = f"{counted(states, 'state')} are too many for alpha-rank; at most {LARGEST:,} fit"
        raise DataError(msg)
    chances = [
        best_wins(gain, epsilon) if alpha == "infinite" else fixation(gain, alpha, population)
        for gain in gains
    ]
    if any((chance <= SMALLEST).any() for chance in chances):
        notes.append(f"chances below {SMALLEST:g} count as this; alpha=infinite has none")
    if isinstance(data, Scores):
        chances[-1] = chances[-1] * _payoffs.task_weights(data, names[-1])
    masses = _masses(chain(chances, shape), shape, alpha)
    return Ratings.by_value(
        names[0],
        masses[0],
        unique=True,
        players=_payoffs.by_player(names, masses),
        states=states,
        notes=notes,
    )


def _one_population(payoffs: list[Floats]) -> Floats:
    """Give what a mutant gains on the residents, residents x mutants."""
    if len(payoffs) != 2 or not np.array_equal(payoffs[0], payoffs[1].T):
        msg = "single=true needs two players with the same strategies and payoffs; leave it out"
        raise DataError(msg)
    gain = payoffs[0].T - payoffs[0]
    scale = float(np.abs(gain).max(initial=0.0))
    return np.where(np.abs(gain) <= 1e-12 * scale, 0.0, gain)


def _masses(moves: Floats, shape: tuple[int, ...], alpha: object) -> list[Floats]:
    """Give the mass of the strategies of each player."""
    mass = stationary(moves)
    if mass is None:
        msg = f"with alpha={alpha} chances are too small to compare; use a smaller one, or infinite"
        raise DataError(msg)
    axes = range(len(shape))
    joint = mass.reshape(shape)
    return [joint.sum(axis=tuple(axis for axis in axes if axis != own)) for own in axes]
