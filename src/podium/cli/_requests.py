"""What a command line asks for: which methods, which data, which intervals."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.cli.options import Intervals, Kind, OnConflict, Resample
from podium.errors import DataError

if TYPE_CHECKING:
    from podium.data.convert import Data
    from podium.importers.options import Found


@dataclass(frozen=True)
class Wanted:
    """A method and its options, as they were asked for."""

    method: str
    options: dict[str, str]


def parse_method(text: str, flag: str = "--method") -> Wanted:
    """Read `NAME[:option=value,...]`; dashes in option names may be underscores.

    >>> parse_method("stv:winners=3,transfer=ordered")
    Wanted(method='stv', options={'winners': '3', 'transfer': 'ordered'})
    """
    name, colon, rest = text.partition(":")
    return Wanted(name.strip(), dict(_pairs(text, rest, flag)) if colon else {})


def _pairs(text: str, rest: str, flag: str) -> Iterator[tuple[str, str]]:
    for part in rest.split(","):
        name, equals, value = part.partition("=")
        if not equals or not name.strip():
            hint = "write NAME:option=value,option=value"
            msg = f"{flag} {text!r}: {part!r} sets nothing; {hint}"
            raise DataError(msg)
        yield name.strip().replace("-", "_"), value.strip()


def terms_wanted(wanted: Sequence[Wanted]) -> tuple[str, ...]:
    """List the columns that methods are to estimate, which have to be read.

    >>> terms_wanted([parse_method("elo:terms=length+judge"), parse_method("borda")])
    ('length', 'judge')
    """
    names = (name.strip() for one in wanted for name in one.options.get("terms", "").split("+"))
    return tuple(dict.fromkeys(name for name in names if name not in ("", "none")))


def parse_weights(texts: list[str] | None) -> dict[str, float]:
    """Read `TASK=W` of each; a task's name may hold equal signs itself.

    >>> parse_weights(["pong=2", "a=b=0.5"])
    {'pong': 2.0, 'a=b': 0.5}
    """
    weights: dict[str, float] = {}
    for text in texts or []:
        task, _, number = text.rpartition("=")
        try:
            weights[task] = float(number)
        except ValueError:
            task = ""
        if not task:
            msg = f"--task-weight {text!r} is no weight; write TASK=NUMBER"
            raise DataError(msg)
    return weights


def parse_columns(texts: list[str] | None) -> dict[str, str]:
    """Read `PART=COLUMN` of each; a column's name may hold equal signs itself.

    >>> parse_columns(["agent=model"])
    {'agent': 'model'}
    """
    columns: dict[str, str] = {}
    for text in texts or []:
        part, _, column = text.partition("=")
        if not part or not column:
            msg = f"--column {text!r} names no column; write PART=COLUMN, such as agent=model"
            raise DataError(msg)
        columns[part] = column
    return columns


NOT_COUNTED = ("on_conflict", "lower_is_better", "terms", "metric")
"""Ways to read that counting has no use for."""


@dataclass(frozen=True)
class Reading:
    """Where data are, and how to read them."""

    source: str
    kind: Kind | None = None
    skip_bad_rows: bool = False
    on_conflict: OnConflict = OnConflict.error
    lower_is_better: list[str] | None = None
    task_weight: list[str] | None = None
    column: list[str] | None = None
    terms: tuple[str, ...] = ()
    count: bool = False
    metric: list[str] | None = None

    @property
    def how(self) -> dict[str, Any]:
        """The arguments of `podium.read` beside the source."""
        return {
            "kind": self.kind and self.kind.value,
            "skip_bad_rows": self.skip_bad_rows,
            "on_conflict": self.on_conflict.value,
            "lower_is_better": tuple(self.lower_is_better or ()),
            "weights": parse_weights(self.task_weight) or None,
            "columns": parse_columns(self.column) or None,
            "terms": self.terms,
            "metric": tuple(self.metric or ()),
        }

    def load(self) -> "Data":
        """Read the data, or count their pairs where that was asked for or the files are many."""
        from podium.importers import read
        from podium.importers.files import is_many

        with self._file() as file:
            if self.count or is_many(file):
                return self._counted(file)
            return read(file, **self.how)

    def _counted(self, file: str) -> "Data":
        from podium.importers import count

        if self.lower_is_better:
            msg = "--lower-is-better is for scores, and pairs are counted of matches and ballots"
            raise DataError(msg)
        return count(file, **{k: v for k, v in self.how.items() if k not in NOT_COUNTED})

    def load_by(self, column: str) -> dict[str, "Found"]:
        """Read the data of each value of a column."""
        from podium.importers import read_by

        with self._file() as file:
            return dict(read_by(file, column, **self.how))

    @contextlib.contextmanager
    def _file(self) -> Iterator[str]:
        """Give the source, or a copy of standard input, which a reader may read twice."""
        if self.source != "-":
            yield self.source
            return
        import shutil
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "stdin.csv")
            with path.open("wb") as copy:
                shutil.copyfileobj(sys.stdin.buffer, copy)
            yield str(path)


def how_certain(
    intervals: Intervals,
    resample: Resample | None,
    replicates: int,
    level: float,
    seed: int,
    jobs: int,
) -> dict[str, Any]:
    """Gather what `podium.rank` and `podium.compare` are told of intervals."""
    return {
        "intervals": intervals.value,
        "resample": resample and resample.value,
        "replicates": replicates,
        "level": level,
        "seed": seed,
        "jobs": jobs,
    }
