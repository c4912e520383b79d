"""What the rules that answer with an order, not with numbers, have in common."""

from collections.abc import Sequence

from podium.arrays import Ints


def first_tier(agents: Sequence[str], tiers: Ints) -> tuple[str, ...]:
    """Name the agents of the best tier.

    >>> from podium.arrays import ints
    >>> first_tier(["b", "a", "c"], ints([0, 0, 1]))
    ('a', 'b')
    """
    return tuple(sorted(a for a, tier in zip(agents, tiers.tolist(), strict=True) if tier == 0))
