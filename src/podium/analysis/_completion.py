"""Completion: who may still win, and who must, when the missing votes come in."""

from dataclasses import dataclass, field

import numpy as np

from podium.analysis._section import LARGEST_TABLE, Fact, View, joined, too_many
from podium.data.matches import Matches
from podium.data.profile import Profile
from podium.data.tally import DENSE_LIMIT
from podium.kernels.completion import ROUNDING, borda_completions, condorcet_completions

BORDA_LIMIT = 1_000
"""Above this many agents no leads of all pairs of agents are bounded."""


@dataclass(frozen=True)
class Completion:
    """What the missing votes could still change.

    Each ballot is completed by putting the agents that it leaves out anywhere on
    it, in all combinations over the ballots.

    Attributes:
        missing_share: Share of the weight of the places on all ballots that is empty.
        possible_condorcet_winners: Agents that are the Condorcet winner in some
            completion.
        necessary_condorcet_winner: The agent that is so in every completion, or None.
        borda: Agent to the fewest and the most Borda points over all completions;
            None where too dear.
        necessary_borda_winners: Agents that no rival passes in points in any
            completion; None where too dear.
        skipped: Which of these were too dear, and why.
    """

    missing_share: float
    possible_condorcet_winners: tuple[str, ...]
    necessary_condorcet_winner: str | None
    borda: dict[str, tuple[float, float]] | None
    necessary_borda_winners: tuple[str, ...] | None
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> list[Fact]:
        """What to tell, line by line."""
        if not self.missing_share:
            return [("places missing", "none")]
        facts = [
            ("places missing", f"{self.missing_share:.1%}"),
            ("possible Condorcet winners", joined(self.possible_condorcet_winners)),
            ("necessary Condorcet winner", self.necessary_condorcet_winner or "none"),
        ]
        if self.necessary_borda_winners is not None:
            facts.append(("necessary Borda winners", joined(self.necessary_borda_winners)))
        return facts

    @property
    def warnings(self) -> list[str]:
        """What may mislead, each with what to do about it."""
        if not self.missing_share or len(self.possible_condorcet_winners) < 2:
            return []
        return [
            (
                f"{self.missing_share:.1%} of the places on the ballots are missing, and any of "
                f"{joined(self.possible_condorcet_winners)} could still come out as the agent that "
                "beats every other; fill missing cells of these first"
            )
        ]


def completion(view: View) -> Completion | str:
    """Find who may still win, and who must, when the missing votes come in."""
    profile, tally = view.profile, view.tally
    if isinstance(view.data, Matches):
        return "matches come without a number of votes that would make them complete"
    if profile is None or tally is None:
        return "it is not known how many votes there are, so none can be said to be missing"
    if len(view.agents) > DENSE_LIMIT:
        return too_many("there are", len(view.agents), DENSE_LIMIT)
    total = float(profile.weights.sum())
    possible, necessary = condorcet_completions(tally.margins, tally.met, total)
    sure = np.flatnonzero(necessary)
    skipped: dict[str, str] = {}
    points, leaders = _borda(view, profile, skipped)
    empty = 1.0 - float(profile.weights @ profile.lengths) / max(total * len(view.agents), 1e-300)
    return Completion(
        missing_share=empty if empty > ROUNDING else 0.0,
        possible_condorcet_winners=view.names(np.flatnonzero(possible)),
        necessary_condorcet_winner=view.agents[int(sure[0])] if len(sure) else None,
        borda=points,
        necessary_borda_winners=leaders,
        skipped=skipped,
    )


def _borda(
    view: View, profile: Profile, skipped: dict[str, str]
) -> tuple[dict[str, tuple[float, float]] | None, tuple[str, ...] | None]:
    cells = len(profile) * len(view.agents)
    if len(view.agents) > BORDA_LIMIT or cells > LARGEST_TABLE:
        skipped["borda"] = (
            f"there are {len(view.agents):,} agents on {len(profile):,} ballots; it is bounded up "
            f"to {BORDA_LIMIT:,} agents and {LARGEST_TABLE:,} places"
        )
        return None, None
    beside = profile.group_start + (profile.group_size - 1) / 2
    points = np.zeros((len(profile), len(view.agents)))
    listed = profile.lengths[profile.vote_of_entry]
    points[profile.vote_of_entry, profile.who] = listed - 1 - beside
    bounds = borda_completions(profile.places(), points, profile.weights)
    spans = zip(bounds.low.tolist(), bounds.high.tolist(), strict=True)
    return (
        dict(zip(view.agents, spans, strict=True)),
        view.names(np.flatnonzero(bounds.necessary)),
    )
