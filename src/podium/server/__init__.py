"""Studies over HTTP: `make_app` gives the application, `serve` runs it."""

from podium.server.app import make_app
from podium.server.serving import serve

__all__ = ["make_app", "serve"]
