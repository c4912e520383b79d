"""Experiments on Soft Condorcet Optimization: printed counts, small runs of the rest, pictures."""

from pathlib import Path

import numpy as np
import pytest

from podium.experiments import EXPERIMENTS, run, sco_prediction, sco_preflib, sco_sparse
from podium.experiments._registry import Setting
from podium.experiments.sco_table3 import FULL, steps
from podium.experiments.voting_prediction import TEST_SHARE
from podium.plots._altair import svg

SCO = {one.name for one in EXPERIMENTS if one.group == "sco"}


def test_the_group_holds_all_of_them() -> None:
    assert {
        "sco-table3", "sco-sparse", "sco-preflib", "sco-prediction", "sco-posterior", "sco-warmup",
    } == SCO  # fmt: skip


@pytest.mark.parametrize(("case", "printed"), FULL.items())
def test_table_3_to_the_digit(case: tuple[float, float], printed: int) -> None:
    # Lanctot et al. (2025, SCO), Table 3: full gradient descent.
    assert steps(*case, np.float32) == printed
    double = {1158: 1159, 4661: 4639}.get(printed, printed)
    assert steps(*case, np.float64) == double


def test_elo_passes_over_a_condorcet_winner_and_sco_does_not() -> None:
    (result,) = run(["sco-warmup"])
    assert [f.verdict for f in result.findings if f.where == "Section 4.1"] == ["equal"] * 9
    sigmoid, noisy = (f for f in result.findings if f.where == "Figure 4")
    assert (sigmoid.verdict, noisy.verdict) == ("explained", "differs")
    ratios = [row["ratio"] for row in next(iter(result.tables.values()))]
    assert max(ratios[:-1]) < 0.25 < ratios[-1]
    for picture in result.pictures:
        assert svg(picture.draw()).startswith("<svg")


def test_posteriors_agree_with_a_random_walk() -> None:
    (result,) = run(["sco-posterior"])
    assert {finding.verdict for finding in result.findings} == {"consistent"}
    rows = {row["posterior"]: row for row in next(iter(result.tables.values()))}
    for name in ("Bayesian bootstrap", "constant steps"):
        assert rows[name]["mean difference to the walk"] < 0.02
    assert "Bayesian bootstrap" in svg(result.pictures[0].draw())


def test_sparse_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sco_sparse, "CONTESTS", (5, 20))
    monkeypatch.setattr(
        sco_sparse, "MISSING", {"uniform": (0.85, 0.52), "skill-matched": (0.88, 0.59)}
    )
    result = sco_sparse.sco_sparse(Setting(seeds=3))
    shares = [f for f in result.findings if f.where == "Section 4.3"]
    assert [float(f.printed) for f in shares] == [0.85, 0.52, 0.88, 0.59]
    for finding in shares:
        assert float(finding.ours.split()[0]) == pytest.approx(float(finding.printed), abs=0.05)
    rows = result.tables["uniform, 3 instances"]
    assert {row["method"] for row in rows} == set(sco_sparse.METHODS)
    assert svg(result.pictures[0].draw()).startswith("<svg")


def test_agents_of_like_skill_meet_where_they_are_matched() -> None:
    rng, skill = np.random.default_rng(0), np.arange(20.0)
    spread = {
        kind: np.mean([np.ptp(sco_sparse.contest(skill, kind, rng)) for _ in range(300)])
        for kind in ("uniform", "skill-matched")
    }
    assert spread["skill-matched"] < 0.7 * spread["uniform"]


PREFLIB = """# DATA TYPE: soc
# NUMBER ALTERNATIVES: 3
# NUMBER VOTERS: 5
# NUMBER UNIQUE ORDERS: 2
# ALTERNATIVE NAME 1: a
# ALTERNATIVE NAME 2: b
# ALTERNATIVE NAME 3: c
2: 1,2,3
3: 3,1,2
"""


def test_a_folder_of_preflib_files_is_taken_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.soc").write_text(PREFLIB)
    (tmp_path / "two.soc").write_text(PREFLIB.replace("3: 3,1,2", "3: 2,1,3"))
    monkeypatch.setenv("PODIUM_PREFLIB", str(tmp_path))
    (result,) = run(["sco-preflib"], seeds=1)
    three = [f for f in result.findings if f.what.endswith(", 3 agents")]
    assert [f.verdict for f in three] == ["equal"] * 4
    assert {f.verdict for f in result.findings if f not in three} == {"no data"}
    assert result.notes == ("2 files; 0 would take too many steps.",)


def test_without_preflib_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PODIUM_PREFLIB", raising=False)
    monkeypatch.setenv("PODIUM_SHARED", "nowhere")
    (result,) = run(["sco-preflib"])
    assert {f.verdict for f in result.findings} == {"no data"}
    assert all("PODIUM_PREFLIB" in f.why for f in result.findings)


def test_files_that_take_too_long_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "one.soc").write_text(PREFLIB)
    monkeypatch.setattr(sco_preflib, "DEAREST", 1.0)
    assert sco_preflib.outcome(tmp_path / "one.soc", seeds=1) is None


def test_prediction_gets_better_with_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sco_prediction, "CHECKS", (10, 3_000))
    games = sco_prediction.simulated(200, 600)
    found = sco_prediction.over_splits(games, 2, jobs=1)
    for line in ("sco", "sco-fenchel-young"):
        first, last = (mean.value for mean in found[line].values())
        assert last < first
    for line, points in found.items():
        if line.startswith("online"):
            assert list(points)[-1] == 600 - round(TEST_SHARE * 600)
