"""`inspect`, `methods`, `convert`, `data` and `reproduce`."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import podium
from commands import invoke, run
from podium.bundled import SETS
from podium.methods._registry import GAME_PROPERTIES, METHODS, PROPERTIES


def answer(*args: str) -> Any:
    ran = invoke(*args, "--format", "json")
    assert ran.exit_code == 0, ran.stderr
    return json.loads(ran.stdout)


def rows(*args: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(invoke(*args, "--format", "csv").stdout)))


def test_inspect_gives_what_the_library_gives(small: Path) -> None:
    found = answer("inspect", str(small))
    assert found["schema"] == "podium.inspect/1"
    assert found == json.loads(json.dumps(podium.inspect(podium.read(small)).to_dict()))


def test_inspect_for_people(small: Path) -> None:
    text = invoke("inspect", str(small)).stdout
    assert "3 agents, 3 tasks, 9 scores" in text
    assert "Condorcet winner" in text
    told = {row["what"]: row["found"] for row in rows("inspect", str(small))}
    assert told["Condorcet winner"] == "human"


def test_methods_lists_the_registry() -> None:
    found = answer("methods")
    assert found["schema"] == "podium.methods/1"
    assert found["properties"] == PROPERTIES
    assert found["game_properties"] == GAME_PROPERTIES
    assert [one["name"] for one in found["methods"]] == sorted(METHODS.cards)
    for one in found["methods"]:
        card = METHODS[one["name"]]
        assert one["summary"] == card.summary
        assert set(one["options"]) == set(card.options)
        told = one["properties"] | one["game_properties"]
        assert {name for name, holds in told.items() if holds} == card.holds
        assert card.plays == (None not in one["game_properties"].values())


def test_methods_for_people() -> None:
    text = invoke("methods").stdout
    for card in METHODS:
        assert card.summary in text
        assert card.cite in text


def test_every_option_of_every_method_is_explained() -> None:
    for one in answer("methods")["methods"]:
        for name, option in one["options"].items():
            assert option["says"], f"{one['name']}:{name}"


def test_one_method_in_full() -> None:
    text = invoke("methods", "copeland").stdout
    for said in (r"\delta_{ij}", "tie_credit=0.5", "Worth of a rival with margin 0", "m^2"):
        assert said in text
    assert [row["name"] for row in rows("methods", "copeland")] == ["copeland"]


def test_remarks_stand_below_the_table() -> None:
    text = " ".join(invoke("methods").stdout.split())
    number = re.search(r"(\d+)\) approval, iia: Table 4 of the paper ticks this\.", text)
    assert number is not None
    assert f"✗ {number[1]})" in text


def test_convert_there_and_back(small: Path, tmp_path: Path) -> None:
    there, back = str(tmp_path / "there.jsonl"), str(tmp_path / "back.csv")
    said = invoke("convert", str(small), there)
    assert said.exit_code == 0, said.stderr
    assert "3 agents, 3 tasks, 9 scores" in said.stdout
    assert answer("convert", there, back)["data"]["records"] == 9
    before, after = podium.rank(small, "mean"), podium.rank(back, "mean")
    assert after.ratings == before.ratings


def test_data_list_names_every_set() -> None:
    assert {card["name"] for card in answer("data", "list")["data"]} == set(SETS.cards)
    assert all(name in invoke("data", "list").stdout for name in SETS.cards)


@pytest.mark.parametrize("name", SETS.cards)
def test_data_show(name: str) -> None:
    (card,) = answer("data", "show", name)["data"]
    assert card["title"] == SETS[name].title
    assert card["agents"] > 1
    text = invoke("data", "show", name).stdout
    assert SETS[name].licence in text
    assert SETS[name].source in text


def test_data_export(tmp_path: Path) -> None:
    original = SETS["rainbow"].path.read_text(encoding="utf-8")
    assert run("data", "export", "rainbow").stdout == original
    copy, other = tmp_path / "copy.csv", tmp_path / "other.jsonl"
    assert invoke("data", "export", "rainbow", "-o", str(copy)).exit_code == 0
    assert copy.read_text(encoding="utf-8") == original
    assert invoke("data", "export", "rainbow", "-o", str(other)).exit_code == 0
    assert podium.rank(other, "mean").ratings == podium.rank(copy, "mean").ratings


def test_reproduce_writes_reports(tmp_path: Path) -> None:
    output = tmp_path / "out"
    found = answer("reproduce", "voting-pentathlon", "--output", str(output))
    assert found["schema"] == "podium.reproduce/1"
    (one,) = found["experiments"]
    assert one["counts"] == found["totals"]
    assert sum(found["totals"].values()) == len(one["findings"]) > 0
    assert (output / "voting-pentathlon.md").exists()
    assert (output / "voting-pentathlon.csv").exists()


def test_reproduce_for_people(tmp_path: Path) -> None:
    text = invoke("reproduce", "voting-pentathlon", "-o", str(tmp_path)).stdout
    for said in ("printed", "ours", "verdict", "equal: ours is the printed number", str(tmp_path)):
        assert said in text.replace("\n", " ")
