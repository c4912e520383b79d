"""Approval, plurality and Borda: against the papers' examples and slow twins."""

import numpy as np
import pytest
from hypothesis import given

from podium.data.profile import Profile
from podium.errors import DataError
from podium.methods.approval import approval
from podium.methods.borda import borda
from podium.methods.plurality import plurality
from strategies import profiles, steady

# Lanctot et al. (2025), figure 1: five events of a pentathlon.
PENTATHLON = Profile.from_ballots([(1, "ABC"), (1, "ACB"), (2, "CAB"), (1, "BCA")], ["A", "B", "C"])


def test_the_papers_pentathlon() -> None:
    # Lanctot et al. (2025), the sections on approval (k = 2), plurality and Borda. The sentence
    # on plurality gives B the 2 of C; the votes give C 2 and B 1, as in the paper's figure.
    assert approval(PENTATHLON, k=2).values.tolist() == [4, 2, 4]
    assert plurality(PENTATHLON).values.tolist() == [2, 1, 2]
    assert borda(PENTATHLON).values.tolist() == [6, 3, 6]


def slow_points(profile: Profile, worth: "list[float] | str") -> list[float]:
    """Give the worth of places to agents one by one; tied agents share the places they cover."""
    points = dict.fromkeys(profile.agents, 0.0)
    for weight, ballot in profile.ballots():
        length = sum(map(len, ballot))
        table = [length - 1.0 - place for place in range(length)] if worth == "listed" else worth
        place = 0
        for group in ballot:
            shared = sum(float(table[place + i]) for i in range(len(group))) / len(group)
            for agent in group:
                points[agent] += weight * shared
            place += len(group)
    return list(points.values())


@steady(100)
@given(profiles())
def test_slow_twins(profile: Profile) -> None:
    size = len(profile.agents)
    for k in range(1, size + 1):
        twin = slow_points(profile, [1.0] * k + [0.0] * (size - k))
        assert np.allclose(approval(profile, k=k).values, twin)
    assert np.allclose(plurality(profile).values, slow_points(profile, [1.0] + [0.0] * size))
    assert np.allclose(borda(profile).values, slow_points(profile, "listed"))
    full = [size - 1.0 - place for place in range(size)]
    assert np.allclose(borda(profile, variant="full").values, slow_points(profile, full))


@steady(50)
@given(profiles(partial=False))
def test_variants_of_borda_agree_on_complete_ballots(profile: Profile) -> None:
    listed, symmetric = borda(profile), borda(profile, variant="symmetric")
    assert borda(profile, variant="full").values.tolist() == listed.values.tolist()
    total = profile.weights.sum() * (len(profile.agents) - 1)
    assert np.allclose(symmetric.values, 2 * listed.values - total)
    assert symmetric.tiers.tolist() == listed.tiers.tolist()


def test_approval_takes_three_places_unless_told_otherwise() -> None:
    profile = Profile.from_ballots([(1, "abcd")])
    assert approval(profile).values.tolist() == approval(profile, k=3).values.tolist()
    assert approval(Profile.from_ballots([(1, "ab")])).values.tolist() == [1, 1]
    with pytest.raises(DataError, match="approval:k is 0; give a number of at least 1"):
        approval(profile, k=0)
