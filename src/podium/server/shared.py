"""What handlers share: litestar hands it to every handler that names it."""

from litestar.di import NamedDependency

from podium.server.desk import Desk
from podium.server.events import Events
from podium.server.slow import Slow

TheDesk = NamedDependency[Desk]
TheFeeds = NamedDependency[Events]
TheSlow = NamedDependency[Slow]
TheSecret = NamedDependency[str]
