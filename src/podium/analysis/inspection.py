"""Inspection: what should be known of data before any ranking of it is trusted."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from html import escape
from typing import Any

from podium.analysis._ballots import Ballots, DuplicateTasks, ballots, duplicate_tasks
from podium.analysis._circles import Hodge, circles
from podium.analysis._clones import Clones, clones
from podium.analysis._completion import Completion, completion
from podium.analysis._coverage import Coverage, Samples, Ties, coverage, samples, ties
from podium.analysis._majority import Cycles, Majority, majority
from podium.analysis._nash import Nash, nash
from podium.analysis._sampling import loaded
from podium.analysis._section import Fact, Section, View
from podium.analysis._zeros import SuspiciousZeros, Zero, suspicious_zeros
from podium.data.convert import summary
from podium.data.ratings import plain
from podium.words import counted

__all__ = [
    "Ballots",
    "Clones",
    "Completion",
    "Coverage",
    "Cycles",
    "DuplicateTasks",
    "Hodge",
    "Inspection",
    "Majority",
    "Nash",
    "Samples",
    "SuspiciousZeros",
    "Ties",
    "Zero",
    "inspect",
]

SCHEMA = "podium.inspect/1"

SECTIONS: dict[str, Callable[[View], Any]] = {
    "coverage": coverage,
    "samples": samples,
    "ties": ties,
    "majority": majority,
    "completion": completion,
    "ballots": ballots,
    "duplicate_tasks": duplicate_tasks,
    "clones": clones,
    "suspicious_zeros": suspicious_zeros,
    "hodge": circles,
    "nash": nash,
}
"""Field of an inspection to the function that fills it, or says why it does not apply."""

MAJORITY_FIELDS = [part.name for part in fields(Majority) if part.name != "skipped"]
"""What of the majority stands at the top of the JSON answer."""

TITLES = {
    "coverage": "Coverage",
    "samples": "Samples",
    "ties": "Ties",
    "majority": "Majority",
    "completion": "Missing votes",
    "ballots": "Repeated ballots",
    "duplicate_tasks": "Duplicate tasks",
    "clones": "Clones",
    "suspicious_zeros": "Zeros",
    "hodge": "Ratings",
    "nash": "Nash equilibrium",
}


@dataclass(frozen=True)
class Inspection:
    """What should be known of data before any ranking of it is trusted.

    A section that does not apply to the data is None, and `left_out` says why.

    Attributes:
        data: The kind of data and their size, in figures.
        coverage: What was compared with what, and what is missing.
        samples: How often cells were sampled.
        ties: How often comparisons say nothing.
        majority: Condorcet winners and losers, the sets that stand out, cycles.
        completion: Who may and who must win when the missing votes come in.
        ballots: How many rankings are distinct.
        duplicate_tasks: Tasks that say the same as others.
        clones: Agents that are like one another.
        suspicious_zeros: Scores of 0 that look like failed runs.
        hodge: How much ratings can explain, and how many skills tasks tell apart.
        nash: Which agents and tasks the equilibrium of the evaluation looks at.
        notes: What the reader of the data said, such as duplicates that it dropped.
        warnings: What may mislead, each with what to do about it.
        left_out: What does not apply or is too dear, and why.
    """

    data: dict[str, Any]
    coverage: Coverage | None = None
    samples: Samples | None = None
    ties: Ties | None = None
    majority: Majority | None = None
    completion: Completion | None = None
    ballots: Ballots | None = None
    duplicate_tasks: DuplicateTasks | None = None
    clones: Clones | None = None
    suspicious_zeros: SuspiciousZeros | None = None
    hodge: Hodge | None = None
    nash: Nash | None = None
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    left_out: dict[str, str] = field(default_factory=dict)

    @property
    def condorcet_winner(self) -> str | None:
        """The agent that beats every other by majority, or None."""
        return self.majority.condorcet_winner if self.majority else None

    @property
    def weak_condorcet_winners(self) -> tuple[str, ...]:
        """The agents that lose to no other by majority."""
        return self.majority.weak_condorcet_winners if self.majority else ()

    @property
    def condorcet_loser(self) -> str | None:
        """The agent that loses to every other by majority, or None."""
        return self.majority.condorcet_loser if self.majority else None

    @property
    def smith_set(self) -> tuple[str, ...]:
        """The smallest set of agents whose members beat everybody outside."""
        return self.majority.smith_set if self.majority else ()

    @property
    def sections(self) -> dict[str, Section]:
        """The sections that apply, by title."""
        parts = {title: getattr(self, name) for name, title in TITLES.items()}
        return {title: part for title, part in parts.items() if part is not None}

    @property
    def facts(self) -> dict[str, list[Fact]]:
        """What to tell under each title: labels with texts, ready for any table."""
        told = {title: part.facts for title, part in self.sections.items()}
        return {title: facts for title, facts in told.items() if facts}

    def to_dict(self) -> dict[str, Any]:
        """Give the JSON answer that `podium inspect` prints; its keys are always the same."""
        answer: dict[str, Any] = {"schema": SCHEMA, "data": self.data}
        for name in SECTIONS:
            part = getattr(self, name)
            if name == "majority":
                answer |= dict.fromkeys(MAJORITY_FIELDS) if part is None else _fields(part)
            else:
                answer[name] = None if part is None else _fields(part)
        answer |= {"notes": self.notes, "warnings": self.warnings, "left_out": self.left_out}
        return dict(plain(answer))

    def __str__(self) -> str:
        figures = [counted(self.data[f"{noun}s"], noun) for noun in ("agent", "task", "record")]
        lines = [f"{self.data['kind']}: {', '.join(figures)}"]
        width = max((len(label) for facts in self.facts.values() for label, _ in facts), default=0)
        for title, facts in self.facts.items():
            lines += ["", title]
            lines += [f"  {label:<{width}}  {text}" for label, text in facts]
        missing = [f"{name.replace('_', ' ')}: {why}" for name, why in self.left_out.items()]
        parts = (("Notes", self.notes), ("Warnings", self.warnings), ("Left out", missing))
        for title, texts in parts:
            if texts:
                lines += ["", title, *(f"  - {text}" for text in texts)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><th colspan='2'>{escape(title)}</th></tr>"
            + "".join(f"<tr><td>{escape(k)}</td><td>{escape(v)}</td></tr>" for k, v in facts)
            for title, facts in self.facts.items()
        ]
        texts = "".join(f"<li>{escape(text)}</li>" for text in (*self.notes, *self.warnings))
        return f"<table>{''.join(rows)}</table>" + (f"<ul>{texts}</ul>" if texts else "")


def _fields(part: Any) -> dict[str, Any]:
    """List the fields of a section, without what `left_out` tells for all."""
    return {name: value for name, value in asdict(part).items() if name != "skipped"}


def inspect(data: Any, *, weights: Mapping[str, float] | None = None) -> Inspection:
    """Tell what should be known of data before any ranking of them is trusted.

    Args:
        data: Scores, matches, ballots, a tally or a game; or a frame or a path,
            which is read as `podium.read` does.
        weights: Weights of tasks, by name; tasks that are not named keep theirs.

    >>> from podium.data.profile import Profile
    >>> found = inspect(Profile.from_ballots([(1, "abc"), (1, "bca"), (1, "cab")]))
    >>> found.condorcet_winner, found.smith_set, found.majority.cycles.example
    (None, ('a', 'b', 'c'), ('a', 'b', 'c'))
    """
    value = loaded(data, weights)
    view = View(value)
    parts: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    for name, look in SECTIONS.items():
        part = look(view)
        if isinstance(part, str):
            left_out[name] = part
        else:
            parts[name] = part
            left_out |= getattr(part, "skipped", {})
    return Inspection(
        data=summary(value),
        notes=value.notes,
        warnings=tuple(text for part in parts.values() for text in part.warnings),
        left_out=left_out,
        **parts,
    )
