"""The log, the newest entry first."""

from typing import Any

from podium.server.entries import entry_of
from podium.server.views._view import Look, Shown, View

PAGE = 100
"""Entries on a page."""


def make(look: Look) -> Shown:
    """List a page of the log."""
    seq = look.study.seq
    last = min(look.whole("before", seq + 1), seq + 1) - 1
    first = max(0, last - PAGE)
    rows = [_row(entry_of(entry)) for entry in look.study.log(first, last - first)]
    rows.reverse()
    context = {"begin": first, "end": last, "seq": seq, "page": PAGE}
    return Shown(rows, context, look.command("log", f"--after={first}"))


def _row(entry: dict[str, Any]) -> dict[str, Any]:
    """Put an entry into columns that all entries have."""
    scores = entry.get("scores", {})
    said = [
        str(value) if name == "why" else f"{name}: {value}"
        for name, value in entry.items()
        if name not in _COLUMNS and value not in ("", False)
    ]
    agents = entry.get("agents") or list(scores)
    return {
        "seq": entry["seq"],
        "at": entry["at"],
        "kind": entry["kind"],
        "id": entry["id"],
        "task": entry.get("task", ""),
        "agents": [*agents] if isinstance(agents, list | tuple) else [str(agents)],
        "scores": dict(scores),
        "more": "; ".join(said),
    }


_COLUMNS = ("seq", "at", "kind", "id", "task", "scores", "agents", "cost")
"""Parts of an entry that have a column, or are of no interest here."""

VIEW = View("log", "Log", make, keeps=("before",))
