"""Tables and lines for people, at the width and with the letters that their screen has."""

import math
import os
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from podium.safe import visible

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

UNLIMITED = 10_000
"""Width of a table that no screen bounds: a pipe or a file."""

LEAST = 3
"""Width below which no column is cut, however narrow the screen."""

MOST_DECIMALS = 6


def screen() -> "Console":
    """Open the screen: plain where output is piped, within its width where it is not."""
    from rich.console import Console

    bounded = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(
        file=sys.stdout,
        markup=False,
        highlight=False,
        emoji=False,
        width=None if bounded else UNLIMITED,
    )


def show(what: Any) -> None:
    """Print a table or text, without blanks at the ends of lines."""
    console = screen()
    with console.capture() as captured:
        console.print(what)
    lines = captured.get().splitlines()
    sys.stdout.write("".join(f"{text.rstrip()}\n" for text in lines))


def line(text: str = "") -> None:
    """Print one line of prose, wrapped to the screen."""
    show(safe_text(text))


def table(*headings: str, right: Collection[str] = (), keep: Collection[str] = ()) -> "Table":
    """Start a table; columns named in `right` hold numbers, those in `keep` never wrap."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for heading in headings:
        made.add_column(
            safe_text(heading),
            justify="right" if heading in right else "left",
            no_wrap=heading in keep or heading in right,
            overflow="fold",
            min_width=LEAST,
        )
    return made


def safe_text(text: str, style: str = "") -> "Text":
    """Make text of the data's own words, which the screen shows and never obeys."""
    from rich.text import Text

    return Text(visible(text), style=style)


def too_wide(made: "Table") -> bool:
    """Tell whether a table needs more width than the screen has."""
    console = screen()
    unbounded = console.options.update(width=UNLIMITED)
    return console.measure(made, options=unbounded).maximum > console.width


def names(agents: Sequence[str], limit: int = 8) -> str:
    """Write names one after the other, the first few of them where there are many.

    >>> names(["a", "b", "c"], limit=2)
    'a, b and 1 more'
    """
    more = len(agents) - limit
    text = ", ".join(agents[:limit])
    return f"{text} and {more:,} more" if more > 0 else text


def unicode_screen() -> bool:
    """Tell whether the screen has more letters than ASCII."""
    return (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")


def decimals_for(values: Iterable[float | None]) -> int:
    """Choose how many decimals a column of numbers needs: three digits of its range.

    >>> decimals_for([1.0, 7.0]), decimals_for([0.5, 7.0]), decimals_for([0.8333, 0.08333])
    (0, 1, 3)
    """
    numbers = [value for value in values if value is not None and math.isfinite(value)]
    for decimals in (0, 1):
        if all(math.isclose(value, round(value, decimals), abs_tol=1e-9) for value in numbers):
            return decimals
    spread = (max(numbers) - min(numbers)) or abs(numbers[0])
    return min(MOST_DECIMALS, max(0, 2 - math.floor(math.log10(spread))))


def number(value: float | None, decimals: int) -> str:
    """Write a number with a fixed count of decimals; nothing for a missing one."""
    if value is None:
        return ""
    return f"{round(value, decimals) + 0.0:,.{decimals}f}"  # adding 0 takes the sign off -0


def shown(value: Any) -> str:
    """Write a value of an option as a command line takes it.

    >>> shown(None), shown(True), shown(0.5)
    ('none', 'true', '0.5')
    """
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)
