"""mElo: Elo with a few more numbers an agent, which hold who beats whom in circles."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from podium.arrays import Bools, Floats, Ints
from podium.data.convert import matches_to_tally
from podium.data.labelled import PairMap
from podium.data.matches import Matches
from podium.data.ratings import Ratings, labelled
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.bradley_terry import logistic
from podium.kernels.compiled import kernel
from podium.kernels.components import components
from podium.kernels.flows import circles, potential
from podium.kernels.turning import fit_turning, turning_odds
from podium.methods._flow import demand_met, rest, share
from podium.methods._odds import Odds, log_odds, shares
from podium.methods._order import check_later, in_order, known, until
from podium.methods._registry import NO_OPTIONS, method
from podium.words import check_choice, check_number, counted

START = 0.1
"""Spread of the coordinates that online updates start from: from 0 they would never move."""

RATES = (0.16, 0.01)
"""How far a match moves ratings and the other numbers: 16 to 1, as in appendix E of the paper."""

SAME = 1e-9
"""Ratings within this are equal."""

NEAR = 1e-6
"""Ratings of a fit within this are equal: ten times what a fit may be off."""

FITS = ("decompose", "likelihood")

LISTED = 1_000
"""Up to this many agents the chances of all pairs are given."""

PLAIN = 5_000
"""Up to this many matches a loop in Python ends before a compiler is loaded."""


@kernel
def play(
    left: Ints,
    right: Ints,
    score: Floats,
    weight: Floats,
    rates: tuple[float, float],
    ratings: Floats,
    points: Floats,
) -> None:
    """Go through matches and move ratings and points of both sides, which are changed."""
    for row in range(len(left)):
        one, two = left[row], right[row]
        ahead = ratings[one] - ratings[two]
        for axis in range(0, points.shape[1], 2):
            ahead += points[one, axis] * points[two, axis + 1]
            ahead -= points[one, axis + 1] * points[two, axis]
        surprise = weight[row] * (score[row] - 1.0 / (1.0 + np.exp(-ahead)))
        ratings[one] += rates[0] * surprise
        ratings[two] -= rates[0] * surprise
        step = rates[1] * surprise
        for axis in range(0, points.shape[1], 2):
            x, y = points[one, axis], points[one, axis + 1]
            u, v = points[two, axis], points[two, axis + 1]
            points[one, axis] += step * v
            points[one, axis + 1] -= step * u
            points[two, axis] -= step * y
            points[two, axis + 1] += step * x


def _reads(options: Mapping[str, Any]) -> tuple[type, ...]:
    """Name what is read: counts, or matches in their order."""
    return (Matches,) if options.get("online") else (Tally,)


def _resumed(matches: Matches, so_far: Ratings, options: Mapping[str, Any]) -> Ratings:
    """Go on from some ratings with later matches."""
    check_later(matches, "time", so_far.info)
    vectors = so_far.info["vectors"]
    _, points = _start(matches, options.get("pairs", 1), options.get("seed", 0), vectors)
    rates = options.get("rate", RATES[0]), options.get("turn_rate", RATES[1])
    return _played(matches, known(so_far, matches), points, rates, so_far.info)


@method(
    "melo",
    reads=(Tally, Matches),
    cite="Balduzzi et al. 2018",
    cost="m^3, online n",
    cheap_up_to=200,
    votes=False,
    reads_with=_reads,
    resume=_resumed,
)
def melo(
    data: Tally | Matches,
    *,
    pairs: int = 1,
    online: bool = False,
    fit: Literal["decompose", "likelihood"] = "decompose",
    clip: float = 0.01,
    penalty: float = 0.01,
    rate: float = RATES[0],
    turn_rate: float = RATES[1],
    seed: int = 0,
) -> Ratings:
    r"""Predict wins by a rating and 2k more numbers an agent, which may go in circles.

    .. math:: \hat p_{ij} = \sigma(r_i - r_j + c_i^\top \Omega c_j), \quad
              c_i^\top \Omega c_j = \sum_k c_{i,2k-1} c_{j,2k} - c_{i,2k} c_{j,2k-1}

    Offline, r is the divergence of the log-odds, as in `hodge`, and c are the k
    strongest planes of what it leaves. With `fit="likelihood"` the log-odds come
    from all counts at once, so that many meetings tell more than few. They minimise

    .. math:: -\sum_{i \ne j} w_{ij} \log \hat p_{ij}
              + \frac{\lambda}{2} \sum_i r_i^2 + \lVert c_i \rVert^2

    with w the wins, a tie half: the loss that the paper's updates lower match by
    match, and a normal prior of variance :math:`1 / \lambda`. The paper wants c
    orthogonal to ones; so the fitted log-odds are then taken apart as above, and
    r is their divergence.

    Online, each match moves r and c of both along the gradient of the
    log-likelihood (appendix E of the paper):

    .. math:: r_i \mathrel{+}= \eta w \delta, \quad c_i \mathrel{+}= \eta' w \delta \, \Omega c_j,
              \quad \delta = s - \hat p_{ij}

    and r, c of j the other way. A rating is r, in natural log-odds: times
    400 / ln 10 they are Elo points. `vectors` in `info` holds c, `chances` the
    predicted probabilities of winning (None for more than 1,000 agents), and
    offline `cyclic_share` what `hodge` says of it. A fit by likelihood adds its
    `loss`, the minimum above, its `iterations`, and its `residual`: by how much
    one more step would change log-odds, at most 1e-7. With planes its `unique`
    is None: from elsewhere than the parts of the clipped log-odds, another minimum
    may be found.

    Args:
        data: Matches or votes; online, matches in their order.
        pairs: k, half as many as there are further numbers; 0 is Elo.
        online: Whether to go match by match, in their order, instead of fitting
            all at once.
        fit: Offline, whether to "decompose" the log-odds of the shares of wins, or to
            find those of greatest "likelihood".
        clip: Offline, shares of wins are kept this far from 0 and 1; a fit by likelihood
            only starts from these.
        penalty: Of a fit by likelihood, the weight :math:`\lambda` in meetings. Above 0,
            all is finite though one side always won.
        rate: Online, how far one match moves ratings, the :math:`\eta` of the formula.
        turn_rate: Online, how far it moves the other numbers.
        seed: Online, seed of what c starts from; from 0 it would never move.

    >>> rock = Tally.from_matrix([[0, 9, 1], [1, 0, 9], [9, 1, 0]], "abc")
    >>> round(melo(rock).info["chances"]["a", "b"], 6)
    0.9
    """
    check_number("melo:pairs", pairs, low=0, high=100)
    check_choice("melo:fit", fit, FITS)
    check_number("melo:penalty", penalty, low=0.0, high=1e300)
    check_number("melo:rate", rate, low=0.0, high=1e3)
    check_number("melo:turn_rate", turn_rate, low=0.0, high=1e3)
    if online:
        if not isinstance(data, Matches):
            msg = "melo:online=true goes match by match; give matches, not counts of pairs"
            raise DataError(msg)
        return _played(data, *_start(data, pairs, seed), (rate, turn_rate), {})
    counts = matches_to_tally(data) if isinstance(data, Matches) else data
    odds = log_odds(counts, clip, "melo")
    demand_met(counts, odds.met, "melo")
    if fit == "likelihood":
        return _likeliest(counts, odds, pairs, penalty)
    tolerance = max(SAME, 1e-10 * float(np.abs(odds.payoffs).max()))
    return _taken_apart(counts.agents, odds, pairs, tolerance=tolerance, unique=True)


def _taken_apart(
    agents: tuple[str, ...], odds: Odds, pairs: int, *, tolerance: float, **info: Any
) -> Ratings:
    ratings = potential(odds.payoffs, odds.met)
    left = rest(odds, ratings)
    return _told(
        agents,
        ratings,
        circles(left).points(pairs),
        tolerance=tolerance,
        cyclic_share=share(left, odds.payoffs),
        notes=list(odds.notes),
        **info,
    )


def _likeliest(counts: Tally, odds: Odds, pairs: int, penalty: float) -> Ratings:
    """Fit by likelihood, starting from the parts of the clipped log-odds."""
    won = np.where(odds.met, shares(counts)[0] * counts.met, 0.0)
    size = len(won)
    planes = min(pairs, size // 2)  # as many as log-odds can have
    if penalty == 0:
        _demand_finite(won, planes)
    ratings = potential(odds.payoffs, odds.met)
    points = circles(rest(odds, ratings)).points(planes)
    done = fit_turning(won, np.column_stack([ratings, points]), penalty)
    unmet = size * (size - 1) // 2 - int(np.triu(odds.met, 1).sum())
    note = f"{counted(unmet, 'pair')} never met: the others tell what is predicted of them"
    fitted = Odds(turning_odds(done.numbers), ~np.eye(size, dtype=np.bool_), (note,) * (unmet > 0))
    return _taken_apart(
        counts.agents,
        fitted,
        pairs,
        tolerance=NEAR,
        unique=None if planes else True,  # planes may have other fits as good, far away
        loss=done.loss,
        iterations=done.iterations,
        residual=done.residual,
    )


def _demand_finite(won: Floats, planes: int) -> None:
    """Refuse counts whose likelihood grows without end, as it may where one side always won."""
    above: Bools = won > 0
    ahead, behind = np.nonzero(above)
    apart = components(ahead, behind, len(won)).strong.any()
    if apart or (planes and (above & ~above.T).any()):
        msg = (
            "melo:penalty=0 lets numbers grow without end where one side always won; give a "
            "penalty above 0, such as the default of 0.01"
        )
        raise DataError(msg)


def _start(
    matches: Matches, pairs: int, seed: int, so_far: Mapping[str, Floats] = NO_OPTIONS
) -> tuple[Floats, Floats]:
    """Give agents their first numbers, in the order in which they come to play."""
    rows, _ = in_order(matches, "time")
    seen = np.stack([matches.left[rows], matches.right[rows]], axis=1).ravel()
    codes, first = np.unique(seen, return_index=True)
    coming = [code for code in codes[np.argsort(first)] if matches.agents[code] not in so_far]
    before = sum(any(point) for point in so_far.values())
    size = (before + len(coming), 2 * pairs)
    points = np.zeros((len(matches.agents), 2 * pairs))
    points[coming] = np.random.default_rng(seed).normal(0.0, START, size)[before:]
    for code, agent in enumerate(matches.agents):
        points[code] = so_far.get(agent, points[code])
    return np.zeros(len(points)), points


def _played(
    matches: Matches,
    ratings: Floats,
    points: Floats,
    rates: tuple[float, float],
    so_far: Mapping[str, Any],
) -> Ratings:
    rows, note = in_order(matches, "time")
    run = play.plain if len(rows) <= PLAIN else play
    left, right = matches.left[rows], matches.right[rows]
    with np.errstate(over="ignore", invalid="ignore"):
        run(left, right, matches.score[rows], matches.weight[rows], rates, ratings, points)
    if not (np.isfinite(ratings).all() and np.isfinite(points).all()):
        msg = f"melo:rate={rates[0]:g} or turn_rate={rates[1]:g} lets ratings grow without end"
        raise DataError(msg + "; give lower ones")
    more = until(matches, "time", so_far)
    return _told(matches.agents, ratings, points, tolerance=SAME, unique=True, notes=[note], **more)


def _told(
    agents: tuple[str, ...], ratings: Floats, points: Floats, *, tolerance: float, **info: Any
) -> Ratings:
    return Ratings.by_value(
        agents,
        ratings,
        tolerance=tolerance,
        vectors=labelled(agents, points),
        chances=_chances(agents, ratings, points),
        **info,
    )


def _chances(agents: tuple[str, ...], ratings: Floats, points: Floats) -> PairMap | None:
    """Predict all pairs, where these are not too many."""
    if len(agents) > LISTED:
        return None
    return PairMap(agents, logistic(turning_odds(np.column_stack([ratings, points]))))
