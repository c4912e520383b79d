"""How often bootstrap intervals of Elo hold the truth, where draws fall apart.

python bench/elo_coverage.py

Agents have normal ratings, and each pair meets a few times. Tables whose wins
connect all agents are kept, as `elo` refuses others. A draw that falls apart is
left out, or rated with a prior; "everywhere" gives the prior to all draws.
"""

import numpy as np

from podium.arrays import Array, Floats, floats
from podium.data.ratings import ranks_of, tiers_of
from podium.kernels.bradley_terry import Counts, fit, logistic
from podium.kernels.components import components
from podium.uncertainty.spread import expanded, rank_bounds, rating_bounds, surely_above

POINTS = 400 / np.log(10)
SETTINGS = ((5, 4, 200.0), (5, 8, 200.0), (5, 6, 400.0))
PRIORS = (0.01, 0.1, 0.5, 1.0)
TABLES, DRAWS, TAIL = 150, 150, 0.05


def connects(counts: Counts) -> bool:
    """Tell whether everybody can be reached from everybody by wins."""
    won, lost = counts.won > 0, counts.lost > 0
    source = np.concatenate([counts.left[won], counts.right[lost]])
    target = np.concatenate([counts.right[won], counts.left[lost]])
    return not components(source, target, counts.size).strong.any()


def rated(counts: Counts, prior: float = 0.0) -> Floats:
    """Fit ratings of mean 0."""
    ratings = fit(counts, prior=prior).ratings
    return floats(ratings - ratings.mean())


def drawn(counts: Counts, rng: np.random.Generator) -> dict[str, list[Floats]]:
    """Rate draws of the matches in each way."""
    won, lost = counts.won, counts.lost
    total = won.sum() + lost.sum()
    ways: dict[str, list[Floats]] = {"left out": [], "everywhere 0.1": []}
    for times in rng.multinomial(int(total), np.concatenate([won, lost]) / total, DRAWS):
        some = counts._replace(won=floats(times[: len(won)]), lost=floats(times[len(won) :]))
        ways["everywhere 0.1"].append(rated(some, 0.1))
        whole = rated(some) if connects(some) else None
        if whole is not None:
            ways["left out"].append(whole)
        for prior in PRIORS:
            ways.setdefault(f"prior {prior:g}", []).append(
                rated(some, prior) if whole is None else whole
            )
    return ways


def held(values: Array, point: Floats, truth: Floats, units: float) -> list[float]:
    """Give the shares of ratings and ranks inside their intervals, and the mean widths."""
    low, high = rating_bounds(values, point, TAIL / 2)
    sure = surely_above(
        np.array([tiers_of(row) for row in values]), tiers_of(point), expanded(TAIL, units)
    )
    best, worst = rank_bounds(sure)
    ranks = ranks_of(tiers_of(truth))
    inside = (low <= truth) & (truth <= high)
    ranked = (best <= ranks) & (ranks <= worst)
    widths = float((high - low).mean() * POINTS), float((worst - best + 1).mean())
    return [float(inside.mean()), widths[0], float(ranked.mean()), widths[1]]


def main() -> None:
    """Print a table for each setting."""
    rng = np.random.default_rng(1)
    for agents, met, deviation in SETTINGS:
        left, right = np.triu_indices(agents, 1)
        found: dict[str, list[list[float]]] = {}
        apart = 0
        tables = 0
        while tables < TABLES:
            truth = rng.normal(0, deviation / POINTS, agents)
            truth -= truth.mean()
            won = floats(rng.binomial(met, logistic(truth[left] - truth[right])))
            counts = Counts(left, right, won, floats(met - won), agents)
            if not connects(counts):
                continue
            tables += 1
            ways = drawn(counts, rng)
            apart += DRAWS - len(ways["left out"])
            for name, values in ways.items():
                point = rated(counts, 0.1 if name.startswith("every") else 0.0)
                row = held(np.array(values), point, truth, met * len(left))
                found.setdefault(name, []).append(row)
        share = apart / (TABLES * DRAWS)
        print(f"{agents} agents, {met} matches a pair, deviation {deviation:g}: {share:.1%} apart")
        for name, rows in found.items():
            inside, width, ranked, ranks = np.mean(rows, axis=0)
            print(f"  {name:15} {inside:.1%} {width:6.0f}   ranks {ranked:.1%} {ranks:.2f}")


if __name__ == "__main__":
    main()
