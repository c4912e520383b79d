"""Rows as CSV and JSON, and numbers as people read them."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from podium.data.ratings import plain
from podium.safe import for_sheet

Rows = Sequence[Mapping[str, Any]]


def as_csv(rows: Rows) -> str:
    r"""Write rows as CSV with a header; no cell can run as a formula of a spreadsheet.

    >>> as_csv([{"agent": "=1+1", "score": -0.5}])
    "agent,score\n'=1+1,-0.5\n"
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    if rows:
        writer.writerow(rows[0])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return buffer.getvalue()


def as_json(rows: Rows, **head: Any) -> bytes:
    """Write rows as one JSON document."""
    return msgspec.json.encode(plain({**head, "rows": list(rows)}))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return for_sheet("; ".join(f"{name}={part}" for name, part in value.items()))
    return for_sheet("; ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))


def number(value: Any, digits: int = 4) -> str:
    """Write a number for people; nothing where there is none.

    >>> number(1234.5678), number(None), number(-0.00012), number(12345678)
    ('1,235', '', '\u22120.00012', '12,345,678')
    """
    if value is None:
        return ""
    if isinstance(value, float) and not math.isfinite(value):
        return "\u221e" if value > 0 else "\u2212\u221e"
    whole = isinstance(value, int) or abs(value) >= 10 ** (digits - 1)
    text = f"{value:,.0f}" if whole else f"{value:.{digits}g}"
    return text.replace("-", "\u2212", 1) if value < 0 else text


def share(value: Any) -> str:
    """Write a share in hundredths, never rounded to all or nothing.

    >>> share(0.5), share(0.9999), share(0.0001), share(1.0), share(None)
    ('50%', '>99%', '<1%', '100%', '')
    """
    if value is None:
        return ""
    if 0.995 <= value < 1.0:
        return ">99%"
    return "<1%" if 0.0 < value < 0.005 else f"{value:.0%}"


def duration(seconds: float) -> str:
    """Write a time span.

    >>> duration(42), duration(600), duration(7200), duration(200_000)
    ('42 s', '10 min', '2 h', '2 d')
    """
    for size, unit in ((172_800, "d"), (7_200, "h"), (120, "min")):
        if abs(seconds) >= size:
            return f"{seconds / {'d': 86_400, 'h': 3_600, 'min': 60}[unit]:.0f} {unit}"
    return f"{seconds:.0f} s"
