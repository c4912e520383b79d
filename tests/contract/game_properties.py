"""Table 1 of Marris et al. (2025) as functions that tell whether games break a property.

`python tests/contract/game_properties.py [METHOD...]` searches for the stored
counterexamples anew.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

ROOT = Path(__file__).parent
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT.parent)]

from podium.arrays import Floats  # noqa: E402, needs the path set above
from podium.data.game import Game  # noqa: E402
from podium.errors import DataError  # noqa: E402
from podium.methods._registry import GAME_PROPERTIES, METHODS, Card  # noqa: E402

STORED = ROOT / "game_counterexamples.json"

EXACT = 1e-6
"""Ratings that differ by more than this share of the range of payoffs are not the same."""

GAMES = 1_500
"""Games drawn before it is given up to break a property."""

MIXTURES = ((0.5, 0.5), (0.25, 0.75), (1 / 3, 2 / 3))

SEARCHED = ("dominance", "copies", "mixtures", "offsets")
"""Properties that speak of ratings; the others of whether there are any."""


@dataclass(frozen=True)
class Case:
    """A game on which a property is tried.

    Attributes:
        claim: Name of the property.
        payoffs: One array a player.
        player: Whose strategies are compared, copied or mixed, or whose payoffs are shifted.
        strategies: "dominance": the better, then the worse; "copies" and "mixtures": the
            strategies that are put together.
        weights: "copies" and "mixtures": how; "offsets": what is added, for all that
            the others may do, in one row.
    """

    claim: str
    payoffs: tuple[Floats, ...]
    player: int = 0
    strategies: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()


def rate(name: str, payoffs: tuple[Floats, ...]) -> list[Floats]:
    """Rate the strategies of all players whom the method rates, the first at least."""
    ratings = METHODS[name].call(Game.from_payoffs(payoffs))
    players = ratings.info.get("players")
    if players is None:
        return [ratings.values]
    return [np.array(list(own.values())) for own in players]


def violates(name: str, case: Case) -> bool:
    """Tell whether a game breaks a property under a method."""
    if case.claim not in SEARCHED:
        try:
            return not all(np.isfinite(own).all() for own in rate(name, case.payoffs))
        except DataError:
            return True
    slack = EXACT * max(float(np.ptp(payoff)) for payoff in case.payoffs)
    before = rate(name, case.payoffs)
    if case.claim == "dominance":
        if case.player >= len(before) or not _dominates(case):
            return False
        better, worse = case.strategies
        return bool(before[case.player][better] < before[case.player][worse] - slack)
    if case.claim == "offsets":
        return _changed_by_offset(name, case, before, slack)
    expected = list(before)
    if case.player < len(before):
        own = before[case.player]
        expected[case.player] = np.append(own, own[list(case.strategies)] @ case.weights)
    return not _same(expected, rate(name, extended(case)), slack)


def _changed_by_offset(name: str, case: Case, before: list[Floats], slack: float) -> bool:
    """Tell whether an offset changes a rating, or leaves a game that is refused."""
    try:
        return not _same(before, rate(name, shifted(case)), slack)
    except DataError:
        return True


def _dominates(case: Case) -> bool:
    better, worse = (np.take(case.payoffs[case.player], s, case.player) for s in case.strategies)
    return bool((better >= worse).all())


def _same(one: list[Floats], two: list[Floats], slack: float) -> bool:
    return all(np.abs(a - b).max() <= slack for a, b in zip(one, two, strict=True))


def extended(case: Case) -> tuple[Floats, ...]:
    """Give the player one strategy more, a mixture of some that it has, for all players' payoffs."""
    return tuple(
        np.concatenate([payoff, np.expand_dims(_mixed(payoff, case), case.player)], case.player)
        for payoff in case.payoffs
    )


def _mixed(payoff: Floats, case: Case) -> Floats:
    parts = np.take(payoff, case.strategies, axis=case.player)
    return np.asarray(np.average(parts, axis=case.player, weights=case.weights))


def shifted(case: Case) -> tuple[Floats, ...]:
    """Add to a player's payoffs what depends on the others alone."""
    own = case.payoffs[case.player]
    offset = np.expand_dims(
        np.reshape(case.weights, np.take(own, 0, case.player).shape), case.player
    )
    return (*case.payoffs[: case.player], own + offset, *case.payoffs[case.player + 1 :])


def drawn(rng: Random, claim: str, card: Card) -> Case:
    """Draw a small game of whole payoffs that the method should rate."""
    players = 2
    if claim == "n-player" or ("n-player" in card.holds and rng.random() < 0.3):
        players = 3
    general = claim == "general-sum" or "general-sum" in card.holds
    shape = tuple(rng.randint(1 if claim in SEARCHED else 2, 3) for _ in range(players))
    payoffs = [_payoff(rng, shape) for _ in shape]
    if not general and players == 2:
        payoffs[1] = -payoffs[0]
    player = rng.randrange(players)
    case = Case(claim, tuple(payoffs), player)
    size = shape[player]
    if claim == "dominance":
        return _with_dominance(rng, case) if size > 1 else drawn(rng, claim, card)
    if claim == "copies":
        return replace(case, strategies=(rng.randrange(size),), weights=(1.0,))
    if claim == "mixtures":
        if size < 2:
            return drawn(rng, claim, card)
        two = tuple(rng.sample(range(size), 2))
        return replace(case, strategies=two, weights=rng.choice(MIXTURES))
    if claim == "offsets":
        rest = int(np.prod(shape)) // size
        return replace(case, weights=tuple(float(rng.randint(-3, 3)) for _ in range(rest)))
    return case


def _payoff(rng: Random, shape: tuple[int, ...]) -> Floats:
    cells = [float(rng.randint(-3, 3)) for _ in range(int(np.prod(shape)))]
    return np.reshape(cells, shape)


def _with_dominance(rng: Random, case: Case) -> Case:
    """Make one strategy at least as good as another; of a zero-sum game, keep it one."""
    own = np.moveaxis(case.payoffs[case.player].copy(), case.player, 0)
    better, worse = rng.sample(range(len(own)), 2)
    gift = np.reshape([float(rng.choice((0, 0, 1, 2))) for _ in range(own[0].size)], own[0].shape)
    own[better] = own[worse] + gift
    payoffs = list(case.payoffs)
    opposed = len(payoffs) == 2 and (payoffs[0] == -payoffs[1]).all()
    payoffs[case.player] = np.moveaxis(own, 0, case.player)
    if opposed:
        payoffs[1 - case.player] = -payoffs[case.player]
    return replace(case, payoffs=tuple(payoffs), strategies=(better, worse))


def counterexample(name: str, claim: str, games: int = GAMES) -> Case | None:
    """Search for a game that breaks a property, and take the one of fewest strategies."""
    rng, found = Random(0), []
    for _ in range(games):
        case = drawn(rng, claim, METHODS[name])
        try:
            if violates(name, case):
                found.append(case)
        except DataError:
            continue
        if len(found) == 10:
            break
    return min(found, key=lambda case: case.payoffs[0].size * len(case.payoffs), default=None)


def written(name: str, case: Case) -> dict[str, Any]:
    """Turn a case into what JSON can hold."""
    return {
        "method": name,
        "property": case.claim,
        "payoffs": [payoff.tolist() for payoff in case.payoffs],
        "player": case.player,
        "strategies": list(case.strategies),
        "weights": list(case.weights),
    }


def read(entry: dict[str, Any]) -> Case:
    """Turn a stored counterexample back into a case."""
    return Case(
        claim=entry["property"],
        payoffs=tuple(np.array(payoff, dtype=np.float64) for payoff in entry["payoffs"]),
        player=entry["player"],
        strategies=tuple(entry["strategies"]),
        weights=tuple(entry["weights"]),
    )


def stored() -> list[dict[str, Any]]:
    """Read the stored counterexamples."""
    return json.loads(STORED.read_text()) if STORED.exists() else []


def _searched(names: list[str]) -> Iterator[dict[str, Any]]:
    for card in sorted((card for card in METHODS if card.plays), key=lambda card: card.name):
        if names and card.name not in names:
            yield from (entry for entry in stored() if entry["method"] == card.name)
            continue
        for claim in GAME_PROPERTIES:
            if claim not in card.holds:
                case = counterexample(card.name, claim)
                sys.stdout.write(f"{card.name} {claim}: {'found' if case else 'none'}\n")
                if case is not None:
                    yield written(card.name, case)


def main(names: list[str]) -> None:
    """Search for what is not claimed, and write the file."""
    entries = list(_searched(names))
    lines = ",\n".join(json.dumps(entry) for entry in entries)
    STORED.write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    import podium.methods  # noqa: F401, fills the registry

    main(sys.argv[1:])
