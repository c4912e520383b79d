"""Tools that write rows: arenas, MT-bench, AlpacaEval and LiveBench."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import podium
from podium.data.matches import Matches
from podium.data.scores import Scores
from podium.errors import DataError
from podium.importers import read, read_by
from tool_files import annotation, battle, grade, judgment, verdict, write_json, write_lines


def scores(source: Any, **how: Any) -> Scores:
    found = read(source, **how)
    assert isinstance(found, Scores)
    return found


def matches(source: Any, **how: Any) -> Matches:
    found = read(source, **how)
    assert isinstance(found, Matches)
    return found


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


BATTLES = [
    battle("ann", "bob", "model_a", 1),
    battle("bob", "ann", "tie (bothbad)", 2, judge="arena_user_2"),
    battle("ann", "cid", "both_bad", 3),
    battle("ann", "cid", "model_b", 4, anony=False),
]


class TestArena:
    def test_only_hidden_models_count(self, tmp_path: Path) -> None:
        found = matches(write_json(tmp_path / "battles.json", BATTLES))
        assert found.score.tolist() == [1.0, 0.5, 0.5]
        assert found.agents == ("ann", "bob", "cid")
        assert found.notes == (
            "1 battle whose models were known (anony false) left out",
            "columns 'turn', 'language' ignored",
        )

    def test_the_judge_is_a_cluster_and_the_stamp_the_time(self, tmp_path: Path) -> None:
        found = matches(write_json(tmp_path / "battles.json", BATTLES))
        assert found.cluster is not None
        assert found.time is not None
        assert found.cluster.tolist() == [0, 1, 0]
        assert found.time.tolist() == [battle("", "", "", n)["tstamp"] for n in (1, 2, 3)]

    def test_a_conversation_voted_on_twice_is_one_battle(self, tmp_path: Path) -> None:
        found = matches(write_json(tmp_path / "x.json", [*BATTLES, BATTLES[0]]))
        assert len(found.score) == 3
        assert "1 row repeated another (agents and identifier, value); counted once" in found.notes

    def test_contradicting_votes_are_an_error(self, tmp_path: Path) -> None:
        path = write_json(tmp_path / "x.json", [*BATTLES, battle("ann", "bob", "model_b", 1)])
        with pytest.raises(DataError, match=r"row 5, column 'winner' holds 0 where row 1 holds 1"):
            read(path)
        assert matches(path, on_conflict="last").score.tolist() == [0.0, 0.5, 0.5]

    def test_other_judges_of_a_question_count_each(self, tmp_path: Path) -> None:
        rows = [battle("ann", "bob", "model_a"), battle("ann", "bob", "model_b", judge="other")]
        assert matches(write_json(tmp_path / "x.json", rows)).score.tolist() == [1.0, 0.0]

    def test_unknown_words_are_no_ties(self, tmp_path: Path) -> None:
        path = write_json(tmp_path / "x.json", [BATTLES[0], battle("ann", "bob", "draw", 9)])
        with pytest.raises(DataError, match="row 2, column 'winner' holds 'draw'"):
            read(path)

    def test_a_judge_may_be_a_term(self, tmp_path: Path) -> None:
        found = matches(write_json(tmp_path / "x.json", BATTLES), terms=["judge"])
        assert [term.labels for term in found.terms] == [("arena_user_1", "arena_user_2")]

    def test_rankings_by_language(self, tmp_path: Path) -> None:
        rows = [*BATTLES, battle("ann", "bob", "model_a", 8, language="French")]
        found = read_by(write_json(tmp_path / "x.json", rows), "language")
        parts = [part for part in found.values() if isinstance(part, Matches)]
        assert [len(part.score) for part in parts] == [3, 1]

    @pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet", "pandas", "polars"])
    def test_other_sources(self, tmp_path: Path, ending: str) -> None:
        frame = pl.DataFrame(BATTLES)
        path = tmp_path / f"x.{ending}"
        writers = {
            "csv": lambda: frame.write_csv(path),
            "jsonl": lambda: frame.write_ndjson(path),
            "parquet": lambda: frame.write_parquet(path),
        }
        sources = {"pandas": pd.DataFrame(BATTLES), "polars": frame}
        if ending in writers:
            writers[ending]()
        found = matches(sources.get(ending, path))
        assert found.score.tolist() == [1.0, 0.5, 0.5]
        assert found.cluster is not None

    @pytest.mark.parametrize("ending", ["csv", "parquet", "lazy"])
    def test_counting_counts_the_same_battles(self, tmp_path: Path, ending: str) -> None:
        frame = pl.DataFrame(BATTLES)
        frame.write_csv(tmp_path / "x.csv")
        frame.write_parquet(tmp_path / "x.parquet")
        source: Any = frame.lazy() if ending == "lazy" else tmp_path / f"x.{ending}"
        assert podium.count(source).met.sum() == 6

    def test_columns_that_the_user_names_are_what_the_user_says(self, tmp_path: Path) -> None:
        path = write_json(tmp_path / "x.json", BATTLES)
        assert len(matches(path, columns={"cluster": "judge"}).score) == 4


class TestMtBench:
    def test_both_verdicts_have_to_agree(self, tmp_path: Path) -> None:
        rows = [
            verdict("model_1", "model_1", 81),
            verdict("model_1", "model_2", 82),
            verdict("tie", "model_2", 83),
            verdict("model_2", "model_2", 84, turn=2),
            verdict("tie", "tie", 84),
            verdict("model_1", "error", 85),
        ]
        found = matches(write_lines(tmp_path / "gpt-4_pair.jsonl", rows))
        assert found.agents == ("ann", "bob")
        assert found.score.tolist() == [1.0, 0.5, 0.5, 0.0, 0.5]
        assert found.cluster is not None
        assert found.cluster.tolist() == [0, 1, 2, 3, 3]
        assert found.notes == ("1 failed judgment left out",)

    def test_grades(self, tmp_path: Path) -> None:
        rows = [grade("ann", 9), grade("ann", 7, turn=2), grade("bob", -1), grade("bob", 4, 82)]
        found = scores(write_lines(tmp_path / "gpt-4_single.jsonl", rows))
        assert found.tasks == ("81", "82")
        assert found.value.tolist() == [9.0, 7.0, 4.0]
        assert found.counts.tolist() == [[2, 0], [0, 1]]
        assert found.notes[:2] == ("1 failed judgment (-1) left out", "1 score missing")

    def test_grades_told_twice(self, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "x.jsonl", [grade("ann", 9), grade("ann", 8)])
        with pytest.raises(DataError, match="line 2, column 'score' holds 8 where line 1 holds 9"):
            read(path)


class TestAlpacaEval:
    def test_preferences_are_scores_against_the_baseline(self, tmp_path: Path) -> None:
        rows = [
            annotation("ann", 2, 1),
            annotation("ann", 1.0, 2),
            annotation("ann", 1.5, 3),
            annotation("ann", 1.25, 4, dataset="vicuna"),
            annotation("ann", None, 5),
            annotation("ann", float("nan"), 6),
            annotation("ann", 0, 7),
        ]
        found = scores(write_json(tmp_path / "annotations.json", rows))
        assert found.tasks == ("koala", "vicuna")
        assert found.value.tolist() == [1.0, 0.0, 0.5, 0.25, 0.5]
        assert found.notes[:3] == (
            "scores are against 'base'",
            "2 annotations without a preference: the judge failed",
            "2 scores missing",
        )

    def test_a_folder_of_models(self, tmp_path: Path) -> None:
        for model, value in (("ann", 2), ("bob", 1)):
            folder = tmp_path / model / "weighted_alpaca_eval_gpt4_turbo"
            write_json(folder / "annotations.json", [annotation(model, value)])
            write_json(tmp_path / model / "model_outputs.json", [{"instruction": "", "output": ""}])
            board = [{"": model, "win_rate": 50, "n_total": 1}]
            write_csv(folder / "leaderboard.csv", board)
        found = scores(tmp_path)
        assert found.means.tolist() == [[1.0, 0.0]]
        assert "left out 4 files that hold other things: " in found.notes[-1]

    def test_several_judges_and_baselines_make_several_tasks(self, tmp_path: Path) -> None:
        rows = [
            annotation("ann", 2),
            annotation("ann", 1, annotator="other"),
            annotation("ann", 1, generator_1="old"),
        ]
        assert scores(write_json(tmp_path / "x.json", rows)).tasks == (
            "koala judged by judge against base",
            "koala judged by other against base",
            "koala judged by judge against old",
        )

    def test_rows_without_a_data_set(self, tmp_path: Path) -> None:
        rows = [{k: v for k, v in annotation("ann", 2).items() if k != "dataset"}]
        assert scores(write_json(tmp_path / "x.json", rows)).tasks == ("alpaca_eval",)

    def test_an_annotation_told_twice(self, tmp_path: Path) -> None:
        path = write_json(tmp_path / "x.json", [annotation("ann", 2), annotation("ann", 1)])
        with pytest.raises(DataError, match="row 2, column 'score' holds 0 where row 1 holds 1"):
            read(path)

    @pytest.mark.parametrize("first", ["", "Unnamed: 0"])
    def test_a_leaderboard(self, tmp_path: Path, first: str) -> None:
        rows = [
            {first: "ann", "win_rate": 50.5, "n_total": 805, "length_controlled_winrate": 40},
            {first: "bob", "win_rate": 60.5, "n_total": 749, "length_controlled_winrate": ""},
        ]
        path = write_csv(tmp_path / "leaderboard.csv", rows)
        found = scores(path)
        assert found.tasks == ("alpaca_eval",)
        assert found.means.tolist() == [[50.5, 60.5]]
        assert found.notes == (
            "judged on fewer than 805 instructions: 'bob' (749)",
            "scores are 'win_rate' (not 'length_controlled_winrate')",
        )
        controlled = scores(path, metric="length_controlled_winrate")
        assert controlled.means.tolist()[0][0] == 40
        assert controlled.missing == 1

    def test_a_rate_that_a_leaderboard_lacks(self, tmp_path: Path) -> None:
        path = write_csv(tmp_path / "x.csv", [{"": "ann", "win_rate": 50.5, "n_total": 805}])
        with pytest.raises(DataError, match="no metric 'elo'; choose from 'win_rate'"):
            read(path, metric="elo")


class TestLiveBench:
    def test_judgments(self, tmp_path: Path) -> None:
        rows = [
            judgment("ann", 1),
            judgment("ann", 0.5, "q2"),
            judgment("bob", 0, "q3", task="proofs"),
            judgment("bob", 1, "q4", task="poems", category="words"),
        ]
        found = scores(write_lines(tmp_path / "x.jsonl", rows))
        assert found.tasks == ("sums", "proofs", "poems")
        assert found.value.tolist() == [1, 0.5, 0, 1]
        assert found.weights.tolist() == [0.5, 0.5, 1.0]

    def test_duplicates_are_dropped_with_a_count(self, tmp_path: Path) -> None:
        rows = [judgment("ann", 1), judgment("ann", 1), judgment("ann", 0, "q2")]
        found = scores(write_lines(tmp_path / "x.jsonl", rows))
        assert found.means.tolist() == [[0.5]]
        assert found.notes[1].startswith("1 row repeated another")

    def test_contradicting_duplicates_stop_the_import(self, tmp_path: Path) -> None:
        path = write_lines(tmp_path / "x.jsonl", [judgment("ann", 1), judgment("ann", 0)])
        with pytest.raises(DataError, match=r"line 2, column 'score' holds 0 where line 1 holds 1"):
            read(path)
        assert scores(path, on_conflict="first").value.tolist() == [1.0]
        assert scores(path, on_conflict="mean").value.tolist() == [0.5]

    def test_a_folder_of_judgments(self, tmp_path: Path) -> None:
        for task in ("sums", "proofs"):
            folder = tmp_path / "math" / task / "model_judgment"
            rows = [judgment("ann", 1, task=task), judgment("bob", 0, task=task)]
            write_lines(folder / "ground_truth_judgment.jsonl", rows)
            write_lines(tmp_path / "math" / task / "question.jsonl", [{"question_id": "q1"}])
        found = scores(tmp_path)
        assert found.means.tolist() == [[1, 0], [1, 0]]

    def test_rows_that_are_tidy_already_are_left_alone(self, tmp_path: Path) -> None:
        row = {"question_id": "q", "task": "t", "agent": "a", "model": "m", "score": 1}
        path = write_json(tmp_path / "x.json", [{**row, "category": "c"}])
        assert scores(path).agents == ("a",)

    TABLE = "model,sums,proofs,poems\nann,10,20,90\nbob,30.5,,60\n"
    CATEGORIES = '{"math": ["sums", "proofs"], "words": ["poems"]}'

    def test_a_table_is_wide_by_model(self, tmp_path: Path) -> None:
        path = tmp_path / "table_2026_01_31.csv"
        path.write_text(self.TABLE)
        found = scores(path)
        assert found.agents == ("ann", "bob")
        assert found.tasks == ("sums", "proofs", "poems")
        assert found.means[:, 0].tolist() == [10, 20, 90]
        assert found.missing == 1
        assert found.notes == ("1 score missing",)

    def test_the_mean_is_that_of_categories(self, tmp_path: Path) -> None:
        (tmp_path / "table_2026_01_31.csv").write_text(self.TABLE)
        (tmp_path / "categories_2026_01_31.json").write_text(self.CATEGORIES)
        found = scores(tmp_path)
        assert found.notes[0].startswith("tasks weigh so that each category weighs the same")
        # (10 + 20) / 2 = 15 in math, 90 in words
        assert podium.rank(found, "mean").ratings["ann"] == pytest.approx((15 + 90) / 2)

    def test_rankings_by_category(self, tmp_path: Path) -> None:
        (tmp_path / "table_2026_01_31.csv").write_text(self.TABLE)
        (tmp_path / "categories_2026_01_31.json").write_text(self.CATEGORIES)
        found = read_by(tmp_path, "category")
        assert {name: part.tasks for name, part in found.items() if isinstance(part, Scores)} == {
            "math": ("sums", "proofs"),
            "words": ("poems",),
        }

    def test_of_several_tables_the_newest_counts(self, tmp_path: Path) -> None:
        for month in ("01", "02"):
            (tmp_path / f"table_2026_{month}_01.csv").write_text(f"model,t\nann,{int(month)}\n")
        (tmp_path / "cost_2026_02_01.csv").write_text("model,t\nann,100\n")
        found = scores(tmp_path)
        assert found.value.tolist() == [2]
        assert found.notes == ("read table_2026_02_01.csv, and left 1 older table out",)

    def test_a_task_of_no_category(self, tmp_path: Path) -> None:
        (tmp_path / "table_2026_01_31.csv").write_text(self.TABLE)
        (tmp_path / "categories_2026_01_31.json").write_text('{"math": ["sums"]}')
        with pytest.raises(DataError, match=r"categories_2026_01_31\.json, names no .* 'proofs'"):
            read(tmp_path)

    def test_another_table_of_such_a_name_is_plain_csv(self, tmp_path: Path) -> None:
        path = tmp_path / "table_2026_01_31.csv"
        path.write_text("task,agent,score\nt,ann,1\n")
        assert scores(path).agents == ("ann",)
        assert list(read_by(path, "task")) == ["t"]
