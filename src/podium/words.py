"""One wording for each kind of complaint, and the checks that use it."""

import difflib
from collections.abc import Collection, Iterable, Sequence

from podium.errors import DataError

LONGEST_NAME = 512


def listed(items: Iterable[object], limit: int = 8) -> str:
    """Write items for a message, the first few of them where there are many.

    >>> listed(["a", "b"])
    "'a', 'b'"
    >>> listed(range(10), limit=2)
    '0, 1 and 8 more'
    """
    all_items = list(items)
    shown = ", ".join(repr(item) for item in all_items[:limit])
    more = len(all_items) - limit
    return f"{shown} and {more} more" if more > 0 else shown


def counted(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> counted(1, "agent"), counted(2000, "match"), counted(2, "query")
    ('1 agent', '2,000 matches', '2 queries')
    """
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith(('s', 'ch', 'x')) else 's'}"


def ordinal(number: int) -> str:
    """Write a place in words of figures.

    >>> [ordinal(number) for number in (1, 2, 3, 4, 11, 12, 21, 103)]
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '21st', '103rd']
    """
    teens = number % 100 in (11, 12, 13)
    return f"{number:,}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def report(top: int | None) -> str:
    """Name what of a report has to be right, its first agents or all of it, with its verb.

    >>> report(None), report(1), report(3)
    ('the ranking is', 'the first is', 'the first 3 are')
    """
    return {None: "the ranking is", 1: "the first is"}.get(top, f"the first {top} are")


def unknown(what: str, value: object, allowed: Collection[str]) -> str:
    """Word the error for a name that is not among those allowed.

    >>> unknown("method", "copland", ["borda", "copeland"])
    "no method named 'copland' (did you mean 'copeland'?); choose from 'borda', 'copeland'"
    """
    near = difflib.get_close_matches(str(value), list(allowed), n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return f"no {what} named {value!r}{hint}; choose from {listed(sorted(allowed), 40)}"


def check_choice(what: str, value: str, allowed: Collection[str]) -> str:
    """Return a value that is one of the allowed words, or say which are."""
    if value not in allowed:
        msg = f"{what} is {value!r}; choose from {listed(allowed, 40)}"
        raise DataError(msg)
    return value


def check_number(
    what: str, value: float, *, low: float = float("-inf"), high: float = float("inf")
) -> None:
    """Demand a number between two bounds, both allowed."""
    if not low <= value <= high:
        bounds = f"from {low:g} to {high:g}" if high < float("inf") else f"of at least {low:g}"
        msg = f"{what} is {value!r}; give a number {bounds}"
        raise DataError(msg)


def check_names(what: str, names: Sequence[object]) -> tuple[str, ...]:
    """Return names as a tuple of distinct, printable-length, non-empty strings."""
    for name in names:
        if not isinstance(name, str):
            kind = type(name).__name__
            msg = f"{what} {name!r} is a {kind}; names are text, so write {str(name)!r}"
            raise DataError(msg)
        check_name(what, name)
    if len(set(names)) != len(names):
        twice = sorted({str(name) for name in names if names.count(name) > 1})
        msg = f"{what} named twice: {listed(twice)}; give each {what} a name of its own"
        raise DataError(msg)
    return tuple(str(name) for name in names)


def check_name(what: str, name: str) -> None:
    """Demand a name that is not empty, not endless, and can be written as UTF-8."""
    if not name.strip():
        msg = f"a name of {what} is empty; give every {what} a name"
        raise DataError(msg)
    if len(name) > LONGEST_NAME:
        length = f"has {len(name):,} characters"
        msg = f"{what} {name[:40]!r}... {length}; at most {LONGEST_NAME} are allowed"
        raise DataError(msg)
    if "\0" in name or any("\ud800" <= letter <= "\udfff" for letter in name):
        msg = f"{what} {name!r} holds a NUL or half a surrogate pair; remove it"
        raise DataError(msg)
