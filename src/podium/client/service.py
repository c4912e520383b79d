"""A server and its studies."""

from collections.abc import Sequence
from typing import Any, overload

from podium.client.remote import RemoteStudy
from podium.client.wire import Wire

TIMEOUT = 60.0
"""Seconds to wait for an answer."""

RETRY_FOR = 120.0
"""Seconds for which a server may be away before a request fails."""


class Service:
    """A server of podium, and the studies that it keeps.

    Attributes:
        url: Where it is.
    """

    def __init__(self, wire: Wire) -> None:
        self.url = wire.url
        self._wire = wire

    def studies(self) -> list[str]:
        """Name all studies."""
        return [study["name"] for study in self._wire.get("studies")["studies"]]

    def create(
        self, name: str, *, agents: Sequence[str], tasks: Sequence[str], **parts: Any
    ) -> RemoteStudy:
        """Begin a study; `Study.create` says what its parts mean."""
        body = {"name": name, "agents": list(agents), "tasks": list(tasks), **parts}
        self._wire.post("studies", body=body)
        return RemoteStudy(self._wire, name)

    def study(self, name: str) -> RemoteStudy:
        """Open a study that is there."""
        self._wire.get("studies", name, "stopped")
        return RemoteStudy(self._wire, name)

    def delete(self, name: str) -> None:
        """Delete a study, and all that was told to it."""
        self._wire.delete("studies", name)

    def close(self) -> None:
        """Close the connection of this thread; those of others close when they end."""
        self._wire.close()

    def __repr__(self) -> str:
        return f"Service({self.url!r})"


@overload
def connect(
    url: str,
    *,
    study: None = None,
    token: str | None = None,
    timeout: float = TIMEOUT,
    retry_for: float = RETRY_FOR,
) -> Service: ...


@overload
def connect(
    url: str,
    *,
    study: str,
    token: str | None = None,
    timeout: float = TIMEOUT,
    retry_for: float = RETRY_FOR,
) -> RemoteStudy: ...


def connect(
    url: str,
    *,
    study: str | None = None,
    token: str | None = None,
    timeout: float = TIMEOUT,
    retry_for: float = RETRY_FOR,
) -> Service | RemoteStudy:
    """Connect to a server that `podium serve` runs.

    Args:
        url: Where it is: `http://HOST:PORT`.
        study: Name of a study to open; without it the answer is the server, which
            lists, creates and opens studies.
        token: The token of the server, where it wants one.
        timeout: Seconds to wait for an answer.
        retry_for: Seconds for which a request is tried again while the server is away.
    """
    service = Service(Wire(url, token, timeout, retry_for))
    return service if study is None else service.study(study)
