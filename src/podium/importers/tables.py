"""Tables: named columns of a source, and the sieve that finds their bad rows.

Every source (a file, a frame, a data base) becomes a `Table`; every reader of
scores, matches or ballots sees only that.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.errors import DataError
from podium.importers.cells import BLANK, NOT_TEXT, Column, Names, Part
from podium.words import LONGEST_NAME, check_name, counted

NAME = f"a name is more than blanks, at most {LONGEST_NAME} characters, without NUL"
"""What a name may be."""

_LONGEST_VALUE = 60
_SKIPPED = re.compile(r"([0-9,]+) bad rows? skipped, (.*)", re.DOTALL)


def skip_note(rows: int, first: str) -> str:
    """Say how many rows were left out.

    >>> skip_note(2, "the first at line 3")
    '2 bad rows skipped, the first at line 3'
    """
    return f"{counted(rows, 'bad row')} skipped, {first}"


def skipped_rows(notes: Iterable[str]) -> int:
    """Add up how many rows notes say to be left out.

    >>> skipped_rows(["x", skip_note(2_000, "the first at line 3"), skip_note(1, "late")])
    2001
    """
    found = filter(None, map(_SKIPPED.fullmatch, notes))
    return sum(int(said[1].replace(",", "")) for said in found)


def joined_notes(notes: Sequence[str]) -> tuple[str, ...]:
    """Put the notes of parts together: rows that were left out add up, the rest is said once.

    >>> joined_notes(["x", skip_note(2, "the first at line 3"), skip_note(1, "late"), "x"])
    ('x', '3 bad rows skipped, the first at line 3')
    """
    skipping = [found for note in notes if (found := _SKIPPED.fullmatch(note))]
    if not skipping:
        return tuple(dict.fromkeys(notes))
    whole = skip_note(skipped_rows(notes), skipping[0][2])
    return tuple(dict.fromkeys(whole if _SKIPPED.fullmatch(note) else note for note in notes))


class NothingLeft(DataError):  # noqa: N818, reads as what happened
    """A table has no good row.

    Args:
        source: What messages call the table.
        what: What its rows should be.
        notes: What has been found on the way.
    """

    def __init__(self, source: str, what: str, notes: Sequence[str]) -> None:
        super().__init__(f"{source} holds no {what}{': ' * bool(notes)}{'; '.join(notes)}")
        self.notes = tuple(notes)


def _first(rows: Ints) -> int:
    return int(rows[0])


@dataclass(frozen=True)
class Table:
    """Named columns of equal length, and where each row stands in its source.

    Attributes:
        source: What messages call the source: the name of a file.
        columns: The columns by the names in the header.
        size: Number of rows.
        place: Says where a row stands, such as "line 3".
        notes: What has been found on the way.
        copies: How many rows of the source each row stands for, where equal
            rows have been put together.
        first: Chooses which of some rows, given in order, is told of first.
        telling: What stands before the place of that row in a note.
        chosen: Whether a metric of a tool has been chosen as the score.
    """

    source: str
    columns: Mapping[str, Column]
    size: int
    place: Callable[[int], str]
    notes: tuple[str, ...] = ()
    copies: Ints | None = None
    first: Callable[[Ints], int] = _first
    telling: str = "the first at"
    chosen: bool = False

    def counted(self, marked: Bools | None = None) -> int:
        """Count the rows of the source that all rows, or those that are marked, stand for."""
        if self.copies is None:
            return self.size if marked is None else int(marked.sum())
        return int((self.copies if marked is None else self.copies[marked]).sum())

    def where(self, rows: Ints) -> "Table":
        """Keep some rows."""
        place = self.place
        return replace(
            self,
            columns={name: Part(column, rows) for name, column in self.columns.items()},
            size=len(rows),
            place=lambda row: place(int(rows[row])),
            copies=None if self.copies is None else self.copies[rows],
            first=_first,
        )


class Sieve:
    """Bad rows of a table: the first is an error, or all are left out and counted."""

    def __init__(self, table: Table, *, skip: bool) -> None:
        self.table = table
        self.skip = skip
        self.good = np.ones(table.size, dtype=np.bool_)
        self.told = ""

    def refuse(self, wrong: Bools, column: str, allowed: str) -> None:
        """Refuse the rows whose cell of a column is wrong, saying what is allowed."""
        rows = np.flatnonzero(wrong & self.good)
        if not rows.size:
            return
        if not self.skip or not self.told:
            row = self.table.first(rows)
            place, value = self.table.place(row), shown(self.table.columns[column].cell(row))
            if not self.skip:
                msg = f"{self.table.source}, {place}, column {column!r} holds {value}; {allowed}"
                raise DataError(msg)
            self.told = f"{self.table.telling} {place}, {column!r}: {value}"
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
            raise NothingLeft(self.table.source, what, self.notes)

    @property
    def notes(self) -> tuple[str, ...]:
        """Say how many rows were left out, if any."""
        bad = self.table.counted(~self.good)
        return (*self.table.notes, *([skip_note(bad, self.told)] if bad else []))


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
