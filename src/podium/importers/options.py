"""How a source is to be read: what its reader asks for, in one value."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from podium.data.game import Game
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.scores import Scores
from podium.errors import DataError
from podium.words import check_choice

Found: TypeAlias = Scores | Matches | Profile | Game
"""What can be read."""

KIND_NAMES = ("scores", "summaries", "matches", "ballots", "game")
CONFLICT_RULES = ("error", "mean", "first", "last")


@dataclass(frozen=True)
class Options:
    """What the reader of some data asks for.

    Attributes:
        kind: The kind of data, or None to recognise it.
        columns: Part of a row (`"agent"`, `"score"`) to the column that holds it,
            where a column has another name.
        skip_bad_rows: Whether bad rows are left out and counted instead of refused.
        on_conflict: What to do where an identifier has two values.
        lower_is_better: Tasks on which a low score is good.
        weights: Weights of tasks.
        terms: Columns of matches to keep, as terms that may explain outcomes.
        metric: Metrics of an evaluation tool to take as the score, the first
            that a task has.
    """

    kind: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    skip_bad_rows: bool = False
    on_conflict: str = "error"
    lower_is_better: Collection[str] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    terms: Collection[str] = ()
    metric: Sequence[str] = ()

    def __post_init__(self) -> None:
        if self.kind is not None:
            check_choice("kind", self.kind, KIND_NAMES)
        check_choice("on_conflict", self.on_conflict, CONFLICT_RULES)
        if isinstance(self.lower_is_better, str):
            msg = f"lower_is_better is {self.lower_is_better!r}; give a list of tasks"
            raise DataError(msg)
        if isinstance(self.terms, str):
            msg = f"terms is {self.terms!r}; give a list of columns"
            raise DataError(msg)

    def check_kind(self, source: str, kind: str) -> None:
        """Complain where another kind was asked for than the source can hold."""
        if self.kind not in (None, kind):
            msg = f"{source} holds {kind}; it cannot be read as {self.kind}"
            raise DataError(msg)

    def check_no_metric(self, source: str) -> None:
        """Complain where a metric was asked for and there is no choice."""
        if self.metric:
            msg = f"{source} has one score for each row; metric chooses among those of a tool's log"
            raise DataError(msg)

    def check_no_scores(self, source: str, kind: str) -> None:
        """Complain where an option for scores was given with other data."""
        if self.lower_is_better:
            msg = f"{source} holds {kind}; lower_is_better is for scores"
            raise DataError(msg)
        self.check_no_metric(source)

    def check_no_terms(self, source: str, kind: str) -> None:
        """Complain where terms of matches are wanted of other data."""
        if self.terms:
            msg = f"{source} holds {kind}; terms are columns of matches"
            raise DataError(msg)
