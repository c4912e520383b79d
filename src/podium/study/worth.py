"""What a question is worth: how much of what is still open its answer would settle."""

import math

from podium.strategies.expected_gain import expected_gain
from podium.study.ledger import Ledger


def worths_of(ledger: Ledger) -> dict[str, float]:
    """Say what the best question on each task would settle, for its cost.

    Tasks on which nothing may be asked are left out; so are all of them where the learner
    does not say how sure it is of what it believes.

    Args:
        ledger: What the log of the study adds up to; it is not changed.
    """
    evaluator, strategy = ledger.evaluation.evaluator, expected_gain()
    held = getattr(evaluator.learning.belief, "_fields", ())
    if not strategy.needs <= set(held):
        return {}
    best = evaluator.weighed(strategy).best[evaluator.own.tasks].tolist()
    found = zip(ledger.spec.tasks, best, strict=True)
    return {task: worth for task, worth in found if math.isfinite(worth)}
