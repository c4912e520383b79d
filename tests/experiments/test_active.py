"""The tables of the paper on active evaluation: all cells, and what podium adds."""

import csv

import numpy as np
import pytest

from podium import simulate, worlds
from podium.experiments import _active, run
from podium.experiments._active import OPEN, PRESET_OF, as_zero, cells, judged
from podium.experiments._published import rows
from podium.study.presets import PRESETS
from shared import shared

FRESH = range(9_000, 9_030)
"""Seeds that no choice of podium's constants has seen."""


def test_expected_numbers_are_those_of_the_shared_file() -> None:
    with shared("data/published/active_evaluation_tables.csv").open(newline="") as file:
        assert list(rows("active_tables.csv")) == list(csv.DictReader(file))


def test_a_reason_is_told_for_every_algorithm_that_may_differ() -> None:
    assert set(OPEN) == set(PRESET_OF.values())


def test_every_printed_method_is_a_preset() -> None:
    assert set(PRESET_OF.values()) == {preset.name for preset in PRESETS if preset.printed}
    assert all(cell.preset in PRESETS.cards for table in "235" for cell in cells(table))


@pytest.mark.parametrize("table", ["2", "3", "5"])
def test_every_cell_of_a_table_is_found(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_active, "ROUNDS", 1_000)
    (result,) = run([f"active-table{table}"], seeds=2)
    told = [(finding.of, finding.printed) for finding in result.findings]
    for cell in cells(table):
        of = f"k = {cell.k}" + (f", phi = {cell.phi}" if cell.phi else "")
        assert (of, cell.text) in told
    assert all(finding.why for finding in result.findings)
    assert all("podium" in {row["preset"] for row in table} for table in result.tables.values())


def test_one_seed_has_no_interval() -> None:
    result = simulate("online-elo", worlds.mallows(), rounds=300, seeds=[0])
    assert judged("Table 2", cells("2")[0], result).interval is None


def test_kemeny_finds_the_truth_of_clear_worlds() -> None:
    (result,) = run(["active-table4"], seeds=20)
    clear = [finding for finding in result.findings if finding.of == "phi = 0.3"]
    # Table 4: at phi = 0.3 the Kemeny ranking is the truth in all of 1,000 instances.
    assert [finding.verdict for finding in clear] == ["equal"] * 3


def test_variants_count_unseen_cells_as_zero() -> None:
    assert as_zero("batch-elo") is None
    variant = as_zero("mean-model-copeland")
    assert variant is not None
    start = variant.learner.start(worlds.mallows(agents=3, tasks=5).sizes)
    # Before any score, every task orders the agents by code.
    assert start.wins.tolist() == np.triu(np.full((3, 3), 5.0), 1).tolist()


@pytest.mark.parametrize(
    ("world", "rival"),
    [
        (worlds.mallows(), "uniform-averaging"),
        (worlds.mallows(), "batch-elo"),
        (worlds.agent57(), "uniform-averaging"),
        (worlds.agent57(), "batch-elo"),
        (worlds.agent57(), "mean-model-copeland"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_podium_is_ahead_after_1000_rounds(world: worlds.World, rival: str) -> None:
    ours, theirs = (
        simulate(preset, world, rounds=1_000, seeds=FRESH).agre_by_seed(8)
        for preset in ("podium", rival)
    )
    gain = theirs - ours
    assert gain.mean() > 2 * gain.std(ddof=1) / len(gain) ** 0.5
