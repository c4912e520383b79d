"""Task rankings, and means that follow them: what synthetic worlds share."""

import numpy as np

from podium.arrays import Floats, Ints
from podium.kernels import stream as chance
from podium.kernels.compiled import kernel
from podium.kernels.stream import Stream, uniform

LOWEST, HIGHEST = 0.0, 100.0
"""Range of the mean scores."""


@kernel
def deal_means(stream: Stream, order: Ints, means: Floats) -> None:
    """Draw means of one task, the largest for the agent that comes first in its order."""
    values = np.empty(len(order))
    for place in range(len(order)):
        values[place] = LOWEST + (HIGHEST - LOWEST) * uniform(stream)
    values.sort()
    for place in range(len(order)):
        means[order[place]] = values[len(order) - 1 - place]


def stream_of(seed: int) -> Stream:
    """Start the stream that a world is made from."""
    stream = np.zeros(1, dtype=np.uint64)
    chance.start.plain(stream, seed, chance.TRUTHS, 0)
    return stream
