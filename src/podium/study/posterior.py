"""How certain a study is of what it reports: the posterior of the true ranking."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from podium.arrays import Array, Bools, Floats, Ints, locked
from podium.errors import DataError
from podium.kernels.posterior import Limits, draw_truths, learn_cells, no_sums, room_for
from podium.kernels.posterior_chain import Known, no_chain
from podium.kernels.records import Records, Sizes
from podium.kernels.soft_cells import LOG_NOISES, NOISES, PRIOR_SPREAD, Cells, no_cells
from podium.words import check_number

PLAIN = 5_000
"""Up to so many cells times draws, Python ends before a compiler is loaded."""

TIE_CHANCE = 0.02
"""Prior chance that two agents have the same mean on a task."""


@dataclass(frozen=True, eq=False)
class Posterior:
    """What the true ranking may be, given all scores so far.

    The true ranking is the Kemeny order of the true means of all tasks. Where
    several orders are best, whatever agrees with one of them is right.

    Attributes:
        pairs: Probability that the row agent is truly above the column agent;
            where the truth ties them, a half.
        places: Probability of each place, agents x places.
        tops: For each k from 1, the probability that the first k of the report
            are truly the first k, in whatever order; 0 where a tie in the report
            leaves open which they are.
        whole: Probability that the whole report is right; 0 where it has a tie.
        margins: What these are counted from: for each draw, tasks won less tasks lost by
            the row agent against the column agent, agents in the order of the report.
        order: The report: codes of agents, best first.
        rounds: How many rounds it rests on.
    """

    pairs: Floats
    places: Floats
    tops: Floats
    whole: float
    margins: Array
    order: Ints
    rounds: int

    def top(self, k: int) -> float:
        """Give the probability that the reported first k are the true first k."""
        check_number("k", k, low=1, high=len(self.tops))
        return float(self.tops[int(k) - 1])

    def chance(self, top: int | None) -> float:
        """Give the probability that the first `top` are right, or the whole report if None."""
        return self.whole if top is None else self.top(top)

    def rank_intervals(self, level: float = 0.95) -> Ints:
        """Give the lowest and the highest rank of each agent, agents x 2.

        Each side leaves out less than half of 1 - `level`.

        >>> places = np.array([[0.9, 0.1], [0.1, 0.9]])
        >>> open_rank = Posterior(places, places, np.ones(2), 1.0, places, np.arange(2), 9)
        >>> open_rank.rank_intervals(0.95).tolist(), open_rank.rank_intervals(0.75).tolist()
        ([[1, 2], [1, 2]], [[1, 1], [2, 2]])
        """
        if not 0.0 < level < 1.0:
            msg = f"level is {level!r}; give a number above 0 and below 1"
            raise DataError(msg)
        tail = (1.0 - level) / 2.0
        reached = np.cumsum(self.places, axis=1)
        low = 1 + (reached <= tail).sum(axis=1)
        high = 1 + (reached < 1.0 - tail).sum(axis=1)
        return locked(np.stack([low, high], axis=1).astype(np.int64))


def posterior_of(
    records: Records,
    ratings: ArrayLike,
    *,
    seed: int = 0,
    draws: int = 400,
    noise: ArrayLike | None = None,
    compiled: bool | None = None,
) -> Posterior:
    """Work out how certain a report is.

    The answer depends on the records, the report and the seed alone, and
    follows agents and tasks when these are given other codes.

    Args:
        records: What was seen so far.
        ratings: The report: a rating for each agent, higher is better; equal ones are tied.
        seed: Start of all chance.
        draws: How many truths are drawn.
        noise: Standard deviation of one score of each task, where it is known; NaN
            where it is not; by default as in the records. Where it is 0, one score tells all.
        compiled: Whether to compile the draws; by default where that is quicker.
    """
    case = case_of(records, ratings, seed=seed, noise=noise, compiled=compiled)
    return drawn(case, draws)


@dataclass(frozen=True, eq=False)
class Case:
    """All that a posterior is drawn from, agents in the order of the report.

    Attributes:
        known: What is known of each cell.
        order: The report: codes of agents, best first.
        named: For each k from 1, whether the report names the first k.
        seed: Start of all chance.
        rounds: How many rounds there were.
        compiled: Whether to compile the draws; None for where that is quicker.
    """

    known: Known
    order: Ints
    named: Bools
    seed: int
    rounds: int
    compiled: bool | None

    def form(self, draws: int) -> bool:
        """Tell whether so many draws are made compiled."""
        if self.compiled is not None:
            return self.compiled
        return self.known.plays.size * draws > PLAIN


def case_of(
    records: Records,
    ratings: ArrayLike,
    *,
    seed: int = 0,
    noise: ArrayLike | None = None,
    compiled: bool | None = None,
) -> Case:
    """Check and put together what `drawn` needs; arguments as in `posterior_of`."""
    order, named = _report(records, ratings)
    tasks = _task_order(records, order)
    noises = _noises(records.noise if noise is None else noise, len(tasks))[tasks]
    inner, cells = _taken(records, order, tasks), no_cells(Sizes(len(order), len(tasks)))
    quick = records.plays.size > PLAIN // 100 if compiled is None else compiled
    (learn_cells.compiled if quick else learn_cells.plain)(cells, inner)
    known = knowledge(cells, inner, noises)
    return Case(known, order, named, seed, int(records.rounds[0]), compiled)


def drawn(
    case: Case, draws: int, *, top: int | None = None, misses: int | None = None
) -> Posterior:
    """Draw truths and count.

    Args:
        case: What is known and reported.
        draws: How many.
        top: With `misses`, how many agents in front have to be right; None for all.
        misses: Give up when the report was wrong more often than this; None for never.
    """
    check_number("draws", draws, low=1)
    tasks, agents = case.known.plays.shape
    chain, room, sums = no_chain(Sizes(agents, tasks)), room_for(agents), no_sums(agents)
    margins = np.zeros((draws, agents, agents), dtype=np.int32)
    run = draw_truths.compiled if case.form(draws) else draw_truths.plain
    limits = Limits(top or 0, draws if misses is None else misses)
    run(draws, case.seed, case.rounds, case.known, chain, room, case.named, sums, margins, limits)
    made, outer = int(sums.draws[0]), np.argsort(case.order)
    return Posterior(
        pairs=locked(sums.pairs[np.ix_(outer, outer)] / made),
        places=locked(sums.places[outer] / made),
        tops=locked(sums.tops / made),
        whole=float(sums.whole[0] / made),
        margins=locked(margins[:made].copy()),
        order=locked(case.order),
        rounds=case.rounds,
    )


def knowledge(cells: Cells, records: Records, noise: Floats) -> Known:
    """Work out what the scores of each cell say, and which noises are possible."""
    clear = np.isfinite(noise)
    variances = np.multiply.outer(cells.spread, NOISES) ** 2
    variances[clear] = noise[clear, None] ** 2
    common = cells.common / cells.common.sum()
    shares = np.where(records.plays[..., None] > 1, cells.shares, common)
    usual = np.log(cells.spread)[:, None] + float(common @ LOG_NOISES)
    learned = np.exp(np.where(records.plays > 1, cells.log_noise, usual))
    mean, variance = _judged(records, cells, np.where(clear[:, None], noise[:, None], learned))
    width = PRIOR_SPREAD * cells.spread
    return Known(
        plays=records.plays,
        means=records.means,
        centre=cells.centre,
        width=width,
        noises=variances,
        chances=np.cumsum(shares, axis=-1),
        ties=_ties(records, mean, variance, width),
        mean=mean,
        variance=variance,
    )


def _judged(records: Records, cells: Cells, noise: Floats) -> tuple[Floats, Floats]:
    """Give mean and variance of each cell, from its own scores; noise is that of each cell."""
    exact = (noise == 0.0) & (records.plays > 0)
    prior = 1.0 / (PRIOR_SPREAD * cells.spread[:, None]) ** 2
    certainty = np.where(exact, 0.0, records.plays / np.where(noise == 0.0, 1.0, noise) ** 2)
    variance = np.where(exact, 0.0, 1.0 / (prior + certainty))
    mean = variance * (prior * cells.centre[:, None] + certainty * records.means)
    return np.where(exact, records.means, mean), variance


def _ties(records: Records, mean: Floats, variance: Floats, width: Floats) -> Floats:
    r"""Give the probability that two agents have the same mean, for pairs seen on a task.

    .. math:: \frac{\pi_0 B}{1 - \pi_0 + \pi_0 B}, \quad
              B = \sqrt{2 \tau^2 u^2 / V} \, e^{-z^2 / 2}

    as in the soft votes. Where both means are known, equal ones are tied.
    """
    lead = mean[:, :, None] - mean[:, None, :]
    both = variance[:, :, None] + variance[:, None, :]
    sure = both == 0.0
    spread = np.where(sure, 1.0, both)
    odds = np.sqrt(2.0 * width[:, None, None] ** 2 / spread) * np.exp(-0.5 * lead**2 / spread)
    tie = TIE_CHANCE * odds / (1.0 - TIE_CHANCE + TIE_CHANCE * odds)
    tie = np.where(sure, lead == 0.0, tie)
    seen = records.plays > 0
    return np.asarray(np.where(seen[:, :, None] & seen[:, None, :], tie, 0.0), dtype=np.float64)


def _report(records: Records, ratings: ArrayLike) -> tuple[Ints, Bools]:
    """Order agents by their ratings, tied ones by what was seen; say which first k are named."""
    rated = np.asarray(ratings, dtype=np.float64)
    if rated.shape != records.agent_plays.shape or not np.isfinite(rated).all():
        msg = f"ratings are {rated.tolist()!r}; give {len(records.agent_plays)} finite numbers"
        raise DataError(msg)
    order = np.lexsort((*_sums(records), -rated))
    falls = rated[order][:-1] > rated[order][1:]
    return order.astype(np.int64), np.append(falls, True)


def _sums(records: Records) -> tuple[Array, ...]:
    """List what tells agents apart that have the same rating."""
    return (*np.sort(records.means, axis=0), records.agent_plays, records.agent_means)


def _task_order(records: Records, order: Ints) -> Ints:
    """Order tasks by their records, so that their codes do not matter."""
    parts = (records.squares, records.means, records.plays)
    keys = [column for part in parts for column in part[:, order].T]
    return np.lexsort(keys).astype(np.int64)


def _taken(records: Records, order: Ints, tasks: Ints) -> Records:
    """Give the cells under other codes."""
    grid = np.ix_(tasks, order)
    cells = {name: getattr(records, name)[grid] for name in ("plays", "means", "squares")}
    return records._replace(**cells)


def _noises(noise: ArrayLike, tasks: int) -> Floats:
    """Check what is known of the noise of each task."""
    given = np.asarray(noise, dtype=np.float64)
    if given.shape != (tasks,) or (given < 0.0).any() or np.isinf(given).any():
        msg = f"noise is {given.tolist()!r}; give a number of at least 0, or NaN, for each task"
        raise DataError(msg)
    return given
