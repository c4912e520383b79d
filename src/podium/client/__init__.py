"""Studies on a server: `connect` finds them, and they work like studies that are here."""

from podium.client.remote import RemoteStudy
from podium.client.service import Service, connect

__all__ = ["RemoteStudy", "Service", "connect"]
