"""Where studies are: a store that this process opens, or a server."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import podium
from podium.errors import StudyError
from podium.store import Store, open_store

STORE = "sqlite:///podium.db"
"""Where studies are if nothing else is said."""

TOKEN = "PODIUM_TOKEN"  # noqa: S105, the name of the variable that holds it
"""Environment variable with the login token of a server."""


class Place(Protocol):
    """What commands need of a place."""

    url: str

    def create(self, name: str, **parts: Any) -> Any:
        """Begin a study."""
        ...

    def open(self, name: str) -> Any:
        """Open a study."""
        ...

    def names(self) -> list[str]:
        """Name all studies."""
        ...

    def delete(self, name: str) -> None:
        """Forget a study."""
        ...


class Here:
    """A store that this process opens."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.url = store.url

    def create(self, name: str, **parts: Any) -> Any:
        """Begin a study."""
        from podium.study.study import Study

        return Study.create(name, store=self.store, **parts)

    def open(self, name: str) -> Any:
        """Open a study."""
        from podium.study.study import Study

        return Study.open(name, self.store)

    def names(self) -> list[str]:
        """Name all studies."""
        return self.store.studies()

    def delete(self, name: str) -> None:
        """Forget a study."""
        self.store.delete(name)


class There:
    """A server of studies."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._token = os.environ.get(TOKEN)

    def create(self, name: str, **parts: Any) -> Any:
        """Begin a study."""
        return self._service().create(name, **parts)

    def open(self, name: str) -> Any:
        """Open a study."""
        return podium.connect(self.url, study=name, token=self._token)

    def names(self) -> list[str]:
        """Name all studies."""
        return list(self._service().studies())

    def delete(self, name: str) -> None:
        """Forget a study."""
        self._service().delete(name)

    def _service(self) -> Any:
        return podium.connect(self.url, token=self._token)


@contextlib.contextmanager
def place(url: str | None, *, new: bool = False) -> Iterator[Place]:
    """Open the place that a URL names.

    Args:
        url: A store or a server; None for the usual store.
        new: Whether the file of a store may be made.
    """
    url = url or STORE
    if url.startswith(("http://", "https://")):
        yield There(url)
        return
    with local(url, new=new) as store:
        yield Here(store)


@contextlib.contextmanager
def local(url: str | None, *, new: bool = False) -> Iterator[Store]:
    """Open a store, and close it in the end."""
    url = url or STORE
    if url.startswith(("http://", "https://")):
        msg = f"{url} is a server; give the URL of the store itself, which the server was given"
        raise StudyError(msg)
    if not new:
        _check_there(url)
    store = open_store(url)
    try:
        yield store
    finally:
        store.close()


def _check_there(url: str) -> None:
    """Refuse to make a file in which studies are only looked for."""
    scheme, _, rest = url.partition(":///")
    path = Path(rest.partition("?")[0])
    if scheme == "sqlite" and not path.exists():
        msg = (
            f"no studies at {url}; create one (podium study create), or name another store with "
            "--store or PODIUM_STORE"
        )
        raise StudyError(msg)
