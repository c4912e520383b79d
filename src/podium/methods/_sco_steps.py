"""Descent by a number of steps that the user gives, over all votes or over batches of them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats
from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.sco_batches import Votes, drawn_rows, noisy_steps, soft_steps
from podium.methods._sco import Box
from podium.words import check_choice, check_number

SCHEDULES = ("constant", "root", "inverse")


class Steps(NamedTuple):
    """How to descend.

    Attributes:
        rates: Size of each step, in the units of the ratings.
        batch: Votes in a batch, or None for all votes.
        seed: Start of all chance.
    """

    rates: Floats
    batch: int | None
    seed: int


def demands(options: Mapping[str, Any]) -> tuple[type, ...]:
    """Name what is read: counts, or the votes themselves where steps are to be made."""
    return (Tally,) if options.get("iterations") is None else (Profile,)


def steps_of(
    method: str,
    iterations: int | None,
    step_size: float,
    batch_size: int | None,
    schedule: str,
    seed: int,
) -> Steps | None:
    r"""Check the options of descent by steps; None where no number of steps is given.

    Step t has the size :math:`\alpha` ("constant"), :math:`\alpha / \sqrt{t}` ("root") or
    :math:`\alpha / t` ("inverse").
    """
    check_choice(f"{method}:schedule", schedule, SCHEDULES)
    check_number(f"{method}:step_size", step_size, low=0.0, high=1e12)
    check_number(f"{method}:seed", seed, low=0)
    if batch_size is not None:
        check_number(f"{method}:batch_size", batch_size, low=1, high=1_000_000)
    if iterations is None:
        if batch_size is not None:
            msg = f"{method}:batch_size is of steps; give {method}:iterations, the number of steps"
            raise DataError(msg)
        return None
    check_number(f"{method}:iterations", iterations, low=0, high=1e9)
    power = {"constant": 0.0, "root": 0.5, "inverse": 1.0}[schedule]
    rates = step_size / np.arange(1.0, iterations + 1) ** power
    return Steps(rates, batch_size, seed)


def votes_of(profile: Profile) -> Votes:
    """Lay ballots out for the kernels."""
    above = profile.group_start
    return Votes(profile.who, above, above + profile.group_size, profile.start)


def batches(
    profile: Profile, box: Box, steps: Steps, batch: int, *, noisy: bool = False
) -> tuple[Floats, int]:
    """Descend from the middle along batches of votes drawn by weight."""
    rng = np.random.default_rng(steps.seed)
    votes, ratings = votes_of(profile), box.start(len(profile.agents))
    if not (profile.weights > 0).any():
        return ratings, 0
    made, longest = 0, int(profile.lengths.max(initial=0))
    for rows in drawn_rows(profile.weights, len(steps.rates), batch, longest, rng):
        rates = steps.rates[made : made + len(rows)]
        if noisy:
            noisy_steps(votes, ratings, rows, rates / box.unit, box.width, rng)
        else:
            soft_steps(votes, ratings, rows, rates / box.unit**2, box.width)
        made += len(rows)
    return ratings, made
