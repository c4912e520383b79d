"""Hodge: split results into a rating of each agent and what goes in circles."""

from typing import Any, Literal

import numpy as np

from podium.arrays import Floats
from podium.data.ratings import TIE_TOLERANCE, Ratings, labelled
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.kernels.flows import circles, potential, skills
from podium.methods._flow import demand_connected, demand_met, rest, share
from podium.methods._odds import log_odds, win_rates
from podium.methods._registry import method
from podium.methods._tables import table
from podium.words import check_choice, check_number

PAYOFFS = ("log-odds", "win-rate")


@method(
    "hodge",
    reads=(Scores, Tally),
    cite="Jiang et al. 2011; Balduzzi et al. 2018",
    cost="m^3",
    cheap_up_to=200,
    votes=False,
)
def hodge(
    data: Scores | Tally,
    *,
    payoff: Literal["log-odds", "win-rate"] = "log-odds",
    clip: float = 0.01,
    scale: bool = True,
    planes: int = 1,
) -> Ratings:
    r"""Rate agents as far as ratings can explain who beats whom, and say how far that is.

    .. math:: A = \operatorname{grad}(r) + \operatorname{rot}(A), \quad
              \operatorname{grad}(r)_{ij} = r_i - r_j, \quad
              r = \operatorname{div}(A) = \tfrac{1}{m} A \mathbf{1}

    with :math:`A = \operatorname{logit} P` for probabilities P of winning. The two parts are
    orthogonal, and `cyclic_share` in `info` is :math:`|\operatorname{rot}(A)|^2 / |A|^2`: 0 where
    ratings explain everything, 1 for rock, paper, scissors. Where pairs never met,
    the ratings are those that explain most of the others.

    `vectors` gives each agent a point (x, y) in each of the strongest planes in
    which the cyclic part turns (its real Schur form): seen from the origin, an
    agent beats those that stand counterclockwise of it, beyond what ratings say,
    by the area :math:`x_i y_j - y_i x_j`. `strengths` are those of all planes.

    Scores are explained by the skill of an agent less the difficulty of a task,
    :math:`S_{it} \approx s_i - d_t`. The rating is the skill; `difficulty` and
    `task_vectors` are of the tasks. Here `cyclic_share` is of what differs
    between agents on a task, and the vectors are latent skills of agents and of
    tasks, :math:`S_{it} - s_i + d_t = \sum_k x_{ik} y_{tk}`.

    Args:
        data: Matches or votes (agents against agents), or scores (against tasks).
        payoff: Of matches and votes, "log-odds" as in the paper, or "win-rate",
            the share of wins less 1/2.
        clip: With log-odds, shares of wins are kept this far from 0 and 1.
        scale: Whether to bring the scores of each task to [0, 1] first.
        planes: How many planes, or pairs of latent skills, `vectors` gives.

    >>> rock = Tally.from_matrix([[0, 9, 1], [1, 0, 9], [9, 1, 0]], "abc")
    >>> hodge(rock).info["cyclic_share"]
    1.0
    """
    check_choice("hodge:payoff", payoff, PAYOFFS)
    check_number("hodge:planes", planes, low=0, high=1_000)
    if isinstance(data, Scores):
        return _of_scores(data, scale=scale, planes=planes)
    odds = log_odds(data, clip, "hodge") if payoff == "log-odds" else win_rates(data)
    demand_met(data, odds.met, "hodge")
    ratings = potential(odds.payoffs, odds.met)
    left = rest(odds, ratings)
    turning = circles(left)
    return _told(
        data.agents,
        ratings,
        span=float(np.abs(odds.payoffs).max()),
        cyclic_share=share(left, odds.payoffs),
        vectors=labelled(data.agents, turning.points(planes)),
        strengths=turning.strengths.tolist(),
        notes=list(odds.notes),
    )


def _of_scores(scores: Scores, *, scale: bool, planes: int) -> Ratings:
    found = table(scores, scale=scale, missing="skip", who="hodge")
    there = ~np.isnan(found.payoffs)
    payoffs, weights = np.where(there, found.payoffs, 0.0), there * found.weights
    names = [*scores.agents, *(f"task {task}" for task in found.tasks)]
    if found.tasks:
        left, right = np.nonzero(there)
        demand_connected(names, left, len(scores.agents) + right, "hodge")
        skill, difficulty = skills(payoffs, weights)
    else:
        skill, difficulty = np.zeros(len(scores.agents)), np.zeros(0)
    level = (weights * payoffs).sum(axis=0) / weights.sum(axis=0)
    left_over = np.where(there, payoffs - skill[:, None] + difficulty, 0.0)
    u, strengths, v = np.linalg.svd(left_over, full_matrices=False)
    heavy = np.sqrt(weights)
    root = np.sqrt(strengths)
    return _told(
        scores.agents,
        skill,
        span=float(np.abs(payoffs).max(initial=0.0)),
        cyclic_share=share(heavy * left_over, heavy * (payoffs - level)),
        difficulty=labelled(found.tasks, difficulty),
        vectors=labelled(scores.agents, (u * root)[:, : 2 * planes]),
        task_vectors=labelled(found.tasks, (v.T * root)[:, : 2 * planes]),
        strengths=strengths.tolist(),
        notes=list(found.notes),
    )


def _told(agents: tuple[str, ...], ratings: Floats, *, span: float, **info: Any) -> Ratings:
    return Ratings.by_value(agents, ratings, tolerance=TIE_TOLERANCE * span, unique=True, **info)
