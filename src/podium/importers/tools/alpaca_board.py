"""The leaderboard of AlpacaEval: one model a row, in the first column, which has no name."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from podium.errors import DataError
from podium.importers.cells import Cells
from podium.importers.options import Options
from podium.importers.tables import Table
from podium.importers.tools.rows import others
from podium.importers.tools.runs import several
from podium.words import listed

NAME = "an AlpacaEval leaderboard"
METRICS = True

RATES = ("win_rate", "length_controlled_winrate", "discrete_win_rate")
"""Columns that may be the score, in percent; the first is, unless another is asked for."""

_UNNAMED = ("", "Unnamed: 0", "__index_level_0__")
_OTHERS = (
    *("standard_error", "lc_standard_error", "n_wins", "n_wins_base", "n_draws", "n_total"),
    *("avg_length", "mode"),
)


def fits(columns: Collection[str]) -> bool:
    """Tell a leaderboard by its first column and the rate of wins."""
    names = list(columns)
    return names[:1] != [] and names[0] in _UNNAMED and {"win_rate", "n_total"} <= set(names)


def understood(table: Table, options: Options) -> Table:
    """Take one rate as the score."""
    first = next(iter(table.columns))
    there = [rate for rate in RATES if rate in table.columns]
    asked = [rate for rate in options.metric if rate in there]
    if options.metric and not asked:
        msg = (
            f"{table.source} has no metric {' or '.join(map(repr, options.metric))}; "
            f"choose from {listed(there)}"
        )
        raise DataError(msg)
    rate = (asked or there)[0]
    columns = others(table, (first, *RATES, *_OTHERS), options)
    columns |= {
        "task": Cells(["alpaca_eval"] * table.size),
        "agent": table.columns[first],
        "score": table.columns[rate],
    }
    totals = table.columns["n_total"].numbers().values
    most = np.nanmax(totals, initial=0)
    agents = table.columns[first].cells()
    fewer = [f"{agents[row]!r} ({totals[row]:g})" for row in np.flatnonzero(totals < most).tolist()]
    rest = [other for other in there if other != rate]
    notes = several(f"judged on fewer than {most:g} instructions: ", fewer)
    if rest and not options.metric:
        notes += several("scores are ", [f"{rate!r} (not {listed(rest)})"])
    return replace(table, columns=columns, notes=table.notes + notes)
