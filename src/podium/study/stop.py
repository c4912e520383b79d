"""When to look whether a ranking is certain enough."""

import math

STEP = 1.05
"""Looks are so many times as many answers apart."""


def due(looked: int, heard: int, agents: int) -> bool:
    """Tell whether a moment to look came since it was looked last.

    The moments depend on the number of answers alone, so that they are the same
    however often a study is stopped.

    Args:
        looked: Answers when it was looked last.
        heard: Answers now.
        agents: How many agents there are.

    >>> due(0, 10, 8), due(0, 16, 8), due(16, 17, 8), due(100, 101, 8)
    (False, True, True, False)
    """
    return heard >= 2 * agents and last_look(heard) > looked


def last_look(heard: int) -> int:
    """Give the last moment to look, up to a number of answers."""
    step = math.floor(math.log(heard) / math.log(STEP))
    moment = math.ceil(STEP**step)
    return moment if moment <= heard else math.ceil(STEP ** (step - 1))
