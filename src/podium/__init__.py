"""Which agents are best, and what should be evaluated next.

Everything here is loaded when it is first used, so that `import podium` costs
next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

from podium.errors import (
    Conflict,
    DataError,
    MissingExtra,
    NotConverged,
    PodiumError,
    StoreError,
    StudyError,
)

if TYPE_CHECKING:
    from podium import worlds
    from podium.analysis.compare import Comparison, compare
    from podium.analysis.inspection import Inspection, inspect
    from podium.analysis.pairwise import Duel, compare_two
    from podium.analysis.rank import rank
    from podium.analysis.update import update
    from podium.client import connect
    from podium.data.game import Game
    from podium.data.matches import Matches
    from podium.data.profile import Profile
    from podium.data.ratings import Ranking
    from podium.data.scores import Scores
    from podium.data.tally import Tally
    from podium.importers import count, read, write
    from podium.simulation.result import Simulation
    from podium.simulation.simulate import simulate
    from podium.study.study import Query, Study

__version__ = "0.1.0"

_HOMES = {
    "compare": "podium.analysis.compare",
    "compare_two": "podium.analysis.pairwise",
    "connect": "podium.client",
    "count": "podium.importers",
    "inspect": "podium.analysis.inspection",
    "rank": "podium.analysis.rank",
    "update": "podium.analysis.update",
    "Comparison": "podium.analysis.compare",
    "Duel": "podium.analysis.pairwise",
    "Inspection": "podium.analysis.inspection",
    "Game": "podium.data.game",
    "Matches": "podium.data.matches",
    "Profile": "podium.data.profile",
    "Ranking": "podium.data.ratings",
    "Scores": "podium.data.scores",
    "Simulation": "podium.simulation.result",
    "Tally": "podium.data.tally",
    "read": "podium.importers",
    "simulate": "podium.simulation.simulate",
    "Query": "podium.study.study",
    "Study": "podium.study.study",
    "write": "podium.importers",
}

_PACKAGES = {"worlds"}
"""Packages that are public as a whole."""

__all__ = [
    "Comparison",
    "Conflict",
    "DataError",
    "Duel",
    "Game",
    "Inspection",
    "Matches",
    "MissingExtra",
    "NotConverged",
    "PodiumError",
    "Profile",
    "Query",
    "Ranking",
    "Scores",
    "Simulation",
    "StoreError",
    "Study",
    "StudyError",
    "Tally",
    "compare",
    "compare_two",
    "connect",
    "count",
    "inspect",
    "rank",
    "read",
    "simulate",
    "update",
    "worlds",
    "write",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its home, once."""
    if name in _PACKAGES:
        return importlib.import_module(f"podium.{name}")
    if name not in _HOMES:
        msg = f"module 'podium' has no attribute {name!r}"
        raise AttributeError(msg)
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES, *_PACKAGES})
