"""Worlds: where scores come from when the true ranking is known."""

from podium.worlds._instance import Instance, World
from podium.worlds.agent57 import agent57
from podium.worlds.callback import callback
from podium.worlds.clones import clones
from podium.worlds.mallows import mallows
from podium.worlds.plackett_luce import plackett_luce
from podium.worlds.replay import replay
from podium.worlds.table import table

__all__ = [
    "Instance",
    "World",
    "agent57",
    "callback",
    "clones",
    "mallows",
    "plackett_luce",
    "replay",
    "table",
]
