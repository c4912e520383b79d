"""Agents that counts cannot tell apart, and an order of agents that their listing has no part in.

Colours are refined as in the test of Weisfeiler and Leman (1968): two agents
keep one colour as long as they meet the same colours with the same margins.
Colours are hashes of counts alone, so sorting by them orders agents in a way
that neither names nor listing can change.
"""

from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints, add_up

STEPS = 2.0**40
"""Margins are told apart in steps of this share of the largest one."""

ROUNDS = 100
"""Rounds of refinement at most; long chains of equal margins would take one a link."""

MARKS = 100
"""Agents marked at most where all are to be told apart; more are left as they are listed."""


class Majorities(NamedTuple):
    """Pairs of agents of which one beats the other, each once.

    Attributes:
        winner: Code of the agent that beats the other.
        loser: Code of the other.
        margin: By how much, above 0.
        size: Number of agents.
    """

    winner: Ints
    loser: Ints
    margin: Floats
    size: int


class Kinds(NamedTuple):
    """Agents by what the counts say of them.

    Attributes:
        kind: Number of the kind of each agent; the numbers do not depend on the
            listing of the agents.
        number: Number of kinds.
        settled: Whether the last round of refinement changed nothing.
    """

    kind: Ints
    number: int
    settled: bool


def mixed(numbers: Array) -> Array:
    """Scatter 64-bit numbers so that sums of them tell sets apart (SplitMix64's last step).

    >>> mixed(np.arange(2, dtype=np.uint64)).tolist()
    [16294208416658607535, 10451216379200822465]
    """
    z = numbers + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def majorities_of(left: Ints, right: Ints, margin: Floats, size: int) -> Majorities:
    """List who beats whom, without margins that are rounding.

    >>> pairs = majorities_of(np.array([0, 0]), np.array([1, 2]), np.array([-2.0, 0.0]), 3)
    >>> pairs.winner.tolist(), pairs.loser.tolist(), pairs.margin.tolist()
    ([1], [0], [2.0])
    """
    here = np.abs(margin) > 1e-12 * np.abs(margin).max(initial=0.0)
    left, right, margin = left[here], right[here], margin[here]
    ahead = margin > 0
    winner, loser = np.where(ahead, left, right), np.where(ahead, right, left)
    return Majorities(winner, loser, np.abs(margin), size)


def scaled(pairs: Majorities) -> Majorities:
    """Divide margins by the largest one, rounded so that the last bits of sums do not matter."""
    largest = pairs.margin.max(initial=1e-300)
    return pairs._replace(margin=np.round(pairs.margin / largest * STEPS) / STEPS)


def kinds_of(pairs: Majorities, first: Array | None = None) -> Kinds:
    """Tell agents apart by whom they beat and who beats them, and by how much.

    Args:
        pairs: Who beats whom, scaled.
        first: Colours to start from, if some agents are to be told apart.

    >>> cycle = Majorities(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), 4)
    >>> found = kinds_of(cycle)
    >>> found.number, len(set(found.kind[:3].tolist())), found.kind[3] == found.kind[0]
    (2, 1, np.False_)
    """
    amount = np.round(pairs.margin * STEPS).astype(np.uint64) * np.uint64(2)
    colour = np.zeros(pairs.size, dtype=np.uint64) if first is None else first
    names, kind = np.unique(colour, return_inverse=True)
    for _ in range(ROUNDS):
        heard = np.zeros(pairs.size, dtype=np.uint64)
        np.add.at(heard, pairs.winner, mixed(mixed(colour[pairs.loser]) + amount))
        np.add.at(heard, pairs.loser, mixed(mixed(colour[pairs.winner]) + amount + np.uint64(1)))
        colour = mixed(mixed(colour) + heard)
        before = len(names)
        names, kind = np.unique(colour, return_inverse=True)
        if len(names) == before:
            return Kinds(kind.astype(np.int64), before, settled=True)
    return Kinds(kind.astype(np.int64), len(names), settled=False)


def merged(pairs: Majorities, kinds: Kinds) -> Majorities:
    """Put agents of one kind together: margins between kinds add up.

    >>> pairs = Majorities(np.array([0, 1]), np.array([2, 2]), np.ones(2), 3)
    >>> one = merged(pairs, Kinds(np.array([0, 0, 1]), 2, True))
    >>> one.winner.tolist(), one.loser.tolist(), one.margin.tolist()
    ([0], [1], [2.0])
    """
    winner, loser = kinds.kind[pairs.winner], kinds.kind[pairs.loser]
    low, high = np.minimum(winner, loser), np.maximum(winner, loser)
    key, index = np.unique(low * kinds.number + high, return_inverse=True)
    signed = np.where(winner == low, pairs.margin, -pairs.margin)
    signed[winner == loser] = 0.0
    total = add_up(index, signed, len(key))
    return majorities_of(key // kinds.number, key % kinds.number, total, kinds.number)


def apart(pairs: Majorities) -> Kinds:
    """Make each agent a kind of its own, in an order that counts decide as far as they can.

    One agent of a kind is marked and colours are refined again, until all
    differ. Where agents of a kind can be swapped without a change of the
    counts, it does not matter which of them is marked.

    >>> cycle = Majorities(np.array([0, 1, 2]), np.array([1, 2, 0]), np.ones(3), 3)
    >>> sorted(apart(cycle).kind.tolist())
    [0, 1, 2]
    """
    kinds = kinds_of(pairs)
    for _ in range(MARKS):
        shared = np.flatnonzero(np.bincount(kinds.kind, minlength=kinds.number) > 1)
        if not len(shared):
            break
        colour = mixed(kinds.kind.astype(np.uint64))
        colour[np.argmax(kinds.kind == shared[0])] += np.uint64(1)
        kinds = kinds_of(pairs, colour)
    place = np.empty(pairs.size, dtype=np.int64)
    place[np.argsort(kinds.kind, kind="stable")] = np.arange(pairs.size)
    return Kinds(place, pairs.size, settled=True)


def met(pairs: Majorities) -> Bools:
    """Mark the agents that are in any pair."""
    seen = np.zeros(pairs.size, dtype=np.bool_)
    seen[pairs.winner] = seen[pairs.loser] = True
    return seen
