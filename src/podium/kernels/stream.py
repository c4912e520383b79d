r"""Chance by counting: a stream of random numbers for each seed, purpose and round.

A stream is one 64-bit word that SplitMix64 (Steele, Lea and Flood 2014) steps
on. The word that round n starts from depends on the seed, the purpose and n
alone, so that round n draws the same numbers whatever was drawn before: nothing
needs to be saved to go on later, and no draw of one part shifts those of
another. The plain and the compiled form give the same numbers.
"""

import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from podium.arrays import Ints
from podium.kernels.compiled import kernel

Stream: TypeAlias = NDArray[np.uint64]
"""One word, changed by each draw."""

ASKS, LEARNS, SCORES, TRUTHS, LABELS, PLANS = 1, 2, 3, 4, 5, 6
"""What chance is for: to ask, learn, score, make a world, deal out labels, plan ahead."""

BELIEVES = 7
"""And to draw what the truth may be."""

LARGEST_SEED = (1 << 63) - 1

MASK = 0xFFFFFFFFFFFFFFFF
GAMMA = 0x9E3779B97F4A7C15
FIRST = 0xBF58476D1CE4E5B9
SECOND = 0x94D049BB133111EB
UNIT = 2.0**-53

CENTRE = 0.425
"""Within this of 1/2, the inverse of the normal distribution is one fraction of polynomials."""


# Numerators and denominators of Wichura (1988), highest power first.
MIDDLE_TOP = (
    2509.0809287301226727,
    33430.575583588128105,
    67265.770927008700853,
    45921.953931549871457,
    13731.693765509461125,
    1971.5909503065514427,
    133.14166789178437745,
    3.387132872796366608,
)
MIDDLE_LOW = (
    5226.495278852854561,
    28729.085735721942674,
    39307.89580009271061,
    21213.794301586595867,
    5394.1960214247511077,
    687.1870074920579083,
    42.313330701600911252,
    1.0,
)
SIDES_TOP = (
    7.7454501427834140764e-4,
    0.0227238449892691845833,
    0.24178072517745061177,
    1.27045825245236838258,
    3.64784832476320460504,
    5.7694972214606914055,
    4.6303378461565452959,
    1.42343711074968357734,
)
SIDES_LOW = (
    1.05075007164441684324e-9,
    5.475938084995344946e-4,
    0.0151986665636164571966,
    0.14810397642748007459,
    0.68976733498510000455,
    1.6763848301838038494,
    2.05319162663775882187,
    1.0,
)
ENDS_TOP = (
    2.01033439929228813265e-7,
    2.71155556874348757815e-5,
    0.0012426609473880784386,
    0.026532189526576123093,
    0.29656057182850489123,
    1.7848265399172913358,
    5.4637849111641143699,
    6.6579046435011037772,
)
ENDS_LOW = (
    2.04426310338993978564e-15,
    1.4215117583164458887e-7,
    1.8463183175100546818e-5,
    7.868691311456132591e-4,
    0.0148753612908506148525,
    0.13692988092273580531,
    0.59983220655588793769,
    1.0,
)


@kernel
def mixed(word: int) -> int:
    """Mix the bits of a word (the finaliser of SplitMix64)."""
    word = ((word ^ (word >> 30)) * FIRST) & MASK
    word = ((word ^ (word >> 27)) * SECOND) & MASK
    return word ^ (word >> 31)


@kernel
def start(stream: Stream, seed: int, purpose: int, count: int) -> None:
    """Set a stream to where round `count` of a purpose starts."""
    key = mixed((int(np.uint64(seed)) + GAMMA) & MASK)
    key = mixed((key + int(np.uint64(purpose)) * GAMMA) & MASK)
    stream[0] = mixed((key + int(np.uint64(count))) & MASK)


@kernel
def uniform(stream: Stream) -> float:
    """Draw from [0, 1)."""
    word = (int(stream[0]) + GAMMA) & MASK
    stream[0] = word
    return (mixed(word) >> 11) * UNIT


@kernel
def below(stream: Stream, size: int) -> int:
    """Draw a whole number from 0 to size - 1."""
    return min(int(uniform(stream) * size), size - 1)


@kernel
def normal(stream: Stream) -> float:
    """Draw from the standard normal distribution, with one step of the stream."""
    return normal_quantile(uniform(stream) + 0.5 * UNIT)


@kernel
def shuffle(stream: Stream, items: Any) -> None:
    """Put items in random order, in place (Fisher and Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = below(stream, last + 1)
        items[last], items[other] = items[other], items[last]


@kernel
def pick(stream: Stream, weights: Any) -> int:
    """Draw an index with probability in proportion to its weight, of which one at least is > 0."""
    total = 0.0
    for weight in weights:
        total += weight
    left = uniform(stream) * total
    last = 0
    for index in range(len(weights)):
        if weights[index] > 0.0:
            last = index
            left -= weights[index]
            if left < 0.0:
                break
    return last


@kernel
def normal_quantile(share: float) -> float:
    """Give the number below which a share of the normal distribution lies (Wichura 1988)."""
    q = share - 0.5
    if abs(q) <= CENTRE:
        return q * _fraction(CENTRE * CENTRE - q * q, MIDDLE_TOP, MIDDLE_LOW)
    r = math.sqrt(-math.log(share if q < 0 else 1.0 - share))
    if r <= 5.0:
        tail = _fraction(r - 1.6, SIDES_TOP, SIDES_LOW)
    else:
        tail = _fraction(r - 5.0, ENDS_TOP, ENDS_LOW)
    return -tail if q < 0 else tail


@kernel
def _fraction(x: float, top: Any, low: Any) -> float:
    above, under = 0.0, 0.0
    for power in range(8):
        above = above * x + top[power]
        under = under * x + low[power]
    return above / under


def permutation(seed: int, purpose: int, count: int, size: int) -> Ints:
    """Draw a random order of 0 to size - 1.

    >>> sorted(permutation(3, LABELS, 0, 4).tolist())
    [0, 1, 2, 3]
    """
    stream, order = np.zeros(1, dtype=np.uint64), np.arange(size, dtype=np.int64)
    start.plain(stream, seed, purpose, count)
    shuffle.plain(stream, order)
    return order
