"""STV: elect whoever reaches a quota, eliminate whoever is last, pass the ballots on."""

from typing import Any, Literal

import numpy as np

from podium.arrays import floats, ints
from podium.data.profile import Profile
from podium.data.ratings import LARGEST_LISTED, Ratings
from podium.errors import DataError
from podium.kernels.stv import Race, Round, count_rounds, droop_quota
from podium.methods._registry import method
from podium.words import check_choice

TRANSFERS = ("gregory", "ordered")


@method(
    "stv",
    reads=Profile,
    cite="Hare 1859; Droop 1868; Lanctot et al. 2025",
    cost="m n",
    cheap_up_to=50,
    remarks={
        "clones": "Of several winners. With winners=1 and no equal counts a clone changes nothing "
        "(Tideman 1987), which Table 4 of the paper does not say; agents of equal count leave "
        "together, and that can include all clones."
    },
)
def stv(
    profile: Profile,
    *,
    winners: int | None = None,
    transfer: Literal["gregory", "ordered"] = "gregory",
    fill: bool = False,
) -> Ratings:
    r"""Elect whoever reaches a quota, else eliminate the last, and pass their ballots on.

    .. math:: q = \lfloor n / (k + 1) + 1 \rfloor

    for n votes and k winners. In each round a ballot stands with the best agent
    on it that is still in the race; a tie group shares it equally. If the
    highest count reaches the quota, that agent is elected, a quota of its votes
    is used up and the surplus passes on. Else the agent with the lowest count
    is eliminated and its ballots pass on. First in the ranking are the winners
    as they were elected, then the others from the last eliminated to the first.
    Fewer than k may reach the quota.

    Equal counts are told apart by the last round in which they differed. Agents
    never apart are elected or eliminated together and share a tier.

    The rating is a level, :math:`2m` less the number of winners before for a
    winner, :math:`m` less the number of losers before for a loser, plus the
    votes over :math:`n + 1`. `info["labels"]` writes it as the papers do, with
    the votes (to two decimals) behind a point: "16.19" is level 16 with 19 votes.

    Args:
        profile: The ballots.
        winners: How many to elect; by default half of the agents, or 1.
        transfer: "gregory" passes on the same share of all ballots of a winner.
            "ordered" uses up whole ballots in the order of the profile and
            passes on the others, as published tables do; weights must be whole.
        fill: Whether to elect without a quota once only as many agents are left
            as seats. Agents tied for fewer seats than they are leave them empty.

    >>> result = stv(Profile.from_ballots([(2, "abc"), (2, "cab"), (1, "bca")]), winners=1)
    >>> result.info["labels"]
    {'a': '3.2', 'b': '2.1', 'c': '6.3'}
    """
    check_choice("stv:transfer", transfer, TRANSFERS)
    size = len(profile.agents)
    seats = _seats(winners, size)
    if transfer == "ordered" and (profile.weights != np.floor(profile.weights)).any():
        msg = (
            "stv:transfer is 'ordered', which passes on whole ballots, and a ballot has a weight "
            "that is not whole; give whole weights or transfer='gregory'"
        )
        raise DataError(msg)
    total = float(profile.weights.sum())
    race = Race.of(profile.who, profile.place, profile.start, profile.weights, size)
    told = size <= LARGEST_LISTED
    rounds = count_rounds(race, seats, ordered=transfer == "ordered", fill=fill, keep=told)
    ranked = [r for r in rounds if r.elected] + [r for r in rounds if not r.elected][::-1]

    def names(row: Round) -> list[str]:
        return sorted(profile.agents[code] for code in row.agents.tolist())

    values, tiers = np.zeros(size), np.zeros(size, dtype=np.int64)
    labels: dict[str, str] = {}
    for tier, (row, level) in enumerate(zip(ranked, _levels(ranked, size), strict=True)):
        tiers[row.agents] = tier
        values[row.agents] = level + row.votes / (total + 1)
        label = f"{level}.{_written(row.votes)}"
        labels |= dict.fromkeys(names(row), label)
    info = {
        "winners": tuple(agent for row in rounds if row.elected for agent in names(row)),
        "unique": not any(row.tied for row in rounds),
        "quota": droop_quota(total, seats),
        "rounds": tuple(_told(row, names(row), profile.agents) for row in rounds),
        "labels": {agent: labels[agent] for agent in profile.agents},
    }
    return Ratings(profile.agents, floats(values), ints(tiers), info)


def _seats(winners: int | None, size: int) -> int:
    if winners is None:
        return max(1, size // 2)
    if not 1 <= winners <= max(1, size):
        msg = f"stv:winners is {winners}; give a whole number from 1 to {max(1, size)}, the agents"
        raise DataError(msg)
    return winners


def _levels(ranked: list[Round], size: int) -> list[int]:
    levels, placed = [], {True: 0, False: 0}
    for row in ranked:
        levels.append((2 * size if row.elected else size) - placed[row.elected])
        placed[row.elected] += len(row.agents)
    return levels


def _written(votes: float) -> str:
    return f"{votes:.2f}".rstrip("0").rstrip(".")


def _told(row: Round, names: list[str], agents: tuple[str, ...]) -> dict[str, Any]:
    """Tell what a round decided, with all counts where there are not too many agents."""
    told: dict[str, Any] = {"elected" if row.elected else "eliminated": names, "votes": row.votes}
    if len(row.racing):
        counts = zip(row.racing.tolist(), row.counts.tolist(), strict=True)
        told["counts"] = {agents[code]: votes for code, votes in counts}
    return told
