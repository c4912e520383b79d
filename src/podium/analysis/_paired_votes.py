"""Two agents by their direct meetings: in matches, on ballots, or already counted."""

import math

import numpy as np

from podium.analysis._evidence import Asked, Evidence, too_few
from podium.arrays import Floats, Ints, add_up
from podium.data.convert import KINDS, profile_to_tally
from podium.data.matches import LOSS, WIN, Matches
from podium.data.profile import Profile
from podium.data.tally import Tally
from podium.errors import DataError
from podium.kernels.permutation import sign_flip
from podium.kernels.shares import effective, normal_quantile, sign_test, student_quantile, wilson
from podium.words import check_choice, counted

UNITS = {Matches: ("match", "task"), Profile: ("ballot",), Tally: ("match",)}


def vote_evidence(data: Matches | Profile | Tally, asked: Asked) -> Evidence:
    """Weigh the meetings of two agents, the only ones that these data hold."""
    kind = type(data)
    if asked.resample is not None:
        check_choice(f"resample (for {KINDS[kind]})", asked.resample, UNITS[kind])
    if isinstance(data, Matches):
        return _of_matches(data, asked)
    tally = profile_to_tally(data) if isinstance(data, Profile) else data
    wins, losses = float(tally.wins[0, 1]), float(tally.wins[1, 0])
    ties = float(tally.met[0, 1]) - wins - losses
    notes = data.notes
    whole = all(count == math.floor(count) for count in (wins, ties, losses))
    if isinstance(data, Profile) and (data.weights != np.floor(data.weights)).any():
        return _of_ballots(data, asked)
    if not whole:
        words = "the counts are not whole numbers; they were tested as if they counted meetings"
        notes = (*notes, words)
    return _counted(UNITS[kind][0], (wins, ties, losses), notes, asked, tally.agents)


def _counted(
    unit: str,
    counts: tuple[float, float, float],
    notes: tuple[str, ...],
    asked: Asked,
    agents: tuple[str, ...],
) -> Evidence:
    """Weigh counts of wins, ties and losses, each meeting on its own."""
    wins, ties, losses = counts
    met = wins + ties + losses
    _demand(met, agents)
    share, p_value = (wins + ties / 2) / met, sign_test(wins, losses)
    low, high = wilson(share, met, normal_quantile(asked.level))
    return Evidence(
        unit=unit,
        units=round(met),
        difference=(wins - losses) / met,
        interval=(2 * low - 1, 2 * high - 1),
        p_value=p_value,
        test="sign test, exact",
        wins=wins,
        ties=ties,
        losses=losses,
        sign_test=p_value,
        win_share=share,
        win_share_interval=(low, high),
        notes=(*notes, *too_few(round(met), unit, asked.level)),
    )


def _of_ballots(profile: Profile, asked: Asked) -> Evidence:
    """Weigh ballots whose weights are no counts: each is one voter."""
    places = profile.places()
    both = ~np.isnan(places).any(axis=1)
    score = (1 + np.sign(places[both, 1] - places[both, 0])) / 2
    rows = np.arange(len(score))
    found = (score, profile.weights[both], rows)
    return _rows("ballot", *found, profile.notes, asked, profile.agents)


def _of_matches(matches: Matches, asked: Asked) -> Evidence:
    """Weigh matches, those that belong together as one."""
    played = matches.taken(np.flatnonzero(matches.weight > 0))
    score = np.where(played.left == 0, played.score, WIN - played.score)
    unit, group = asked.resample or "match", np.arange(len(score))
    if unit == "task":
        if played.task is None:
            msg = "these matches name no tasks, so resample=task is not possible; leave it out"
            raise DataError(msg)
        group = played.task
    elif played.cluster is not None:
        unit, group = "cluster", played.cluster
    elif (played.weight == 1).all():
        counts = (float((score == WIN).sum()), float((score == 0.5).sum()))
        rest = len(score) - sum(counts)
        return _counted("match", (*counts, rest), played.notes, asked, played.agents)
    _, group = np.unique(group, return_inverse=True)
    return _rows(unit, score, played.weight, group, played.notes, asked, played.agents)


def _rows(
    unit: str,
    score: Floats,
    weight: Floats,
    group: Ints,
    notes: tuple[str, ...],
    asked: Asked,
    agents: tuple[str, ...],
) -> Evidence:
    """Weigh rows of outcomes that have weights or belong together."""
    met = float(weight.sum())
    _demand(met, agents)
    units = int(group.max()) + 1
    share = float(weight @ score) / met
    size, quantile = effective(weight), normal_quantile(asked.level)
    if units < len(score):
        size = _clustered_size(score, weight, group, share)
        quantile = student_quantile(asked.level, units - 1) if units > 1 else quantile
        belonging = f"{counted(len(score), 'match')} belong to {counted(units, unit)}"
        notes = (*notes, f"{belonging}; each of these counts as one draw of chance")
    low, high = wilson(share, size, quantile)
    wins, losses = float(weight[score == WIN].sum()), float(weight[score == LOSS].sum())
    parts = add_up(group, weight * (2 * score - 1), units)
    chance = sign_flip(parts, asked.rng, draws=asked.replicates)
    how = f"{chance.draws:,} drawn" if chance.draws else "all of them"
    return Evidence(
        unit=unit,
        units=units,
        difference=2 * share - 1,
        interval=(2 * low - 1, 2 * high - 1) if units > 1 else None,
        p_value=chance.p_value,
        test=f"sign flips, {how}",
        wins=wins,
        ties=met - wins - losses,
        losses=losses,
        sign_test=sign_test(wins, losses),
        win_share=share,
        win_share_interval=(low, high),
        notes=(*notes, *too_few(units, unit, asked.level)),
    )


def _clustered_size(score: Floats, weight: Floats, group: Ints, share: float) -> float:
    r"""Give how many matches on their own say as much as these in clusters.

    .. math:: n \cdot \frac{\sum_i (w_i e_i)^2}{\sum_c (\sum_{i \in c} w_i e_i)^2}
              \cdot \frac{c - 1}{c}

    where :math:`e` is the score less the share of wins, :math:`n` Kish's size
    and c the number of clusters: the design effect of clusters, turned round.
    """
    clusters = int(group.max()) + 1
    residual = weight * (score - share)
    apart, together = float((residual**2).sum()), add_up(group, residual, clusters)
    spread = float((together**2).sum())
    if clusters < 2 or apart == 0:
        return float(clusters)
    if spread == 0:
        return effective(weight)
    return effective(weight) * apart / spread * (clusters - 1) / clusters


def _demand(met: float, agents: tuple[str, ...]) -> None:
    if met <= 0:
        a, b = agents
        msg = (
            f"{a!r} and {b!r} never met, so nothing compares them directly; "
            "podium.rank sets them against each other through the others"
        )
        raise DataError(msg)
