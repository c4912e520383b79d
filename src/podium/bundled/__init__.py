"""Data that come with podium: one CSV file a set, and where each is from."""

from dataclasses import dataclass
from pathlib import Path

from podium.registry import Registry

HOME = Path(__file__).parent

_OPENSPIEL = "OpenSpiel (Apache-2.0); the scores are published facts"


@dataclass(frozen=True)
class Card:
    """One set of data.

    Attributes:
        name: The name that users type.
        title: What it is, in a line.
        kind: The kind of data that reading it gives.
        source: Where it was published.
        licence: Under which terms, as far as the source says.
        remarks: What a reader of the numbers should know.
    """

    name: str
    title: str
    kind: str
    source: str
    licence: str
    remarks: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The CSV file, as `podium.read` takes it."""
        return HOME / f"{self.name}.csv"


SETS: Registry[Card] = Registry("bundled data")

SETS.put(
    Card(
        name="agent57",
        title="8 agents on 57 Atari games, mean and standard deviation",
        kind="summaries",
        source="Badia et al. 2020, Agent57: Outperforming the Atari Human Benchmark, section H.4",
        licence=_OPENSPIEL,
        remarks=("human, random and muzero were published without a standard deviation",),
    )
)
SETS.put(
    Card(
        name="rainbow",
        title="8 agents on 54 Atari games from human starts",
        kind="scores",
        source="Hessel et al. 2017, Rainbow: Combining Improvements in Deep Reinforcement "
        "Learning, Table 5",
        licence=_OPENSPIEL,
        remarks=("3 pairs of agents have equal scores: two in pong, one in freeway",),
    )
)
SETS.put(
    Card(
        name="rainbow-plus",
        title="the 8 agents of rainbow, a human and a random agent on 54 Atari games",
        kind="scores",
        source="Hessel et al. 2017, Rainbow, Table 5, with human and random of Badia et al. 2020, "
        "Agent57, section H.4",
        licence=_OPENSPIEL,
        remarks=("3 pairs of agents have equal scores: two in pong, one in freeway",),
    )
)
SETS.put(
    Card(
        name="deviation-atari",
        title="20 agents on 53 Atari games, scaled to [0, 1] a game",
        kind="scores",
        source="Marris et al. 2025, Deviation Ratings: A General, Clone-Invariant Rating Method, "
        "Table 3",
        licence="printed in the paper; the scores are published facts",
        remarks=("montezuma_revenge is not among the games that the paper prints",),
    )
)
SETS.put(
    Card(
        name="agentbench",
        title="25 language models on 8 tasks for agents",
        kind="scores",
        source="Liu et al. 2023, AgentBench: Evaluating LLMs as Agents, first version (August "
        "2023), Table 3",
        licence="Apache-2.0",
        remarks=(
            "224 pairs of models have equal scores on a task, most of them 0",
            "the second version of the paper (October 2023) has other models and scores",
        ),
    )
)
SETS.put(
    Card(
        name="arena-33k",
        title="33,000 battles of 20 language models, judged by people",
        kind="matches",
        source="LMSYS, Chatbot Arena Conversation Dataset Release (July 2023), Figures 2 and 3, "
        "with Figure 12 and Table 16 of Lanctot et al. 2025, Evaluating Agents using Social "
        "Choice Theory",
        licence="MIT (text and figures of the release; no conversations are here)",
        remarks=(
            (
                "counts of battles are exact for all 190 pairs; how a pair's battles ended is not "
                "published but for what status says"
            ),
            "status exact: this count follows from published numbers",
            (
                "status margin-exact: wins of a less wins of b is published, the count itself is "
                "estimated"
            ),
            (
                "status estimated: one whole-number solution that fits the counts of battles, the "
                "rounded win rates and the published tables; do not take it for data"
            ),
        ),
    )
)
SETS.put(
    Card(
        name="pentathlon",
        title="the five events of three athletes that explain voting as evaluation",
        kind="ballots",
        source="Lanctot et al. 2025, Evaluating Agents using Social Choice Theory, Figure 1 and "
        "its appendix",
        licence="printed in the paper; the ballots are published facts",
    )
)
