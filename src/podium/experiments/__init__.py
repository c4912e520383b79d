"""Experiments: the tables and figures of the papers, remade and compared.

One file an experiment; importing this package fills the registry.
"""

import importlib
import pkgutil

from podium.experiments._registry import EXPERIMENTS, VERDICTS, Finding, Result
from podium.experiments._run import run

__all__ = ["EXPERIMENTS", "VERDICTS", "Finding", "Result", "run"]

for _module in pkgutil.iter_modules(__path__):
    if not _module.name.startswith("_"):
        importlib.import_module(f"{__name__}.{_module.name}")
