"""Scores and counts as the payoffs of games, and what all ratings of games have in common."""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import labelled
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.deviation import QUANTUM, quantised
from podium.words import check_choice, counted, listed

Played: TypeAlias = Literal["agents-and-task", "agent-task"]
Holes: TypeAlias = Literal["error", "common"]
PLAYED = ("agents-and-task", "agent-task")
HOLES = ("error", "common")
SCALED = "scores are scaled to [0, 1] within each task"

LARGEST = 100_000_000
"""Most numbers that the table of a game may hold."""

WEIGHTLESS = "weights of tasks do not count, as copies of a task would not either"


def complete(scores: Scores, missing: str) -> tuple[Scores, list[str]]:
    """Keep tasks that weigh something and have a score of every agent; say what was left out."""
    if not scores.agents:
        msg = "there are no scores to make a game of; give rows of (task, agent, score)"
        raise DataError(msg)
    weighing = scores.weights > 0
    full = (scores.counts > 0).all(axis=1)
    holes = np.flatnonzero(weighing & ~full)
    if len(holes) and missing == "error":
        gone = (scores.counts[weighing] == 0).sum(axis=0)
        who = [agent for agent, number in zip(scores.agents, gone.tolist(), strict=True) if number]
        msg = (
            f"scores of {listed(who)} are missing on {counted(len(holes), 'task')}, and a game "
            "needs every payoff; missing=common leaves these tasks out"
        )
        raise DataError(msg)
    kept = [t for t, on in zip(scores.tasks, weighing & full, strict=True) if on]
    if not kept:
        msg = "no task of weight above 0 has a score of every agent, so there is no game"
        raise DataError(msg)
    notes = [f"{counted(len(holes), 'task')} with missing scores left out"] * (len(holes) > 0)
    return scores.only(tasks=kept) if len(kept) < len(scores.tasks) else scores, notes


def task_weights(data: Game | Scores | Tally, tasks: Sequence[str]) -> Floats:
    """Give how many copies of each task there are: its weight; of other data, one of each."""
    if not isinstance(data, Scores):
        return np.ones(len(tasks))
    index = data.roster.task_index
    return np.array([data.weights[index[task]] if task in index else 1.0 for task in tasks])


def scaled(
    scores: Scores, notes: list[str], quantum: float = QUANTUM
) -> tuple[Floats, tuple[str, ...]]:
    """Scale scores to [0, 1] within each task; leave tasks out that tell nobody apart."""
    table = np.asarray(scores.means.T)
    table = quantised(table, quantum, np.ptp(table, axis=0))
    low, span = table.min(axis=0), np.ptp(table, axis=0)
    apart = span > 0
    if not apart.all():
        names = [task for task, on in zip(scores.tasks, apart, strict=True) if not on]
        notes.append(f"left out, as all agents score the same: {listed(names)}")
    tasks = tuple(task for task, on in zip(scores.tasks, apart, strict=True) if on)
    return (table - low)[:, apart] / span[apart], tasks


def counted_payoffs(tally: Tally) -> tuple[Floats, list[str]]:
    """See counts as a zero-sum game: the share of meetings won, a tie half, less a half."""
    if not tally.agents:
        msg = "there are no agents to make a game of; give matches or votes"
        raise DataError(msg)
    met = tally.met > 0
    apart = int((~met).sum() - len(tally.agents)) // 2
    notes = [f"{counted(apart, 'pair')} of agents never met and count as even"] if apart else []
    won = tally.wins - tally.wins.T
    return np.divide(won, 2 * tally.met, out=np.zeros_like(won), where=met), notes


def demand_size(shape: tuple[int, ...], most: int = LARGEST) -> None:
    """Refuse a game whose table of gains would not fit."""
    size = sum(shape) * int(np.prod(shape))
    if size > most:
        msg = (
            f"{' x '.join(map(str, shape))} strategies need a table of {size:,} gains; at most "
            f"{most:,} fit, so leave strategies out"
        )
        raise DataError(msg)


def by_player(names: Sequence[Sequence[str]], values: Sequence[Floats]) -> list[dict[str, Any]]:
    """Name the numbers of the strategies of each player."""
    return [labelled(own, row + 0.0) for own, row in zip(names, values, strict=True)]


def as_game(
    data: Game | Scores | Tally, *, game: str, scale: bool, missing: str
) -> tuple[list[Floats], list[Sequence[str]], list[str]]:
    """Write the payoffs of any data down; name the strategies; say what was left out."""
    check_choice("game", game, PLAYED)
    check_choice("missing", missing, HOLES)
    if isinstance(data, Game):
        return list(data.payoffs), list(data.strategies), []
    if isinstance(data, Tally):
        payoffs, notes = counted_payoffs(data)
        return [payoffs, payoffs.T], [data.agents] * 2, notes
    scores, notes = complete(data, missing)
    table, tasks = scaled(scores, notes) if scale else (np.asarray(scores.means.T), scores.tasks)
    if not tasks:
        table, tasks = np.zeros((len(scores.agents), 1)), ("any task",)
    if game == "agent-task":
        return [table, -table], [scores.agents, tasks], notes
    size = len(scores.agents) ** 2 * len(tasks)
    if size > LARGEST:
        msg = f"the game of these scores has {size:,} joint strategies; at most {LARGEST:,} fit"
        raise DataError(msg)
    ahead = table[:, None, :] - table
    return [ahead, -ahead, np.abs(ahead)], [scores.agents, scores.agents, tasks], notes
