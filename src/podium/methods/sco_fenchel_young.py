"""Fenchel-Young ratings: votes as orders of noisy ratings, which is the model behind Elo."""

from collections.abc import Mapping
from typing import Any, Literal

from podium.data.convert import Data, profile_to_tally
from podium.data.profile import Profile
from podium.data.ratings import Ratings
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.bradley_terry import Counts
from podium.kernels.bradley_terry_box import centred, fit_within, loss
from podium.kernels.components import components
from podium.methods._certainty import Sampled, Wish
from podium.methods._registry import METHODS, method
from podium.methods._sco import Box, box_of, group_flags, rated
from podium.methods._sco_posterior import bayesian_bootstrap
from podium.methods._sco_steps import Steps, batches, demands, steps_of

SHARE = 10
"""The scale of the noise is by default this part of the range."""


def _posterior(data: Data, ratings: Ratings, options: Mapping[str, Any], wish: Wish) -> Sampled:
    return bayesian_bootstrap(METHODS["sco-fenchel-young"], data, ratings, options, wish)


@method(
    "sco-fenchel-young",
    reads=(Tally, Profile),
    reads_with=demands,
    cite="Berthet et al. 2020; Lanctot et al. 2025 (Soft Condorcet Optimization)",
    cost="p + m^3, or p for many agents, a step; p pairs met",
    cheap_up_to=100,
    posterior=_posterior,
)
def sco_fenchel_young(
    data: Tally | Profile,
    *,
    sigma: float | None = None,
    low: float = 0.0,
    high: float = 100.0,
    iterations: int | None = None,
    step_size: float = 0.01,
    batch_size: int | None = None,
    schedule: Literal["constant", "root", "inverse"] = "constant",
    seed: int = 0,
) -> Ratings:
    r"""Rate agents so that their ratings, with noise, give the places of the votes on average.

    .. math:: g_v = \operatorname{place}(\theta + \sigma X) - \operatorname{place}(v),
              \quad X \sim \text{Gumbel}

    is the stochastic gradient of a vote; tied agents share the mean of their
    places. A difference of Gumbel noises is logistic, so that its expectation is

    .. math:: \mathrm{E}[g_v]_i = \sum_{j \in v} \frac{1}{1 + e^{(\theta_i - \theta_j) / \sigma}}
              - \operatorname{place}(v)_i

    which is the gradient of the Bradley-Terry likelihood: the loss has the minimum
    of `elo`, in units of :math:`\sigma` and within the range. Without `iterations` this
    minimum is computed as it is, with no noise. It need not put a Condorcet winner
    first. Groups of agents that no vote connects have their mean in the middle of
    the range, as far as they fit.

    `info` holds the `loss`, less the log-likelihood of all pairs.

    Args:
        data: Pairwise counts, or votes.
        sigma: Scale of the noise, by default a tenth of the range.
        low: Lowest rating.
        high: Highest rating.
        iterations: Number of stochastic steps to make, from the middle of the range.
        step_size: Size of the first step.
        batch_size: Votes drawn for each step, by weight with replacement; 32 by default.
        schedule: Whether steps stay as they are, or shrink with the root of their
            number, or with their number.
        seed: Start of all chance.

    >>> sco_fenchel_young(Tally.from_matrix([[0, 3], [1, 0]], "ab")).values.round(2)
    array([55.49, 44.51])
    """
    scale = (high - low) / SHARE if sigma is None else sigma
    box = box_of("sco-fenchel-young", "sigma", scale, low, high)
    more = (iterations, step_size, batch_size, schedule, seed)
    steps = steps_of("sco-fenchel-young", *more)
    if steps is None:
        return _fitted(profile_to_tally(data) if isinstance(data, Profile) else data, box)
    if isinstance(data, Tally):
        msg = "sco-fenchel-young:iterations draws votes, which counts do not hold; give votes"
        raise DataError(msg)
    return _stepped(data, box, steps)


def _fitted(tally: Tally, box: Box) -> Ratings:
    counts = counts_of(tally)
    found = fit_within(counts, box.width)
    group = components(counts.left, counts.right, counts.size).weak
    units = centred(found.ratings, group, box.width)
    return rated(
        tally.agents,
        units,
        box,
        loss=loss(counts, units),
        iterations=found.iterations,
        residual=found.residual,
        unique=True,
        **group_flags(tally.agents, group),
    )


def _stepped(profile: Profile, box: Box, steps: Steps) -> Ratings:
    units, made = batches(profile, box, steps, steps.batch or 32, noisy=True)
    counts = counts_of(profile_to_tally(profile))
    group = components(counts.left, counts.right, counts.size).weak
    return rated(
        profile.agents,
        units,
        box,
        loss=loss(counts, units),
        iterations=made,
        unique=None,
        **group_flags(profile.agents, group),
    )


def counts_of(tally: Tally) -> Counts:
    """Count wins of each pair, a tie as half a win to either side."""
    pairs = tally.pairs
    half = (pairs.met - pairs.wins - pairs.losses) / 2
    size = len(tally.agents)
    return Counts(pairs.left, pairs.right, pairs.wins + half, pairs.losses + half, size)
