"""Tables: columns of cells as a source holds them, read as names or as numbers.

Every source (a file, a frame, a data base) becomes a `Table`; every reader of
scores, matches or ballots sees only that. A column is read once, as a whole:
as names with codes, or as numbers. Cells that are neither are not yet errors:
the reader decides what a column has to hold, and the `Sieve` says so.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from podium.arrays import Array, Bools, Floats, Ints
from podium.errors import DataError
from podium.words import LONGEST_NAME, check_name, counted

BLANK, NOT_TEXT = -1, -2
"""Codes of cells without a name: an empty one, and one that holds something else."""

NUMBER = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
"""Text that is a number: no grouping, no comma, no sign but + and -, no nan, no inf."""

BLANKS = " \t\r\n"
"""What may stand around a number; nothing else makes an empty cell."""

NAME = f"a name is more than blanks, at most {LONGEST_NAME} characters, without NUL"
"""What a name may be."""

_NUMBER = re.compile(NUMBER)
_PLAIN = frozenset("0123456789+-.eE \n")
_LONGEST_VALUE = 60


class Names(NamedTuple):
    """A column read as names: a code a row, and the names in the order they first come."""

    codes: Ints
    names: tuple[str, ...]


class Numbers(NamedTuple):
    """A column read as numbers: NaN where a cell is blank, or wrong."""

    values: Floats
    blank: Bools
    wrong: Bools


class Column(Protocol):
    """One column of a table."""

    def names(self) -> Names:
        """Read all cells as names."""
        ...

    def numbers(self) -> Numbers:
        """Read all cells as numbers."""
        ...

    def cell(self, row: int) -> object:
        """Return one cell as it came, for a message."""
        ...


class _Absent:
    """Stands for a cell that a JSON row does not even name."""

    def __repr__(self) -> str:
        return "nothing, not even null"


ABSENT = _Absent()


@dataclass(frozen=True)
class Cells:
    """A column of Python values: text, and numbers where the source has types.

    >>> Cells(["x", "", "x"]).names()
    Names(codes=array([ 0, -1,  0]), names=('x',))
    >>> Cells(["1.5", "", "1_000"]).numbers().wrong
    array([False, False,  True])
    """

    values: Sequence[Any]

    def names(self) -> Names:
        """Read all cells as names; whole numbers are names where all cells are such."""
        kinds = set(map(type, self.values))
        texts: Sequence[Any] = self.values
        if int in kinds and kinds <= {int, type(None)}:
            texts = [value if value is None else str(value) for value in self.values]
        elif not kinds <= {str, type(None)}:
            texts = [value if isinstance(value, str | None) else ABSENT for value in self.values]
        index: dict[Any, int] = {None: BLANK, "": BLANK, ABSENT: NOT_TEXT}
        names = [name for name in dict.fromkeys(texts) if name not in index]
        index |= {name: code for code, name in enumerate(names)}
        codes = np.fromiter(map(index.__getitem__, texts), dtype=np.int64, count=len(texts))
        return Names(codes, tuple(names))

    def numbers(self) -> Numbers:
        """Read all cells as numbers, or text that is one."""
        plain = _plain_numbers(self.values)
        if plain is not None:
            return Numbers(plain, np.zeros(len(plain), dtype=np.bool_), ~np.isfinite(plain))
        values = np.array([_number(value) for value in self.values], dtype=np.float64)
        blank = np.fromiter(map(_is_blank, self.values), dtype=np.bool_, count=len(values))
        return Numbers(values, blank, ~np.isfinite(values) & ~blank)

    def cell(self, row: int) -> object:
        """Return one value."""
        value: object = self.values[row]
        return value


@dataclass(frozen=True)
class Reals:
    """A column of numbers that a typed source holds as an array.

    >>> Reals(np.array([1.0, np.nan]), np.array([False, True])).numbers().wrong
    array([False, False])
    """

    values: Array
    blank: Bools

    def names(self) -> Names:
        """Read whole numbers as names; others are no names."""
        if self.values.dtype.kind not in "iu":
            codes = np.where(self.blank, BLANK, NOT_TEXT)
            return Names(codes.astype(np.int64), ())
        values = self.values.tolist()
        return Cells([None if b else v for v, b in zip(values, self.blank, strict=True)]).names()

    def numbers(self) -> Numbers:
        """Read the numbers; those that are not finite are wrong."""
        values = np.where(self.blank, np.nan, self.values).astype(np.float64)
        return Numbers(values, self.blank, ~np.isfinite(values) & ~self.blank)

    def cell(self, row: int) -> object:
        """Return one number."""
        value: object = None if self.blank[row] else self.values[row].item()
        return value


@dataclass(frozen=True)
class Part:
    """Some rows of a column."""

    column: Column
    rows: Ints

    def names(self) -> Names:
        """Read the kept cells as names."""
        codes, names = self.column.names()
        return kept_names(codes[self.rows], names)

    def numbers(self) -> Numbers:
        """Read the kept cells as numbers."""
        values, blank, wrong = self.column.numbers()
        return Numbers(values[self.rows], blank[self.rows], wrong[self.rows])

    def cell(self, row: int) -> object:
        """Return one kept cell."""
        return self.column.cell(int(self.rows[row]))


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, and where each row stands in its source.

    Attributes:
        source: What messages call the source: the name of a file.
        columns: The columns by the names in the header.
        size: Number of rows.
        place: Says where a row stands, such as "line 3".
        notes: What has been found on the way.
    """

    source: str
    columns: Mapping[str, Column]
    size: int
    place: Callable[[int], str]
    notes: tuple[str, ...] = ()

    def where(self, rows: Ints) -> "Table":
        """Keep some rows."""
        place = self.place
        return replace(
            self,
            columns={name: Part(column, rows) for name, column in self.columns.items()},
            size=len(rows),
            place=lambda row: place(int(rows[row])),
        )


class Sieve:
    """Bad rows of a table: the first is an error, or all are left out and counted."""

    def __init__(self, table: Table, *, skip: bool) -> None:
        self.table = table
        self.skip = skip
        self.good = np.ones(table.size, dtype=np.bool_)
        self.first = ""

    def refuse(self, wrong: Bools, column: str, allowed: str) -> None:
        """Refuse the rows whose cell of a column is wrong, saying what is allowed."""
        rows = np.flatnonzero(wrong & self.good)
        if not rows.size:
            return
        row = int(rows[0])
        value = shown(self.table.columns[column].cell(row))
        place = f"{self.table.source}, {self.table.place(row)}, column {column!r}"
        if not self.skip:
            msg = f"{place} holds {value}; {allowed}"
            raise DataError(msg)
        self.first = self.first or f"the first at {self.table.place(row)}, {column!r}: {value}"
        self.good &= ~wrong

    def names(self, column: str, what: str) -> Names:
        """Read a column in which every cell is a name."""
        codes, names = self.table.columns[column].names()
        self.refuse(codes == BLANK, column, f"give the name of {_article(what)}")
        self.refuse(codes == NOT_TEXT, column, f"the name of {_article(what)} is text")
        strange = np.array([*map(is_strange, names), False, False])  # the last for negative codes
        if strange.any():
            self.refuse(strange[codes], column, NAME)
        return Names(codes, names)

    def marks(self, column: str) -> Ints:
        """Read a column of identifiers, which may be blank."""
        codes = self.table.columns[column].names().codes
        self.refuse(codes == NOT_TEXT, column, "an identifier is text or a whole number")
        return codes

    def weights(self, column: str | None, *, zero: bool = True) -> Floats | None:
        """Read a column of weights, if there is one."""
        if column is None:
            return None
        values, blank, wrong = self.table.columns[column].numbers()
        with np.errstate(invalid="ignore"):
            low = values < 0 if zero else values <= 0
        bound = "of at least 0" if zero else "above 0"
        self.refuse(blank | wrong | low, column, f"a weight is a finite number {bound}")
        return values

    def check_left(self, what: str) -> None:
        """Demand that some rows are left."""
        if not self.good.any():
            reason = f": {counted(self.table.size, 'bad row')}, {self.first}" if self.first else ""
            msg = f"{self.table.source} holds no {what}{reason}"
            raise DataError(msg)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say how many rows were left out, if any."""
        bad = int((~self.good).sum())
        said = (f"{counted(bad, 'bad row')} skipped, {self.first}",) if bad else ()
        return (*self.table.notes, *said)


def kept_names(codes: Ints, names: tuple[str, ...], among: Ints | None = None) -> Names:
    """Number names anew after rows were left out, keeping their order.

    Args:
        codes: Codes of the rows that are left.
        names: The names so far.
        among: More codes whose names have to stay.

    >>> kept_names(np.array([2, 0]), ("a", "b", "c"))
    Names(codes=array([1, 0]), names=('a', 'c'))
    """
    used = np.zeros(len(names), dtype=np.bool_)
    for part in (codes, among):
        if part is not None:
            used[part[part >= 0]] = True
    if used.all():
        return Names(codes, names)
    place = np.append(np.cumsum(used) - 1, [NOT_TEXT, BLANK])  # negative codes stay as they are
    return Names(place[codes], tuple(name for name, on in zip(names, used, strict=True) if on))


def joined_codes(*columns: Ints) -> Ints:
    """Give one code to each distinct combination of codes, in no particular order.

    >>> joined_codes(np.array([0, 0, 1]), np.array([5, 5, 5]))
    array([0, 0, 1])
    """
    joined = np.zeros(len(columns[0]), dtype=np.int64)
    for codes in columns:
        low, high = (int(codes.min()), int(codes.max())) if len(codes) else (0, 0)
        # Both factors are below the number of rows plus 2, so no product overflows.
        joined = np.unique(joined * (high - low + 1) + codes - low, return_inverse=True)[1]
    return joined


def shown(value: object) -> str:
    """Write a cell for a message, cut where it is long.

    >>> shown("n/a"), shown(None), shown("x" * 100)[-20:]
    ("'n/a'", 'nothing', "xxx'... (100 in all)")
    """
    if value is None or value == "":
        return "nothing"
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return f"{value[:_LONGEST_VALUE]!r}... ({len(value):,} in all)"
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}..."


def check_blanks(source: str, what: str, names: Sequence[str]) -> None:
    """Refuse two names that differ only in blanks around them."""
    bare: dict[str, str] = {}
    for name in names:
        other = bare.setdefault(name.strip(), name)
        if other != name:
            msg = (
                f"{source}: the {what}s {other!r} and {name!r} differ only in blanks; "
                f"write them alike if they are one {what}, else rename one"
            )
            raise DataError(msg)


def is_strange(name: str) -> bool:
    """Tell whether text cannot be a name."""
    try:
        check_name("name", name)
    except DataError:
        return True
    return False


def _article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def _is_blank(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip(BLANKS))


def _plain_numbers(values: Sequence[Any]) -> Floats | None:
    """Read a column of nothing but numbers, or of nothing but simple text, fast; or give up."""
    try:
        if set(map(type, values)) <= {int, float} or _PLAIN.issuperset("".join(values)):
            return np.fromiter(map(float, values), dtype=np.float64, count=len(values))
    except (TypeError, ValueError, OverflowError):
        pass
    return None


def _number(value: object) -> float:
    """Read one cell; NaN where it is no number."""
    if isinstance(value, str):
        text = value.strip(BLANKS)
        return float(text) if _NUMBER.fullmatch(text) else np.nan
    if isinstance(value, bool) or not isinstance(value, int | float | np.number):
        return np.nan
    try:
        return float(value)
    except OverflowError:
        return np.inf
