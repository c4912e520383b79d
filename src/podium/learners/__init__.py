"""Learners: how a ranking is kept up to date while scores come in. One file a learner.

A learner starts with a state of arrays, of which `belief` is what it now
thinks; `update` changes the state in place after each round. Importing this
package fills the registry.
"""

import importlib
import pkgutil

from podium.learners._learner import LEARNERS, Belief, Learner

__all__ = ["LEARNERS", "Belief", "Learner"]

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        importlib.import_module(f"{__name__}.{_module.name}")
