"""Deviation ratings: what deviating to an agent would cost in the strictest equilibrium."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import Ratings, labelled
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.kernels.deviation import (
    FARTHEST,
    QUANTUM,
    Deviation,
    TableDeviation,
    game_deviation,
    nearly_equal,
    quantised,
    table_deviation,
    zero_sum_deviation,
)
from podium.methods import _payoffs
from podium.methods._payoffs import Holes, Played
from podium.methods._registry import method
from podium.words import check_choice, check_number

PAIRS = "agents-and-task"

SAME = 1e-9
"""Ratings that differ by less than this share of the unit of payoffs are equal."""


@method(
    "deviation",
    reads=(Game, Scores, Tally),
    cite="Marris et al. 2025, algorithm 1",
    cost="linear programmes of m + n rows",
    holds={"condorcet", "clones", "dominance", "copies", "offsets", "n-player", "general-sum"},
    cheap_up_to=60,
    votes=False,
    remarks={
        "condorcet": "Of counts, where the top tier is the support of the maximal lotteries.",
        "clones": "As a set: the top tier. Ratings themselves stay with exact copies alone.",
        "mixtures": "Table 1 of the paper ticks this. A mixture is one more gain to be ordered; "
        "[[-2,-1],[-2,-2]] against [[0,2],[2,1]] changes when half and half is added.",
    },
)
def deviation(
    data: Game | Scores | Tally,
    *,
    game: Played = "agents-and-task",
    scale: bool | None = None,
    missing: Holes = "error",
    quantum: float = QUANTUM,
) -> Ratings:
    r"""Rate agents by the loss of deviating to them from the strictest equilibrium.

    .. math:: r_p(a'_p) = \sum_a \sigma^*(a) \, [G_p(a'_p, a_{-p}) - G_p(a)]

    where the gains under :math:`\sigma^*`, sorted from the highest down, are
    lexicographically least. No rating is above 0. Copies of a strategy change
    nothing; neither do payoffs that depend on the others alone.

    Scores are played by two agents and a task, :math:`G_A = T(i, t) - T(j, t) =
    -G_B`, :math:`G_T = |G_A|`, so that tasks that tell agents apart matter; or by
    an agent against a task. Of matches and votes the payoff against a rival is
    the share of the meetings won, a tie half.

    `info` holds the ratings of all players, for scores also what each task
    contributes to the rating of each agent (the parts add up to it), and two
    certificates: `drift`, how far the gains of the weights found are from the
    ratings, and `gap`, how far these are from an equilibrium.

    Args:
        data: A game, scores of every agent on every task, or counts of all pairs.
        game: Of scores: "agents-and-task" (two agents compete on a task that is
            paid for setting them apart) or "agent-task" (the task is paid for
            low scores).
        scale: Whether scores are scaled to [0, 1] within each task; by default
            only in "agent-task".
        missing: "error" refuses missing scores, "common" keeps the tasks that
            every agent has.
        quantum: Payoffs are rounded to the power of ten below this share of
            their range. With 1e-6, differences that are too small for the
            solver count as ties.

    >>> found = deviation(Scores.from_matrix([[3, 0, 0], [0, 2, 0]], ["s", "t"], ["a", "b", "c"]))
    >>> found.values.round(9)
    array([-0.6, -0.6, -1.8])
    >>> {task: round(part, 9) for task, part in found.info["contributions"]["a"].items()}
    {'s': 0.3, 't': -0.9}
    """
    check_number("deviation:quantum", quantum, low=0.0, high=0.1)
    check_choice("deviation:game", game, _payoffs.PLAYED)
    check_choice("deviation:missing", missing, _payoffs.HOLES)
    if isinstance(data, Game):
        return _of_game(data, quantum)
    if isinstance(data, Tally):
        return _of_tally(data, quantum)
    scores, notes = _payoffs.complete(data, missing)
    if np.ptp(scores.weights) > 0:
        notes.append(_payoffs.WEIGHTLESS)
    if scale if scale is not None else game == "agent-task":
        table, tasks = _payoffs.scaled(scores, notes, quantum)
        quantum = QUANTUM  # a third of the range has no digits to round to
    else:
        table, tasks = np.asarray(scores.means.T), scores.tasks
    if not tasks:
        return Ratings.by_value(
            scores.agents, np.zeros(len(scores.agents)), unique=True, notes=notes
        )
    return _of_table(scores.agents, tasks, table, quantum, pairs=game == PAIRS, notes=notes)


def _of_table(
    agents: tuple[str, ...],
    tasks: tuple[str, ...],
    table: Floats,
    quantum: float,
    *,
    pairs: bool,
    notes: list[str],
) -> Ratings:
    found = table_deviation(table, quantum, pairs=pairs)
    axes = [0] if pairs else [0, 1]
    notes += _warned([table] * len(axes), axes, quantum, found)
    ratings = [found.agents, *([found.agents] * pairs), found.tasks]
    names = [agents, *([agents] * pairs), tasks]
    played = [found.played[0], *([found.played[0]] * pairs), found.played[1]]
    parts = [labelled(tasks, row + 0.0) for row in found.contributions]
    return _answer(
        found,
        names,
        ratings,
        played=_payoffs.by_player(names, played),
        contributions=dict(zip(agents, parts, strict=True)),
        notes=notes,
    )


def _of_game(game: Game, quantum: float) -> Ratings:
    _payoffs.demand_size(game.payoffs[0].shape)
    found = game_deviation(game.payoffs, quantum)
    axes = range(len(game.payoffs))
    played = [found.joint.sum(axis=tuple(a for a in axes if a != own)) for own in axes]
    return _answer(
        found,
        game.strategies,
        found.ratings,
        played=_payoffs.by_player(game.strategies, played),
        notes=_warned(game.payoffs, axes, quantum, found),
    )


def _of_tally(tally: Tally, quantum: float) -> Ratings:
    payoffs, notes = _payoffs.counted_payoffs(tally)
    found = zero_sum_deviation(payoffs, quantum)
    names = [tally.agents] * 2
    played = [found.joint.sum(axis=axis) for axis in (1, 0)]
    notes += _warned([payoffs], [0], quantum, found)
    return _answer(
        found, names, found.ratings, played=_payoffs.by_player(names, played), notes=notes
    )


def _answer(
    found: Deviation | TableDeviation,
    names: Sequence[Sequence[str]],
    ratings: Sequence[Floats],
    **info: Any,
) -> Ratings:
    return Ratings.by_value(
        names[0],
        ratings[0] + 0.0,
        tolerance=min(max(SAME * found.unit, 4 * found.drift), FARTHEST * found.unit),
        unique=True,
        players=_payoffs.by_player(names, ratings),
        rounds=found.rounds,
        certificates={"drift": found.drift, "gap": found.gap},
        **info,
    )


def _warned(
    payoffs: Sequence[Floats],
    axes: Sequence[int],
    quantum: float,
    found: Deviation | TableDeviation,
) -> list[str]:
    """Say where payoffs differ by so little that the solver may take them for equal."""
    steps = [
        nearly_equal(quantised(own, quantum, found.unit) / found.unit, axis)
        for own, axis in zip(payoffs, axes, strict=True)
    ]
    small = [step for step in steps if step is not None]
    notes = []
    if small:
        notes.append(
            f"payoffs differ by as little as {min(small):.1g} of their range, which the solver "
            "may take for a tie or not; quantum=1e-6 makes ties of such differences"
        )
    if found.drift > FARTHEST * found.unit:
        notes.append("the ratings are not certified: see drift among the certificates")
    return notes
