"""Presets side by side in one world: who finds the truth with the fewest rounds in error."""

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium import worlds
from podium.cli._requests import parse_method
from podium.cli._screen import line, safe_text, show, table
from podium.cli.options import Format
from podium.cli.output import write
from podium.data.scores import Scores
from podium.errors import DataError
from podium.simulation.result import Simulation
from podium.simulation.simulate import simulate
from podium.words import check_number, unknown

SYNTHETIC: Mapping[str, Callable[..., worlds.World]] = {
    "mallows": worlds.mallows,
    "plackett-luce": worlds.plackett_luce,
    "clones": worlds.clones,
    "agent57": worlds.agent57,
}
"""Worlds by name; anything else is taken for data."""

FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def world_of(text: str) -> worlds.World:
    """Make the world that a command line names.

    >>> world_of("mallows:agents=4,phi=0.5")
    Mallows(agents=4, tasks=50, phi=0.5, sigma=20.0)
    """
    name = text.partition(":")[0].strip()
    if name not in SYNTHETIC:
        return _recorded(text)
    wanted, make = parse_method(text, "--world"), SYNTHETIC[name]
    options = inspect.signature(make).parameters
    for option in wanted.options:
        if option not in options:
            raise DataError(unknown(f"option of {name}", option, options))
    given = {o: _value(f"{name}:{o}", v, options[o].default) for o, v in wanted.options.items()}
    return make(**given)


def _value(what: str, text: str, default: Any) -> Any:
    """Read the value of an option as what its default is."""
    try:
        return FLAGS[text.lower()] if isinstance(default, bool) else type(default)(text)
    except (ValueError, KeyError):
        wanted = {bool: "true or false", int: "a whole number"}.get(type(default), "a number")
        msg = f"{what} is {text!r}; give {wanted}"
        raise DataError(msg) from None


def _recorded(source: str) -> worlds.World:
    """Make a world of data: of means and standard deviations, or of the scores themselves."""
    from podium.bundled import SETS
    from podium.importers import read

    if not set(source) & set("./:") and source not in SETS.cards:
        raise DataError(unknown("world", source, [*SYNTHETIC, *SETS.cards]))
    data = read(source)
    if not isinstance(data, Scores):
        msg = f"{source!r} holds {type(data).__name__}; a world is made of scores"
        raise DataError(msg)
    if data.stds is not None and not data.missing:
        return worlds.table(data.means, np.nan_to_num(data.stds))
    return worlds.replay(data)


@dataclass(frozen=True)
class Contest:
    """What is simulated.

    Attributes:
        presets: Names of the presets.
        world: The world, as it was asked for.
        rounds: Rounds of each seed.
        seeds: Number of seeds, from 0.
        top: How many agents matter; several numbers for several errors.
        at: Rounds to tell the error at, besides the last.
    """

    presets: tuple[str, ...]
    world: str
    rounds: int
    seeds: int
    top: tuple[int, ...] = ()
    at: tuple[int, ...] = ()

    def held(self, jobs: int, engine: str = "local") -> "Held":
        """Simulate all presets."""
        made = world_of(self.world)
        check_number("seeds", self.seeds, low=1)
        agents = len(made.drawn(0).truth)
        top = self.top or tuple(sorted({min(3, agents), agents}))
        for k in top:
            check_number("top", k, low=1, high=agents)
        for last in self.at:
            check_number("at", last, low=1, high=self.rounds)
        results = [
            simulate(
                name,
                made,
                rounds=self.rounds,
                seeds=range(self.seeds),
                jobs=jobs,
                engine=engine,
                progress=progress_of(name),
            )
            for name in dict.fromkeys(self.presets)
        ]
        return Held(self, results, top, tuple(sorted({*self.at, self.rounds})))


def progress_of(name: str) -> Callable[[int, int], None] | None:
    """Tell how far a simulation is, on a terminal."""
    if not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        end = "\n" if done == total else ""
        sys.stderr.write(f"\r{name}: {done} of {total} seeds{end}")
        sys.stderr.flush()

    return tell


@dataclass(frozen=True)
class Held:
    """What came of a contest."""

    contest: Contest
    results: Sequence[Simulation]
    top: tuple[int, ...]
    at: tuple[int, ...]

    def write(self, form: Format) -> None:
        """Write the errors."""
        write(form, document=self.document, rows=lambda: list(self.rows()), table=self.print)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Give a row for each preset, number of agents and round."""
        for result in self.results:
            for k in self.top:
                for last in self.at:
                    mean, half = result.agre(k, last)
                    yield {
                        "preset": result.preset,
                        "k": k,
                        "at": last,
                        "agre": mean,
                        "half_width": half,
                        "error_rounds": mean * last,
                    }

    def document(self) -> dict[str, Any]:
        """Give what JSON holds."""
        return {
            "schema": "podium.simulate/1",
            "world": self.contest.world,
            "rounds": self.contest.rounds,
            "seeds": self.contest.seeds,
            "results": list(self.rows()),
        }

    def print(self) -> None:
        """Print the errors, the best preset first."""
        made = table(
            "preset", "k", "round", "AGRE", "+-", "error rounds",
            right=("k", "round", "AGRE", "+-", "error rounds"),
        )  # fmt: skip
        for row in sorted(self.rows(), key=lambda row: (row["k"], row["at"], row["agre"])):
            numbers = (
                f"{row['agre']:.5f}",
                f"{row['half_width']:.5f}",
                f"{row['error_rounds']:.1f}",
            )
            cells = (row["preset"], str(row["k"]), f"{row['at']:,}", *numbers)
            made.add_row(*map(safe_text, cells))
        line(f"{self.contest.world}: {self.contest.seeds:,} seeds")
        show(made)
