"""The tour of `podium demo`: one ranking with its certainty, then all methods beside it."""

from collections.abc import Iterator

from podium.analysis.compare import compare
from podium.analysis.rank import rank
from podium.cli._beside import print_comparison, write_beside
from podium.cli._ranking import in_figures, print_ranking
from podium.cli._screen import line, names
from podium.cli.options import Format
from podium.data.ratings import Ranking
from podium.importers import read

SHOWN = "agent57"
"""The bundled data of the tour."""

NEXT = {
    "podium rank FILE": "rank your own results: columns task, agent, score, or matches, or votes",
    f"podium inspect {SHOWN}": "winners, cycles, clones and gaps in the data",
    "podium methods": "what each method reads, does and promises",
    "podium data list": "more data to try",
}


def show_around(seed: int, jobs: int, form: Format) -> None:
    """Rank the bundled table, and compare the methods on it."""
    from podium.bundled import SETS

    data = read(SHOWN)
    comparison = compare(data, seed=seed, jobs=jobs)
    if form is not Format.table:
        write_beside(comparison, form)
        return
    ranking = rank(data, intervals="auto", seed=seed, jobs=jobs)
    line(f"{SETS[SHOWN].title}: {in_figures(ranking.data)}.")
    line(f"$ podium rank {SHOWN}")
    line()
    print_ranking(ranking)
    line()
    for sentence in certainty(ranking):
        line(sentence)
    line()
    line(f"$ podium compare {SHOWN}")
    line()
    print_comparison(comparison)
    line()
    line("Next:")
    for command, what in NEXT.items():
        line(f"  {command:<24}{what}")


def certainty(ranking: Ranking) -> Iterator[str]:
    """Say in words what the rank intervals mean.

    >>> ranking = Ranking("mean", (("a",), ("b",)), {"a": 2.0, "b": 1.0},
    ...                   rank_intervals={"a": (1, 1), "b": (1, 2)})
    >>> for sentence in certainty(ranking):
    ...     print(sentence)
    With other tasks of the same kind, 2 of 2 agents could come first: a, b.
    Only one rank is likely for a.
    """
    first = [agent for agent in ranking.order if ranking.rank_intervals.get(agent, (2,))[0] == 1]
    every = len(ranking.order)
    if len(first) == 1:
        yield f"Whichever tasks had been drawn, {first[0]} comes first."
    elif first:
        could = f"{len(first)} of {every} agents could come first"
        yield f"With other tasks of the same kind, {could}: {names(first)}."
    sure = [agent for agent, (low, high) in ranking.rank_intervals.items() if low == high]
    if sure:
        yield f"Only one rank is likely for {names(sure)}."
