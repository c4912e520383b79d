"""`podium compare A B DATA`."""

import csv
import io
import json
from pathlib import Path

import pytest

import podium
from commands import invoke


def test_two_agents_as_the_library_compares_them(small: Path) -> None:
    ran = invoke("compare", "human", "dqn", str(small), "--format", "json")
    assert ran.exit_code == 0
    assert json.loads(ran.stdout) == json.loads(
        json.dumps(podium.compare_two(str(small), "human", "dqn").to_dict())
    )


def test_for_people_and_for_sheets(small: Path) -> None:
    text = invoke("compare", "human", "dqn", str(small)).stdout
    assert "do not tell human and dqn apart" in text
    assert "2 wins, 0 ties, 1 loss" in text
    sheet = invoke("compare", "human", "dqn", str(small), "--format", "csv").stdout
    (row,) = csv.DictReader(io.StringIO(sheet))
    assert (row["wins"], row["losses"]) == ("2", "1")
    assert "| human | dqn |" in invoke("compare", "human", "dqn", str(small), "-f", "md").stdout


def test_data_alone_still_compares_methods(small: Path) -> None:
    assert "Rank by each method" in invoke("compare", str(small)).stdout


@pytest.mark.parametrize(
    ("args", "status", "said"),
    [
        (["human", "{small}"], 2, "'human' has no rival"),
        (["a", "b", "c", "{small}"], 2, "4 arguments came"),
        (["human", "dqn", "{small}", "--method", "borda"], 2, "compared without a method"),
        (["human", "dqn", "{small}", "--intervals", "auto"], 2, "compared without a method"),
        (["human", "qdn", "{small}"], 1, "no agent named 'qdn' (did you mean 'dqn'?)"),
        (["human", "dqn", "{small}", "--replicates", "0"], 1, "replicates is 0"),
        ([], 2, "Missing argument"),
    ],
)
def test_what_is_wrong_is_told(small: Path, args: list[str], status: int, said: str) -> None:
    ran = invoke("compare", *(arg.format(small=small) for arg in args))
    assert ran.exit_code == status
    assert said in " ".join(ran.stderr.split())


def test_usage_shows_both_ways() -> None:
    assert invoke("compare", "-h").stdout.startswith("Usage: podium compare [OPTIONS] [A B] DATA\n")
