"""Observation 9 and Figure 5 of Lanctot et al. (2025), on races instead of Diplomacy.

The games of webDiplomacy are not public. Formula 1 is the stand-in: many
agents, several of them in each game, each met by few others. The protocol is
the paper's: split the games at random, rank the agents by the training games,
and count in each test game the pairs that the ranking puts the wrong way.
"""

import csv
import gzip
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Array, Floats
from podium.data.profile import Profile
from podium.experiments._elo import SCALE
from podium.experiments._registry import Finding, Result, Setting, experiment
from podium.experiments._sources import no_shared, ranked, shared, tally
from podium.kernels.bradley_terry import Counts, fit

RACES = "data/matches/formula1_results.csv.gz"
SPLITS = 50
TEST_SHARE = 3_000 / 31_049
"""The paper's share of test games."""

PRIOR = 0.1
"""Elo needs one: undefeated drivers would have no finite rating. Wins and losses against a
rival of rating 0."""

CANDIDATES: dict[str, tuple[str, dict[str, Any]]] = {
    "approval k=3": ("approval", {"k": 3}),
    "approval k=2": ("approval", {"k": 2}),
    "plurality": ("plurality", {}),
    "borda": ("borda", {}),
    "copeland": ("copeland", {}),
}
PRINTED = {
    "approval k=3": "significantly below Elo",
    "approval k=2": "significantly below Elo",
    "plurality": "slightly below Elo",
    "borda": "significantly above Elo",
    "copeland": "significantly below Elo, the best",
}
"""What the paper says of the error on Diplomacy."""


class Error(NamedTuple):
    """A mean over splits with half the width of its 95 % interval."""

    mean: float
    half: float

    def __str__(self) -> str:
        return f"{self.mean:.3f} ± {self.half:.3f}"


NOTES = (
    (
        "webDiplomacy's games are not public. Formula 1 races stand in for them; what they "
        "say is neither for nor against the paper."
    ),
    (
        f"Elo is Bradley-Terry with a prior of {PRIOR:g} wins and losses; a driver without a "
        "training race is a coin flip in each of his pairs."
    ),
)


@experiment("voting-prediction", group="voting", remakes="Observation 9 and Figure 5")
def voting_prediction(setting: Setting) -> Result:
    """Predicting single games with several agents, votes against Elo."""
    path = shared(RACES)
    if path is None:
        why = f"webDiplomacy's games are not public; {no_shared(RACES)}, which stand in for them"
        findings = [
            Finding("Observation 9", f"error of {name}", printed, "", "no data", why)
            for name, printed in PRINTED.items()
        ]
        return Result(findings=tuple(findings))
    splits = setting.seeds or SPLITS
    errors = over_splits(races(path), splits, jobs=setting.jobs)
    against = {name: _error(values - errors["elo"]) for name, values in errors.items()}
    rows = [
        {
            "method": name,
            "wrong pairs a race": str(_error(values)),
            "less Elo's": str(against[name]),
        }
        for name, values in sorted(errors.items(), key=lambda item: item[1].mean())
    ]
    return Result(
        findings=tuple(_finding(name, against[name]) for name in PRINTED),
        tables={f"Formula 1, {splits} splits": rows},
        notes=NOTES,
    )


def _finding(name: str, error: Error) -> Finding:
    ours = f"Elo's error and {error} on Formula 1"
    why = "the games of Diplomacy are not public; Formula 1 stands in for them"
    span = (error.mean - error.half, error.mean + error.half)
    what = f"error of {name}"
    return Finding("Observation 9", what, PRINTED[name], ours, "no data", why, interval=span)


def races(path: Path) -> Profile:
    """Read a ballot off each race: the classified drivers by position."""
    orders: dict[tuple[str, str], list[tuple[int, str]]] = {}
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["classified"] == "1":
                places = orders.setdefault((row["date"], row["event"]), [])
                places.append((int(row["position"]), row["agent"]))
    ballots = [(1.0, _groups(places)) for places in orders.values() if len(places) > 1]
    return Profile.from_ballots(ballots)


def _groups(places: list[tuple[int, str]]) -> list[list[str]]:
    """Order drivers by position; those of one position (a shared car) are tied."""
    groups: dict[int, dict[str, None]] = {}
    seen: set[str] = set()
    for position, agent in sorted(places):
        if agent not in seen:
            groups.setdefault(position, {})[agent] = None
            seen.add(agent)
    return [list(groups[position]) for position in sorted(groups)]


def over_splits(profile: Profile, splits: int, *, jobs: int) -> Mapping[str, Array]:
    """Measure the error of each method on each random split."""
    once = partial(one_split, profile)
    if jobs > 1:
        from joblib import Parallel, delayed

        found = Parallel(n_jobs=jobs)(delayed(once)(seed) for seed in range(splits))
    else:
        found = [once(seed) for seed in range(splits)]
    return {name: np.array([errors[name] for errors in found]) for name in found[0]}


def one_split(profile: Profile, seed: int) -> dict[str, float]:
    """Rank by a random part of the ballots, and count wrong pairs on the rest."""
    rng = np.random.default_rng(seed)
    tested = np.zeros(len(profile), dtype=np.bool_)
    tested[rng.permutation(len(profile))[: round(TEST_SHARE * len(profile))]] = True
    training = profile.with_vote_weights(np.where(tested, 0.0, profile.weights))
    seen = np.zeros(len(profile.agents), dtype=np.bool_)
    seen[profile.who[~tested[profile.vote_of_entry]]] = True
    return {
        name: wrong_pairs(profile, tested, np.where(seen, ratings, np.nan))
        for name, ratings in all_ratings(training)
    }


def all_ratings(training: Profile) -> Iterator[tuple[str, Floats]]:
    """Rate agents by each method, in the order of their codes."""
    for name, (method, options) in CANDIDATES.items():
        ratings = ranked(training, method, **options).ratings
        yield name, np.array([ratings[agent] for agent in training.agents])
    counts = tally(training)
    left, right = np.nonzero(np.triu(counts.met, 1))
    half = (counts.met - counts.wins - counts.wins.T) / 2
    won, lost = (counts.wins + half)[left, right], (counts.wins.T + half)[left, right]
    pairs = Counts(left, right, won, lost, len(counts.agents))
    yield "elo", SCALE * fit(pairs, prior=PRIOR).ratings


def wrong_pairs(profile: Profile, tested: Array, ratings: Floats) -> float:
    """Count the pairs that ratings put the wrong way, a tie or an unknown agent half, a ballot."""
    total = 0.0
    for row in np.flatnonzero(tested).tolist():
        span = slice(profile.start[row], profile.start[row + 1])
        above = profile.place[span, None] < profile.place[None, span]
        rating = ratings[profile.who[span]]
        gap = (rating[:, None] - rating[None, :])[above]
        total += float((gap < 0).sum() + 0.5 * (~(gap < 0) & ~(gap > 0)).sum())
    return total / max(int(tested.sum()), 1)


def _error(values: Array) -> Error:
    spread = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return Error(float(values.mean()), float(1.96 * spread))
