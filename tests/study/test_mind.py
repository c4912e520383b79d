"""Thinking apart, while the study changes."""

import pytest

from podium.store import open_store
from podium.study.study import Study


@pytest.mark.parametrize("patience", [None, 1.0])
def test_agents_that_come_in_without_an_answer_are_in_the_next_report(
    patience: float | None,
) -> None:
    store = open_store("memory://")
    Study.create("s", agents=["a", "b"], tasks=["t"], store=store)
    study = Study(store, "s", patience=patience)
    study.add([("t", "a", 1.0), ("t", "b", 0.0)])
    assert set(study.ranking().ratings) == {"a", "b"}
    study.extend(agents=["c"], tasks=["u"])
    assert set(study.ranking().ratings) == {"a", "b", "c"}
    assert study.status()["coverage"] == 2 / 6
    assert study.picture().pairs.shape == (3, 3)
    study.close()
