"""What a report on data is made of: rankings, an inspection, tasks, pairs in doubt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.analysis._sampling import loaded
from podium.analysis.compare import Comparison, Wanted, compare
from podium.analysis.doubts import Doubt, doubts
from podium.analysis.influence import Influence, influence
from podium.analysis.inspection import Inspection, inspect
from podium.analysis.rank import Subject, rank
from podium.data.convert import Data, convert
from podium.data.game import Game
from podium.data.ratings import Ranking
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Tally
from podium.errors import DataError
from podium.methods._registry import METHODS, Card

REACH = 4
"""A method that may be bootstrapped unasked up to some number of agents may be run once for so
many times as many."""


@dataclass(frozen=True)
class Findings:
    """What was found out about some data.

    Attributes:
        data: The data.
        ranking: The main ranking, with intervals where these are cheap.
        comparison: The rankings by all methods, without intervals.
        skipped: Methods that were left out, and why.
        inspection: What should be known of the data.
        tally: Counts of pairs; None for a game, or where there are too many agents.
        tasks: What each task does to the main ranking, or why nobody knows.
        doubts: Neighbours in the main ranking, the least sure first.
    """

    data: Data
    ranking: Ranking
    comparison: Comparison
    skipped: Mapping[str, str]
    inspection: Inspection
    tally: Tally | None
    tasks: tuple[Influence, ...] | str
    doubts: tuple[Doubt, ...]

    @property
    def has_tasks(self) -> bool:
        """Whether the data come from tasks."""
        return bool(self.comparison.data["tasks"])

    @property
    def order(self) -> tuple[str, ...]:
        """The agents by the main ranking, best first."""
        return self.ranking.order


def find(data: Any, methods: Sequence[Wanted] | None = None, **how: Any) -> Findings:
    """Find out what there is to tell.

    Args:
        data: The data, or where they are.
        methods: Methods, or pairs of a method and its options, the main one first; by
            default all that are quick on so many agents.
        **how: Intervals of the main ranking, as for `podium.rank`.
    """
    value = loaded(data, how.pop("weights", None))
    main = _main(value, methods)
    skipped: dict[str, str] = {}
    if methods is None:
        methods, skipped = _quick(value, main[0])
    comparison = compare(value, methods, seed=int(how.get("seed", 0)))
    ranking = _ranked(value, main, comparison, how)
    tally = None
    if not isinstance(value, Game) and len(value.agents) <= DENSE_LIMIT:
        tally = convert(value, Tally)
    return Findings(
        data=value,
        ranking=ranking,
        comparison=comparison,
        skipped=skipped,
        inspection=inspect(value),
        tally=tally,
        tasks=_tasks(value, ranking),
        doubts=() if tally is None else doubts(tally, ranking.order),
    )


def _main(data: Data, methods: Sequence[Wanted] | None) -> tuple[str, Mapping[str, Any]]:
    if not methods:
        return Subject(data).default, {}
    return (methods[0], {}) if isinstance(methods[0], str) else methods[0]


def _quick(data: Data, main: str) -> tuple[list[Wanted], dict[str, str]]:
    """Part the methods that read these data into those that are quick, and the others."""
    quick: list[Wanted] = []
    skipped = {}
    for card in METHODS:
        if not card.can_read(type(data)):
            continue
        if card.name != main and len(data.agents) > REACH * card.cheap_up_to:
            skipped[card.name] = _dear(card, len(data.agents))
        else:
            quick.append(card.name)
    return quick, skipped


def _dear(card: Card, agents: int) -> str:
    return (
        f"may take long on {agents:,} agents (its work grows as: {card.cost}); ask for it with "
        f"--method {card.name}"
    )


def _ranked(
    data: Data,
    main: tuple[str, Mapping[str, Any]],
    comparison: Comparison,
    how: Mapping[str, Any],
) -> Ranking:
    """Rank by the main method, with intervals; if it cannot, by the first one that can."""
    name, options = main
    METHODS[name].bind(options)  # so that no option is taken for one of `rank`
    if not comparison.rankings:
        why = "\n".join(f"{method}: {error}" for method, error in comparison.errors.items())
        raise DataError(why or "no method can rank these data")
    known = [ranking for ranking in comparison.rankings.values() if ranking.method == name]
    best = known[0] if known else next(iter(comparison.rankings.values()))
    return rank(data, best.method, **{"intervals": "auto", **how, **best.options})


def _tasks(data: Data, ranking: Ranking) -> tuple[Influence, ...] | str:
    """Leave out each task in turn, where ranking so often is quick."""
    if not isinstance(data, Scores):
        return "only scores have tasks that can be left out"
    if len(data.agents) > METHODS[ranking.method].cheap_up_to:
        return f"{ranking.method} may take long on so many agents, and is needed for each task"
    return influence(data, ranking)
