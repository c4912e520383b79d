"""Presets: which learner goes with which strategy. All algorithms are compositions."""

from dataclasses import dataclass

from podium.errors import DataError
from podium.kernels.records import Sizes
from podium.learners import _rules as rule
from podium.learners._learner import LEARNERS, Learner
from podium.learners.averages import averages
from podium.learners.growing import growing
from podium.learners.growing_nash import growing_nash
from podium.learners.kemeny_el import kemeny_el
from podium.learners.mean_model import mean_model
from podium.learners.online_elo import online_elo
from podium.learners.online_lottery import online_lottery
from podium.learners.online_nash import online_nash
from podium.learners.online_sco import online_sco
from podium.learners.soft_forecast import soft_forecast
from podium.learners.soft_vote import soft_vote
from podium.learners.visits import visits
from podium.registry import Registry
from podium.strategies._strategy import STRATEGIES, Strategy
from podium.strategies._wrap import burn_in, mixed
from podium.strategies.agent_ucb import agent_ucb
from podium.strategies.completion import completion
from podium.strategies.expected_gain import expected_gain
from podium.strategies.policy import policy
from podium.strategies.representation import representation
from podium.strategies.uniform import uniform


@dataclass(frozen=True)
class Preset:
    """A learner and a strategy under one name.

    Attributes:
        name: The name that users type.
        learner: How the ranking is kept up to date.
        strategy: What is asked next.
        printed: Name in Table 1 of Lanctot et al. (2026); empty for podium's own.
    """

    name: str
    learner: Learner
    strategy: Strategy
    printed: str = ""


PRESETS: Registry[Preset] = Registry("preset")


def _add(name: str, learner: Learner, strategy: Strategy, printed: str = "") -> None:
    PRESETS.put(Preset(name, learner, strategy, printed))


def preset_of(name: str, learner: str | None = None, strategy: str | None = None) -> Preset:
    """Find a preset, with another learner or another strategy if one is named.

    >>> preset_of("podium").learner.name, preset_of("podium", strategy="uniform").strategy.name
    ('soft-forecast', 'uniform')
    """
    preset = PRESETS[name]
    learns = LEARNERS[learner].make() if learner else preset.learner
    asks = STRATEGIES[strategy].make() if strategy else preset.strategy
    check_match(learns, asks)
    if not learner and not strategy:
        return preset
    return Preset(f"{learns.name} with {asks.name}", learns, asks)


def check_match(learner: Learner, strategy: Strategy) -> None:
    """Demand that a learner offers what a strategy needs."""
    held = set(getattr(learner.start(Sizes(2, 1)).belief, "_fields", ()))
    missing = sorted(strategy.needs - held)
    if missing:
        msg = (
            f"strategy {strategy.name!r} needs {', '.join(missing)}, which learner "
            f"{learner.name!r} does not offer; choose another pair"
        )
        raise DataError(msg)


anything = uniform()
settled = burn_in(uniform())
by_lottery = burn_in(policy(epsilon=0.8))
by_game = burn_in(policy(epsilon=0.1))
by_bandits = policy(epsilon=0.1)
representative = burn_in(representation())
# Whole columns guard against what a learner overlooks. One that forecasts needs few at first; later
# there is less to gain, and what seems settled is worth a second look.
gainful = mixed(expected_gain(), completion(), share=0.03, later=0.3)
guarded = mixed(expected_gain(), completion(), share=0.1, blocks=3)

_add("podium", soft_forecast(), gainful)
_add("soft-vote", soft_vote(), guarded)
_add("uniform-averaging", averages(), anything, "UniformAveraging")
_add("basic-ucb", visits(), agent_ucb(), "BasicUCB")
_add("kemeny-el", kemeny_el(), anything, "KemenyEl")
_add("batch-elo", growing(rule.elo()), settled, "BatchElo")
_add("batch-copeland", growing(rule.copeland()), settled, "BatchCopeland")
_add("batch-ranked-pairs", growing(rule.ranked_pairs()), settled, "BatchRankedPairs")
_add("batch-maximal-lotteries", growing(rule.lotteries()), by_lottery, "BatchMaximalLotteries")
_add("batch-sco", growing(rule.sco()), settled, "BatchSCO")
_add("batch-nash-averaging", growing_nash(), by_game, "BatchNashAveraging")
_add("mean-model-copeland", mean_model(rule.copeland()), settled, "MeanModelCopeland")
_add("mean-model-ranked-pairs", mean_model(rule.ranked_pairs()), settled, "MeanModelRankedPairs")
_add("mean-model-maximal-lotteries", mean_model(rule.lotteries()), settled, "MeanModelMaxLot")
_add(
    "proportional-representation",
    mean_model(rule.ranked_pairs()),
    representative,
    "ProportionalRepresentation",
)
_add("online-elo", online_elo(), anything, "OnlineElo")
_add("online-sco", online_sco(), anything, "OnlineSCO")
_add("online-maximal-lotteries", online_lottery(), by_bandits, "OnlineMaximalLotteries")
_add("online-nash-averaging", online_nash(), by_bandits, "OnlineNashAveraging")
