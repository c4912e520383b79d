"""Game: a normal-form game, with names for its players and strategies."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Floats, floats
from podium.errors import DataError
from podium.words import check_names, counted


@dataclass(frozen=True, eq=False)
class Game:
    """One payoff array a player, each with one axis a player.

    Attributes:
        payoffs: Payoffs of each player.
        strategies: Names of the strategies of each player.
        players: Names of the players.
        notes: What the reader of this game should know.
    """

    payoffs: tuple[Floats, ...]
    strategies: tuple[tuple[str, ...], ...]
    players: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def from_payoffs(
        cls,
        payoffs: Sequence[ArrayLike],
        strategies: Sequence[Sequence[str]] | None = None,
        *,
        players: Sequence[str] | None = None,
    ) -> "Game":
        """Build a game from one payoff array a player.

        >>> game = Game.from_payoffs([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]])
        >>> game.strategies
        (('1', '2'), ('1', '2'))
        """
        arrays = tuple(floats(payoff) for payoff in payoffs)
        if not arrays or any(array.shape != arrays[0].shape for array in arrays):
            msg = f"payoffs have shapes {[array.shape for array in arrays]}; give one shape to all"
            raise DataError(msg)
        shape = arrays[0].shape
        if len(shape) != len(arrays) or 0 in shape:
            msg = f"{counted(len(arrays), 'payoff array')} of shape {shape}: give one axis a player"
            raise DataError(msg)
        if not all(np.isfinite(array).all() for array in arrays):
            msg = "a payoff is not a finite number; give all of them"
            raise DataError(msg)
        names = strategies or [[str(i + 1) for i in range(size)] for size in shape]
        labels = tuple(check_names("strategy", list(row)) for row in names)
        if tuple(map(len, labels)) != shape:
            msg = f"{[len(row) for row in labels]} strategy names for payoffs of shape {shape}"
            raise DataError(msg)
        who = players or [f"player {i + 1}" for i in range(len(shape))]
        return cls(arrays, labels, check_names("player", list(who)))

    @property
    def agents(self) -> tuple[str, ...]:
        """The strategies of the first player: the ones that methods rate."""
        return self.strategies[0]

    @property
    def tasks(self) -> tuple[str, ...]:
        """A game has no tasks."""
        return ()

    def with_notes(self, *notes: str) -> "Game":
        """Return the same game with more said about it."""
        return Game(self.payoffs, self.strategies, self.players, (*self.notes, *notes))

    def __repr__(self) -> str:
        return f"Game({' x '.join(str(len(row)) for row in self.strategies)} strategies)"
