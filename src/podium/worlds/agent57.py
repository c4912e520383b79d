"""Agent57: eight agents on 57 Atari games, the bundled table as a world."""

import csv

import numpy as np

from podium.bundled import SETS
from podium.worlds.table import Table, table


def agent57(*, scale: bool = True) -> Table:
    """Make a world of the bundled table of Atari scores.

    human, random and muzero were published without a standard deviation; their
    scores are taken to have none.

    Args:
        scale: Whether to map the means of each game to 0 to 100.

    >>> agent57().sizes
    Sizes(agents=8, tasks=57)
    """
    with SETS["agent57"].path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    means, stds = np.zeros((2, len(tasks), len(agents)))
    for row in rows:
        cell = tasks.index(row["task"]), agents.index(row["agent"])
        means[cell], stds[cell] = float(row["mean"]), float(row["std"] or 0.0)
    return table(means, stds, scale=scale)
