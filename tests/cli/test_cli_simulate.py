"""`podium simulate`."""

import json
from pathlib import Path

import pytest

from commands import invoke
from podium import simulate, worlds

SMALL = ("--world", "mallows:agents=4,tasks=5,phi=0.4", "--rounds", "40", "--seeds", "3")


def test_json_holds_the_errors() -> None:
    ran = invoke(
        "simulate", "podium", "batch-elo", *SMALL, "--top", "2", "--at", "10", "-f", "json"
    )
    assert ran.exit_code == 0
    told = json.loads(ran.stdout)
    assert told["schema"] == "podium.simulate/1"
    assert [(row["preset"], row["at"]) for row in told["results"]] == [
        (name, at) for name in ("podium", "batch-elo") for at in (10, 40)
    ]
    world = worlds.mallows(agents=4, tasks=5, phi=0.4)
    expected = simulate("podium", world, rounds=40, seeds=range(3)).agre(2, 10)
    assert told["results"][0]["agre"] == pytest.approx(expected.mean)
    assert told["results"][0]["half_width"] == pytest.approx(expected.half_width)
    assert told["results"][0]["error_rounds"] == pytest.approx(10 * expected.mean)


def test_people_see_the_best_first() -> None:
    shown = invoke("simulate", "podium", "online-maximal-lotteries", *SMALL, "--top", "4").stdout
    rows = [line.split() for line in shown.splitlines()[3:]]
    assert sorted(row[0] for row in rows) == ["online-maximal-lotteries", "podium"]
    assert [float(row[3]) for row in rows] == sorted(float(row[3]) for row in rows)


def test_csv_has_a_row_for_each_error() -> None:
    lines = invoke("simulate", "podium", *SMALL, "--format", "csv").stdout.splitlines()
    assert lines[0] == "preset,k,at,agre,half_width,error_rounds"
    assert len(lines) == 1 + 2


def test_scores_and_summaries_of_a_file_are_played(tmp_path: Path) -> None:
    scores, summaries = tmp_path / "scores.csv", tmp_path / "summaries.csv"
    scores.write_text("task,agent,score\ns,a,1\ns,b,2\nt,a,1\nt,b,3\n")
    summaries.write_text("task,agent,mean,std\ns,a,1,0.5\ns,b,2,\n")
    for file in (scores, summaries):
        ran = invoke(
            "simulate", "online-elo", "--world", str(file), "--rounds", "5", "--seeds", "2"
        )
        assert ran.exit_code == 0, ran.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("podum",), "did you mean 'podium'"),
        (("podium", "--world", "mallow"), "no world named 'mallow' (did you mean 'mallows'?)"),
        (("podium", "--world", "mallows:fi=1"), "no option of mallows named 'fi'"),
        (("podium", "--world", "mallows:agents=x"), "mallows:agents is 'x'; give a whole number"),
        (("podium", "--world", "mallows:phi=2"), "phi is 2.0; give a number from 0 to 1"),
        (("podium", "--world", "mallows:phi"), "--world 'mallows:phi'"),
        (("podium", "--world", "agent57:scale=maybe"), "give true or false"),
        (("podium", "--world", "rainbow"), "several Kemeny orders"),
        (("podium", "--world", "arena-33k"), "a world is made of scores"),
        (("podium", "--top", "9"), "top is 9; give a number from 1 to 8"),
        (("podium", "--rounds", "5", "--at", "6"), "at is 6; give a number from 1 to 5"),
        (("podium", "--seeds", "0"), "seeds is 0"),
    ],
)
def test_wrong_requests_are_told_in_one_message(args: tuple[str, ...], said: str) -> None:
    ran = invoke("simulate", *args)
    assert ran.exit_code == 1
    assert said in ran.stderr
    assert ran.stdout == ""
