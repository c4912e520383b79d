"""Compare: the same data by many methods, side by side."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.analysis._sampling import Sampling, loaded
from podium.analysis.rank import Subject
from podium.data.ratings import SCHEMA, Ranking, plain
from podium.errors import DataError, PodiumError
from podium.methods._registry import METHODS

Wanted = str | tuple[str, Mapping[str, Any]]
"""A method by its name, or with its options."""


@dataclass(frozen=True)
class Comparison:
    """Rankings of the same data by many methods.

    Attributes:
        rankings: Method to its ranking.
        errors: Method that could not rank these data, to the reason.
        data: What was ranked, in figures.
        asked: The methods in the order in which they were asked.
    """

    rankings: dict[str, Ranking]
    errors: dict[str, str]
    data: dict[str, Any]
    asked: tuple[str, ...] = ()

    def table(self) -> list[dict[str, Any]]:
        """Give a row for each agent with its rank by each method; best on average first."""
        ranks = {name: ranking.ranks for name, ranking in self.rankings.items()}
        agents = next(iter(ranks.values()), {})
        total = {agent: sum(own[agent] for own in ranks.values()) for agent in agents}
        return [
            {"agent": agent, **{name: own[agent] for name, own in ranks.items()}}
            for agent in sorted(total, key=lambda agent: (total[agent], agent))
        ]

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON answer that `podium rank --all` prints."""
        results = [
            self.rankings[label].to_result()
            if label in self.rankings
            else {"method": label.partition(":")[0], "error": self.errors[label]}
            for label in self.asked or (*self.rankings, *self.errors)
        ]
        return {"schema": SCHEMA, "data": plain(self.data), "results": results}

    def __str__(self) -> str:
        heads = ["agent", *self.rankings]
        rows = [[str(row[head]) for head in heads] for row in self.table()]
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
        lines = [
            "  ".join(
                cell.rjust(width) if place else cell.ljust(width)
                for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
            )
            for cells in [heads, *rows]
        ]
        lines += [f"{name}: {error}" for name, error in self.errors.items()]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        heads = ["agent", *self.rankings]
        lines = ["".join(f"<th>{html.escape(head)}</th>" for head in heads)]
        lines += [
            "".join(f"<td>{html.escape(str(row[head]))}</td>" for head in heads)
            for row in self.table()
        ]
        table = "".join(f"<tr>{line}</tr>" for line in lines)
        errors = "".join(
            f"<li>{html.escape(name)}: {html.escape(error)}</li>"
            for name, error in self.errors.items()
        )
        return f"<table>{table}</table>" + (f"<ul>{errors}</ul>" if errors else "")


def compare(
    data: Any,
    methods: Sequence[Wanted] | None = None,
    *,
    intervals: str | None = None,
    resample: str | None = None,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
    jobs: int = 1,
    weights: Mapping[str, float] | None = None,
) -> Comparison:
    """Rank the agents of some data by many methods.

    Args:
        data: As for `rank`.
        methods: Names, or pairs of a name and options; by default every method
            that can read the data.
        intervals: As for `rank`, and so are the arguments below.
        resample: What the bootstrap draws anew.
        level: Share that an interval holds.
        replicates: How many times to draw.
        seed: Start of all chance.
        jobs: Processes that work at the same time.
        weights: Weights of tasks, by name.

    >>> from podium.data.profile import Profile
    >>> ballots = Profile.from_ballots([(3, "abc"), (1, "bca")])
    >>> compare(ballots, ["borda", "plurality"]).table()[1]
    {'agent': 'b', 'borda': 2, 'plurality': 2}
    """
    sampling = Sampling(intervals, resample, level, replicates, seed, jobs).checked()
    subject = Subject(loaded(data, weights))
    rankings: dict[str, Ranking] = {}
    errors: dict[str, str] = {}
    asked: list[str] = []
    for name, options in _wanted(subject, methods):
        label = _label(name, options)
        if label in asked:
            msg = f"method {label} is asked for twice; ask once"
            raise DataError(msg)
        asked.append(label)
        try:
            rankings[label] = subject.ranked(name, options, sampling)
        except PodiumError as error:
            errors[label] = str(error)
    return Comparison(rankings, errors, subject.summary, tuple(asked))


def _wanted(
    subject: Subject, methods: Sequence[Wanted] | None
) -> list[tuple[str, Mapping[str, Any]]]:
    if methods is None:
        kind = type(subject.data)
        return [(card.name, {}) for card in METHODS if card.can_read(kind)]
    pairs = [(wanted, {}) if isinstance(wanted, str) else wanted for wanted in methods]
    for name, options in pairs:
        METHODS[name].bind(options)  # a wrong name or option is the caller's fault, not the data's
    return [(name, options) for name, options in pairs]


def _label(name: str, options: Mapping[str, Any]) -> str:
    """Name a method with its options, as the command line does.

    >>> _label("stv", {"winners": 2}), _label("borda", {})
    ('stv:winners=2', 'borda')
    """
    given = ",".join(f"{option}={value}" for option, value in options.items())
    return f"{name}:{given}" if given else name
