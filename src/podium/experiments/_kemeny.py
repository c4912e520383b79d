"""Kemeny's rule for noisy scores: how hard a world is (Lanctot et al. 2026, appendix B.1)."""

from typing import NamedTuple

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels.compiled import kernel
from podium.kernels.kemeny_rounds import Table, kemeny_order, table
from podium.kernels.stream import Stream
from podium.kernels.tournaments import copeland_scores
from podium.learners._learner import Belief
from podium.learners._rules import Rule
from podium.learners.growing import growing
from podium.learners.mean_model import mean_model
from podium.strategies.uniform import uniform
from podium.study.presets import Preset


class Search(NamedTuple):
    """Room for the search, and the order that it found last."""

    room: Table
    order: Ints


@kernel
def rate_kemeny(state: Search, wins: Floats, belief: Belief, _: Stream) -> None:
    """Rate by place in the order that most matches agree with."""
    if not copeland_scores(wins, belief.ratings):
        kemeny_order(wins, state.room, state.order)
        for place in range(len(state.order)):
            belief.ratings[state.order[place]] = len(state.order) - 1.0 - place


def kemeny_rule() -> Rule:
    """Order agents by Kemeny's rule."""

    def start(agents: int) -> Search:
        return Search(table(agents), np.arange(agents, dtype=np.int64))

    return Rule("kemeny", start, rate_kemeny)


def growing_kemeny() -> Preset:
    """Ask anything, and order agents by Kemeny's rule for all matches so far."""
    return Preset("all matches", growing(kemeny_rule()), uniform())


def mean_kemeny() -> Preset:
    """Ask anything, and order agents by Kemeny's rule for ballots of mean scores."""
    return Preset("mean scores", mean_model(kemeny_rule()), uniform())
