"""Rules that turn a table of wins into ratings, for learners that ask them again and again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.kernels import lottery_rounds
from podium.kernels.compiled import Kernel, kernel
from podium.kernels.elo_sweeps import sweep_strengths
from podium.kernels.lottery_rounds import lottery_ratings
from podium.kernels.sco_steps import drawn_step
from podium.kernels.stream import Stream
from podium.kernels.tournaments import copeland_scores, lock_sorted, sort_pairs
from podium.learners._learner import Belief


@dataclass(frozen=True)
class Rule:
    """A rule that rates agents by a table of wins.

    Attributes:
        name: Its name, with hyphens.
        start: Makes the state for so many agents.
        rate: `rate(state, wins, belief, stream)` writes the belief.
        refits: Whether the answer follows from the table alone.
        rating: What agents are rated before the first match.
    """

    name: str
    start: Callable[[int], Any]
    rate: Kernel[..., None]
    refits: bool = True
    rating: float = 0.0


class Nothing(NamedTuple):
    """The state of a rule that keeps none."""

    agents: int


class Pairs(NamedTuple):
    """The state of ranked pairs: pairs by margin, and who reaches whom."""

    pairs: Ints
    reach: Bools


class Strengths(NamedTuple):
    """The state of Elo: strengths to start from."""

    prior: float
    sweeps: int
    strengths: Floats
    scratch: Floats


class Descent(NamedTuple):
    """The state of Soft Condorcet Optimization: the step, and room for a batch."""

    batch: int
    size: float
    temperature: float
    high: float
    slopes: Floats
    rows: Floats


CLOSE = 1e-4
"""Sweeps end when no strength changes by more than this share."""

POINTS = 400.0
"""Points of a rating that stand for odds of ten to one."""


@kernel
def rate_copeland(_: Nothing, wins: Floats, belief: Belief, __: Stream) -> None:
    """Rate by majorities won."""
    copeland_scores(wins, belief.ratings)


@kernel
def rate_ranked_pairs(state: Pairs, wins: Floats, belief: Belief, _: Stream) -> None:
    """Rate by agents reached along locked majorities."""
    if not copeland_scores(wins, belief.ratings):
        sort_pairs(wins, state.pairs)
        lock_sorted(wins, state.pairs, state.reach, belief.ratings)


@kernel
def rate_lotteries(state: lottery_rounds.Levels, wins: Floats, belief: Belief, _: Stream) -> None:
    """Rate by level and probability; the first lottery is the policy of both sides."""
    lottery_ratings(wins, state, belief.ratings, belief.agents)
    belief.rivals[:] = belief.agents


@kernel
def rate_elo(state: Strengths, wins: Floats, belief: Belief, _: Stream) -> None:
    """Rate by Bradley-Terry strengths, from those of last time."""
    for _sweep in range(state.sweeps):
        if sweep_strengths(wins, state.prior, state.strengths, state.scratch) < CLOSE:
            break
    belief.ratings[:] = POINTS * np.log10(state.strengths)


@kernel
def rate_sco(state: Descent, wins: Floats, belief: Belief, stream: Stream) -> None:
    """Make one step of descent on a batch of matches."""
    drawn_step(
        wins, state.batch, state.size, state.temperature, state.high,
        state.rows, state.slopes, belief.ratings, stream,
    )  # fmt: skip


def copeland() -> Rule:
    """Count the majorities that an agent wins."""
    return Rule("copeland", Nothing, rate_copeland)


def ranked_pairs() -> Rule:
    """Lock majorities from the largest down."""

    def start(agents: int) -> Pairs:
        upper = [one * agents + other for one in range(agents) for other in range(one + 1, agents)]
        return Pairs(np.array(upper, dtype=np.int64), np.zeros((agents, agents), dtype=np.bool_))

    return Rule("ranked-pairs", start, rate_ranked_pairs)


def lotteries() -> Rule:
    """Draw maximal lotteries, level after level."""
    return Rule("maximal-lotteries", lottery_rounds.levels, rate_lotteries)


def elo(*, prior: float = 0.1, sweeps: int = 20) -> Rule:
    """Fit the Bradley-Terry model, from the last fit on.

    Args:
        prior: Virtual wins each way in each pair.
        sweeps: Most sweeps a round.
    """

    def start(agents: int) -> Strengths:
        return Strengths(prior, sweeps, np.ones(agents), np.zeros(agents))

    return Rule("elo", start, rate_elo, refits=False)


def sco(
    *, batch: int = 32, step: float = 0.1, temperature: float = 1.0, high: float = 100.0
) -> Rule:
    """Descend on the sigmoid loss of Soft Condorcet Optimization, a batch a round.

    Args:
        batch: Matches drawn with replacement from all so far.
        step: Step size, on the summed gradient.
        temperature: Temperature of the sigmoid.
        high: Ratings stay between 0 and this, and start in the middle.
    """

    def start(agents: int) -> Descent:
        return Descent(batch, step, temperature, high, np.zeros(agents), np.zeros(agents))

    return Rule("sco", start, rate_sco, refits=False, rating=high / 2)
