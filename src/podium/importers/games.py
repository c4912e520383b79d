"""Games: one payoff array a player and the names of the strategies."""

import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from podium.data.game import Game
from podium.errors import DataError
from podium.importers.files import File
from podium.importers.options import Options
from podium.importers.tables import shown
from podium.words import listed


def read(file: File, options: Options) -> Game:
    """Read a game from an .npz file."""
    options.check_kind(file.name, "game")
    options.check_no_scores(file.name, "a game")
    try:
        with np.load(io.BytesIO(file.content), allow_pickle=False) as archive:
            parts = {name: archive[name].tolist() for name in archive.files}
    except Exception as error:  # noqa: BLE001, damaged archives raise what they like
        msg = f"{file.name} cannot be read as .npz: {str(error).partition(chr(10))[0]}"
        raise DataError(msg) from None
    return game_of_parts(file.name, parts)


def game_of_parts(source: str, parts: Mapping[str, Any]) -> Game:
    """Make a game of `payoff_1..N`, and `strategies_1..N` and `players` where they are given."""
    count = sum(name.startswith("payoff_") for name in parts)
    numbers = range(1, count + 1)
    payoff_names = [f"payoff_{i}" for i in numbers]
    label_names = [f"strategies_{i}" for i in numbers]
    given = set(parts) - {"players"}
    if not count or given not in ({*payoff_names}, {*payoff_names, *label_names}):
        msg = (
            f"{source} holds {listed(parts, 20)}; a game has payoff_1, ... payoff_N, and "
            "strategies_1, ... strategies_N for the names, all or none"
        )
        raise DataError(msg)
    payoffs = [_payoff(source, name, parts[name]) for name in payoff_names]
    labels = [_labels(source, name, parts[name]) for name in label_names if name in parts]
    players = _labels(source, "players", parts["players"]) if "players" in parts else None
    try:
        return Game.from_payoffs(payoffs, labels or None, players=players)
    except DataError as error:
        msg = f"{source}: {error}"
        raise DataError(msg) from None


def _payoff(source: str, name: str, value: Any) -> Any:
    """Demand nested lists of numbers."""
    try:
        array = np.array(value)
    except (ValueError, TypeError):
        array = np.array(None)
    if array.dtype.kind not in "iuf":
        msg = (
            f"{source}, {name!r}, is {shown(value)}; give nested lists of numbers, all of one shape"
        )
        raise DataError(msg)
    return array


def _labels(source: str, name: str, value: Any) -> list[str]:
    """Demand a list of text."""
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        msg = f"{source}, {name!r}, is {shown(value)}; give a list of names"
        raise DataError(msg)
    return value


def parts_of_game(game: Game) -> dict[str, Any]:
    """Name the arrays of a game as files do."""
    parts: dict[str, Any] = {}
    for i, (payoff, names) in enumerate(zip(game.payoffs, game.strategies, strict=True), start=1):
        parts |= {f"payoff_{i}": payoff, f"strategies_{i}": np.array(names, dtype=np.str_)}
    return parts | {"players": np.array(game.players, dtype=np.str_)}
