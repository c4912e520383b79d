"""Array types, and the read-only copies that values are made of."""

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Array: TypeAlias = NDArray[Any]

T = TypeVar("T", bound=NDArray[Any])


def floats(values: ArrayLike) -> Floats:
    """Return a private, read-only float copy.

    >>> floats([1, 2]).flags.writeable
    False
    """
    return locked(np.array(values, dtype=np.float64))


def ints(values: ArrayLike) -> Ints:
    """Return a private, read-only integer copy."""
    return locked(np.array(values, dtype=np.int64))


def bools(values: ArrayLike) -> Bools:
    """Return a private, read-only boolean copy."""
    return locked(np.array(values, dtype=np.bool_))


def add_up(codes: Ints, amounts: Array | None, size: int) -> Floats:
    """Add amounts (or ones) into as many bins as there are codes.

    >>> add_up(ints([0, 1, 1]), floats([1, 2, 3]), 3).tolist()
    [1.0, 5.0, 0.0]
    """
    return np.bincount(codes, amounts, size).astype(np.float64, copy=False)


def locked(array: T) -> T:
    """Make a fresh array read-only, without a copy, and return it."""
    array.flags.writeable = False
    return array
