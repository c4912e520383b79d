"""Certainty against what was spent, and what certainty will take."""

import math
import threading
from weakref import WeakKeyDictionary

from podium.server.sheets import number
from podium.server.views._view import Look, Shown, View
from podium.server.views.next_question import goal_of
from podium.study.path import Path
from podium.study.study import Study

WIDTH, HEIGHT = 640, 240
"""Of the picture of the path, in its own units."""

FAR = 2.0
"""A budget that lies beyond so many times what is drawn else is left out."""

STEPS = (0.1, 0.2, 0.5, 1.0, 2.0)
"""Of what numbers along an axis are multiples, times a power of 10."""

TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)

_paths: WeakKeyDictionary[Study, Path] = WeakKeyDictionary()
_lock = threading.Lock()


def make(look: Look) -> Shown:
    """Show the path of a study."""
    with _lock:
        path = _paths.get(look.study)
        if path is None:
            path = _paths[look.study] = Path(look.study.store, look.study.name)
    rows = [point._asdict() for point in path.points()]
    goal = goal_of(look)
    spend, spent = goal["spend"], look.picture.status["spent"]
    rate = spent / len(look.picture.queries) if len(look.picture.queries) else 1.0
    ahead = spent + spend.rounds * rate if spend and 0 < spend.rounds < 1e9 else spent
    purse = look.picture.spec.budget
    near = purse is not None and purse <= FAR * ahead
    most = max(1.04 * max(ahead, purse if purse and near else 0.0), 1.0)
    places = [(_x(row["spent"], most), _y(row["certainty"])) for row in rows]
    context = {
        **goal,
        "line": " ".join(f"{x:.1f},{y:.1f}" for x, y in places),
        "places": list(zip(rows, places, strict=True)),
        "ticks": [(number(spent), _x(spent, most)) for spent in ticks_to(most)],
        "levels": [(f"{share:.0%}", _y(share)) for share in TICKS],
        "wanted": _y(goal["confidence"]),
        "ahead": (_x(ahead, most), _y(goal["confidence"])) if ahead > spent else None,
        "purse": _x(purse, most) if purse and near else None,
        "size": (WIDTH, HEIGHT),
        "cost": rate,
    }
    return Shown(rows, context, look.command("forecast", f"--confidence={goal['confidence']:g}"))


def ticks_to(most: float) -> list[float]:
    """Give round numbers from 0 on, four to eight up to the most.

    >>> ticks_to(176.8), ticks_to(1.0)
    ([0.0, 50.0, 100.0, 150.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    size = 10.0 ** math.floor(math.log10(most))
    step = next(part * size for part in STEPS if most <= 7.01 * part * size)
    return [round(step * n, 12) for n in range(math.floor(most / step + 1e-9) + 1)]


def _x(spent: float, most: float) -> float:
    return WIDTH * spent / most


def _y(certainty: float) -> float:
    return HEIGHT * (1.0 - certainty)


VIEW = View("budget", "Budget", make, keeps=("confidence", "top"))
