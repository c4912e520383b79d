"""What an evaluator has learned, as bytes, so that a long study need not be learned anew."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.arrays import Array
from podium.kernels.compiled import sources_digest

MOST_KEPT = 1 << 24
"""Bytes; what is larger is learned anew."""


def arrays_in(state: Any) -> Iterator[Array]:
    """Give all arrays of a state of nested tuples; only these ever change."""
    if isinstance(state, tuple):
        for part in state:
            yield from arrays_in(part)
    elif isinstance(state, np.ndarray):
        yield state


def written(state: Any) -> bytes:
    """Write a state as bytes; nothing if it is large.

    They are good only for the kernels that made them, so they begin with their digest.
    """
    arrays = list(arrays_in(state))
    if sum(array.nbytes for array in arrays) > MOST_KEPT:
        return b""
    return b"".join([sources_digest().encode(), *(array.tobytes() for array in arrays)])


def restored(state: Any, text: bytes) -> bool:
    """Put what was written into a fresh state of the same kind; False if it does not fit.

    >>> state, other = (np.zeros(2), (np.ones(3),)), (np.ones(2), (np.zeros(3),))
    >>> restored(other, written(state)), other
    (True, (array([0., 0.]), (array([1., 1., 1.]),)))
    """
    arrays, digest = list(arrays_in(state)), sources_digest().encode()
    size = len(digest) + sum(array.nbytes for array in arrays)
    if len(text) != size or not text.startswith(digest):
        return False
    place = len(digest)
    for array in arrays:
        part = np.frombuffer(text, array.dtype, array.size, place)
        array[...] = part.reshape(array.shape)
        place += array.nbytes
    return True
