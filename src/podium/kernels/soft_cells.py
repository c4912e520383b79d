r"""What is known of the mean score of each cell: normal, with learned spreads and noise.

Every length is in units of the task's own spread, so that the scale of a task
does not matter. The spread of a task is shrunk towards that of the others, the
noise of a cell towards a common distribution of noise, and its mean towards the
mean of its task.
"""

import math
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats, locked
from podium.kernels.compiled import kernel
from podium.kernels.records import Records, Sizes

PRIOR_SPREAD = 0.85
"""Prior standard deviation of a cell's mean around that of its task, in spreads."""

TYPICAL_NOISE, NOISE_SPREAD, NOISE_WEIGHT = 0.28, 0.8, 3.0
"""Prior of the noise: its middle in spreads, how far its logarithm varies, its weight in cells."""

NOISES: Array = locked(0.0143 * 2.0 ** (0.75 * np.arange(12)))
"""Noises that are thought possible, in spreads."""

LEAST_NOISE = 1e-6
"""What stands for no noise at all, in spreads."""

LOG_NOISES: Array = locked(np.log(NOISES))

EULER = 0.57721566490153286


class Cells(NamedTuple):
    """What is known of each cell, tasks x agents, and of the tasks.

    Attributes:
        spread: Standard deviation of agents' means on each task.
        centre: Mean of the means seen on each task.
        log_noise: Logarithm of the standard deviation of one score.
        shares: Weight that each cell's scores give to each possible noise.
        common: Those weights, added up over all cells and the prior.
        mean: Posterior mean.
        variance: Posterior variance.
        variance_next: The same after one more score.
        shift: What to add to the logarithm of a sample variance of so many means, for its bias.
        error: Sampling variance of that logarithm.
    """

    spread: Floats
    centre: Floats
    log_noise: Floats
    shares: Floats
    common: Floats
    mean: Floats
    variance: Floats
    variance_next: Floats
    shift: Floats
    error: Floats


def no_cells(sizes: Sizes) -> Cells:
    """Make the knowledge of who has seen nothing."""
    cells = (sizes.tasks, sizes.agents)
    common = np.exp(-((LOG_NOISES - math.log(TYPICAL_NOISE)) ** 2) / (2.0 * NOISE_SPREAD**2))
    shift, error = _log_variances(sizes.agents)
    return Cells(
        spread=np.ones(sizes.tasks),
        centre=np.zeros(sizes.tasks),
        log_noise=np.zeros(cells),
        shares=np.zeros((*cells, len(NOISES))),
        common=NOISE_WEIGHT * common / common.sum(),
        mean=np.zeros(cells),
        variance=np.ones(cells),
        variance_next=np.ones(cells),
        shift=shift,
        error=error,
    )


def _log_variances(most: int) -> tuple[Floats, Floats]:
    r"""Give bias and variance of the logarithm of a sample variance of 0, 1, ... normal numbers.

    With :math:`h = (k - 1) / 2`, the logarithm is :math:`\psi(h) - \ln h` too
    high on average, and varies by :math:`\psi'(h)`; both by their recurrences.

    >>> shift, error = _log_variances(3)
    >>> round(float(shift[2]), 6), round(float(error[3]), 6)
    (1.270363, 1.644934)
    """
    shift, error = np.zeros(most + 1), np.ones(most + 1)
    for count in range(2, most + 1):
        half = (count - 1) / 2
        start = 1.0 if count % 2 else 0.5
        digamma = -EULER - (0.0 if count % 2 else 2.0 * math.log(2.0))
        trigamma = math.pi**2 / (6.0 if count % 2 else 2.0)
        for step in range(round(half - start)):
            digamma += 1.0 / (start + step)
            trigamma -= 1.0 / (start + step) ** 2
        shift[count], error[count] = math.log(half) - digamma, trigamma
    return shift, error


@kernel
def learn_spreads(cells: Cells, records: Records) -> None:
    r"""Estimate the spread of each task, shrunk towards the common level.

    .. math:: u_v = \exp \tfrac12 \left(\mu + \frac{\omega}{\omega + s_v} (l_v - \mu)\right)

    with :math:`l_v` the logarithm of the variance of the means seen on the task,
    :math:`s_v` its sampling variance, and :math:`\mu`, :math:`\omega` the mean and
    variance of the true logarithms, by two steps of a fixed point.
    """
    tasks = len(cells.spread)
    logs, errors = np.zeros(tasks), np.zeros(tasks)
    for task in range(tasks):
        count, variance = _variance_of_means(cells, records, task)
        if count >= 2 and variance > 0.0:
            logs[task] = math.log(variance) + cells.shift[count]
            errors[task] = cells.error[count]
    between = 0.0
    level = _level(logs, errors, between)
    for _ in range(2):
        excess, weight = 0.0, 1.0
        for task in range(tasks):
            if errors[task] > 0.0:
                excess += ((logs[task] - level) ** 2 - errors[task]) / errors[task]
                weight += 1.0 / errors[task]
        between = max(0.0, excess / weight)
        level = _level(logs, errors, between)
    for task in range(tasks):
        own = level
        if errors[task] > 0.0:
            own += between / (between + errors[task]) * (logs[task] - level)
        cells.spread[task] = math.exp(0.5 * own)


@kernel
def _variance_of_means(cells: Cells, records: Records, task: int) -> tuple[int, float]:
    """Give the number of agents seen on a task and the variance of their means; note the mean."""
    count, mean, squares = 0, 0.0, 0.0
    for agent in range(records.plays.shape[1]):
        if records.plays[task, agent] > 0:
            count += 1
            off = records.means[task, agent] - mean
            mean += off / count
            squares += off * (records.means[task, agent] - mean)
    cells.centre[task] = mean
    return count, squares / max(count - 1, 1)


@kernel
def _level(logs: Floats, errors: Floats, between: float) -> float:
    """Give the mean of the logarithms, each weighted by its certainty; 0 where there is none."""
    total, weight = 0.0, 0.0
    for task in range(len(logs)):
        if errors[task] > 0.0:
            total += logs[task] / (errors[task] + between)
            weight += 1.0 / (errors[task] + between)
    return total / weight if weight > 0.0 else 0.0


@kernel
def learn_noise(cells: Cells, records: Records, task: int, agent: int) -> None:
    r"""Estimate the noise of one cell from the scatter of its scores.

    .. math:: p(\sigma_g) \propto w_g \, \sigma_g^{-(c - 1)} \exp(-S / 2 \sigma_g^2)

    with w the weights of all other cells and the prior, S the squared
    deviations of c scores. The logarithm of the noise is its posterior mean.
    Nothing is estimated where the noise is known.
    """
    count = records.plays[task, agent]
    if count < 2 or records.noise[task] >= 0.0:
        return
    shares = cells.shares[task, agent]
    scale = math.log(cells.spread[task])
    scatter = records.squares[task, agent] / (2.0 * cells.spread[task] ** 2)
    best = -math.inf
    for noise in range(len(NOISES)):
        cells.common[noise] -= shares[noise]
        likely = -(count - 1) * LOG_NOISES[noise] - scatter / NOISES[noise] ** 2
        shares[noise] = likely
        best = max(best, likely)
    total = 0.0
    for noise in range(len(NOISES)):
        shares[noise] = cells.common[noise] * math.exp(shares[noise] - best)
        total += shares[noise]
    log_noise = 0.0
    for noise in range(len(NOISES)):
        shares[noise] /= total
        cells.common[noise] += shares[noise]
        log_noise += shares[noise] * LOG_NOISES[noise]
    cells.log_noise[task, agent] = scale + log_noise


@kernel
def judge_cells(cells: Cells, records: Records, task: int) -> None:
    r"""Write mean and variance of all cells of a task, now and after one more score.

    The prior is normal around the mean of the task, with a standard deviation
    of :math:`\tau u_v`.
    """
    _variance_of_means(cells, records, task)
    total, log_common = 0.0, 0.0
    for noise in range(len(NOISES)):
        total += cells.common[noise]
        log_common += cells.common[noise] * LOG_NOISES[noise]
    usual = math.log(cells.spread[task]) + log_common / total
    known = records.noise[task]
    if known >= 0.0:
        usual = math.log(max(known, LEAST_NOISE * cells.spread[task]))
    prior = 1.0 / (PRIOR_SPREAD * cells.spread[task]) ** 2
    for agent in range(records.plays.shape[1]):
        count = records.plays[task, agent]
        learned = count > 1 and not known >= 0.0
        certainty = math.exp(-2.0 * (cells.log_noise[task, agent] if learned else usual))
        precision = prior + count * certainty
        seen = count * certainty * records.means[task, agent]
        cells.mean[task, agent] = (prior * cells.centre[task] + seen) / precision
        cells.variance[task, agent] = 1.0 / precision
        cells.variance_next[task, agent] = 1.0 / (precision + certainty)
