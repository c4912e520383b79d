"""Soft Condorcet Optimization: ratings that go against the votes as little as can be."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from podium.data.convert import Data, profile_to_tally
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.tally import Pairs, Tally
from podium.errors import DataError
from podium.kernels.pairs import list_entries
from podium.kernels.sco import descend
from podium.kernels.sco_fit import fit
from podium.methods._certainty import Sampled, Wish
from podium.methods._registry import METHODS, method
from podium.methods._sco import Box, box_of, flags, majorities, rated, soft_loss
from podium.methods._sco_posterior import bayesian_bootstrap, constant_steps
from podium.methods._sco_steps import Steps, batches, demands, steps_of
from podium.words import check_choice, check_number

TOLERANCE = 1e-6
"""Largest slope at which a fit ends, as a share of the steepest that votes could make."""

POSTERIORS = ("bootstrap", "steps")

LIMIT = 20_000
"""Evaluations of the loss, or sweeps over the agents, after which a fit ends in any case."""


def _posterior(data: Data, ratings: Ratings, options: Mapping[str, Any], wish: Wish) -> Sampled:
    """Draw from the posterior of `sco`, in the way that its option names."""
    card = METHODS["sco"]
    given = {**card.options, **options}
    if given["posterior"] == "bootstrap":
        return bayesian_bootstrap(card, data, ratings, options, wish)
    box = box_of("sco", "temperature", given["temperature"], given["low"], given["high"])
    return constant_steps(data, ratings, box, wish)


@method(
    "sco",
    reads=(Tally, Profile),
    reads_with=demands,
    cite="Lanctot et al. 2025 (Soft Condorcet Optimization)",
    cost="p an iteration; p pairs met",
    holds={"condorcet"},
    cheap_up_to=20,
    posterior=_posterior,
)
def sco(
    data: Tally | Profile,
    *,
    temperature: float = 1.0,
    low: float = 0.0,
    high: float = 100.0,
    tolerance: float | None = None,
    iterations: int | None = None,
    step_size: float = 0.01,
    batch_size: int | None = None,
    schedule: Literal["constant", "root", "inverse"] = "constant",
    seed: int = 0,
    posterior: Literal["bootstrap", "steps"] = "bootstrap",
) -> Ratings:
    r"""Rate agents so that few votes go against the ratings, counted softly.

    .. math:: \min_{\theta \in [l, h]^m} \sum_{a, b} N(a, b) \,
              s\left(\frac{\theta_b - \theta_a}{\tau}\right), \quad s(x) = \frac{1}{1 + e^{-x}}

    As :math:`\tau` goes to 0, what is summed is the Kendall-tau distance to the votes.
    Only majorities count: a pair adds its margin, and one that is level adds nothing.

    Without `iterations` the loss is followed down from several starts, the
    temperature falling to its value, until no slope that is not held by a bound
    is above `tolerance` as a share of the steepest possible, and until no agent
    gains by a jump. The loss is not convex, so this need not be the lowest there
    is; `sco-exact` proves it. With `iterations`, exactly so many steps of
    projected gradient descent on the mean loss of votes are made from the middle
    of the range. An agent that no majority involves stays in the middle.

    Args:
        data: Pairwise counts, or votes.
        temperature: The unit in which differences of ratings count.
        low: Lowest rating.
        high: Highest rating.
        tolerance: Slope at which to stop, 1e-6 by default; steps over all votes
            stop early only where it is given.
        iterations: Number of steps to make.
        step_size: Size of the first step.
        batch_size: Votes drawn for each step, by weight with replacement; None takes all.
        schedule: Whether steps stay as they are, or shrink with the root of their
            number, or with their number.
        seed: Start of all chance.
        posterior: How `intervals=posterior` draws: "bootstrap" weighs votes anew (Rubin
            1981), "steps" walks around the minimum in steps of constant size
            (appendix E.3), which needs a range of few temperatures.

    >>> ratings = sco(Tally.from_matrix([[0, 4, 2], [1, 0, 2], [3, 3, 0]], "abc"))
    >>> ratings.values.round(6), ratings.tiers
    (array([ 50.549306,   0.      , 100.      ]), array([1, 2, 0]))
    """
    check_choice("sco:posterior", posterior, POSTERIORS)
    box = box_of("sco", "temperature", temperature, low, high)
    steps = steps_of("sco", iterations, step_size, batch_size, schedule, seed)
    if tolerance is not None:
        check_number("sco:tolerance", tolerance, low=0.0, high=1.0)
    if steps is None:
        return _fitted(_counted(data), box, TOLERANCE if tolerance is None else tolerance)
    if isinstance(data, Tally):
        msg = "sco:iterations makes steps along votes, which counts do not hold; give votes"
        raise DataError(msg)
    if steps.batch is not None and tolerance is not None:
        msg = "sco:tolerance looks at the slopes of all votes; leave it or batch_size out"
        raise DataError(msg)
    return _stepped(data, box, steps, -1.0 if tolerance is None else tolerance)


def _counted(data: Tally | Profile) -> Tally:
    return profile_to_tally(data) if isinstance(data, Profile) else data


def _fitted(tally: Tally, box: Box, tolerance: float) -> Ratings:
    pairs = majorities(tally)
    found = fit(pairs, box.width, tolerance=tolerance, limit=LIMIT)
    info = flags(tally.agents, pairs)
    if found.residual > max(tolerance, TOLERANCE):
        short = f"stopped after {found.iterations:,} iterations at a slope of {found.residual:.1g}"
        info["notes"] = [*info.get("notes", ()), f"{short}; a higher temperature is easier"]
    return rated(
        tally.agents,
        found.ratings,
        box,
        loss=soft_loss(tally.pairs, found.ratings),
        iterations=found.iterations,
        residual=found.residual,
        unique=None,
        **info,
    )


def _listed(profile: Profile) -> Tally:
    """Count pairs as a list, where ballots are short, as no array of agents x agents is needed."""
    size = len(profile.agents)
    if np.square(profile.lengths).sum() > size * size / 4:
        return profile_to_tally(profile)
    columns = list_entries(profile.who, profile.place, profile.start, profile.weights, size)
    return Tally(profile.agents, sparse=Pairs(*columns))


def _stepped(profile: Profile, box: Box, steps: Steps, tolerance: float) -> Ratings:
    tally = _listed(profile)
    pairs = majorities(tally)
    if steps.batch is None:
        start, total = box.start(len(profile.agents)), max(float(profile.weights.sum()), 1e-300)
        rates = steps.rates / box.unit**2
        units, made = descend(pairs, start, rates, box.width, total, tolerance)
    else:
        units, made = batches(profile, box, steps, steps.batch)
    loss = soft_loss(tally.pairs, units)
    info = flags(profile.agents, pairs)
    return rated(profile.agents, units, box, loss=loss, iterations=made, unique=None, **info)
