"""Games of OpenSpiel as arrays: what each policy does to reach the ends, and best responses."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from podium.arrays import Floats, Ints

Sequence: TypeAlias = tuple[tuple[int, int], ...]
"""What a player knows and does on the way to an end: (information, action) pairs."""


@dataclass(frozen=True, eq=False)
class Tree:
    """The ends of a game, and what leads there.

    Attributes:
        chance: Probability that chance does its part, an end.
        payoffs: Players x ends.
        sequences: For each player, what it knows and does on the way to each end.
        actions: For each player, how many actions each of its informations has.
    """

    chance: Floats
    payoffs: Floats
    sequences: tuple[tuple[Sequence, ...], ...]
    actions: tuple[Ints, ...]

    def drawn(self, player: int, rng: np.random.Generator) -> Floats:
        """Draw a policy, all mixtures of actions equally likely; give what it does for each end."""
        mixtures = [rng.dirichlet(np.ones(count)) for count in self.actions[player].tolist()]
        return np.array(
            [
                np.prod([mixtures[info][action] for info, action in sequence])
                for sequence in self.sequences[player]
            ]
        )

    def meta_game(self, population: list[Floats]) -> list[Floats]:
        """Give the expected payoffs of all combinations of policies.

        Args:
            population: For each player, policies x ends.
        """
        letters = "abcdef"[: len(population)]
        spec = ",".join(f"{letter}z" for letter in letters) + f",z->{letters}"
        return [
            np.einsum(spec, *population, self.chance * own, optimize=True) for own in self.payoffs
        ]

    def gap(self, population: list[Floats], joint: Floats) -> float:
        """Say what players would gain, in all, by their best responses in the whole game.

        Args:
            population: For each player, policies x ends.
            joint: Probability of each combination of policies.
        """
        total = 0.0
        for player, payoff in enumerate(self.meta_game(population)):
            others = self._others(player, population, joint)
            best = self._best(player, self.chance * others * self.payoffs[player])
            total += max(0.0, best - float((payoff * joint).sum()))
        return total

    def _others(self, player: int, population: list[Floats], joint: Floats) -> Floats:
        """Give the probability that the other players do their part, an end."""
        letters = "abcdef"[: len(population)]
        rest = [letter for at, letter in enumerate(letters) if at != player]
        spec = ",".join(["".join(rest), *(f"{letter}z" for letter in rest)]) + "->z"
        policies = [own for at, own in enumerate(population) if at != player]
        return np.asarray(np.einsum(spec, joint.sum(axis=player), *policies, optimize=True))

    def _best(self, player: int, worth: Floats) -> float:
        """Give the most that a player can have, from its last decisions back to its first."""
        value: dict[Sequence, float] = {}
        for sequence, own in zip(self.sequences[player], worth.tolist(), strict=True):
            value[sequence] = value.get(sequence, 0.0) + own
        for length in range(max(map(len, value)), 0, -1):
            choices: dict[tuple[Sequence, int], float] = {}
            for sequence in [one for one in value if len(one) == length]:
                point = sequence[:-1], sequence[-1][0]
                choices[point] = max(choices.get(point, -np.inf), value[sequence])
            for (before, _), best in choices.items():
                value[before] = value.get(before, 0.0) + best
        return value[()]


def tree_of(game: Any) -> Tree:
    """Walk through a game of OpenSpiel."""
    walk = _Walk(game.num_players())
    walk.through(game.new_initial_state(), 1.0, [()] * game.num_players())
    return Tree(
        chance=np.array(walk.chance),
        payoffs=np.array(walk.payoffs).T,
        sequences=tuple(tuple(own) for own in zip(*walk.sequences, strict=True)),
        actions=tuple(np.array(own, dtype=np.int64) for own in walk.actions),
    )


class _Walk:
    def __init__(self, players: int) -> None:
        self.chance: list[float] = []
        self.payoffs: list[list[float]] = []
        self.sequences: list[list[Sequence]] = []
        self.actions: list[list[int]] = [[] for _ in range(players)]
        self._known: dict[tuple[int, str], int] = {}

    def through(self, state: Any, chance: float, sequences: list[Sequence]) -> None:
        """Go to all ends behind a state."""
        if state.is_terminal():
            self.chance.append(chance)
            self.payoffs.append(list(state.returns()))
            self.sequences.append(sequences)
            return
        if state.is_chance_node():
            for action, probability in state.chance_outcomes():
                self.through(state.child(action), chance * probability, sequences)
            return
        player = state.current_player()
        actions = state.legal_actions()
        key = (player, state.information_state_string(player))
        if key not in self._known:
            self._known[key] = len(self.actions[player])
            self.actions[player].append(len(actions))
        for place, action in enumerate(actions):
            longer = list(sequences)
            longer[player] = (*sequences[player], (self._known[key], place))
            self.through(state.child(action), chance, longer)
