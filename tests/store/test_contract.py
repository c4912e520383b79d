"""The contract of stores, on all three kinds."""

from collections.abc import Callable

import pytest

from podium.store import Store
from podium.store.contract import CHECKS, DURABLE

Opening = Callable[[], Store]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("opening", ["memory", "sqlite", "postgres"], indirect=True)
def test_every_store(check: Callable[[Opening], None], opening: Opening) -> None:
    check(opening)


@pytest.mark.parametrize("check", DURABLE, ids=lambda check: check.__name__)
@pytest.mark.parametrize("opening", ["sqlite", "postgres"], indirect=True)
def test_durable_stores(check: Callable[[Opening], None], opening: Opening) -> None:
    check(opening)
