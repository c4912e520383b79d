"""Kernels: plain all the way down, and put together from parts."""

import numpy as np

from podium.arrays import Floats
from podium.kernels.compiled import LONGEST_LABEL, Kernel, kernel


@kernel
def inner(x: float) -> float:
    return x + 1.0


@kernel
def other(x: float) -> float:
    return x * 3.0


@kernel
def outer(values: Floats) -> float:
    total = 0.0
    for value in values:
        total += inner(value)
    return total


def test_plain_runs_no_compiled_kernel() -> None:
    assert outer.plain(np.array([1.0, 2.0])) == 5.0
    assert "compiled" not in vars(outer)
    assert "compiled" not in vars(inner)


def test_a_kernel_with_other_parts_is_another_kernel() -> None:
    tripled = outer.having(inner=other)
    for form in (tripled.plain, tripled):
        assert form(np.array([1.0, 2.0])) == 9.0
    assert outer.plain(np.array([1.0, 2.0])) == outer(np.array([1.0, 2.0])) == 5.0


def test_parts_have_parts() -> None:
    whole = outer.having(inner=middle.having(step=other))
    assert whole.plain(np.array([2.0])) == whole(np.array([2.0])) == 7.0


def test_names_of_kernels_tell_their_parts() -> None:
    tripled = outer.having(inner=other)
    assert tripled.label != outer.label
    deep: Kernel[..., float] = middle
    for _ in range(9):
        deep = middle.having(step=deep)
    assert len(deep.label) <= LONGEST_LABEL
    assert deep.label != middle.having(step=deep).label


step = inner


@kernel
def middle(x: float) -> float:
    return step(x) + 1.0
