"""Components: against reachability worked out by definition, for few agents and for many."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.arrays import Bools, Ints
from podium.kernels import components as module
from podium.kernels.components import Components, components, numbered
from strategies import steady


@st.composite
def edges(draw: st.DrawFn) -> tuple[Ints, Ints, int]:
    size = draw(st.integers(1, 8))
    ends = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(ends, ends), max_size=14))
    source, target = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return source, target, size


def reached(source: Ints, target: Ints, size: int) -> Bools:
    """Who reaches whom, everybody itself: the powers of a matrix."""
    step = np.eye(size, dtype=int)
    step[source, target] = 1
    found: Bools = np.linalg.matrix_power(step.astype(object), size) > 0
    return found


@given(edges())
@steady(200)
def test_groups_are_those_of_the_definition(drawn: tuple[Ints, Ints, int]) -> None:
    source, target, size = drawn
    found = components(*drawn)
    there = reached(*drawn)
    assert ((found.strong[:, None] == found.strong) == (there & there.T)).all()
    both = reached(np.concatenate([source, target]), np.concatenate([target, source]), size)
    assert ((found.weak[:, None] == found.weak) == both).all()
    for number in range(int(found.strong.max()) + 1):
        inside = found.strong == number
        assert found.rises[number] == (inside[source] & ~inside[target]).any()
        assert found.falls[number] == (~inside[source] & inside[target]).any()


@given(edges())
@steady(100)
def test_many_agents_get_the_same_groups_as_few(drawn: tuple[Ints, Ints, int]) -> None:
    few = components(*drawn)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL", 0)
        many = components(*drawn)
    for one, other in zip(few, many, strict=True):
        assert one.tolist() == other.tolist()


def test_groups_are_numbered_as_they_first_come() -> None:
    assert numbered(np.array([5, 5, 2, 9, 2])).tolist() == [0, 0, 1, 2, 1]
    assert numbered(np.zeros(0, np.int64)).tolist() == []


def test_a_chain_rises_and_falls() -> None:
    found: Components = components(np.array([0, 1]), np.array([1, 2]), 4)
    assert found.strong.tolist() == [0, 1, 2, 3]
    assert found.weak.tolist() == [0, 0, 0, 1]
    assert found.rises.tolist() == [True, True, False, False]
    assert found.falls.tolist() == [False, True, True, False]
