"""Where experiments get their data and their rankings."""

import os
from functools import cache
from pathlib import Path
from typing import Any

from podium.bundled import SETS
from podium.data.convert import Data, convert
from podium.data.profile import Profile
from podium.data.ratings import Ranking, ranking_of
from podium.data.scores import Scores
from podium.data.tally import Tally
from podium.importers import read
from podium.kernels.majority import condorcet, head_to_head
from podium.methods._registry import METHODS

EXPECTED = Path(__file__).parent / "expected"

SHARED, USUAL = "PODIUM_SHARED", "../shared"
"""What names the folder of data that podium may use but not carry, and where it is otherwise."""


@cache
def bundled(name: str) -> Any:
    """Read a set of the bundled data."""
    return read(SETS[name].path)


def bundled_scores(name: str) -> Scores:
    """Read a set of the bundled data that holds scores."""
    scores: Scores = convert(bundled(name), Scores)
    return scores


def ballots(data: Data) -> Profile:
    """See data as ballots."""
    profile: Profile = convert(data, Profile)
    return profile


def tally(data: Data) -> Tally:
    """See data as counts of pairs."""
    counts: Tally = convert(data, Tally)
    return counts


def shared(name: str) -> Path | None:
    """Find a file of the shared data, if there are any."""
    path = Path(os.environ.get(SHARED) or USUAL) / name
    return path if path.exists() else None


def no_shared(name: str) -> str:
    """Say why there is no file of the shared data."""
    return f"{name} is not bundled; set {SHARED} to a folder that holds it"


def ready(method: str) -> bool:
    """Tell whether podium has a method."""
    return method in METHODS.cards


def missing(method: str) -> str:
    """Say that podium has no such method yet."""
    return f"not yet: needs the method {method}"


def ranked(data: Data, method: str, **options: Any) -> Ranking:
    """Rank data by a method."""
    card = METHODS[method]
    given = card.bind(options)
    return ranking_of(card.call(card.view(data, given), **given), method, given)


def winners(data: Data) -> tuple[str | None, tuple[str, ...]]:
    """Name the strong Condorcet winner, if any, and the weak ones."""
    counts = tally(data)
    found = condorcet(*head_to_head(counts.margins))
    weak = tuple(counts.agents[code] for code in found.weak_winners.tolist())
    return None if found.winner is None else counts.agents[found.winner], weak
