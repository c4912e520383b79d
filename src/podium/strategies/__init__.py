"""Strategies: what to ask next. One file a strategy.

A strategy starts with a state of arrays; `choose` writes the next query from
the records and from what a learner believes. It never sees the learner itself.
Importing this package fills the registry.
"""

import importlib
import pkgutil

from podium.strategies._strategy import STRATEGIES, Strategy

__all__ = ["STRATEGIES", "Strategy"]

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        importlib.import_module(f"{__name__}.{_module.name}")
