"""The examples of Balduzzi et al. (2018): copies, cyclic and transitive, and where rows lie."""

from collections.abc import Iterator, Sequence

import numpy as np

from podium.arrays import Floats
from podium.data.game import Game
from podium.data.ratings import Ratings
from podium.experiments._registry import Finding, Result, Setting, Verdict, experiment
from podium.kernels.flows import circles, potential
from podium.methods.nash_average import nash_average

CLOSE = 1e-9

COPIED = [[0, 4.6, -4.6, -4.6], [-4.6, 0, 4.6, 4.6], [4.6, -4.6, 0, 0], [4.6, -4.6, 0, 0]]
"""Section 4: the printed log-odds of A, B and two copies of C."""

CYCLIC = [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
TRANSITIVE = [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
"""Lost in the text that is at hand; these behave as the text says."""

SQUARE = [[0, 1, 0, -1], [-1, 0, 1, 0], [0, -1, 0, 1], [1, 0, -1, 0]]
"""Appendix F, matrix C."""

LINE = [[0, 1, 2, 3], [-1, 0, 1, 2], [-2, -1, 0, 1], [-3, -2, -1, 0]]
"""Appendix F, matrix T; lost, too, and restored as the transitive matrix of four even steps."""

UNEVEN = [[0, 0, 1], [0, 0, 3], [-1, -3, 0]]
"""Ours: two agents level with each other; the third loses by more to the second."""

RESTORED = "the matrix is lost in the text at hand and restored from what is said of it"


@experiment("nash-examples", group="nash", remakes="Examples of section 4, theorem 1, appendix F")
def nash_examples(_: Setting) -> Result:
    """Copies of agents, cyclic and transitive games, and the geometry of their matrices."""
    findings = [*copies(), *mixtures(), *invariance(), *geometry()]
    rows = [
        {"eps": eps} | dict(zip(("A", "B", "C"), _round(_weights(_mixed(eps))), strict=True))
        for eps in (0.0, 0.1, 0.25, 0.4, 0.49, 0.5, 0.5001, 0.6, 1.0)
    ]
    return Result(findings=tuple(findings), tables={"Equilibria of C + eps T": rows})


def played(payoffs: Sequence[Sequence[float]] | Floats, **options: str) -> Ratings:
    """Let agents play a symmetric game."""
    array = np.asarray(payoffs, dtype=np.float64)
    return nash_average(Game.from_payoffs([array, -array]), **options)


def _weights(ratings: Ratings) -> list[float]:
    return list(ratings.info["agents"].values())


def _mixed(eps: float) -> Ratings:
    return played(np.array(CYCLIC) + eps * np.array(TRANSITIVE))


def _round(values: Sequence[float] | Floats) -> list[float]:
    return [round(float(value), 4) + 0.0 for value in values]


def _same(
    where: str, what: str, printed: Sequence[float], ours: Sequence[float] | Floats, why: str = ""
) -> Finding:
    holds = bool(np.abs(np.subtract(printed, ours)).max() <= CLOSE)
    good: Verdict = "consistent" if why else "equal"
    return Finding(where, what, _text(printed), _text(ours), good if holds else "differs", why)


def _text(values: Sequence[float] | Floats) -> str:
    return " ".join(f"{value:.4g}" for value in _round(values))


def copies() -> Iterator[Finding]:
    """Section 4: a second copy of C."""
    where, third = "Section 4", 1 / 3
    one, two = played(np.array(COPIED)[:3, :3]), played(COPIED)
    yield _same(where, "equilibrium of A, B, C", [third] * 3, _weights(one))
    yield _same(where, "equilibrium with two C", [third, third, 1 / 6, 1 / 6], _weights(two))
    yield _same(where, "Nash averages with two C", [0, 0, 0, 0], two.values)
    even = np.array(COPIED).mean(axis=1)
    yield _same(where, "uniform averages with two C", [-1.15, 1.15, 0, 0], even)


def mixtures() -> Iterator[Finding]:
    """Section 4: cyclic plus a share of transitive."""
    where = "Section 4"
    for eps in (0.0, 0.25, 0.49):
        printed = [(1 + eps) / 3, (1 - 2 * eps) / 3, (1 + eps) / 3]
        what = f"equilibrium of C + {eps:g} T"
        yield _same(where, what, printed, _weights(_mixed(eps)), RESTORED)
    for eps in (0.5001, 1.0):
        what = f"equilibrium of C + {eps:g} T"
        yield _same(where, what, [1, 0, 0], _weights(_mixed(eps)), RESTORED)


def invariance() -> Iterator[Finding]:
    """Theorem 1.1, which holds where the equilibrium is unique, or copies share one vote."""
    order = [0, 1, 1, 2]
    copied = np.array(UNEVEN)[np.ix_(order, order)]
    before, after = played(UNEVEN).values[2], played(copied).values[3]
    merged = played(copied, clones="merge").values[3]
    what = "rating of the third agent as the second is copied"
    same = "the same before and after"
    why = (
        "the proof takes a copy's mass from the original alone; the most even equilibrium is "
        "another one where several are optimal"
    )
    ours = f"{before:.4g} before, {after:.4g} after"
    yield Finding("Theorem 1.1", what, same, ours, "differs", why)
    kept = abs(merged - before) <= CLOSE
    ours = f"{before:.4g} before, {merged:.4g} after"
    yield Finding(
        "Theorem 1.1", f"{what}, clones=merge", same, ours, "equal" if kept else "differs"
    )


def geometry() -> Iterator[Finding]:
    """Appendix F: rows of the Schur form on a line, and on a circle."""
    where, everybody = "Appendix F", ~np.eye(4, dtype=np.bool_)
    line, square = (np.array(matrix, dtype=np.float64) for matrix in (LINE, SQUARE))
    rating = potential(line, everybody)
    rest = [np.abs(line - (rating[:, None] - rating)).max()]
    yield _same(where, "T less grad(div(T))", [0.0], rest, RESTORED)
    yield _same(where, "div(C)", [0, 0, 0, 0], potential(square, everybody))
    steps = np.diff(circles(line).points(1), axis=0)
    bend = steps[:-1, 0] * steps[1:, 1] - steps[:-1, 1] * steps[1:, 0]
    yield _same(where, "how far the rows of T leave a line", [0.0], [np.abs(bend).max()], RESTORED)
    radius = np.hypot(*circles(square).points(1).T)
    yield _same(where, "spread of the radius of the rows of C", [0.0], [np.ptp(radius)])
