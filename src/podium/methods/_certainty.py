"""How sure a method is of its ratings by its own theory, without drawing data anew.

A method that has such a theory names a function on its card, one for each kind
of intervals that it offers::

    @method("elo", ..., posterior=elo_posterior, sandwich=elo_sandwich)

The function is a `Certainty`. It is given the data as they came, for only these
still say which matches belong together; the ratings that the method gave; its
options; and the wishes of the reader in a `Wish`. It answers with a `Normal`
where ratings are about normal with a covariance that has a formula, or with
`Sampled` where all it has is draws of ratings. It raises `DataError` where the
theory does not hold. `uncertainty/closed.py` makes intervals of either.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from podium.arrays import Floats
from podium.data.convert import Data
from podium.data.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Normal:
    """Ratings that are about normal around those that were given.

    Attributes:
        covariance: Agents x agents, in the order and the units of the ratings.
        unit: What the theory takes as drawn independently: "match", "task", ...
        size: How many of them there are; infinite where that does not matter.
        notes: What the reader of the intervals should know.
    """

    covariance: Floats
    unit: str
    size: float = float("inf")
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Sampled:
    """Draws of what the ratings may be.

    Attributes:
        values: Draws x agents, in the order and the units of the ratings.
        unit: What the theory takes as drawn independently.
        size: How many of them there are; infinite where that does not matter.
        notes: What the reader of the intervals should know.
    """

    values: Floats
    unit: str
    size: float = float("inf")
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Wish:
    """What the reader of intervals asked for.

    Attributes:
        unit: What counts as drawn independently ("match", "task", ...), or None
            for what suits the data.
        draws: How many draws, where the theory has to draw.
        rng: Source of chance.
    """

    unit: str | None
    draws: int
    rng: np.random.Generator


Certainty: TypeAlias = Callable[[Data, Ratings, Mapping[str, Any], Wish], Normal | Sampled]
"""How sure a method is: data as they came, its ratings, its options, a wish."""
