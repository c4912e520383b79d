"""Sentences of a paper as numbers: paired by seed, with an interval and a verdict.

Seeds are shared by all presets, so that a difference of two errors is taken seed by
seed. A sentence holds if all of its test's 95 % interval is on its side, it does not
hold if all of it is on the other, and else 100 seeds do not decide.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.experiments._registry import Finding, Verdict

LEVEL = 0.95
ENDS = ((1.0 - LEVEL) / 2, (1.0 + LEVEL) / 2)

MOST_OF = 0.9
"""A share of seeds that counts as all but chance: a world may tie on a pair."""

SEVERAL = 3

NEAR = 0.25
"""Two errors within this share of one another are comparable."""

AGREE = 0.5
"""Least Kendall tau of two orders that are alike."""

RESAMPLES = 1_000

UNDECIDED, NOT_SO = "our seeds do not tell it from chance", "it is not so in our runs"


class Claim(NamedTuple):
    """A sentence.

    Attributes:
        where: The section it is from.
        what: What it says, in our own words.
        why: Why it may not hold, told only if it does not.
    """

    where: str
    what: str
    why: str = ""


class Interval(NamedTuple):
    """A number and its interval."""

    mean: float
    low: float
    high: float


def mean_of(values: Floats, *, level: float = LEVEL) -> Interval:
    """Estimate a mean over seeds, by Student's t.

    >>> mean_of(np.array([1.0, 1.0])).high
    1.0
    """
    from scipy.special import stdtrit

    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, -np.inf, np.inf)
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    half = float(stdtrit(len(values) - 1, 0.5 + level / 2)) * error
    return Interval(mean, mean - half, mean + half)


def share_of(flags: Array) -> Interval:
    """Estimate a share of seeds (Clopper and Pearson 1934).

    >>> [round(number, 3) for number in share_of(np.ones(100))]
    [1.0, 0.964, 1.0]
    """
    from scipy.special import betaincinv

    yes, count, tail = int(flags.sum()), len(flags), (1.0 - LEVEL) / 2
    low = float(betaincinv(yes, count - yes + 1, tail)) if yes else 0.0
    high = float(betaincinv(yes + 1, count - yes, 1.0 - tail)) if yes < count else 1.0
    return Interval(yes / count, low, high)


def lower(claim: Claim, of: str, less: Floats, more: Floats) -> Finding:
    """Test whether one error is below another, seed by seed."""
    found = mean_of(less - more)
    return _finding(claim, of, "difference < 0", found, -found.high, -found.low)


def leaders(
    claim: Claim, of: str, firsts: Collection[str], errors: Mapping[str, Floats]
) -> Finding:
    """Test whether some presets all err less than all others.

    It holds if each pair says so. It does not hold if one pair says the opposite, at
    a level that allows for how many pairs there are.
    """
    others = [name for name in errors if name not in firsts]
    pairs = [(one, other) for one in firsts for other in others]
    gaps = {pair: errors[pair[0]] - errors[pair[1]] for pair in pairs}
    found = {pair: mean_of(gap) for pair, gap in gaps.items()}
    (one, other), worst = max(found.items(), key=lambda item: item[1].high)
    strict = 1.0 - (1.0 - LEVEL) / len(pairs)
    against = max(mean_of(gap, level=strict).low for gap in gaps.values())
    made = _finding(
        claim, of, f"{len(pairs)} differences < 0", worst,
        -max(interval.high for interval in found.values()), -against,
    )  # fmt: skip
    return replace(made, ours=f"{made.ours} ({one} less {other})")


def most(claim: Claim, of: str, flags: Array) -> Finding:
    """Test whether something is so in all seeds but a tenth."""
    found = share_of(flags)
    return _finding(
        claim, of, f"share > {MOST_OF:g}", found, found.low - MOST_OF, found.high - MOST_OF
    )


def laggards(
    claim: Claim, of: str, lasts: Collection[str], errors: Mapping[str, Floats]
) -> Finding:
    """Test whether some presets all err more than all others, as `leaders` does for less."""
    return leaders(claim, of, [name for name in errors if name not in lasts], errors)


def several(claim: Claim, of: str, flags: Mapping[str, Array]) -> Finding:
    """Test whether something is so for several presets, in all seeds but a tenth of each."""
    shares = {name: share_of(found) for name, found in flags.items()}
    sure = [name for name, found in shares.items() if found.low > MOST_OF]
    possible = sum(found.high > MOST_OF for found in shares.values())
    made = _finding(
        claim, of, f"{SEVERAL} or more", Interval(len(sure), len(sure), possible),
        len(sure) - SEVERAL + 0.5, possible - SEVERAL,
    )  # fmt: skip
    return replace(made, ours=f"{len(sure)}: {', '.join(sure)}" if sure else "0")


def comparable(claim: Claim, of: str, one: Floats, other: Floats) -> Finding:
    """Test whether an error is within a quarter of another."""
    found = mean_of((one - other) / other.mean())
    inside = min(NEAR - found.high, found.low + NEAR)
    outside = min(NEAR - found.low, found.high + NEAR)
    return _finding(claim, of, f"relative difference within {NEAR:g}", found, inside, outside)


def votes_among(
    claim: Claim, of: str, number: int, top: int, group: Collection[str],
    errors: Mapping[str, Floats],
) -> Finding:  # fmt: skip
    """Test whether so many of the first few presets are of a group, by resampling the seeds."""
    rng = np.random.default_rng(0)
    values, members = np.array(list(errors.values())), np.isin(list(errors), list(group))

    def count(table: Floats) -> int:
        return int(members[np.argsort(table.mean(axis=1), kind="stable")[:top]].sum())

    seeds = values.shape[1]
    again = [count(values[:, rng.integers(seeds, size=seeds)]) for _ in range(RESAMPLES)]
    low, high = (float(end) for end in np.quantile(again, ENDS))
    found = Interval(count(values), low, high)
    return _finding(claim, of, f"{number} or more", found, low - number + 0.5, high - number)


def alike(
    claim: Claim, of: str, ones: Mapping[str, Floats], others: Mapping[str, Floats]
) -> Finding:
    """Test whether two sets of seeds put presets in like orders, by resampling the seeds."""
    rng = np.random.default_rng(0)
    left, right = np.array(list(ones.values())), np.array([others[name] for name in ones])

    def tau(one: Floats, other: Floats) -> float:
        a, b = one.mean(axis=1), other.mean(axis=1)
        upper = np.triu_indices(len(a), 1)
        signs = np.sign(a[:, None] - a[None, :])[upper] * np.sign(b[:, None] - b[None, :])[upper]
        return float(signs.mean())

    def again(values: Floats) -> Floats:
        return np.asarray(values[:, rng.integers(values.shape[1], size=values.shape[1])])

    taus = [tau(again(left), again(right)) for _ in range(RESAMPLES)]
    low, high = (float(end) for end in np.quantile(taus, ENDS))
    found = Interval(tau(left, right), low, high)
    return _finding(claim, of, f"Kendall tau > {AGREE:g}", found, low - AGREE, high - AGREE)


def stated(claim: Claim, of: str, test: str, ours: str, *, holds: bool) -> Finding:
    """Judge what is a matter of arithmetic."""
    verdict: Verdict = "holds" if holds else "does not hold"
    return Finding(claim.where, claim.what, test, ours, verdict, "" if holds else claim.why, of=of)


def _finding(
    claim: Claim, of: str, test: str, found: Interval, holds: float, may: float
) -> Finding:
    """Judge by margins: it holds if `holds` is above 0, and may hold if `may` is."""
    verdict: Verdict = "holds" if holds > 0 else "not decided" if may >= 0 else "does not hold"
    why = {"holds": "", "not decided": UNDECIDED}.get(verdict, claim.why or NOT_SO)
    known = np.isfinite([found.low, found.high]).all()
    return Finding(
        claim.where, claim.what, test, f"{found.mean:.4g}", verdict, why, of=of,
        interval=(found.low, found.high) if known else None,
    )  # fmt: skip
