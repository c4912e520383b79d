"""Compare two agents: which is better, by how much, and could it be chance."""

import html
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from podium.analysis._evidence import Asked, Evidence, Interval
from podium.analysis._sampling import loaded
from podium.data.convert import Data, summary
from podium.data.game import Game
from podium.data.ratings import plain
from podium.data.scores import Scores
from podium.errors import DataError
from podium.words import check_number, counted, unknown

SCHEMA = "podium.compare/1"


@dataclass(frozen=True)
class Duel:
    """Two agents set against each other.

    Attributes:
        a: The one agent.
        b: The other.
        unit: What is taken as drawn by chance: "task", "sample", "match",
            "cluster" or "ballot".
        units: How many of these both agents share.
        difference: How much a is above b: the mean difference of their scores
            (higher is better), or of wins less losses a meeting.
        interval: Where the true difference may lie; None where nothing says so.
        p_value: Chance of a difference as large if neither is better.
        test: How the p-value was found.
        wins: Where a is above: number of tasks, of samples where these are the
            unit and are paired, or weight of the meetings.
        ties: The same where neither is above.
        losses: The same where b is above.
        sign_test: P-value of wins against losses alone.
        win_share: Probability of improvement: chance that a is above b in one
            pair of their results, a tie counting half; over tasks by weight.
        win_share_interval: Where that chance may lie.
        level: Share that an interval holds.
        data: What was compared, in figures.
        notes: What the reader should know.
    """

    a: str
    b: str
    unit: str
    units: int
    difference: float
    interval: Interval | None
    p_value: float
    test: str
    wins: float
    ties: float
    losses: float
    sign_test: float
    win_share: float
    win_share_interval: Interval
    level: float
    data: dict[str, Any]
    notes: tuple[str, ...] = ()

    @property
    def better(self) -> str | None:
        """The better agent, or None where the data do not tell them apart at this level."""
        if self.p_value > 1 - self.level:
            return None
        return self.a if self.difference > 0 else self.b

    def table(self) -> list[dict[str, Any]]:
        """Give one row with all numbers, ready for any frame library."""
        row: dict[str, Any] = {}
        for name, value in asdict(self).items():
            if name in ("interval", "win_share_interval"):
                stem = "difference" if name == "interval" else "win_share"
                row[f"{stem}_low"], row[f"{stem}_high"] = value or (None, None)
            elif name not in ("data", "notes"):
                row[name] = value
        return [{**row, "better": self.better}]

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON answer that `podium compare A B DATA` prints."""
        facts: dict[str, Any] = {"schema": SCHEMA, **asdict(self), "better": self.better}
        return {name: plain(value) for name, value in facts.items()}

    @property
    def verdict(self) -> str:
        """The answer in one sentence."""
        chance = f"p = {self.p_value:.2g}"
        if self.better is None:
            at = f"at level {self.level:g}"
            return f"The data do not tell {self.a} and {self.b} apart {at} ({chance})."
        worse = self.b if self.better == self.a else self.a
        return f"{self.better} is better than {worse} ({chance})."

    @property
    def facts(self) -> list[tuple[str, str]]:
        """Labels, and what is to be told under them."""
        percent = f"{self.level:.4g}"
        told = [("mean difference", f"{self.difference:+.4g}")]
        if self.interval is not None:
            told.append((f"interval, level {percent}", _span(self.interval)))
        record = [_number(self.wins, "win"), _number(self.ties, "tie")]
        record.append(_number(self.losses, "loss"))
        low, high = self.win_share_interval
        return [
            *told,
            ("p-value", f"{self.p_value:.3g} ({self.test}; {counted(self.units, self.unit)})"),
            (f"{self.a} against {self.b}", ", ".join(record)),
            ("p-value of wins against losses", f"{self.sign_test:.3g} (sign test)"),
            ("probability of improvement", f"{self.win_share:.1%} ({low:.1%} to {high:.1%})"),
        ]

    def __str__(self) -> str:
        facts = self.facts
        width = max(len(label) for label, _ in facts)
        lines = [self.verdict, *(f"  {label:<{width}}  {text}" for label, text in facts)]
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th><td>{html.escape(text)}</td></tr>"
            for label, text in self.facts
        )
        notes = "".join(f"<li>{html.escape(note)}</li>" for note in self.notes)
        caption = f"<caption>{html.escape(self.verdict)}</caption>"
        return f"<table>{caption}{rows}</table>" + (f"<ul>{notes}</ul>" if notes else "")


def compare_two(
    data: Any,
    a: str,
    b: str,
    *,
    level: float = 0.95,
    seed: int = 0,
    replicates: int = 2000,
    resample: str | None = None,
    weights: Mapping[str, float] | None = None,
) -> Duel:
    """Compare two agents on what both did, and say whether it could be chance.

    Scores are paired by task, and within a task by sample where rows carry an
    identifier: what makes a task hard for both is then no noise. The p-value
    comes from turning the signs of the differences round, and the interval
    from Student's curve. Of matches, ballots and counts only direct meetings
    are looked at.

    Args:
        data: Scores, matches, a profile or a tally; or a frame or a path,
            which is read first.
        a: The one agent.
        b: The other.
        level: Share that an interval holds.
        seed: Start of all chance, which is used where signs are too many to go
            through.
        replicates: How many signs to draw then.
        resample: What is taken as drawn by chance. For scores "task" (other
            tasks might have been chosen; the default) or "sample" (these tasks
            are meant, and only their samples are chance; the default for one
            task). For matches "match" (by cluster, where there are clusters)
            or "task".
        weights: Weights of tasks, by name; 1 where not named.

    >>> scores = Scores.from_matrix([[2, 1], [5, 3], [4, 3], [6, 6]], "stuv", "ab")
    >>> duel = compare_two(scores, "a", "b")
    >>> duel.difference, duel.p_value, (duel.wins, duel.ties, duel.losses)
    (1.0, 0.25, (3, 1, 0))
    """
    check_number("level", level, low=0.5, high=0.9999)
    check_number("replicates", replicates, low=2, high=1_000_000)
    check_number("seed", seed, low=0)
    value = _of_two(loaded(data, weights), a, b)
    evidence = _evidence(value, Asked(level, resample, replicates, seed))
    return Duel(a=a, b=b, level=level, data=summary(value), **vars(evidence))


def _of_two(data: Data, a: str, b: str) -> Any:
    """Keep the two agents."""
    if isinstance(data, Game):
        msg = "a game's payoffs are given and not sampled, so there is no chance to judge; "
        raise DataError(msg + "give the scores or matches that the payoffs come from")
    for name in (a, b):
        if name not in data.agents:
            raise DataError(unknown("agent", name, data.agents))
    if a == b:
        msg = f"{a!r} is asked for twice; name two agents"
        raise DataError(msg)
    return data.only(agents=[a, b])


def _evidence(data: Any, asked: Asked) -> Evidence:
    if isinstance(data, Scores):
        from podium.analysis._paired_scores import score_evidence

        return score_evidence(data, asked)
    from podium.analysis._paired_votes import vote_evidence

    return vote_evidence(data, asked)


def _span(interval: Interval) -> str:
    low, high = interval
    return f"{low:+.4g} to {high:+.4g}"


def _number(count: float, noun: str) -> str:
    """Write a count that may be no whole number with its noun."""
    return counted(int(count), noun) if count == int(count) else f"{count:,g} {noun}s"
