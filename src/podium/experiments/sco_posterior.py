"""Figure 5 of Lanctot et al. (2025, SCO): a posterior over rankings of ten agents.

The true skills are printed; the contests, their number and the temperature are not.
So contests are drawn anew, as in section 4.3, and three posteriors are set side by
side: the Bayesian bootstrap, steps of constant size, and a random walk by Metropolis'
rule, which takes the posterior exp(-loss) at its word.
"""

from collections import Counter
from typing import Any

import numpy as np

from podium.arrays import Floats
from podium.data.profile import Profile
from podium.experiments._registry import Finding, Picture, Result, Setting, Verdict, experiment
from podium.experiments._sources import tally
from podium.methods._certainty import Sampled, Wish
from podium.methods._registry import METHODS
from podium.methods._sco import Box, soft_loss
from podium.methods.sco import sco

SKILL = np.array([126.46, 106.0, 114.68, 133.61, 128.01, 85.34, 114.25, 97.73, 98.45, 106.16])
"""The printed skills of agents 0 to 9."""

CLOSE = (2, 6)
"""The two agents of closest skill, which the figure's rankings exchange."""

CONTESTS, SEATS, CANDIDATES, NOISE = 400, 4, 3, 5.0
BOX = Box(0.0, 100.0, 10.0)
DRAWS, MOVES = 400, 60_000


@experiment("sco-posterior", group="sco", remakes="Figure 5")
def sco_posterior(_: Setting) -> Result:
    """Posteriors over rankings, by three ways to draw them."""
    profile = contests(CONTESTS)
    drawn = draws(profile)
    walk = above(drawn["random walk"])
    findings = [_exchanged(name, values) for name, values in drawn.items()]
    rows = []
    for name, values in drawn.items():
        wrong = np.abs(above(values) - walk)[np.triu_indices(len(SKILL), 1)]
        row = {"posterior": name, "chance that 2 is above 6": round(float(above(values)[CLOSE]), 3)}
        row["mean difference to the walk"] = round(float(wrong.mean()), 3)
        rows.append(row | {"largest": round(float(wrong.max()), 3)})
    tables = {f"{CONTESTS} contests, temperature {BOX.unit:g}": rows}
    picture = Picture("sco-posterior", "Figure 5: posterior over rankings", lambda: _draw(drawn))
    return Result(tuple(findings), tables=tables, pictures=(picture,))


def contests(count: int, seed: int = 0) -> Profile:
    """Draw contests of agents of similar skill."""
    rng = np.random.default_rng(seed)
    ballots = []
    for _ in range(count):
        seats = [int(rng.integers(len(SKILL)))]
        while len(seats) < SEATS:
            others = np.setdiff1d(np.arange(len(SKILL)), seats)
            tried = rng.choice(others, CANDIDATES, replace=False)
            seats.append(int(tried[np.argmin(np.abs(SKILL[tried] - SKILL[seats].mean()))]))
        played = SKILL[seats] + rng.normal(0, NOISE, SEATS)
        ballots.append((1.0, [str(seats[place]) for place in np.argsort(-played)]))
    return Profile.from_ballots(ballots, [str(agent) for agent in range(len(SKILL))])


def draws(profile: Profile) -> dict[str, Floats]:
    """Draw ratings from each posterior."""
    counts, temperature = tally(profile), BOX.unit
    ratings = sco(counts, temperature=temperature)
    posterior = METHODS["sco"].certainty["posterior"]
    found = {"random walk": _walk(profile, BOX.inside(ratings.values))}
    for name, way in (("Bayesian bootstrap", "bootstrap"), ("constant steps", "steps")):
        wish = Wish(None, DRAWS, np.random.default_rng(1))
        drawn = posterior(profile, ratings, {"temperature": temperature, "posterior": way}, wish)
        if isinstance(drawn, Sampled):
            found[name] = drawn.values
    return found


def _walk(profile: Profile, start: Floats) -> Floats:
    """Walk at random so that places come up as often as exp(-loss) says."""
    rng, pairs = np.random.default_rng(2), tally(profile).pairs
    units, loss, found = start.copy(), soft_loss(pairs, start), []
    for move in range(MOVES):
        tried = units.copy()
        tried[rng.integers(len(units))] += rng.normal()
        if tried.min() >= 0 and tried.max() <= BOX.width:
            fresh = soft_loss(pairs, tried)
            if np.log(rng.random()) < loss - fresh:
                units, loss = tried, fresh
        if move % 50 == 0:
            found.append(BOX.outside(units))
    return np.array(found)


def above(values: Floats) -> Floats:
    """Give the share of draws in which the row agent is above the column agent, ties half.

    >>> above(np.array([[1.0, 0.0], [0.5, 0.5]])).tolist()
    [[0.5, 0.75], [0.25, 0.5]]
    """
    gap = values[:, :, None] - values[:, None, :]
    return np.asarray((gap > 0).mean(axis=0) + 0.5 * (gap == 0).mean(axis=0))


def _exchanged(name: str, values: Floats) -> Finding:
    chance = float(above(values)[CLOSE])
    unsure = 0.01 < chance < 0.99
    verdict: Verdict = "consistent" if unsure else "differs"
    return Finding(
        "Figure 5",
        f"rankings of the posterior exchange agents 2 and 6, {name}",
        "yes",
        f"{'yes' if unsure else 'no'}: 2 is above 6 in {chance:.0%}",
        verdict,
        "the paper's contests are not given; these are drawn in the way that it describes",
    )


def _draw(drawn: dict[str, Floats]) -> Any:
    from podium.plots import bars

    shares = {}
    for name in ("Bayesian bootstrap", "constant steps"):
        orders = Counter(" ".join(map(str, np.argsort(-row))) for row in drawn[name])
        shares[name] = [(order, n / len(drawn[name])) for order, n in orders.most_common(8)]
    title = "Figure 5: the most frequent rankings of two posteriors"
    return bars.draw(bars.x_data(shares), title, x="probability")
