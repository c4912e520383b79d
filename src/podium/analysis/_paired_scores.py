"""Two agents by their scores: paired by task, and by sample where samples have names."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from podium.analysis._evidence import Asked, Evidence, Interval, too_few
from podium.arrays import Bools, Floats, Ints, add_up
from podium.data.scores import Scores
from podium.errors import DataError
from podium.kernels.permutation import shuffle, sign_flip
from podium.kernels.shares import effective, normal_quantile, sign_test, student_quantile, wilson
from podium.uncertainty.resample import UNITS
from podium.words import check_choice, counted, listed

SLACK = 1e-24
"""A variance below this share of the squared mean comes from rounding alone."""

RULING = 0.5
"""A task that makes up more of all differences than this is named."""


class Spread(NamedTuple):
    """Variance of an estimate, and the degrees of freedom with which it is known."""

    variance: float
    freedom: float


@dataclass(frozen=True, eq=False)
class Field:
    """What two agents got on the tasks that they share.

    Attributes:
        tasks: Names of these tasks.
        weights: Weight of each, together 1.
        task: For each result of the first agent, the place of its task.
        score: The result; where samples are paired, one for each shared sample.
        rival_task: The same for the second agent.
        rival_score: In the same order as `score` where they are paired.
        paired: Whether results are paired by sample.
        notes: What was left out.
    """

    tasks: tuple[str, ...]
    weights: Floats
    task: Ints
    score: Floats
    rival_task: Ints
    rival_score: Floats
    paired: bool
    notes: tuple[str, ...]

    @property
    def counts(self) -> Ints:
        """Number of results of the first agent on each task."""
        return np.bincount(self.task, minlength=len(self.tasks))

    @property
    def rival_counts(self) -> Ints:
        """Number of results of the second agent on each task."""
        return np.bincount(self.rival_task, minlength=len(self.tasks))

    @property
    def differences(self) -> Floats:
        """Difference of the means on each task."""
        size = len(self.tasks)
        mean = add_up(self.task, self.score, size) / self.counts
        return mean - add_up(self.rival_task, self.rival_score, size) / self.rival_counts

    @property
    def above(self) -> Floats:
        """Share of the pairs of results on each task in which the first agent is above."""
        if self.paired:
            return add_up(self.task, _above(self.score, self.rival_score), len(self.tasks)) / (
                self.counts
            )
        shares = np.empty(len(self.tasks))
        for task in range(len(self.tasks)):
            rival = np.sort(self.rival_score[self.rival_task == task])
            own = self.score[self.task == task]
            below = np.searchsorted(rival, own) + np.searchsorted(rival, own, side="right")
            shares[task] = below.mean() / (2 * len(rival))
        return shares


def score_evidence(scores: Scores, asked: Asked) -> Evidence:
    """Weigh the scores of two agents, the only ones that these scores hold."""
    if asked.resample is not None:
        allowed = tuple(unit for unit in UNITS[Scores] if "+" not in unit)
        check_choice("resample (for scores)", asked.resample, allowed)
    field = _field(scores)
    several = len(field.tasks) > 1
    unit = asked.resample or ("task" if several else "sample")
    share = float(field.weights @ field.above)
    each = field.score - field.rival_score if _pairs_samples(field, unit) else field.differences
    wins, losses = int((each > 0).sum()), int((each < 0).sum())
    found = _by_task(field, asked) if unit == "task" else _by_sample(field, asked)
    return Evidence(
        unit=unit,
        units=found.units,
        difference=float(field.weights @ field.differences),
        interval=found.interval,
        p_value=found.p_value,
        test=found.test,
        wins=wins,
        ties=len(each) - wins - losses,
        losses=losses,
        sign_test=sign_test(wins, losses),
        win_share=share,
        win_share_interval=wilson(share, found.size, normal_quantile(asked.level)),
        notes=(*scores.notes, *field.notes, *found.notes, *_no_interval(found), *_ruling(field)),
    )


def _pairs_samples(field: Field, unit: str) -> bool:
    return field.paired and unit == "sample"


class _Tested(NamedTuple):
    """What chance may do: the part of the evidence that depends on the unit."""

    units: int
    size: float
    interval: Interval | None
    p_value: float
    test: str
    notes: tuple[str, ...] = ()


def _by_task(field: Field, asked: Asked) -> _Tested:
    r"""Take the tasks as drawn by chance.

    .. math:: \bar d = \sum_t w_t d_t, \quad \operatorname{var}(\bar d) =
        \frac{\sum_t w_t^2}{1 - \sum_t w_t^2} \sum_t w_t (d_t - \bar d)^2

    with weights that add up to 1; with equal weights it is the paired t interval.
    """
    differences, weights = field.differences, field.weights
    size = effective(weights)
    mean, square = float(weights @ differences), float((weights**2).sum())
    interval = None
    if len(weights) > 1:
        variance = square / (1 - square) * float(weights @ (differences - mean) ** 2)
        interval = _student(mean, Spread(variance, size - 1), asked.level)
    chance = sign_flip(weights * differences, asked.rng, draws=asked.replicates)
    hint = "; resample=sample asks about these tasks alone" if field.counts.max() > 1 else ""
    notes = too_few(len(weights), "task", asked.level, hint)
    return _Tested(len(weights), size, interval, chance.p_value, _told(chance.draws), notes)


def _by_sample(field: Field, asked: Asked) -> _Tested:
    r"""Take the tasks as given, and the samples of each as drawn by chance.

    .. math:: \operatorname{var}(\bar d) = \sum_t w_t^2 s_t^2 / n_t

    for differences of paired samples; where samples are not paired, each agent
    adds such a sum of its own (Welch 1947). Degrees of freedom are those of
    Satterthwaite (1946).
    """
    if not field.paired:
        return _unpaired_samples(field, asked)
    share = (field.weights / field.counts)[field.task]
    difference = field.score - field.rival_score
    chance = sign_flip(share * difference, asked.rng, draws=asked.replicates)
    interval = _around(field, [(field.task, difference)], asked.level)
    test, units = _told(chance.draws), len(difference)
    notes = too_few(units, "sample", asked.level)
    return _Tested(units, effective(share), interval, chance.p_value, test, notes)


def _unpaired_samples(field: Field, asked: Asked) -> _Tested:
    sides = [(field.task, field.score), (field.rival_task, field.rival_score)]
    groups = [
        (field.score[field.task == task], field.rival_score[field.rival_task == task])
        for task in range(len(field.tasks))
    ]
    chance = shuffle(groups, field.weights, asked.rng, draws=asked.replicates)
    least = np.minimum(field.counts, field.rival_counts)
    return _Tested(
        units=len(field.score) + len(field.rival_score),
        size=effective(np.repeat(field.weights / least, least)),
        interval=_around(field, sides, asked.level),
        p_value=chance.p_value,
        test=f"results dealt anew, {chance.draws:,} times",
    )


def _within(field: Field, sides: list[tuple[Ints, Floats]]) -> Spread | None:
    """Add up the variance within tasks, or nothing where a task has a single sample."""
    parts: list[Floats] = []
    freedoms: list[Floats] = []
    for task, values in sides:
        count = np.bincount(task, minlength=len(field.tasks))
        if (count < 2).any():
            return None
        means = add_up(task, values, len(count)) / count
        squares = add_up(task, (values - means[task]) ** 2, len(count))
        parts.append(field.weights**2 * squares / (count - 1) / count)
        freedoms.append((count - 1).astype(np.float64))
    variances, freedom = np.concatenate(parts), np.concatenate(freedoms)
    total, lowest = float(variances.sum()), float((variances**2 / freedom).sum())
    return Spread(total, total**2 / lowest if lowest else float(freedom.sum()))


def _around(field: Field, sides: list[tuple[Ints, Floats]], level: float) -> Interval | None:
    mean, spread = float(field.weights @ field.differences), _within(field, sides)
    return None if spread is None else _student(mean, spread, level)


def _student(mean: float, spread: Spread, level: float) -> Interval | None:
    """Give the interval, or nothing where all differences are equal: they show no spread."""
    if not spread.variance > SLACK * mean**2:
        return None
    half = student_quantile(level, spread.freedom) * spread.variance**0.5
    return mean - half, mean + half


def _told(draws: int) -> str:
    return f"sign flips, {draws:,} drawn" if draws else "sign flips, all of them"


def _field(scores: Scores) -> Field:
    """Pair the results of two agents by task, and by sample where they share samples."""
    own, rival = (np.flatnonzero(scores.agent == agent) for agent in (0, 1))
    if scores.sample is not None:
        span = int(scores.sample.max(initial=0)) + 1
        keys = scores.task * span + scores.sample
        shared = np.intersect1d(keys[own], keys[rival])
        if len(shared):
            return _paired(scores, keys, span, own, rival)
    return _unpaired(scores, own, rival)


def _paired(scores: Scores, keys: Ints, span: int, own: Ints, rival: Ints) -> Field:
    found, mean = _means(keys[own], scores.oriented[own])
    others, rival_mean = _means(keys[rival], scores.oriented[rival])
    shared, here, there = np.intersect1d(found, others, assume_unique=True, return_indices=True)
    alone = len(found) + len(others) - 2 * len(shared)
    words = f"{counted(alone, 'sample')} of only one of the two agents left out"
    task = shared // span
    held = np.zeros(len(scores.tasks), dtype=np.bool_)
    held[task] = True
    kept = _Kept.of(scores, held)
    rows = kept.place[task] >= 0
    code = kept.place[task[rows]]
    return Field(
        tasks=kept.tasks,
        weights=kept.weights,
        task=code,
        score=mean[here][rows],
        rival_task=code,
        rival_score=rival_mean[there][rows],
        paired=True,
        notes=(*kept.notes, *((words,) if alone else ())),
    )


def _unpaired(scores: Scores, own: Ints, rival: Ints) -> Field:
    held: Bools = np.all(scores.counts > 0, axis=1)
    kept = _Kept.of(scores, held)
    own = own[kept.place[scores.task[own]] >= 0]
    rival = rival[kept.place[scores.task[rival]] >= 0]
    several = max(len(own), len(rival)) > len(kept.tasks)
    words = "the samples of the two agents share no identifier, so they are not paired"
    return Field(
        tasks=kept.tasks,
        weights=kept.weights,
        task=kept.place[scores.task[own]],
        score=scores.oriented[own],
        rival_task=kept.place[scores.task[rival]],
        rival_score=scores.oriented[rival],
        paired=False,
        notes=(*kept.notes, *((words,) if several else ())),
    )


class _Kept(NamedTuple):
    """The tasks that both agents have results on, and that weigh something."""

    tasks: tuple[str, ...]
    weights: Floats
    place: Ints
    notes: tuple[str, ...]

    @classmethod
    def of(cls, scores: Scores, held: Bools) -> "_Kept":
        """Keep the tasks that both hold."""
        kept = held & (scores.weights > 0)
        names = [name for name, on in zip(scores.tasks, kept, strict=True) if on]
        if not names:
            a, b = scores.agents
            what = "task of weight above 0" if held.any() else "task"
            msg = f"{a!r} and {b!r} share no {what}; give scores of both on the same tasks"
            raise DataError(msg)
        weights = scores.weights[kept]
        place = np.where(kept, np.cumsum(kept) - 1, -1)
        gone = [task for task, on in zip(scores.tasks, held, strict=True) if not on]
        words = f"{counted(len(gone), 'task')} not shared by the two agents left out"
        notes = (f"{words}: {listed(gone, 4)}",) if gone else ()
        return cls(tuple(names), weights / weights.sum(), place, notes)


def _means(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    found, index = np.unique(keys, return_inverse=True)
    return found, add_up(index, values, len(found)) / np.bincount(index)


def _above(score: Floats, rival: Floats) -> Floats:
    return np.where(score == rival, 0.5, (score > rival).astype(np.float64))


def _no_interval(found: _Tested) -> tuple[str, ...]:
    if found.interval is not None:
        return ()
    return ("no interval: a single difference, or differences that are all equal, show no spread",)


def _ruling(field: Field) -> tuple[str, ...]:
    """Name a task that rules the mean difference, as on tasks of unlike scales."""
    sizes = np.abs(field.weights * field.differences)
    if len(sizes) < 3 or sizes.max() <= RULING * sizes.sum():
        return ()
    task = field.tasks[int(sizes.argmax())]
    share = sizes.max() / sizes.sum()
    words = f"task {task!r} alone makes up {share:.0%} of all differences"
    return (f"{words}; the share of wins does not depend on the scale of the scores",)
