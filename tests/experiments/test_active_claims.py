"""Verdicts on sentences: beyond chance for, beyond chance against, or not decided."""

from collections.abc import Callable

import numpy as np
import pytest

from podium.arrays import Floats
from podium.experiments import _active_claims as test
from podium.experiments._active_claims import Claim
from podium.experiments._registry import Finding

CLAIM = Claim("Section 0", "something", "because")
RNG = np.random.default_rng(5)
NOISE = RNG.normal(size=(4, 60))
SEEDS = RNG.normal(size=60) * 100  # what seeds have in common, far larger than what differs


def errors(*means: float) -> dict[str, Floats]:
    """Give errors by preset that differ little beside what the seeds have in common."""
    return {f"p{i}": SEEDS + mean + NOISE[i] for i, mean in enumerate(means)}


def few(ones: Floats) -> Floats:
    return ones[:4]


@pytest.mark.parametrize(
    ("judge", "verdict"),
    [
        (lambda: test.lower(CLAIM, "", *errors(0, 2).values()), "holds"),
        (lambda: test.lower(CLAIM, "", *errors(2, 0).values()), "does not hold"),
        (lambda: test.lower(CLAIM, "", *errors(0, 0).values()), "not decided"),
        (lambda: test.lower(CLAIM, "", *(e[:1] for e in errors(0, 9).values())), "not decided"),
        (lambda: test.leaders(CLAIM, "", ["p0", "p1"], errors(0, 1, 3, 4)), "holds"),
        (lambda: test.leaders(CLAIM, "", ["p0", "p2"], errors(0, 1, 3, 4)), "does not hold"),
        (lambda: test.leaders(CLAIM, "", ["p0", "p1"], errors(0, 3, 3, 4)), "not decided"),
        (lambda: test.laggards(CLAIM, "", ["p3"], errors(0, 1, 3, 5)), "holds"),
        (lambda: test.laggards(CLAIM, "", ["p0"], errors(0, 1, 3, 5)), "does not hold"),
        (lambda: test.most(CLAIM, "", np.arange(100) < 99), "holds"),
        (lambda: test.most(CLAIM, "", np.arange(100) < 70), "does not hold"),
        (lambda: test.most(CLAIM, "", np.arange(10) < 10), "not decided"),
        (lambda: test.comparable(CLAIM, "", 10 + NOISE[0], 11 + NOISE[1]), "holds"),
        (lambda: test.comparable(CLAIM, "", 10 + NOISE[0], 20 + NOISE[1]), "does not hold"),
        (lambda: test.comparable(CLAIM, "", 10 + NOISE[0], 8 + NOISE[1]), "not decided"),
        (lambda: test.alike(CLAIM, "", errors(0, 2, 4, 6), errors(1, 5, 9, 12)), "holds"),
        (lambda: test.alike(CLAIM, "", errors(0, 2, 4, 6), errors(6, 4, 2, 0)), "does not hold"),
        (lambda: test.alike(CLAIM, "", errors(0, 0.1, 0.2, 0.1), errors(0, 2, 4, 6)), "not decided"),
        (lambda: test.votes_among(CLAIM, "", 2, 2, ["p0", "p1"], errors(0, 1, 4, 5)), "holds"),
        (
            lambda: test.votes_among(CLAIM, "", 2, 2, ["p0", "p3"], errors(0, 1, 4, 5)),
            "does not hold",
        ),
        (
            lambda: test.votes_among(CLAIM, "", 2, 2, ["p0", "p1"], errors(0, 3, 3, 9)),
            "not decided",
        ),
        (lambda: test.stated(CLAIM, "", "1", "1", holds=True), "holds"),
        (lambda: test.stated(CLAIM, "", "1", "2", holds=False), "does not hold"),
    ],
)  # fmt: skip
def test_a_verdict_follows_from_the_numbers(judge: Callable[[], Finding], verdict: str) -> None:
    finding = judge()
    assert finding.verdict == verdict
    assert (finding.why == "") == (verdict == "holds")
    assert (finding.why == "because") == (verdict == "does not hold")


def test_several_counts_presets_whose_share_is_beyond_chance() -> None:
    yes, no, perhaps = np.ones(100, bool), np.zeros(100, bool), np.arange(100) < 93
    found = test.several(CLAIM, "", {"a": yes, "b": yes, "c": yes, "d": no})
    assert (found.verdict, found.ours) == ("holds", "3: a, b, c")
    assert test.several(CLAIM, "", {"a": yes, "b": yes, "c": perhaps}).verdict == "not decided"
    assert test.several(CLAIM, "", {"a": yes, "b": no, "c": perhaps}).verdict == "does not hold"


def test_what_seeds_have_in_common_does_not_hide_a_difference() -> None:
    one, other = errors(0, 1).values()
    assert test.lower(CLAIM, "", one, other).verdict == "holds"
    assert test.lower(CLAIM, "", one, other[::-1]).verdict == "not decided"


def test_the_pair_that_speaks_most_against_a_sentence_is_told() -> None:
    found = test.leaders(CLAIM, "", ["p0"], errors(0, 9, 2, 8))
    assert found.ours.endswith("(p0 less p2)")
    assert found.interval is not None
    assert -3 < found.interval[0] < found.interval[1] < -1


def test_shares_have_exact_intervals() -> None:
    # Clopper and Pearson: 0 of n has the upper end 1 - (0.025) ** (1 / n).
    none = test.share_of(np.zeros(20, bool))
    assert (none.mean, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(1 - 0.025 ** (1 / 20))
