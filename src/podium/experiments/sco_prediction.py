"""Figures 3 and 6 of Lanctot et al. (2025, SCO): predicting games of several players.

The games of webDiplomacy are not public. Formula 1 stands in for them, and games
drawn at random, as many and with as many players as there. As in the paper, a
random part is held out, and each ranking is scored by the pairs of a held-out
game that it puts the wrong way, a tie or an unknown agent half (KTD).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from podium.arrays import Floats, ints, locked
from podium.data.profile import Profile
from podium.experiments._registry import Finding, Picture, Result, Setting, experiment
from podium.experiments._sco import Mean, mean_of
from podium.experiments._sources import ranked, shared
from podium.experiments.voting_prediction import RACES, TEST_SHARE, races, wrong_pairs
from podium.kernels.sco_batches import drawn_rows, noisy_steps, soft_steps
from podium.methods._sco import Box
from podium.methods._sco_steps import votes_of

SPLITS = 50
LARGE_SPLITS = 2
"""Splits of the large simulated data, of which each takes minutes."""

BATCH, RATE, ONLINE = 32, 0.1, (0.02, 0.1, 0.5)
BOX, NOISE = Box(0.0, 100.0, 1.0), Box(0.0, 100.0, 10.0)
CHECKS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
PLAYERS, GAMES, SEATS = 52_958, 31_049, 7
K = 32.0

PRINTED = {
    "sco": "8.10",
    "sco-fenchel-young": "8.05",
    "elo": "8.34",
    "copeland": "8.34",
    "plurality": "8.57",
}
"""Lowest average distance on webDiplomacy, of 21 pairs a game."""


class Split(NamedTuple):
    """Games to learn from and games to predict.

    Attributes:
        training: All games, those held out without weight.
        tested: Which games are held out.
        seen: Which agents play in a game that is not.
    """

    training: Profile
    tested: Any
    seen: Any

    def error(self, ratings: Floats) -> float:
        """Count wrong pairs a held-out game."""
        known = np.where(self.seen, ratings, np.nan)
        return wrong_pairs(self.training, self.tested, known)


@experiment("sco-prediction", group="sco", remakes="Figures 3 and 6")
def sco_prediction(setting: Setting) -> Result:
    """Predicting held-out games: descent step by step, and online."""
    path = shared(RACES)
    data: dict[str, tuple[Callable[[], Profile], int]] = {
        "simulated Diplomacy": (simulated, min(setting.seeds or LARGE_SPLITS, LARGE_SPLITS))
    }
    if path is not None:
        data["Formula 1"] = (lambda: races(path), setting.seeds or SPLITS)
    findings: list[Finding] = []
    tables: dict[str, list[dict[str, Any]]] = {}
    pictures: list[Picture] = []
    for name, (make, splits) in data.items():
        errors = over_splits(make(), splits, jobs=setting.jobs)
        findings += _findings(name, errors)
        tables[f"{name}, {splits} splits"] = [
            {"method": line, "steps": n, "wrong pairs a game": str(mean)}
            for line, points in errors.items()
            for n, mean in points.items()
        ]
        pictures.append(_picture(name, errors))
    notes = ("webDiplomacy's games are not public; what stands in says nothing for or against.",)
    return Result(tuple(findings), tables=tables, pictures=tuple(pictures), notes=notes)


def simulated(players: int = PLAYERS, games: int = GAMES) -> Profile:
    """Draw games whose players' skills differ; few play often, most play once."""
    rng = np.random.default_rng(0)
    often = np.cumsum(rng.pareto(1.0, players) + 0.3)
    seats = np.searchsorted(often, rng.random(games * SEATS) * often[-1])
    first = rng.permutation(games * SEATS)[:players]
    seats[first] = rng.permutation(players)[: len(first)]
    skill = rng.normal(0, 1, players)
    who = []
    for row in seats.reshape(games, SEATS):
        game = np.unique(row)
        who.append(game[np.argsort(-(skill[game] + rng.gumbel(size=len(game))))])
    sizes = np.array([len(game) for game in who])
    start = np.concatenate(([0], np.cumsum(sizes)))
    flat = np.concatenate(who)
    place = np.arange(len(flat)) - np.repeat(start[:-1], sizes)
    names = tuple(f"player {code:05}" for code in range(players))
    return Profile(names, ints(flat), ints(place), ints(start), locked(np.ones(games)))


def split(profile: Profile, seed: int) -> Split:
    """Hold out the paper's share of games."""
    rng = np.random.default_rng(seed)
    tested = np.zeros(len(profile), dtype=np.bool_)
    tested[rng.permutation(len(profile))[: round(TEST_SHARE * len(profile))]] = True
    seen = np.zeros(len(profile.agents), dtype=np.bool_)
    seen[profile.who[~tested[profile.vote_of_entry]]] = True
    training = profile.with_vote_weights(np.where(tested, 0.0, profile.weights))
    return Split(training, tested, seen)


def over_splits(profile: Profile, splits: int, *, jobs: int) -> Mapping[str, Mapping[int, Mean]]:
    """Average the error of each method after each number of steps."""
    if jobs > 1:
        from joblib import Parallel, delayed

        found = Parallel(n_jobs=jobs)(delayed(one_split)(profile, seed) for seed in range(splits))
    else:
        found = [one_split(profile, seed) for seed in range(splits)]
    return {
        line: {n: mean_of(np.array([each[line][n] for each in found])) for n in points}
        for line, points in found[0].items()
    }


def one_split(profile: Profile, seed: int) -> dict[str, dict[int, float]]:
    """Measure all methods on one split."""
    parts = split(profile, seed)
    lines: dict[str, dict[int, float]] = {
        "sco": dict(_batches(parts, seed, noisy=False)),
        "sco-fenchel-young": dict(_batches(parts, seed, noisy=True)),
    }
    for rate in ONLINE:
        lines[f"online-sco, step size {rate:g}"] = dict(_online(parts, seed, rate))
    lines["online-elo"] = dict(_online(parts, seed, None))
    for method, options in (("elo", {"prior": 0.1}), ("copeland", {}), ("plurality", {})):
        given = ranked(parts.training, method, **options).ratings
        lines[method] = {0: parts.error(np.array([given[a] for a in profile.agents]))}
    return lines


def _batches(parts: Split, seed: int, *, noisy: bool) -> Iterator[tuple[int, float]]:
    """Descend along batches, and score the ratings after some numbers of steps."""
    box = NOISE if noisy else BOX
    votes, weights = votes_of(parts.training), parts.training.weights
    rng, ratings, made = np.random.default_rng(seed), box.start(len(parts.seen)), 0
    for check in CHECKS:
        for rows in drawn_rows(weights, check - made, BATCH, SEATS, rng):
            if noisy:
                rates = np.full(len(rows), RATE / box.unit)
                noisy_steps(votes, ratings, rows, rates, box.width, rng)
            else:
                rates = np.full(len(rows), RATE / box.unit**2)
                soft_steps(votes, ratings, rows, rates, box.width)
        made = check
        yield check, parts.error(ratings)


def _online(parts: Split, seed: int, rate: float | None) -> Iterator[tuple[int, float]]:
    """Go once through the games in a random order, by SCO, or by Elo where no rate is given."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(np.flatnonzero(~parts.tested))
    votes = votes_of(parts.training)
    ratings = BOX.start(len(parts.seen))
    for part in np.array_split(order, 5):
        if rate is None:
            _elo_steps(parts.training, ratings, part)
        else:
            rates = np.full(len(part), rate)
            soft_steps(votes, ratings, part[:, None], rates, BOX.width)
        done = int(np.flatnonzero(order == part[-1])[0]) + 1
        yield done, parts.error(ratings)


def _elo_steps(profile: Profile, ratings: Floats, rows: Any) -> None:
    """Move ratings after each game as if every two of its players had met."""
    scale = np.log(10) / 400
    for row in rows.tolist():
        span = slice(profile.start[row], profile.start[row + 1])
        who, place = profile.who[span], profile.place[span]
        gap = ratings[who][:, None] - ratings[who][None, :]
        won = (place[:, None] < place[None, :]) + 0.5 * (place[:, None] == place[None, :])
        ratings[who] += K * (won - 1 / (1 + np.exp(-gap * scale))).sum(axis=1)


def _findings(name: str, errors: Mapping[str, Mapping[int, Mean]]) -> Iterator[Finding]:
    why = f"the games of webDiplomacy are not public; {name} stands in for them"
    for line, printed in PRINTED.items():
        steps, mean = min(errors[line].items(), key=lambda item: item[1].value)
        after = f" after {steps:,} steps" if steps else ""
        yield Finding("Figure 3", f"lowest error of {line}, {name}", printed, f"{mean}{after}",
                      "no data", why, interval=mean.interval)  # fmt: skip
    last = {line: list(points.values())[-1] for line, points in errors.items()}
    for rate in ONLINE:
        ours, rival = last[f"online-sco, step size {rate:g}"], last["online-elo"]
        said = {0.02: "like Elo", 0.1: "slightly better", 0.5: "significantly better"}[rate]
        what = f"online-sco of step size {rate:g} against Elo, {name}"
        found = f"{ours} against {rival}"
        yield Finding("Figure 6", what, said, found, "no data", why, interval=ours.interval)


def _picture(name: str, errors: Mapping[str, Mapping[int, Mean]]) -> Picture:
    def draw() -> Any:
        from podium.plots import curves

        lines = {
            line: [(n, *mean) for n, mean in points.items()]
            for line, points in errors.items()
            if line.startswith("sco")
        }
        for line in ("elo", "copeland"):
            lines[line] = [(n, *errors[line][0]) for n in CHECKS]
        return curves.draw(curves.x_data(lines), f"Figure 3: held-out error, {name}",
                           x="steps", y="wrong pairs a game", log=True)  # fmt: skip

    return Picture(f"sco-prediction-{name.replace(' ', '-').lower()}", f"Figure 3, {name}", draw)
