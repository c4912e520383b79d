r"""How sure the SCO methods are: draws of ratings from a posterior.

* The Bayesian bootstrap (Rubin 1981), for all of them: votes get weights from a
  flat Dirichlet distribution, and ratings are found anew.
* Descent with steps of constant size (Mandt, Hoffman and Blei 2017; appendix E.3 of
  Lanctot et al. 2025), for `sco`: near a minimum, where the loss is about
  quadratic, batches of S of n votes shake the ratings as much as the posterior
  :math:`\exp(-L(\theta))` spreads them, if a step is

.. math:: \theta \leftarrow \operatorname{clip}\left(\theta - \frac{2 S}{n} C^{-1} g\right)

  with g the mean gradient of the batch and C the covariance of those of single
  votes. C has to be inverted among the agents that no bound holds, and in the
  directions in which votes differ at all; what happens elsewhere is told in
  `docs/design/sco.md`.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints, locked
from podium.data.convert import Data, convert
from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings, tiers_of
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Pairs, Tally
from podium.errors import DataError
from podium.methods._certainty import Sampled, Wish
from podium.methods._registry import Card
from podium.methods._sco import Box
from podium.words import check_choice, counted

UNITS: dict[type, str] = {Profile: "ballot", Matches: "match", Scores: "task", Tally: "match"}
"""What is taken as drawn independently."""

BATCH = 32
"""Votes of one step."""

BURN = 0.2
"""Share of the draws that is made, and thrown away, before the others."""

LEAST = 1e-3
"""Directions in which votes differ by less than this share of the most are left alone."""

FLAT = 1.0
"""Where ratings would spread by more temperatures than this the loss is not about quadratic."""


def bayesian_bootstrap(
    card: Card, data: Data, ratings: Ratings, options: Mapping[str, Any], wish: Wish
) -> Sampled:
    """Weigh votes anew, and rank again, once for each draw."""
    if isinstance(data, Game):
        msg = "a game's payoffs are given and not sampled, so there is no posterior"
        raise DataError(msg)
    unit = UNITS[type(data)]
    check_choice("resample (for the posterior of these data)", wish.unit or unit, (unit,))
    found = []
    for _ in range(wish.draws):
        view = card.view(_weighed(data, wish.rng), options)
        found.append(card.call(view, **options).values)
    note = f"posterior by the Bayesian bootstrap: {wish.draws:,} flat Dirichlet weights"
    return _sampled(ratings, np.array(found), unit, f"{note} of {counted(2, unit)[2:]}")


def _sampled(ratings: Ratings, values: Floats, unit: str, note: str) -> Sampled:
    return Sampled(locked(values), unit, notes=(note, most_frequent(ratings.agents, values)))


def most_frequent(agents: tuple[str, ...], values: Floats) -> str:
    """Name the ranking that draws give most often.

    >>> most_frequent(("a", "b"), np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 3.0]]))
    'most frequent of 2 rankings: b > a, in 67 % of the draws'
    """
    seen = Counter(tuple(tiers_of(row).tolist()) for row in values)
    (tiers, times), *others = seen.most_common(2)
    if others and others[0][1] == times:
        return f"of {counted(len(seen), 'ranking')} several are the most frequent"
    groups: list[list[str]] = [[] for _ in range(max(tiers) + 1)]
    for agent, tier in sorted(zip(agents, tiers, strict=True)):
        groups[tier].append(agent)
    order = " > ".join(" = ".join(group) for group in groups[:10])
    more = " > ..." if len(groups) > 10 else ""
    share = f"in {times / len(values):.0%} of the draws".replace("%", " %")
    return f"most frequent of {counted(len(seen), 'ranking')}: {order}{more}, {share}"


def _weighed(data: Data, rng: np.random.Generator) -> Data:
    """Give each vote a weight of mean its own; whole weights count as numbers of votes."""
    if isinstance(data, Profile):
        return data.with_vote_weights(_gamma(data.weights, rng))
    if isinstance(data, Matches):
        return data.with_weight(_gamma(data.weight, rng))
    if isinstance(data, Scores):
        return data.with_task_weights(data.weights * rng.standard_exponential(len(data.weights)))
    if not isinstance(data, Tally):
        msg = f"votes cannot be weighed in a {type(data).__name__}"
        raise TypeError(msg)
    pairs = data.pairs
    counts = np.stack([pairs.wins, pairs.losses, pairs.met - pairs.wins - pairs.losses])
    won, lost, tied = _gamma(np.maximum(counts, 0.0), rng)
    fresh = Pairs(pairs.left, pairs.right, locked(won), locked(lost), locked(won + lost + tied))
    return Tally(data.agents, sparse=fresh).filled()


def _gamma(weights: Floats, rng: np.random.Generator) -> Floats:
    if (weights == np.floor(weights)).all():
        return rng.gamma(weights)
    return weights * rng.standard_exponential(weights.shape)


class _Losses(NamedTuple):
    """Pairs of each vote side by side; where a vote has fewer, agent 0 against itself.

    Attributes:
        upper: Votes x pairs, the agent above.
        lower: The agent below.
        chance: Share of all votes that each stands for.
        size: Number of agents.
    """

    upper: Ints
    lower: Ints
    chance: Floats
    size: int

    @property
    def compared(self) -> Bools:
        """Whether each agent is in any pair."""
        real = self.upper != self.lower
        who = np.concatenate([self.upper[real], self.lower[real]])
        return np.bincount(who, minlength=self.size) > 0

    def gradients(self, units: Floats, rows: Ints | None = None) -> Floats:
        """Give the gradient of the sigmoid loss of some votes, a row each."""
        upper, lower = (
            (self.upper, self.lower) if rows is None else (self.upper[rows], self.lower[rows])
        )
        small = np.exp(-np.abs(units[upper] - units[lower]))
        slope = small / (1 + small) ** 2
        found = np.zeros((len(upper), self.size))
        row = np.arange(len(upper))[:, None]
        np.add.at(found, (row, upper), -slope)
        np.add.at(found, (row, lower), slope)
        return found


def _losses(profile: Profile) -> _Losses:
    pairs: list[list[tuple[int, int]]] = []
    for first, end in zip(profile.start[:-1].tolist(), profile.start[1:].tolist(), strict=True):
        who, place = profile.who[first:end].tolist(), profile.place[first:end].tolist()
        pairs.append([
            (who[one], who[two])
            for one in range(len(who))
            for two in range(one + 1, len(who))
            if place[one] < place[two]
        ])  # fmt: skip
    both = np.zeros((2, len(pairs), max(map(len, pairs), default=0)), dtype=np.int64)
    for row, listed in enumerate(pairs):
        both[:, row, : len(listed)] = np.array(listed, dtype=np.int64).reshape(-1, 2).T
    total = profile.weights.sum()
    return _Losses(both[0], both[1], profile.weights / total, len(profile.agents))


def constant_steps(data: Data, ratings: Ratings, box: Box, wish: Wish) -> Sampled:
    """Walk around the minimum in steps of constant size, and take the places as draws."""
    profile: Profile = convert(data, Profile)
    if len(profile.agents) > DENSE_LIMIT // 10:
        msg = f"{len(profile.agents):,} agents are too many for posterior=steps; use bootstrap"
        raise DataError(msg)
    losses, votes = _losses(profile), float(profile.weights.sum())
    units = box.inside(ratings.values)
    step = step_matrix(losses, units, box.width, votes)
    batch = max(1, min(BATCH, round(votes / 8)))
    thin = max(1, round(votes / (2 * batch)))
    burn, found = int(BURN * wish.draws), []
    for draw in range(burn + wish.draws):
        for _ in range(thin):
            rows = wish.rng.choice(len(profile), size=batch, p=losses.chance)
            slopes = losses.gradients(units, rows).mean(axis=0)
            units = np.clip(units - (2 * batch / votes) * (step @ slopes), 0.0, box.width)
        if draw >= burn:
            found.append(box.outside(units))
    note = f"posterior by constant steps: {wish.draws:,} places, one every {thin:,} steps"
    return _sampled(ratings, np.array(found), "ballot", f"{note} of {BATCH} votes")


def step_matrix(losses: _Losses, units: Floats, width: float, votes: float) -> Floats:
    """Invert the covariance of gradients where votes differ and no bound holds.

    >>> two = _Losses(np.array([[0], [1]]), np.array([[1], [0]]), np.array([0.6, 0.4]), 2)
    >>> step_matrix(two, np.array([1.0, 0.0]), 1.0, 10.0).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    gradients = losses.gradients(units)
    mean = losses.chance @ gradients
    held = ((units <= 0) & (mean > 0)) | ((units >= width) & (mean < 0))
    free = ~held & losses.compared
    centred = (gradients - mean)[:, free]
    spread, ways = np.linalg.eigh((centred * losses.chance[:, None]).T @ centred)
    kept = spread > LEAST * spread.max(initial=0.0)
    least = spread[kept].min() if kept.any() else 0.0
    if free.any() and votes * least < FLAT**-2:
        msg = (
            "the loss is too flat around its minimum for posterior=steps: ratings could move by "
            "more than a temperature. Use posterior=bootstrap, or a "
            f"higher temperature (the range now holds {width:g})"
        )
        raise DataError(msg)
    matrix = np.zeros((len(units), len(units)))
    matrix[np.ix_(free, free)] = (ways[:, kept] / spread[kept]) @ ways[:, kept].T
    return matrix
