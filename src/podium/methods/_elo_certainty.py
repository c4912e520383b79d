r"""How sure `elo` is, by formulas.

With :math:`H` the second derivatives of less the log-likelihood at the fit:

* posterior: :math:`H^{-1}`, the normal approximation of the posterior under the
  prior of the fit (a flat one where `prior` is 0). It believes the model, and
  takes every comparison as independent of all others.
* sandwich: :math:`H^{-1} M H^{-1}` with :math:`M = \sum_c g_c g_c^\top`, where
  :math:`g_c` is the gradient of all that the c-th unit says: a match, the matches
  of a cluster, a ballot, a task. It needs only that units are independent
  (Huber 1967; White 1982; Liang and Zeger 1986).

Ratings have a mean of 0, or an anchor at 0, so that the covariance is that of
ratings less their mean, or less that of the anchor.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, Ints, locked
from podium.data.convert import KINDS, Data, convert, matches_to_tally
from podium.data.matches import LOSS, TIE, WIN, Matches
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.scores import Scores
from podium.data.tally import DENSE_LIMIT, Tally
from podium.errors import DataError
from podium.kernels.outcomes import Rows, chances, covariance
from podium.methods._certainty import Normal, Wish
from podium.methods._elo_fit import SCALE, Fitted, fitted
from podium.methods._elo_rows import demands, played
from podium.words import check_choice, counted

FEW = 20
"""With fewer units than this a sandwich is too thin."""

CHUNK = 1 << 21
"""Numbers of gradients of ballots that are held at once."""

UNITS: dict[type, tuple[str, ...]] = {
    Matches: ("match", "task"),
    Profile: ("ballot", "task"),
    Scores: ("task",),
    Tally: ("match",),
}
"""What can be taken as independent in each kind of data, the default first."""


def posterior(data: Data, ratings: Ratings, options: Mapping[str, Any], wish: Wish) -> Normal:
    """Give the normal approximation of the posterior of `elo`."""
    if wish.unit is not None:
        msg = (
            f"a posterior draws nothing anew, so resample={wish.unit!r} has no use; leave it out, "
            "or ask for intervals=sandwich"
        )
        raise DataError(msg)
    fit = _fitted(data, ratings, options)
    flat = "flat prior" if not fit.prior else f"prior={fit.prior:g}"
    notes = [f"normal approximation of the posterior at its mode, {flat}"]
    single = isinstance(data, Matches | Tally)
    if not single:
        notes.append(
            f"pairs of one {UNITS[type(data)][0]} are taken as independent, which they are not; "
            "intervals=sandwich or bootstrap does not do so"
        )
    elif isinstance(data, Matches) and data.cluster is not None:
        notes.append("clusters play no part; intervals=sandwich or bootstrap heeds them")
    inner = covariance(fit.slopes).ratings
    unit = "match" if single else "pair"
    return Normal(_shifted(inner, ratings, options), unit, notes=tuple(notes))


def sandwich(data: Data, ratings: Ratings, options: Mapping[str, Any], wish: Wish) -> Normal:
    """Give the sandwich covariance of `elo`, over the units that the data name."""
    unit = check_choice(
        f"resample (for sandwich intervals of {KINDS[type(data)]})",
        wish.unit or UNITS[type(data)][0],
        UNITS[type(data)],
    )
    fit = _fitted(data, ratings, options)
    meat = _meat(data, fit, unit)
    if meat.units < 2:
        msg = (
            f"{counted(int(meat.units), unit)} cannot tell how much they vary; use "
            "intervals=none, or posterior"
        )
        raise DataError(msg)
    outer = covariance(fit.slopes)
    bread = np.concatenate([outer.ratings, outer.shared], axis=1)
    notes = list(meat.notes)
    if meat.units < FEW:
        few = f"intervals from {int(meat.units)} units are too narrow; so few units say little"
        notes.append(few)
    spread = _shifted(bread @ meat.square @ bread.T, ratings, options)
    return Normal(spread, unit, meat.units, tuple(notes))


def _fitted(data: Data, ratings: Ratings, options: Mapping[str, Any]) -> Fitted:
    """Fit once more, from the ratings; for what is asked here they do not hold."""
    if len(data.agents) > DENSE_LIMIT:
        msg = (
            f"a covariance of {len(data.agents):,} agents does not fit; at most {DENSE_LIMIT:,} "
            "are allowed. Use intervals=bootstrap"
        )
        raise DataError(msg)
    view = convert(data, _target(data, options))
    given = {name: value for name, value in options.items() if name != "anchor"}
    return fitted(view, start=ratings.values / SCALE, **given)


def _target(data: Data, options: Mapping[str, Any]) -> type:
    return Matches if isinstance(data, Matches) else demands(options)[0]


def _shifted(inner: Floats, ratings: Ratings, options: Mapping[str, Any]) -> Floats:
    """Give the covariance of ratings less their mean, or less the anchor's, in points of Elo."""
    anchor = options.get("anchor")
    if anchor is None:
        less = inner - inner.mean(axis=0)
        less -= less.mean(axis=1, keepdims=True)
    else:
        code = ratings.agents.index(anchor)
        less = inner - inner[code]
        less -= less[:, code, None]
    return locked(SCALE * SCALE * (less + less.T) / 2)


class _Meat(NamedTuple):
    """What the gradients of all units add up to.

    Attributes:
        square: Sum of their outer products, parameters x parameters.
        units: How many units there are.
        notes: What the reader should know.
    """

    square: Floats
    units: float
    notes: tuple[str, ...] = ()


class _Outcomes(NamedTuple):
    """Outcomes one by one.

    Attributes:
        left: Code of the first agent.
        right: Code of the second.
        terms: Rows x terms.
        score: Outcome for the first agent.
        weight: Weight, which multiplies a gradient.
        copies: How many equal units a row stands for.
    """

    left: Ints
    right: Ints
    terms: Floats
    score: Floats
    weight: Floats
    copies: Floats


def _meat(data: Any, fit: Fitted, unit: str) -> _Meat:
    if isinstance(data, Tally):
        return _of_counts(data, fit)
    if isinstance(data, Matches):
        return _of_matches(data, fit, unit)
    return _of_ballots(convert(data, Profile), fit, unit, copies=isinstance(data, Profile))


def _of_counts(tally: Tally, fit: Fitted) -> _Meat:
    """Take the pairs of a tally as matches of two: wins, losses and ties of a pair are alike."""
    pairs = tally.pairs
    counts = np.concatenate([pairs.wins, pairs.losses, pairs.met - pairs.wins - pairs.losses])
    if (counts != np.floor(counts)).any():
        msg = (
            "this tally does not hold whole numbers of wins, losses and ties, so it does not say "
            "how many matches there were; give the votes or matches themselves"
        )
        raise DataError(msg)
    rows = _Outcomes(
        left=np.tile(pairs.left, 3),
        right=np.tile(pairs.right, 3),
        terms=np.zeros((len(counts), 0)),
        score=np.repeat((WIN, LOSS, TIE), len(pairs.left)),
        weight=np.ones(len(counts)),
        copies=counts,
    )
    return _Meat(_squared(_gradients(rows, fit), counts), float(counts.sum()))


def _of_matches(whole: Matches, fit: Fitted, unit: str) -> _Meat:
    import scipy.sparse

    matches = played(whole)
    size = len(matches.left)
    codes, notes = _clusters(matches, unit)
    terms = fit.rows.terms if fit.design else np.zeros((size, 0))
    counts = codes is None and bool((matches.weight == np.floor(matches.weight)).all())
    if counts and (matches.weight > 1).any():
        notes = ("whole weights count as numbers of matches",)
    if counts and not fit.design:
        return _of_counts(matches_to_tally(matches), fit)._replace(notes=notes)
    ones = np.ones(size)
    weight, copies = (ones, matches.weight) if counts else (matches.weight, ones)
    rows = _Outcomes(matches.left, matches.right, terms, matches.score, weight, copies)
    gradients = _gradients(rows, fit)
    if codes is None:
        return _Meat(_squared(gradients, copies), float(copies.sum()), notes)
    units = int(codes.max(initial=-1)) + 1
    belongs = scipy.sparse.csr_array((rows.copies, (codes, np.arange(size))), (units, size))
    return _Meat(_squared(belongs @ gradients, np.ones(units)), units, notes)


def _clusters(matches: Matches, unit: str) -> tuple[Ints | None, tuple[str, ...]]:
    """Tell which unit each match belongs to; None where each is a unit of its own."""
    if unit == "task":
        if matches.task is None:
            msg = "the matches name no tasks, so resample=task has no use; leave it out"
            raise DataError(msg)
        return np.unique(matches.task, return_inverse=True)[1], ()
    if matches.cluster is None:
        return None, ()
    codes = np.unique(matches.cluster, return_inverse=True)[1]
    words = (
        f"matches that belong together count as one, {int(codes.max(initial=-1)) + 1:,} clusters"
    )
    return codes, (words,)


def _gradients(rows: _Outcomes, fit: Fitted) -> Any:
    """Differentiate the log-likelihood of each outcome: rows x parameters, sparse."""
    import scipy.sparse

    by_odds, by_tie = _slopes(rows, fit)
    by_odds = by_odds * rows.weight
    agents, terms = fit.rows.size, rows.terms.shape[1]
    line = np.arange(len(by_odds))
    parts = [(line, rows.left, by_odds), (line, rows.right, -by_odds)]
    parts += [
        (line, np.full(len(line), agents + k), by_odds * rows.terms[:, k]) for k in range(terms)
    ]
    if by_tie is not None:
        parts.append((line, np.full(len(line), agents + terms), by_tie * rows.weight))
    where, which, amount = (np.concatenate(column) for column in zip(*parts, strict=True))
    shape = (len(line), agents + terms + (by_tie is not None))
    return scipy.sparse.csr_array((amount, (where, which)), shape)


def _slopes(rows: _Outcomes, fit: Fitted) -> tuple[Floats, Floats | None]:
    """Differentiate by the log-odds, and by the logarithm of nu."""
    nothing = np.zeros(0)
    own = fit.rows.tied is not None
    model = Rows(
        rows.left, rows.right, nothing, nothing, nothing if own else None, rows.terms, fit.rows.size
    )
    win, tie, loss = chances(model, fit.point)
    return rows.score - TIE - (win - loss) / 2, (rows.score == TIE) - tie if own else None


def _squared(gradients: Any, copies: Floats) -> Floats:
    """Add up the outer products of rows of a sparse array."""
    scaled = gradients.multiply(copies[:, None]).tocsr()
    square: Floats = (gradients.T @ scaled).toarray()
    return square


def _of_ballots(profile: Profile, fit: Fitted, unit: str, *, copies: bool) -> _Meat:
    """Take each ballot as a unit, or all of one source.

    The gradient of a ballot by the rating of i is half of i's wins less losses
    within it, less what the ratings let expect.
    """
    weights = profile.weights
    whole = copies and unit == "ballot" and bool((weights == np.floor(weights)).all())
    units = float(weights.sum()) if whole else float((weights > 0).sum())
    totals: dict[str, Floats] = {}
    square = np.zeros((fit.rows.size + (fit.rows.tied is not None),) * 2)
    for first, gradients in _ballot_gradients(profile, fit):
        own = weights[first : first + len(gradients), None]
        if unit == "task":
            for row, source in enumerate(profile.sources[first : first + len(gradients)]):
                totals[source] = totals.get(source, 0.0) + own[row] * gradients[row]
        else:
            square += gradients.T @ (gradients * (own if whole else own * own))
    if unit == "task":
        if not profile.sources:
            msg = "the ballots name no tasks, so resample=task has no use; leave it out"
            raise DataError(msg)
        sums = np.array(list(totals.values()))
        square, units = sums.T @ sums, float(len(sums))
    return _Meat(square, units)


def _ballot_gradients(profile: Profile, fit: Fitted) -> Iterator[tuple[int, Floats]]:
    """Go through ballots in parts: number of the first, and ballots x parameters."""
    size = fit.rows.size
    own = fit.rows.tied is not None
    lead, tie = _table(fit)
    balance = profile.lengths[profile.vote_of_entry] - profile.group_size - 2 * profile.group_start
    partners = (profile.group_size - 1) / 2
    step = max(1, CHUNK // max(1, size))
    for first in range(0, len(profile), step):
        last = min(first + step, len(profile))
        span = slice(profile.start[first], profile.start[last])
        vote, who = profile.vote_of_entry[span] - first, profile.who[span]
        listed = np.zeros((last - first, size))
        listed[vote, who] = 1.0
        gradients = -listed * (listed @ lead.T) / 2
        gradients[vote, who] += balance[span] / 2
        if own:
            tied = np.bincount(vote, partners[span], last - first)
            expected = ((listed @ tie) * listed).sum(axis=1) / 2
            gradients = np.column_stack([gradients, tied - expected])
        yield first, gradients


def _table(fit: Fitted) -> tuple[Floats, Floats]:
    """Give the chance to win less that to lose, and to tie, of row against column."""
    size = fit.rows.size
    left, right = (part.ravel() for part in np.indices((size, size)))
    marked = None if fit.rows.tied is None else np.zeros(0)
    none = np.zeros(0)
    rows = Rows(left, right, none, none, marked, np.zeros((size * size, 0)), size)
    win, tie, loss = chances(rows, fit.point)
    lead, even = (win - loss).reshape(size, size), tie.reshape(size, size).copy()
    np.fill_diagonal(even, 0.0)
    return lead, even
